"""The manager: starts, stops and follows builds for one process of the web service; knows no HTTP.

A build is a process of its own, and its row in the database is the truth about it. So every manager sees the
builds that other managers, the command or cron have started, and one that is started anew takes up what runs::

    start   takes the lock, makes the row, hands both to a new process
    stop    says so in the row; the process looks there twice a second
    follow  a thread that reads the newest row, kills a build that does not stop, and ends the row of a dead one

Who changes a row touches the lock's file besides, which the managers of other processes see at their next question:
who has started a build through one is not told by another that there is none. All changes of a row are
compare-and-set, so it does not matter which of several managers makes them.
"""

from __future__ import annotations

import functools
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connections
from django.utils import timezone

from pipeline.build import BuildOptions
from pipeline.ending import bury, bury_abandoned
from pipeline.errors import BuildLocked
from pipeline.layout import DataDir
from pipeline.lock import BuildLock, holder_of, process_name
from pipeline.models import FINISHED, BuildRun, InvalidTransition, Status
from pipeline.reporting import wait_for_others
from pipeline.snapshot import Snapshot

_TICK = 0.25  # Seconds between two looks: what one process does is seen by all others within a second.
# After this a build that was asked to stop is killed; what is left of five seconds is for that and for seeing it.
GRACE = timedelta(seconds=4)
_SECONDS_A_WRITE = 0.2  # That a locked database may hold up those who look.
_SECONDS_FOR_THE_LOCK = 1.0  # A build lets go of it a moment after its row says that it has ended.
_log = logging.getLogger(__name__)


class Manager:
    """Start, stop, reset and snapshot of the builds of one data directory."""

    def __init__(self, data: DataDir) -> None:
        self._data = data
        self._snapshot = Snapshot()
        self._seen_touch = 0
        self._refreshing = threading.Lock()  # Lest an older row, read by one thread, replace a newer one.
        self._children: dict[int, subprocess.Popen[bytes]] = {}  # By the number of the run.
        self._seen_dead: int | None = None
        self._follower: threading.Thread | None = None
        self._beginning = threading.Lock()
        self._closed = threading.Event()

    def follow(self) -> None:
        """See to it that the thread that follows is there; after a fork, for one, it is not."""
        if self._follower is not None and self._follower.is_alive():
            return
        with self._beginning:
            if self._follower is None or not self._follower.is_alive():
                self._follower = threading.Thread(target=self._follow, name="build follower", daemon=True)
                self._follower.start()
        self.refresh(at_once=True)

    def close(self) -> None:
        """End the thread; builds go on."""
        self._closed.set()
        if self._follower is not None:
            self._follower.join()

    def snapshot(self) -> Snapshot:
        """Give what was last seen, at most a second ago; raises ``DatabaseError`` where nothing was seen yet."""
        self.follow()
        if self._touched() != self._seen_touch:
            with suppress(DatabaseError):  # What was seen last is still worth telling.
                self.refresh()
        return self._snapshot

    def start(self, options: BuildOptions) -> Snapshot:
        """Start a build in a process of its own, which goes on when this one ends.

        Raises ``BuildLocked`` where one is running, ``OSError`` where no process can be started, ``DatabaseError``.
        """
        self.follow()
        with self._lock() as lock:
            bury_abandoned(self._children)
            run = BuildRun.objects.create(options=asdict(options))
            command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "rebuild_store", *_arguments(options)]
            handed = ["--run", str(run.pk), "--lock", *map(str, lock.descriptors)]
            try:
                child = subprocess.Popen(  # noqa: S603  # Our own command, and what was validated.
                    [*command, *handed],
                    stdin=subprocess.DEVNULL,
                    pass_fds=lock.descriptors,
                    start_new_session=True,  # Ctrl-C and the end of the service are none of its business.
                )
            except OSError as error:
                run.finish(Status.ERROR, f"no process could be started: {error}")
                raise
            self._children[run.pk] = child
        with suppress(DatabaseError):  # The build runs; it will say so itself.
            BuildRun.objects.filter(pk=run.pk).update(pid=child.pid)
        return self._changed()

    def stop(self) -> Snapshot:
        """Ask the running build to stop, which takes five seconds at most; without one nothing changes."""
        self.follow()
        self.refresh(at_once=True)
        run = BuildRun.objects.filter(status=Status.RUNNING).first()
        if run is not None:
            with suppress(InvalidTransition):  # It has just ended.
                run.move(Status.STOPPING, stop_requested_at=timezone.now())
        return self._changed()

    def reset(self) -> Snapshot:
        """Put the last build out of sight; raises ``BuildLocked`` while one is running."""
        self.follow()
        if self.refresh(at_once=True).active:
            raise BuildLocked(holder_of(self._data.lock))
        BuildRun.objects.filter(status__in=FINISHED, dismissed=False).update(dismissed=True)
        return self._changed()

    def refresh(self, *, at_once: bool = False) -> Snapshot:
        """Read the newest row, look after a build that is dead or does not stop, and give what there is now."""
        with self._refreshing:
            touched = self._touched()  # Before the row is read, lest a change in between be missed.
            run = BuildRun.objects.first()
            if run is not None and run.status not in FINISHED:
                try:
                    self._look_after(run, at_once)
                    run.refresh_from_db()
                except DatabaseError as error:
                    # One that is dead is not to be shown as if it ran, even if that cannot be written down.
                    if run.status_now(self._data.lock) == Status.ERROR:
                        run.status = run.step = Status.ERROR
                        run.message = f"its process died, which cannot be recorded: {error}"
            self._reap(run)
            self._snapshot, self._seen_touch = Snapshot.of(run), touched
            return self._snapshot

    def _changed(self) -> Snapshot:
        """Let all other managers know, and give what there is now."""
        now = time.time_ns()  # The kernel's own time of a change may stand still for milliseconds.
        with suppress(OSError):  # They see it a moment later, then.
            os.utime(self._data.lock, ns=(now, now))
        return self.refresh()

    def _touched(self) -> int:
        try:
            return self._data.lock.stat().st_mtime_ns
        except OSError:  # There was no build yet.
            return 0

    def _lock(self) -> BuildLock:
        """Take the lock, with a little patience for a build that has just ended."""
        until = time.monotonic() + _SECONDS_FOR_THE_LOCK
        while True:
            try:
                return BuildLock.take(self._data.lock)
            except BuildLocked:
                if self.refresh().active or time.monotonic() > until:
                    raise
                time.sleep(0.02)

    def _follow(self) -> None:
        trouble = ""
        while not self._closed.wait(_TICK):
            try:
                self.refresh()
                trouble = ""
            except DatabaseError as error:  # Locked or full, maybe for a moment; what was seen last is shown.
                if trouble != str(error):
                    trouble = str(error)
                    _log.warning("the builds cannot be looked after: %s", error)
            except Exception:  # Whatever it is, who does not look any more shows what was for ever.
                _log.exception("the builds cannot be looked after")
            finally:
                connections.close_all()

    def _reap(self, newest: BuildRun | None) -> None:
        """Forget processes that have ended, but for one whose end is still to be written down."""
        for number, child in list(self._children.items()):
            awaited = newest is not None and number == newest.pk and newest.status not in FINISHED
            if not awaited and child.poll() is not None:
                del self._children[number]

    def _look_after(self, run: BuildRun, at_once: bool) -> None:
        """Kill a build that does not stop; end a row whose process is dead.

        Who started the process knows how it died, so the others leave a moment for that one to write it down.
        """
        if run.status_now(self._data.lock) == run.status:
            self._seen_dead = None
            if run.status == Status.STOPPING and timezone.now() > (run.stop_requested_at or run.started_at) + GRACE:
                self._kill(run)
        elif at_once or run.pk in self._children or self._seen_dead == run.pk:
            wait_for_others(_SECONDS_A_WRITE)
            if (end := bury(run, self._children.get(run.pk))) is not None:
                _log.warning("build %s: %s", run.pk, end, extra={"run": run.pk})
        else:
            self._seen_dead = run.pk

    def _kill(self, run: BuildRun) -> None:
        """Kill the process of a build; what it started ends with it."""
        named = run.pid is not None and holder_of(self._data.lock).startswith(f"{process_name(run.pid)},")
        pid = self._children[run.pk].pid if run.pk in self._children else run.pid if named else None
        if pid is None:
            _log.error("build %s does not stop, and its process is not of this machine", run.pk)
            return
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError as error:  # Another account's, or gone just now.
            _log.error("build %s does not stop and cannot be killed: %s", run.pk, error)
        else:
            BuildRun.objects.filter(pk=run.pk).update(killed=True)


def _arguments(options: BuildOptions) -> list[str]:
    """Write options as the command takes them."""
    given = ["--xml-gz-url", options.xml_gz_url, "--dtd-url", options.dtd_url]
    given += ["--batch-size", str(options.batch_size), "--progress-every", str(options.progress_every)]
    return given + [f"--{name.replace('_', '-')}" for name in _SWITCHES if getattr(options, name)]


_SWITCHES = ("rebuild", "if_changed", "allow_shrink")


@functools.cache
def manager_of(root: Path) -> Manager:
    """Give this process's manager of a data directory."""
    return Manager(DataDir(root))
