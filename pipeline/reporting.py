"""Reports of a build: to its ``BuildRun`` row, and to whoever watches the terminal or the log."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from django.db import DatabaseError
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from pipeline.models import LOG_LINES, BuildRun

_SECONDS_BETWEEN_WRITES = 0.5


class RunReport:
    """Keeps the row of a build up to date, writing at most twice a second.

    Any thread may report; only the one that calls ``write`` touches the database. A database that is locked or
    full does not end the build: what could not be written is written with what comes next.
    """

    def __init__(self, run: BuildRun, tell: Callable[[str], None]) -> None:
        self._run = run
        self._tell = tell
        self._lock = threading.Lock()
        self._changed: dict[str, Any] = {}
        self._log: list[str] = list(run.log)
        self._progress: dict[str, float] = {}
        self._written = 0.0
        self.seconds: dict[str, float] = {}
        self._phase: tuple[str, float] | None = None

    def phase(self, name: str) -> None:
        """Begin a phase."""
        self._end_phase()
        self._phase = (name, time.monotonic())
        with self._lock:
            self._progress = {key: self._progress[key] for key in _LASTING & self._progress.keys()}
            self._changed |= {"step": name, "progress": dict(self._progress)}
        self.log(name)

    def _end_phase(self) -> None:
        if self._phase is not None:
            name, started = self._phase
            self.seconds[name] = round(time.monotonic() - started, 2)
            self._phase = None

    def progress(self, **values: float) -> None:
        """Note that something has moved."""
        with self._lock:
            self._progress |= values
            self._changed["progress"] = dict(self._progress)

    def log(self, line: str) -> None:
        """Keep a line."""
        with self._lock:
            self._log.append(line)
            self._changed |= {"log": self._log[-LOG_LINES:], "log_length": len(self._log), "message": line}
        self._tell(line)

    def write(self, now: bool = False) -> None:
        """Write what has changed, unless that was done a moment ago."""
        if not now and time.monotonic() - self._written < _SECONDS_BETWEEN_WRITES:
            return
        with self._lock:
            changed, self._changed = self._changed, {}
        self._written = time.monotonic()
        if changed:
            try:
                BuildRun.objects.filter(pk=self._run.pk).update(**changed)
            except DatabaseError:
                with self._lock:
                    self._changed = changed | self._changed

    def close(self, **result: Any) -> None:
        """Write the rest, and the result into the progress."""
        self._end_phase()
        with self._lock:
            self._progress |= result
            self._changed["progress"] = dict(self._progress)
        with suppress(DatabaseError):
            self.write(now=True)


# Counters that still mean something in the phases after the one that moved them.
_LASTING = {"downloaded_bytes", "total_bytes", "written_bytes", "processed_records"}


class TerminalReport(RunReport):
    """Shows a bar a phase on a terminal, besides keeping the row."""

    def __init__(self, run: BuildRun, console: Console) -> None:
        super().__init__(run, lambda line: None)
        self._bars = Progress(
            TextColumn("{task.description:16}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} % {task.fields[detail]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
        )
        self._task: TaskID | None = None
        self._bars.start()

    def phase(self, name: str) -> None:
        """Finish the bar of the phase before, and begin one."""
        self._finish_bar()
        self._task = self._bars.add_task(name, total=None, detail="")
        super().phase(name)

    def _finish_bar(self) -> None:
        if self._task is not None:
            self._bars.update(self._task, total=100, completed=100)
            self._bars.stop_task(self._task)

    def progress(self, **values: float) -> None:
        """Move the bar."""
        super().progress(**values)
        if self._task is not None and "percent" in values:
            self._bars.update(self._task, total=100, completed=values["percent"], detail=_detail(values))

    def log(self, line: str) -> None:
        """Print the line above the bars, unless it is the name of a phase."""
        super().log(line)
        if line not in {task.description for task in self._bars.tasks}:
            self._bars.console.print(line, highlight=False, markup=False)

    def close(self, **result: Any) -> None:
        """Take the bars down."""
        if "publications" in result:
            self._finish_bar()
        self._bars.stop()
        super().close(**result)


def _detail(values: dict[str, float]) -> str:
    if "records_per_sec" in values:
        return f"{values['processed_records']:,.0f} records, {values['records_per_sec']:,.0f}/s"
    if "downloaded_bytes" in values:
        return f"{values['downloaded_bytes'] / 1e6:,.1f} MB"
    return ""
