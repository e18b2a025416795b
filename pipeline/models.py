"""``BuildRun``: one row a build; what every observer reads, whichever process builds."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from django.db import models
from django.utils import timezone

from pipeline.lock import is_locked

LOG_LINES = 500  # Kept of a run's log: the end tells what went wrong.


class Status(models.TextChoices):
    """The states of a build; a run is never ``idle``, that is what there is before the first one."""

    IDLE = "idle", "nothing has been started"
    RUNNING = "running", "a process is building"
    STOPPING = "stopping", "it was asked to stop and has not ended yet"
    STOPPED = "stopped", "it was asked to stop and did"
    COMPLETED = "completed", "the store was published, or nothing had changed"
    ERROR = "error", "it failed, or its process died"


FINISHED = frozenset({Status.STOPPED, Status.COMPLETED, Status.ERROR})
_MOVES = {
    Status.RUNNING: {Status.STOPPING, *FINISHED},
    Status.STOPPING: set(FINISHED),
}


class InvalidTransition(Exception):
    """A run was to go where its present state does not lead."""


class BuildRun(models.Model):
    """One build: what was asked for, how far it is, how it ended."""

    status = models.TextField(choices=Status.choices, default=Status.RUNNING)
    step = models.TextField(default="starting", help_text="starting, a phase, or the final status")
    message = models.TextField(default="", help_text="one line for people")
    pid = models.IntegerField(null=True, help_text="process that builds, null until it is known")
    started_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)
    stop_requested_at = models.DateTimeField(null=True)
    killed = models.BooleanField(default=False, help_text="it did not stop in time and was killed")
    dismissed = models.BooleanField(default=False, help_text="a reset has put it out of sight of the console")
    options = models.JSONField(default=dict, help_text="what was asked for")
    progress = models.JSONField(default=dict)
    log = models.JSONField(default=list, help_text=f"the last {LOG_LINES} lines")
    log_length = models.IntegerField(default=0, help_text="lines logged in all")

    class Meta:
        """Newest first."""

        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return f"build {self.pk} ({self.status})"

    def status_now(self, lock: Path) -> str:
        """Give the status, which is error for a run whose process died before it could say so.

        The row is read before the lock is looked at and after that: a run ends in its row before its process lets
        go of the lock, so one that still runs in the row of a lock that nobody held is dead.
        """
        if self.status in FINISHED or is_locked(lock):
            return self.status
        self.refresh_from_db(fields=["status"])
        return self.status if self.status in FINISHED else Status.ERROR

    def move(self, status: Status, **fields: Any) -> None:
        """Go to another state and save those fields with it, unless somebody else moved the run meanwhile.

        Raises ``InvalidTransition`` where the state does not lead there; only one of several who try succeeds.
        """
        allowed = [before for before, after in _MOVES.items() if status in after]
        changed = BuildRun.objects.filter(pk=self.pk, status__in=allowed).update(status=status, **fields)
        self.refresh_from_db()
        if not changed:
            raise InvalidTransition(f"{self} cannot become {status}")

    def finish(self, status: Status, message: str, **fields: Any) -> None:
        """End the run, and save those fields with it."""
        self.move(status, step=status, message=message, finished_at=timezone.now(), **fields)
