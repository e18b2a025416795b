"""The Django application ``bibliography``."""

from __future__ import annotations

from django.apps import AppConfig


class BibliographyConfig(AppConfig):
    """Registers the application."""

    name = "bibliography"
