"""The Django application ``pipeline``."""

from __future__ import annotations

from django.apps import AppConfig


class PipelineConfig(AppConfig):
    """Registers the application."""

    name = "pipeline"
