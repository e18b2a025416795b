"""``manage.py rebuild_store``: the build, from a shell, from cron, or started by the web service."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import sys
import time
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from django.utils import timezone
from rich.console import Console

from pipeline.build import BuildOptions, Result, build, stopper
from pipeline.errors import BuildLocked, BuildStopped, PipelineError
from pipeline.http import Client
from pipeline.layout import DataDir
from pipeline.lock import build_lock
from pipeline.models import BuildRun, InvalidTransition, Status, fail_abandoned
from pipeline.reporting import RunReport, TerminalReport
from pipeline.trust import TrustedHosts

LOCKED = 75  # EX_TEMPFAIL of sysexits.h: try again later.
STOPPED = 130  # What a shell reports of a program that Ctrl-C ended.


class Command(BaseCommand):
    """Build a store from a dblp dump and publish it."""

    help = "Build the store from a dblp dump and publish it; the old one is served until then."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the options; their defaults come from the settings."""
        environment = settings.ENVIRONMENT
        parser.add_argument("--xml-gz-url", default=environment.xml_gz_url, help="address of a dump, or latest")
        parser.add_argument("--dtd-url", default=environment.dtd_url, help="address of its DTD, or latest")
        parser.add_argument("--from-file", type=Path, metavar="FILE", help="a local .xml.gz or .xml instead")
        parser.add_argument("--dtd", type=Path, metavar="FILE", help="its DTD, where that does not lie beside it")
        parser.add_argument("--rebuild", action="store_true", help="remove the old store first: for a small disk")
        parser.add_argument("--if-changed", action="store_true", help="do nothing if the store is of this dump")
        parser.add_argument("--allow-shrink", action="store_true", help="publish a store that lost over 10 %%")
        parser.add_argument("--batch-size", type=_at_least(100), default=environment.batch_size, metavar="ROWS")
        parser.add_argument(
            "--progress-every", type=_at_least(1000), default=environment.progress_every, metavar="RECORDS"
        )

    def handle(self, *, verbosity: int, **given: Any) -> None:
        """Build; the exit status says how it ended."""
        if given["dtd"] and not given["from_file"]:
            raise CommandError("--dtd goes with --from-file; for a download there is --dtd-url")
        options = BuildOptions(
            file=given["from_file"],
            dtd_file=given["dtd"],
            **{name: given[name] for name in _SAME_NAME},
        )
        data = DataDir(settings.DATA_DIR)
        holder = f"process {os.getpid()} on {socket.gethostname()}, started {timezone.now():%Y-%m-%d %H:%M:%S} UTC"
        try:
            with build_lock(data.lock, holder):
                self._build(options, data, verbosity)
        except BuildLocked as error:
            raise CommandError(str(error), returncode=LOCKED) from None
        except (OSError, DatabaseError) as error:
            raise CommandError(f"no build can be started in {data.root}: {error}") from error

    def _build(self, options: BuildOptions, data: DataDir, verbosity: int) -> None:
        """Run the build and record it; only with the lock in hand."""
        fail_abandoned("its process died before it ended")
        run = BuildRun.objects.create(pid=os.getpid(), options=_as_json(options))
        stop = StopSignals()
        report = self._report(run, verbosity)
        started = time.monotonic()
        try:
            client = _client()
            check = stopper(lambda: stop.received, report.write)
            result = build(options, data, client, report, check)
        except BuildStopped:
            report.close()
            _finish(run, Status.STOPPED, "stopped; the store is as it was")
            raise CommandError("stopped; the store is as it was", returncode=STOPPED) from None
        except (PipelineError, ValueError, OSError, DatabaseError, sqlite3.Error) as error:
            message = str(error) if isinstance(error, PipelineError) else f"{type(error).__name__}: {error}"
            report.log(f"failed: {message}")
            report.close()
            _finish(run, Status.ERROR, message)
            raise CommandError(message) from error
        seconds = round(time.monotonic() - started, 1)
        self._end(run, report, result, seconds)

    def _end(self, run: BuildRun, report: RunReport, result: Result, seconds: float) -> None:
        message = "unchanged: the store is of this dump already"
        counts: dict[str, Any] = {}
        if result.contents is not None and result.store is not None:
            counts = asdict(result.contents)
            message = (
                f"published {result.store.name}: {counts['publications']:,} publications, "
                f"{counts['authors']:,} people, {counts['authorships']:,} authorships in {seconds} s"
            )
        report.log(message)
        report.close(elapsed_seconds=seconds, phase_seconds=report.seconds, **counts)
        _finish(run, Status.COMPLETED, message)

    def _report(self, run: BuildRun, verbosity: int) -> RunReport:
        """Show bars to a person, lines to a log, and nothing with ``--verbosity 0``."""
        if verbosity and sys.stderr.isatty():
            return TerminalReport(run, Console(stderr=True))
        return RunReport(run, self._log if verbosity else lambda line: None)

    def _log(self, line: str) -> None:
        self.stdout.write(f"{timezone.now():%Y-%m-%d %H:%M:%S} {line}")
        self.stdout.flush()


_SAME_NAME = (
    *("xml_gz_url", "dtd_url", "rebuild", "if_changed", "allow_shrink"),
    *("batch_size", "progress_every"),
)


class StopSignals:
    """Takes SIGINT and SIGTERM for the wish to stop, and does nothing but remember it."""

    def __init__(self) -> None:
        self.received = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._remember)

    def _remember(self, number: int, frame: FrameType | None) -> None:
        self.received = True


def _finish(run: BuildRun, status: Status, message: str) -> None:
    # Somebody who thought us dead may have ended the run already. And where the disk is full the next build, which
    # needs some space anyway, will say that this one ended.
    with suppress(InvalidTransition, DatabaseError):
        run.finish(status, message)


def _client() -> Client:
    environment = settings.ENVIRONMENT
    trusted = TrustedHosts(environment.trusted_hosts)
    return Client(trusted, environment.stall_timeout, environment.retry_pause)


def _as_json(options: BuildOptions) -> dict[str, Any]:
    return {key: str(value) if isinstance(value, Path) else value for key, value in asdict(options).items()}


def _at_least(low: int) -> Any:
    def number(text: str) -> int:
        value = int(text)
        if value < low:
            raise ValueError
        return value

    number.__name__ = f"number of at least {low}"
    return number
