"""A build that is stopped, loses a process or meets a full disk leaves the published store as it was."""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress

import psutil
import pytest

from benchmarks.dump import write_files
from pipeline.models import BuildRun, Status
from tests.conftest import ROOT, SAMPLE, process_environment
from tests.service import digest

pytestmark = pytest.mark.usefixtures("uncounted")
PUBLICATIONS = 4_000


@pytest.fixture(scope="module")
def dump(tmp_path_factory):
    """A dump whose build takes a few seconds, so that there are moments to be killed in."""
    path = tmp_path_factory.mktemp("dump") / "dblp.xml.gz"
    write_files(path, PUBLICATIONS, seed=5)
    return path


def wait_for_step(process, step):
    """Wait until the build says that it has come to that phase; it may be too quick for some."""
    return any(line.rstrip().endswith(step) for line in process.stdout)


def workers_of(process, count):
    """Wait until the build has so many processes at work, and give them in the order of their start."""
    while True:
        children = psutil.Process(process.pid).children(recursive=True)
        workers = [child for child in children if "spawn_main" in " ".join(child.cmdline())]
        if len(workers) >= count:
            return sorted(workers, key=lambda worker: worker.pid)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=0.02)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("step", ["build_db", "index_db"])
def test_a_signal_stops_the_build_within_five_seconds(data, served_sample, manage, dump, step, number):
    before = digest(data.link)
    process = manage("rebuild_store", "--from-file", dump)
    assert wait_for_step(process, step)
    process.send_signal(number)
    process.wait(timeout=5)
    assert process.returncode in (130, 0)  # 0 where the end of the build was faster than the signal.
    if process.returncode == 130:
        assert process.stderr.read() == "CommandError: stopped; the store is as it was\n"
        assert digest(data.link) == before
    assert not data.staging.exists()


def test_the_row_of_a_killed_build_is_an_error_once_the_next_one_starts(data, manage, dump):
    process = manage("rebuild_store", "--from-file", dump)
    assert wait_for_step(process, "build_db")
    process.kill()
    process.wait()
    again = manage("rebuild_store", "--from-file", dump)
    again.communicate(timeout=60)
    with closing(sqlite3.connect(data.root / "pubmeta.sqlite3")) as connection:
        rows = connection.execute("SELECT status, message FROM pipeline_buildrun ORDER BY id").fetchall()
    assert rows[0][0] == Status.ERROR
    assert rows[0][1].startswith("its process died in ")
    assert rows[1][0] == Status.COMPLETED


def test_a_second_build_ends_with_status_75_and_says_who_holds_the_lock(data, manage, dump):
    first = manage("rebuild_store", "--from-file", dump)
    assert wait_for_step(first, "build_db")
    first.send_signal(signal.SIGSTOP)  # Alive and holding the lock, however slow the second one starts.
    second = manage("rebuild_store", "--from-file", dump)
    _, errors = second.communicate(timeout=30)
    assert second.returncode == 75
    assert errors.startswith(f"CommandError: another build holds the lock: process {first.pid} on ")
    assert errors.count("\n") == 1
    first.send_signal(signal.SIGCONT)
    first.communicate(timeout=60)
    assert first.returncode == 0


def test_a_parser_that_dies_fails_the_build_with_one_line(data, served_sample, manage, dump):
    before = digest(data.link)
    process = manage("rebuild_store", "--from-file", dump)
    assert wait_for_step(process, "build_db")
    workers_of(process, 3)[-1].kill()  # The title index was started first, then the two parsers.
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert errors.startswith("CommandError: the process ")
    assert "was killed (out of memory?)" in errors
    assert digest(data.link) == before


def test_a_full_disk_fails_the_build_and_keeps_the_store(data, served_sample, dump):
    before = digest(data.link)
    # A limit on the size of files is what a full disk is to SQLite: writes come back short.
    limited = subprocess.run(
        ["/bin/sh", "-c", 'ulimit -f 4000; exec "$@"', "sh", *_command("rebuild_store", "--from-file", str(dump))],
        env=process_environment(data),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert limited.returncode == 1, limited
    assert limited.stderr.startswith("CommandError: ")
    assert limited.stderr.count("\n") == 1
    assert digest(data.link) == before
    assert not data.staging.exists()


def _command(*arguments):
    return [sys.executable, str(ROOT / "manage.py"), *arguments]


@pytest.mark.parametrize("log", ["on a full disk", "in a closed pipe"])
def test_a_log_that_cannot_be_written_does_not_end_the_build(data, log):
    reading, writing = os.pipe()
    os.close(reading)
    if log == "on a full disk":
        os.close(writing)
        writing = os.open("/dev/full", os.O_WRONLY)
    with os.fdopen(writing, "w") as output:
        process = subprocess.run(
            _command("rebuild_store", "--from-file", str(SAMPLE)),
            env=process_environment(data),
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert (process.returncode, process.stderr) == (0, "")
    assert data.link.exists()


def test_nothing_of_a_build_is_left_in_the_temporary_directory(data, manage, dump, tmp_path):
    elsewhere = tmp_path / "tmp"
    elsewhere.mkdir()
    process = manage("rebuild_store", "--from-file", dump, TMPDIR=str(elsewhere))
    process.communicate(timeout=60)
    assert process.returncode == 0
    assert list(elsewhere.iterdir()) == []
    assert BuildRun.objects.count() == 0  # That of this process: the other one wrote to its own database.
