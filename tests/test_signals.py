"""Signals that reach all processes of a build, as Ctrl-C and systemd send them, and processes that are killed."""

import os
import random
import signal
import subprocess
import sys
from contextlib import suppress

import pytest

from benchmarks.dump import write_files
from pipeline.errors import BuildStopped, WorkerDied
from pipeline.processes import Child
from tests.conftest import ROOT, process_environment
from tests.deaths import die, die_in_the_middle_of_a_message, survive_stops


@pytest.fixture(scope="module")
def dump(tmp_path_factory):
    path = tmp_path_factory.mktemp("dump") / "dblp.xml.gz"
    write_files(path, 4_000, seed=6)
    return path


@pytest.fixture
def group(data):
    """Start a build as the leader of a process group of its own; ends all of it after the test."""
    started = []

    def start(dump):
        process = subprocess.Popen(
            [sys.executable, ROOT / "manage.py", "rebuild_store", "--from-file", dump],
            env=process_environment(data),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("step", ["build_db", "index_db", "verify"])
@pytest.mark.parametrize("seed", range(3))
def test_a_signal_to_all_processes_is_a_stop(data, group, dump, step, number, seed):
    process = group(dump)
    assert any(line.rstrip().endswith(step) for line in process.stdout)
    # At once, while processes start, or a moment later, while they work.
    with suppress(subprocess.TimeoutExpired):
        process.wait(timeout=seed and random.Random(f"{step}{seed}").uniform(0, 0.5))
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)
    output, errors = process.communicate(timeout=10)
    if "published dblp-" in output:  # The end of the build was faster.
        assert errors == ""
    else:
        assert (process.returncode, errors) == (130, "CommandError: stopped; the store is as it was\n")
        assert not data.staging.exists()


@pytest.mark.parametrize("work", [die, die_in_the_middle_of_a_message])
def test_a_process_that_is_killed_is_named(work):
    child = Child("of the test", work)
    try:
        with pytest.raises(WorkerDied, match=r"^the process of the test was killed \(out of memory\?\)$"):
            child.finish(lambda: None)
    finally:
        child.end()


def test_a_stop_goes_before_the_end_of_a_process():
    child = Child("of the test", die)

    def check():
        raise BuildStopped("stopped")

    try:
        child._process.join()  # So it is not while waiting for it that the stop is heard.
        with pytest.raises(BuildStopped):
            child.finish(check)
    finally:
        child.end()


def test_a_process_leaves_stops_to_the_one_that_started_it():
    child = Child("of the test", survive_stops)
    try:
        assert child.receive(lambda: None) == b"alive"
        child.finish(lambda: None)
    finally:
        child.end()
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) & {signal.SIGINT, signal.SIGTERM} == set()
