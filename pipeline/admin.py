"""The read-only admin of builds."""

from __future__ import annotations

from django.conf import settings
from django.contrib import admin

from bibliography.admin import ReadOnlyAdmin
from pipeline.layout import DataDir
from pipeline.models import BuildRun


@admin.register(BuildRun)
class BuildRunAdmin(ReadOnlyAdmin):
    """Builds, newest first."""

    list_display = ("id", "status_now", "step", "started_at", "finished_at", "message")
    list_filter = ("status",)
    exclude = ("status",)
    readonly_fields = ("status_now",)

    @admin.display(description="status")
    def status_now(self, run: BuildRun) -> str:
        """Give the status, also of a run that was killed."""
        return run.status_now(DataDir(settings.DATA_DIR).lock)
