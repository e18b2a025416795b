"""Reports of a build: to its ``BuildRun`` row, and to whoever watches the terminal or the log."""

from __future__ import annotations

import io
import logging
import os
import resource
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO, cast

from django.db import DatabaseError, connection
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from pipeline.models import FINISHED, LOG_LINES, BuildRun, Status
from pipeline.progress import PHASES

_SECONDS_BETWEEN_WRITES = 0.5
_LONGEST_PAUSE = 30.0  # Seconds between tries, where the database has been locked for a while.
_SECONDS_A_WRITE = 0.1  # That a locked database may hold up the build, each time.
_SECONDS_THE_LAST_WRITE = 10.0  # Nothing waits for this one, and nothing comes after it.
_PERCENT_BETWEEN_LINES = 10  # A log should hold little, but not be silent for minutes.
LOG = logging.getLogger("pipeline.build")


def lasting(stream: TextIO) -> TextIO:
    """Give a stream that writes to this one for as long as that is possible.

    A full disk or a closed pipe ends the output then, not the program.
    """
    return cast(TextIO, _LastingOutput(stream))


class _LastingOutput(io.TextIOBase):
    """What ``lasting`` gives; has what Django and rich ask for."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    @property
    def encoding(self) -> str:  # type: ignore[override]  # It is not to be set.
        """Give that of the stream: it decides what bars are drawn with."""
        return self._stream.encoding

    def isatty(self) -> bool:
        """Tell whether a person is watching."""
        return self._stream.isatty()

    def write(self, text: str, /) -> int:
        """Write and flush; after the first failure everything goes to ``/dev/null``."""
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:
            with Path(os.devnull).open("w") as nowhere:  # What is buffered goes there too, when Python ends.
                os.dup2(nowhere.fileno(), self._stream.fileno())
        return len(text)


class RunReport:
    """Keeps the row of a build up to date, writing at most twice a second.

    Any thread may report; only the one that calls ``write`` and ``finish`` touches the database. There it also sees
    that somebody asks the build to stop: who can write there need not reach the process, maybe in another container.
    A database that is locked or full neither ends the build nor holds it up: what could not be written is written
    with what comes next, and tries that fail become rare.
    """

    def __init__(self, run: BuildRun, tell: Callable[[str], None]) -> None:
        self._run = run
        self._tell = tell
        self._lock = threading.Lock()
        self._changed: dict[str, Any] = {}
        self._log: list[str] = list(run.log)
        self._progress: dict[str, float] = {}
        self._pause = _SECONDS_BETWEEN_WRITES
        self._next_write = 0.0
        self._seconds: dict[str, float] = {}
        self._phase: tuple[str, float] | None = None
        self._told_percent = 0.0
        self.stop_requested = False
        wait_for_others(_SECONDS_A_WRITE)

    def phase(self, name: str) -> None:
        """Begin a phase."""
        self._end_phase()
        self._phase = (name, time.monotonic())
        self._told_percent = 0.0
        self._next_write = 0.0  # Some phases are over in a moment, and those who watch want to see them all.
        with self._lock:
            self._progress = {key: self._progress[key] for key in _LASTING & self._progress.keys()}
            self._changed |= {"step": name, "progress": dict(self._progress)}
        self.log(name)

    def _end_phase(self) -> None:
        if self._phase is not None:
            name, started = self._phase
            self._seconds[name] = round(time.monotonic() - started, 2)
            self._phase = None

    def progress(self, **values: float) -> None:
        """Note that something has moved, and tell of it every few percent."""
        with self._lock:
            self._progress |= values
            self._changed["progress"] = dict(self._progress)
        percent = values.get("percent", 0.0)
        if self._phase is not None and self._told_percent + _PERCENT_BETWEEN_LINES <= percent < 100:
            self._told_percent = percent // _PERCENT_BETWEEN_LINES * _PERCENT_BETWEEN_LINES
            self._tell(f"{self._phase[0]} {percent:.0f} %, {_detail(values)}")

    def log(self, line: str) -> None:
        """Keep a line, and tell it."""
        self._keep(line)
        self._tell(line)

    def _keep(self, line: str) -> None:
        with self._lock:
            self._log.append(line)
            self._changed |= {"log": self._log[-LOG_LINES:], "log_length": len(self._log), "message": line}

    def write(self) -> None:
        """Write what has changed and see whether to stop (``stop_requested``), unless that was tried a moment ago."""
        if time.monotonic() < self._next_write:
            return
        with self._lock:
            changed, self._changed = self._changed, {}
        try:
            row = BuildRun.objects.filter(pk=self._run.pk)
            if changed:
                if "progress" in changed:
                    changed["progress"] |= {"memory_bytes": _most_memory()}
                row.exclude(status__in=FINISHED).update(**changed)
            self.stop_requested = row.exclude(status=Status.RUNNING).exists()
            self._pause = _SECONDS_BETWEEN_WRITES
        except DatabaseError:
            self._pause = min(2 * self._pause, _LONGEST_PAUSE)
            with self._lock:
                self._changed = changed | self._changed
        self._next_write = time.monotonic() + self._pause

    def finish(self, status: Status, message: str, **result: Any) -> None:
        """End the run in its row, with the result in the progress; a failure is told by who meets it.

        Raises ``DatabaseError`` where the database stays locked, and ``InvalidTransition``.
        """
        self._end_phase()
        (self.log if status == Status.COMPLETED else self._keep)(message)
        with self._lock:
            fields = {key: value for key, value in self._changed.items() if key in ("log", "log_length")}
            fields["progress"] = (
                self._progress | result | {"phase_seconds": self._seconds, "memory_bytes": _most_memory()}
            )
        wait_for_others(_SECONDS_THE_LAST_WRITE)
        self._run.finish(status, message, **fields)


def _most_memory() -> int:
    """Give the most memory, in bytes, that this process has had so far."""
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def wait_for_others(seconds: float) -> None:
    """Let writes to the row wait so long where somebody else has locked the database."""
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA busy_timeout = {seconds * 1000:.0f}")


# Counters that still mean something in the phases after the one that moved them.
_LASTING = {"downloaded_bytes", "total_bytes", "written_bytes", "processed_records"}


class LogReport(RunReport):
    """Tells the log of the service: a line a phase, when it ends, and what is worth one between."""

    def __init__(self, run: BuildRun) -> None:
        super().__init__(run, self._line)

    def _line(self, text: str, **more: Any) -> None:
        LOG.info("build %s: %s", self._run.pk, text, extra={"run": self._run.pk, **more})

    def _end_phase(self) -> None:
        ended = self._phase
        super()._end_phase()
        if ended is not None:
            name, seconds = ended[0], self._seconds[ended[0]]
            self._line(f"{name} ended after {seconds} s", phase=name, seconds=seconds)

    def log(self, line: str) -> None:
        """Keep a line, and tell it unless it is the name of a phase."""
        (self._keep if line in PHASES else super().log)(line)


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

    def finish(self, status: Status, message: str, **result: Any) -> None:
        """Take the bars down."""
        if status == Status.COMPLETED:
            self._finish_bar()
        self._bars.stop()
        super().finish(status, message, **result)


def _detail(values: dict[str, float]) -> str:
    if "records_per_sec" in values:
        return f"{values['processed_records']:,.0f} records, {values['records_per_sec']:,.0f}/s"
    if "downloaded_bytes" in values:
        return f"{values['downloaded_bytes'] / 1e6:,.1f} MB"
    return ""
