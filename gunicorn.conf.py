"""How gunicorn serves pubmeta; ``make serve`` uses it."""

from __future__ import annotations

import os
import sys
from typing import Any

from django.core.exceptions import ImproperlyConfigured

wsgi_app = "pubmeta.wsgi"
bind = os.environ.get("PUBMETA_BIND", "127.0.0.1:8091")
# Two processes, so that a question that computes does not hold up the next one; threads for those that wait.
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
worker_class = "gthread"
threads = 8
timeout = 60
graceful_timeout = 10
control_socket_disable = True


def on_starting(server: Any) -> None:
    """Refuse a bad setting with a line for people, before any process is started that would fail over it."""
    try:
        import pubmeta.settings  # noqa: F401
    except ImproperlyConfigured as error:
        sys.exit(str(error))
