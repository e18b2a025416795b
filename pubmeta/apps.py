"""The Django application ``pubmeta``."""

from __future__ import annotations

from django.apps import AppConfig


class PubmetaConfig(AppConfig):
    """Registers the checks of the settings."""

    name = "pubmeta"

    def ready(self) -> None:
        """Register them, which takes no more than importing them."""
        from pubmeta import checks  # noqa: F401
