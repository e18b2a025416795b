"""``manage.py rebuild_store``: the build, from a shell, from cron, or started by the web service."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import sys
import time
from argparse import SUPPRESS, ArgumentTypeError
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from rich.console import Console

import pubmeta
from pipeline.build import BuildOptions, Result, build, stopper
from pipeline.ending import GONE, bury_abandoned
from pipeline.errors import BuildLocked, PipelineError
from pipeline.http import Client
from pipeline.layout import DataDir
from pipeline.lock import BuildLock
from pipeline.models import BuildRun, InvalidTransition, Status
from pipeline.publish import served_store
from pipeline.reporting import LOG, LogReport, RunReport, TerminalReport, lasting
from pipeline.trust import TrustedHosts

LOCKED = 75  # EX_TEMPFAIL of sysexits.h: try again later.
STOPPED = 130  # What a shell reports of a program that Ctrl-C ended.


class Command(BaseCommand):
    """Build a store from a dblp dump and publish it."""

    help = "Build the store from a dblp dump and publish it; the old one is served until then."

    def __init__(self) -> None:
        super().__init__(lasting(sys.stdout), lasting(sys.stderr))

    def get_version(self) -> str:
        """Give the version of pubmeta, not that of Django."""
        return pubmeta.__version__

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the options; their defaults come from the settings."""
        environment = settings.ENVIRONMENT
        parser.add_argument("--xml-gz-url", metavar="URL", help="a dump, or latest; else PUBMETA_XML_GZ_URL")
        parser.add_argument("--dtd-url", metavar="URL", help="its DTD, or latest; else PUBMETA_DTD_URL")
        parser.add_argument("--from-file", type=_file, metavar="FILE", help="a local .xml.gz or .xml instead")
        parser.add_argument("--dtd", type=_file, metavar="FILE", help="its DTD, where that does not lie beside it")
        parser.add_argument("--rebuild", action="store_true", help="remove the old store first: for a small disk")
        parser.add_argument("--if-changed", action="store_true", help="do nothing if the store is of this dump")
        parser.add_argument("--allow-shrink", action="store_true", help="publish a store that lost over 10 %%")
        parser.add_argument(
            "--batch-size", type=_between(100, 1_000_000), default=environment.batch_size, metavar="ROWS"
        )
        parser.add_argument(
            "--progress-every", type=_between(1_000), default=environment.progress_every, metavar="RECORDS"
        )
        # From the manager: the row that it has made, and the lock that it has taken.
        parser.add_argument("--run", type=int, help=SUPPRESS)
        parser.add_argument("--lock", type=int, nargs=2, help=SUPPRESS)

    def handle(self, *, run: int | None, **given: Any) -> None:
        """Build; the exit status says how it ended, and stderr why it failed: the log, where the service reads it."""
        self._adopted = run
        try:
            self._begin(**given)
        except Exception as error:
            if run is None:
                raise
            sys.exit(_logged(run, error))

    def _begin(self, *, verbosity: int, **given: Any) -> None:
        """Take the lock, or that of the manager, and build."""
        stop = StopSignals()
        options = _options(given)
        data = DataDir(settings.DATA_DIR)
        try:
            with BuildLock.take(data.lock) if self._adopted is None else BuildLock.adopt(data.lock, given["lock"]):
                self._build(_run(options, self._adopted), options, data, verbosity, stop)
        except BuildLocked as error:
            raise CommandError(str(error), returncode=LOCKED) from None
        except (OSError, DatabaseError) as error:
            reason = f"pubmeta.sqlite3: {error}" if isinstance(error, DatabaseError) else str(error)
            free = shutil.disk_usage(data.root).free  # SQLite tells of a full disk as "disk I/O error".
            where = f"{data.root} ({free / 1e6:,.0f} MB free)"
            raise CommandError(f"no build can be started in {where}: {reason}") from error

    def _build(self, run: BuildRun, options: BuildOptions, data: DataDir, verbosity: int, stop: StopSignals) -> None:
        """Run the build and record it; only with the lock in hand."""
        report = self._report(run, verbosity)
        served = served_store(data)
        started = time.monotonic()
        try:
            check = stopper(lambda: stop.received or report.stop_requested, report.write)
            result = build(options, data, _client(), report, check)
        except (PipelineError, ValueError, OSError) as error:
            gone = served is not None and served_store(data) is None
            stopped = stop.received or report.stop_requested
            raise _failure(report, error, stopped, gone) from error
        self._end(report, result, round(time.monotonic() - started, 1))

    def _end(self, report: RunReport, result: Result, seconds: float) -> None:
        message = "unchanged: the store is of this dump already"
        counts: dict[str, Any] = {}
        if result.contents is not None and result.store is not None:
            counts = asdict(result.contents)
            message = (
                f"published {result.store.name}: {counts['publications']:,} publications, "
                f"{counts['authors']:,} people, {counts['authorships']:,} authorships in {seconds} s"
            )
        problem = _record(report, Status.COMPLETED, message, elapsed_seconds=seconds, **counts)
        if problem is not None:
            self._warn(f"the end of this build could not be recorded in pubmeta.sqlite3: {problem}")

    def _report(self, run: BuildRun, verbosity: int) -> RunReport:
        """Show bars to a person, lines to a log, nothing with ``--verbosity 0``; the service has a log of its own."""
        if self._adopted is not None:
            return LogReport(run)
        if verbosity and sys.stderr.isatty():
            return TerminalReport(run, Console(file=lasting(sys.stderr)))
        return RunReport(run, self._log if verbosity else lambda line: None)

    def _log(self, line: str) -> None:
        self.stdout.write(f"{timezone.now():%Y-%m-%d %H:%M:%S} {line}")

    def _warn(self, text: str) -> None:
        if self._adopted is None:
            self.stderr.write(f"warning: {text}")
        else:
            LOG.warning("build %s: %s", self._adopted, text, extra={"run": self._adopted})


_SAME_NAME = ("rebuild", "if_changed", "allow_shrink", "batch_size", "progress_every")


def _options(given: dict[str, Any]) -> BuildOptions:
    """Put together what was given and what the settings say; raises ``CommandError`` for what contradicts itself."""
    if given["dtd"] and not given["from_file"]:
        raise CommandError("--dtd goes with --from-file; for a download there is --dtd-url")
    urls = {name: given[name] for name in ("xml_gz_url", "dtd_url") if given[name] is not None}
    if urls and given["from_file"]:
        raise CommandError("--from-file downloads nothing: leave out --xml-gz-url and --dtd-url, or --from-file")
    environment = settings.ENVIRONMENT
    defaults = {"xml_gz_url": environment.xml_gz_url, "dtd_url": environment.dtd_url}
    same = {name: given[name] for name in _SAME_NAME}
    return BuildOptions(file=given["from_file"], dtd_file=given["dtd"], **defaults | urls, **same)


def _run(options: BuildOptions, adopted: int | None) -> BuildRun:
    """Give the row of this build, one that was made for it or a new one; only with the lock in hand."""
    if adopted is not None:
        BuildRun.objects.filter(pk=adopted).update(pid=os.getpid())
        return BuildRun.objects.get(pk=adopted)
    _migrate()
    bury_abandoned({})
    return BuildRun.objects.create(pid=os.getpid(), options=_as_json(options))


def _migrate() -> None:
    """Bring the database of builds up to date, as where only cron has ever run; only with the lock in hand."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", verbosity=0)


class StopSignals:
    """Takes SIGINT, SIGTERM and SIGHUP for the wish to stop, and does nothing but remember it."""

    def __init__(self) -> None:
        self.received = False
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # As with nohup.
                signal.signal(number, self._remember)

    def _remember(self, number: int, frame: FrameType | None) -> None:
        self.received = True


def _failure(report: RunReport, error: Exception, stopped: bool, gone: bool) -> CommandError:
    """Record why there is no new store and give the error that says so; ``gone`` tells that the old one was removed.

    Whatever fails after a signal fails because of it: Ctrl-C and the end of a terminal reach all processes of a build.
    """
    message = str(error) if isinstance(error, PipelineError) else f"{type(error).__name__}: {error}"
    if stopped:
        message = "stopped" if gone else "stopped; the store is as it was"
    if gone:
        message += f"; {GONE}"
    _record(report, Status.STOPPED if stopped else Status.ERROR, message)
    return CommandError(message, returncode=STOPPED if stopped else 1)


def _logged(run: int, error: Exception) -> int:
    """Tell the log of the service how a build failed, with the traceback of what nobody expected; give the status."""
    told = ("build %s: %s", run, error)
    if not isinstance(error, CommandError):
        LOG.error(*told, exc_info=error, extra={"run": run})
        return 1
    LOG.log(logging.INFO if error.returncode == STOPPED else logging.ERROR, *told, extra={"run": run})
    return error.returncode


def _record(report: RunReport, status: Status, message: str, **result: Any) -> DatabaseError | None:
    """End the run; give what kept its row from being written, if anything did.

    The build has come to its end all the same, and the next one will say of this row that its process died.
    """
    try:
        report.finish(status, message, **result)
    except DatabaseError as error:
        return error
    except InvalidTransition:
        pass  # Somebody who thought us dead has ended the run already.
    return None


def _client() -> Client:
    environment = settings.ENVIRONMENT
    trusted = TrustedHosts(environment.trusted_hosts)
    return Client(trusted, environment.stall_timeout, environment.retry_pause)


def _as_json(options: BuildOptions) -> dict[str, Any]:
    return {key: str(value) if isinstance(value, Path) else value for key, value in asdict(options).items()}


def _file(text: str) -> Path:
    if not text:
        raise ArgumentTypeError("the name of the file is empty")
    return Path(text)


def _between(low: int, high: int | None = None) -> Callable[[str], int]:
    wanted = f"a whole number from {low:,} to {high:,}" if high is not None else f"a whole number from {low:,}"

    def number(text: str) -> int:
        if not text.isdecimal() or not low <= int(text) <= (high or int(text)):
            raise ArgumentTypeError(f"{text!r} is not {wanted}")
        return int(text)

    return number
