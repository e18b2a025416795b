"""What a build tells while its database is locked, its log cannot be written, or nobody looks for minutes."""

import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.db import OperationalError

from pipeline import reporting
from pipeline.lock import BuildLock
from pipeline.models import BuildRun, Status
from pipeline.reporting import RunReport
from tests.conftest import ROOT, SAMPLE, process_environment
from tests.environment import DATA_DIR
from tests.test_kill import wait_for_step


def locked(directory):
    """Lock a database of builds against all who write, until the connection that is given is closed."""
    connection = sqlite3.connect(directory / "pubmeta.sqlite3", isolation_level=None, timeout=10)
    connection.execute("BEGIN IMMEDIATE")
    return closing(connection)


@pytest.fixture
def told():
    return []


@pytest.fixture
def report(data, told):
    return RunReport(BuildRun.objects.create(pid=1), told.append)


@pytest.fixture
def clock(monkeypatch):
    clock = SimpleNamespace(now=0.0, monotonic=lambda: clock.now)
    monkeypatch.setattr(reporting, "time", clock)
    return clock


def test_a_locked_database_holds_up_no_build_and_tries_become_rare(report, clock):
    report.phase("build_db")
    started, tries = time.monotonic(), 0
    with locked(DATA_DIR):
        while clock.now < 600:  # Twice a second for ten minutes.
            before = report._next_write
            report.write()
            tries += report._next_write != before
            clock.now += 0.5
    assert 10 < tries < 30
    assert time.monotonic() - started < 30  # With the usual patience it would be two hundred.
    assert BuildRun.objects.get().step == "starting"
    clock.now += 30
    report.write()
    assert BuildRun.objects.get().step == "build_db"
    report.progress(percent=5.0)
    clock.now += 0.5  # At once as often as before.
    report.write()
    assert BuildRun.objects.get().progress["percent"] == 5.0


def test_the_last_write_says_where_it_failed(report, monkeypatch):
    monkeypatch.setattr(reporting, "_SECONDS_THE_LAST_WRITE", 0.1)
    with locked(DATA_DIR), pytest.raises(OperationalError, match="database is locked"):
        report.finish(Status.COMPLETED, "published")
    assert BuildRun.objects.get().status == Status.RUNNING


def test_the_end_of_a_build_waits_for_a_locked_database(data, manage):
    process = manage("rebuild_store", "--from-file", SAMPLE)
    assert wait_for_step(process, "build_db")
    with locked(data.root):
        assert any(" published dblp-" in line for line in process.stdout)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    with closing(sqlite3.connect(data.root / "pubmeta.sqlite3")) as connection:
        assert connection.execute("SELECT status FROM pipeline_buildrun").fetchall() == [(Status.COMPLETED,)]


def test_a_database_that_stays_locked_makes_no_failure_of_a_published_store(data, manage):
    process = manage("rebuild_store", "--from-file", SAMPLE)
    assert wait_for_step(process, "build_db")
    with locked(data.root):
        assert any(" published dblp-" in line for line in process.stdout)
        published = time.monotonic()
        _, errors = process.communicate(timeout=60)
    assert time.monotonic() - published > 5  # It was patient: there was nothing else to do.
    warning = "warning: the end of this build could not be recorded in pubmeta.sqlite3: database is locked\n"
    assert (process.returncode, errors) == (0, warning)
    assert data.link.exists()


@pytest.mark.parametrize(("case", "status"), [("builds", 0), ("fails", 1), ("is locked out", 75)])
def test_the_status_is_right_where_nothing_can_be_written(data, case, status):
    command = [sys.executable, str(ROOT / "manage.py"), "rebuild_store", "--from-file"]
    command.append(str(SAMPLE if case != "fails" else SAMPLE.with_name("none.xml.gz")))
    with BuildLock.take(data.lock if case == "is locked out" else data.root / "other.lock", "process 1"):
        with Path("/dev/full").open("w") as full:
            process = subprocess.run(command, env=process_environment(data), stdout=full, stderr=full)
        assert process.returncode == status
        reading, writing = os.pipe()
        os.close(reading)
        with os.fdopen(writing, "w") as pipe:
            process = subprocess.run(command, env=process_environment(data), stdout=pipe, stderr=pipe)
        assert process.returncode == status


def test_a_log_has_a_line_every_ten_percent(report, told):
    report.phase("build_db")
    for percent in (0.5, 9.9, 10.2, 15, 19.9, 20, 55.5, 59, 60, 99.9, 100):
        report.progress(percent=percent, processed_records=10_000 * percent, records_per_sec=5_000)
    report.phase("index_db")
    assert told == [
        "build_db",
        "build_db 10 %, 102,000 records, 5,000/s",
        "build_db 20 %, 200,000 records, 5,000/s",
        "build_db 56 %, 555,000 records, 5,000/s",
        "build_db 60 %, 600,000 records, 5,000/s",
        "build_db 100 %, 999,000 records, 5,000/s",
        "index_db",
    ]


def test_the_lines_of_progress_are_not_kept_in_the_row(report):
    report.phase("download_xml_gz")
    report.progress(percent=50.0, downloaded_bytes=5e8)
    report.write()
    assert BuildRun.objects.get().log == ["download_xml_gz"]
