#!/usr/bin/env python3
"""Django's command line for pubmeta."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command that the arguments name."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pubmeta.settings")
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line

        try:
            execute_from_command_line(sys.argv)
        except ImproperlyConfigured as error:
            # No status of a command: bad settings must not look like an answer of ``coauthors``.
            sys.stderr.write(f"{error}\n")
            sys.exit(os.EX_CONFIG)
    except KeyboardInterrupt:
        sys.exit(130)  # What a shell reports of a program that Ctrl-C ended.


if __name__ == "__main__":
    main()
