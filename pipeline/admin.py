"""The read-only admin of builds."""

from __future__ import annotations

from django.contrib import admin

from bibliography.admin import ReadOnlyAdmin
from pipeline.models import BuildRun


@admin.register(BuildRun)
class BuildRunAdmin(ReadOnlyAdmin):
    """Builds, newest first."""

    list_display = ("id", "status", "step", "started_at", "finished_at", "message")
    list_filter = ("status",)
