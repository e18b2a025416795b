"""One build at a time; whoever looks whether one runs does not get in its way; a killed one does not run for ever."""

import os
import signal
import threading

import psutil
import pytest

from pipeline.errors import BuildLocked
from pipeline.lock import BuildLock, is_locked
from pipeline.models import BuildRun, Status
from tests.conftest import SAMPLE
from tests.test_kill import wait_for_step


def test_the_lock_keeps_out_others_and_goes_with_its_holder(tmp_path):
    path = tmp_path / "data" / "build.lock"
    assert not is_locked(path)
    with BuildLock.take(path, "process 1"):
        assert is_locked(path)
        with pytest.raises(BuildLocked, match="process 1"), BuildLock.take(path, "process 2"):
            pass
        assert is_locked(path)
    assert not is_locked(path)


def test_those_who_look_keep_nobody_out(tmp_path):
    path, done, seen = tmp_path / "build.lock", threading.Event(), []

    def look():
        while not done.is_set():
            seen.append(is_locked(path))

    lookers = [threading.Thread(target=look) for _ in range(4)]
    for looker in lookers:
        looker.start()
    try:
        for _ in range(300):
            with BuildLock.take(path, "process 1"):
                assert is_locked(path)
    finally:
        done.set()
        for looker in lookers:
            looker.join()
    assert {True, False} == set(seen)


def test_looking_does_not_change_who_is_said_to_hold_the_lock(tmp_path):
    path = tmp_path / "build.lock"
    with BuildLock.take(path, "process 1"):
        pass
    is_locked(path)
    assert path.read_text() == "process 1\n"


@pytest.mark.parametrize("status", [Status.RUNNING, Status.STOPPING])
def test_a_run_is_dead_when_nobody_holds_the_lock(data, status):
    run = BuildRun.objects.create(pid=1, status=status)
    with BuildLock.take(data.lock, "process 1"):
        assert run.status_now(data.lock) == status
    assert run.status_now(data.lock) == Status.ERROR
    assert BuildRun.objects.get().status == status  # Only who holds the lock may write that down.


def test_a_run_that_ends_while_somebody_looks_is_not_taken_for_dead(data):
    run = BuildRun.objects.create(pid=1)
    BuildRun.objects.get().finish(Status.COMPLETED, "published")
    assert run.status_now(data.lock) == Status.COMPLETED


def test_a_finished_run_stays_what_it_is(data):
    run = BuildRun.objects.create(pid=1)
    run.finish(Status.STOPPED, "stopped")
    assert run.status_now(data.lock) == Status.STOPPED


def test_a_killed_build_lets_go_of_the_lock(data, manage):
    process = manage("rebuild_store", "--from-file", SAMPLE)
    assert wait_for_step(process, "build_db")
    assert is_locked(data.lock)
    process.send_signal(signal.SIGSTOP)
    os.waitpid(process.pid, os.WUNTRACED)
    children = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.wait()
    psutil.wait_procs(children)  # One that was just being started has all that is open until it is another program.
    assert not is_locked(data.lock)
