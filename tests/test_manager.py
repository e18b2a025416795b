"""What the manager does with builds that died or do not stop, in this process."""

import datetime
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing

import psutil
import pytest
from django.utils import timezone

from pipeline import manager as manager_module
from pipeline.ending import GONE, bury, bury_abandoned
from pipeline.lock import BuildLock, process_name
from pipeline.manager import Manager, manager_of
from pipeline.models import BuildRun, Status
from tests.conftest import ROOT
from tests.console import until
from tests.environment import DATA_DIR


@pytest.fixture
def manager(data):
    return manager_of(data.root)


def test_a_build_that_died_after_it_published_has_completed(served_sample, manager):
    before = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    for started, status in ((before, Status.COMPLETED), (timezone.now(), Status.ERROR), (before, Status.COMPLETED)):
        run = BuildRun.objects.create(pid=1, started_at=started)
        assert manager.refresh(at_once=True).status == status
        run.refresh_from_db()
        assert (run.status, run.finished_at is None) == (status, False)


def test_a_dead_build_that_had_removed_the_old_store_says_so(data, manager):
    BuildRun.objects.create(pid=1, step="verify", options={"rebuild": True})
    assert manager.refresh(at_once=True).message == f"its process died in verify; {GONE}"


def test_who_follows_keeps_no_store_open(served_sample, manager):
    manager.follow()
    for _ in range(2):
        run = BuildRun.objects.create(pid=1)
        until(lambda number=run.pk: BuildRun.objects.get(pk=number).status == Status.ERROR, 5)
    opened = [file.path for file in psutil.Process().open_files()]
    assert not [path for path in opened if str(served_sample.stores) in path]


def test_a_dead_build_is_not_shown_as_running_where_that_cannot_be_recorded(data, manager):
    lock = BuildLock.take(data.lock)
    BuildRun.objects.create(pid=1, step="index_db")
    assert manager.refresh().status == Status.RUNNING
    lock.close()
    with closing(sqlite3.connect(DATA_DIR / "pubmeta.sqlite3", isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        seen = manager.refresh(at_once=True)
        assert (seen.status, seen.message) == (
            Status.ERROR,
            "its process died, which cannot be recorded: database is locked",
        )
        database.execute("ROLLBACK")
    assert manager.refresh(at_once=True).message == "its process died in index_db"


def test_what_the_rows_of_abandoned_builds_say_when_the_next_one_starts(data):
    runs = [BuildRun.objects.create(pid=1, status=status, killed=killed) for status, killed in ABANDONED]
    bury_abandoned({})
    assert [BuildRun.objects.get(pk=run.pk).status for run in runs] == [Status.ERROR, Status.STOPPED, Status.STOPPED]


ABANDONED = ((Status.RUNNING, False), (Status.STOPPING, True), (Status.STOPPING, False))


@pytest.mark.parametrize("error", [PermissionError(1, "Operation not permitted"), ProcessLookupError(3, "No process")])
def test_a_build_that_cannot_be_killed_is_still_followed(data, manager, monkeypatch, error):
    tried = threading.Event()

    def refuse(pid, number):
        tried.set()
        raise error

    monkeypatch.setattr(manager_module.os, "kill", refuse)
    with BuildLock.take(data.lock, f"{process_name(1)}, started long ago"):
        long_ago = timezone.now() - datetime.timedelta(seconds=10)
        run = BuildRun.objects.create(pid=1, status=Status.STOPPING, stop_requested_at=long_ago)
        manager.follow()
        assert tried.wait(5)
        assert manager.snapshot().status == Status.STOPPING
        run.refresh_from_db()
        assert not run.killed
    until(lambda: manager.snapshot().status == Status.STOPPED, 5)


def test_nobody_else_is_killed(data, manager, monkeypatch):
    monkeypatch.setattr(manager_module.os, "kill", lambda *_: pytest.fail("killed"))
    with BuildLock.take(data.lock, "process 1 on another machine, started long ago"):
        long_ago = timezone.now() - datetime.timedelta(seconds=10)
        BuildRun.objects.create(pid=1, status=Status.STOPPING, stop_requested_at=long_ago)
        assert manager.refresh().status == Status.STOPPING


def test_whatever_goes_wrong_the_thread_goes_on(data, manager, monkeypatch):
    manager.follow()
    failed = threading.Event()

    def fail(*_, **__):
        failed.set()
        raise RuntimeError("not foreseen")

    with monkeypatch.context() as patch:
        patch.setattr(manager_module.BuildRun.objects, "first", fail)
        assert failed.wait(5)
    BuildRun.objects.create(pid=1, status=Status.COMPLETED)
    until(lambda: manager.snapshot().status == Status.COMPLETED, 5)


def test_another_manager_sees_at_its_next_question_what_one_has_changed(data, manager, monkeypatch):
    other = Manager(data)
    monkeypatch.setattr(other, "follow", lambda: None)  # It sees only what a question makes it look at.
    BuildLock.take(data.lock).close()
    BuildRun.objects.create(pid=1, status=Status.COMPLETED)
    for change, status in ((manager.stop, Status.COMPLETED), (manager.reset, Status.IDLE)):
        change()
        assert other.snapshot().status == status


@pytest.mark.parametrize(("number", "named"), [(signal.SIGTERM, "SIGTERM"), (signal.SIGRTMIN + 6, "signal 40")])
def test_the_signal_that_ended_a_build_is_named(data, number, named):
    child = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
    child.send_signal(number)
    run = BuildRun.objects.create(pid=child.pid, step="verify")
    bury(run, child)
    assert BuildRun.objects.get().message == f"its process died in verify (ended by {named})"


def test_others_may_not_read_the_database_of_accounts(data, manage):
    _, errors = manage("check").communicate()
    assert errors == ""
    (data.root / "pubmeta.sqlite3").unlink()  # A copy of the tests' own.
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    environment = {**os.environ, "PUBMETA_DATA_DIR": str(data.root)}
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    assert (data.root / "pubmeta.sqlite3").stat().st_mode & 0o777 == 0o600
