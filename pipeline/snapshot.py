"""What clients of the control see of the newest build: a copy of its row that nobody changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pipeline.models import BuildRun, Status


@dataclass(frozen=True)
class Snapshot:
    """The newest build; ``log`` holds its last lines, of ``log_length`` in all."""

    run: int | None = None
    status: str = Status.IDLE
    step: str = Status.IDLE
    message: str = ""
    started_at: datetime | None = None
    finished_at: datetime | None = None
    progress: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    log: tuple[str, ...] = ()
    log_length: int = 0

    @property
    def active(self) -> bool:
        """Tell whether a process is building."""
        return self.status in (Status.RUNNING, Status.STOPPING)

    @classmethod
    def of(cls, run: BuildRun | None) -> Snapshot:
        """Copy a row; before the first build, and after a reset, there is nothing to see."""
        if run is None or run.dismissed:
            return cls()
        return cls(run=run.pk, log=tuple(run.log), **{name: getattr(run, name) for name in _SAME_NAME})


_SAME_NAME = ("status", "step", "message", "started_at", "finished_at", "progress", "options", "log_length")
