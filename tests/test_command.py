"""``rebuild_store`` at its edges: a fresh machine, options that contradict each other, files in the way, signals."""

import os
import pty
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

import pubmeta
from pipeline.layout import DataDir
from pipeline.models import Status
from pubmeta.environment import Environment
from tests.conftest import ROOT, SAMPLE
from tests.test_kill import wait_for_step

COMMAND = (sys.executable, str(ROOT / "manage.py"), "rebuild_store")


def run(process):
    output, errors = process.communicate(timeout=60)
    return process.returncode, output, errors


def rows(data):
    with closing(sqlite3.connect(data.root / "pubmeta.sqlite3")) as connection:
        return connection.execute("SELECT status, message, log FROM pipeline_buildrun ORDER BY id").fetchall()


def test_it_runs_on_a_machine_where_nothing_was_run_before(tmp_path):
    data = DataDir(tmp_path / "new" / "data")
    environment = {**os.environ, "PUBMETA_DATA_DIR": str(data.root)}
    process = subprocess.run([*COMMAND, "--from-file", SAMPLE], env=environment, capture_output=True, text=True)
    assert (process.returncode, process.stderr) == (0, "")
    assert data.link.exists()
    assert [status for status, *_ in rows(data)] == [Status.COMPLETED]


def test_the_version_is_that_of_pubmeta(manage):
    assert run(manage("rebuild_store", "--version")) == (0, f"{pubmeta.__version__}\n", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--from-file", ""), "argument --from-file: the name of the file is empty"),
        (("--from-file", SAMPLE, "--dtd", ""), "argument --dtd: the name of the file is empty"),
        (("--batch-size", "99"), "argument --batch-size: '99' is not a whole number from 100 to 1,000,000"),
        (("--batch-size", "1000001"), "argument --batch-size: '1000001' is not a whole number from 100 to 1,000,000"),
        (("--batch-size", "1e3"), "argument --batch-size: '1e3' is not a whole number from 100 to 1,000,000"),
        (("--progress-every", "999"), "argument --progress-every: '999' is not a whole number from 1,000"),
        (("--from-file", SAMPLE, "--xml-gz-url", "latest"), "--from-file downloads nothing: leave out --xml-gz-url"),
        (("--from-file", SAMPLE, "--dtd-url", "latest"), "--from-file downloads nothing: leave out --xml-gz-url"),
        (("--dtd", "x.dtd"), "--dtd goes with --from-file; for a download there is --dtd-url"),
    ],
)
def test_options_that_make_no_sense_are_refused(data, manage, arguments, message):
    status, _, errors = run(manage("rebuild_store", *arguments))
    assert status in (1, 2)  # The latter is what argparse gives for a value that does not fit.
    assert message in errors.splitlines()[-1]
    assert not data.lock.exists()


def test_the_bounds_of_an_option_are_those_of_its_setting():
    bounds = [str(bound) for bound in Environment.model_fields["batch_size"].metadata]
    assert bounds == ["Ge(ge=100)", "Le(le=1000000)"]
    bounds = [str(bound) for bound in Environment.model_fields["progress_every"].metadata]
    assert bounds == ["Ge(ge=1000)", "Le(le=1000000000)"]


@pytest.mark.parametrize("name", ["build.lock", "pubmeta.sqlite3", "stores"])
def test_what_is_in_the_way_is_named_in_one_line(data, manage, name):
    path = data.root / name
    if name == "build.lock":
        path.mkdir()
    else:
        path.write_text("garbage" * 1000)
    status, output, errors = run(manage("rebuild_store", "--from-file", SAMPLE))
    assert (status, errors.count("\n")) == (1, 1)
    assert errors.startswith("CommandError: ")
    assert name in errors
    assert "build_db" not in output


def test_a_failure_is_told_once_and_kept_in_the_log_of_the_run(data, manage, tmp_path):
    status, output, errors = run(manage("rebuild_store", "--from-file", tmp_path / "none.xml.gz"))
    message = f"{tmp_path}/none.xml.gz cannot be read: No such file or directory"
    assert (status, output, errors) == (1, "", f"CommandError: {message}\n")
    assert rows(data) == [(Status.ERROR, message, f'["{message}"]')]


def test_a_failure_after_the_old_store_was_removed_says_so(served_sample, manage):
    process = manage("rebuild_store", "--from-file", SAMPLE, "--rebuild")
    assert wait_for_step(process, "build_db")
    process.terminate()
    _, _, errors = run(process)
    assert process.returncode == 130
    message = "stopped; the old store was removed before, and nothing is served until a build succeeds"
    assert errors == f"CommandError: {message}\n"
    assert rows(served_sample)[0][:2] == (Status.STOPPED, message)
    assert not served_sample.link.is_symlink()


def test_ctrl_c_before_the_command_has_begun(data, manage):
    # The settings wait for the secret then, in the middle of Django's start.
    secret = data.root / "secret-key"
    os.mkfifo(secret)
    process = manage("rebuild_store", "--from-file", SAMPLE)
    with secret.open("wb"):  # Once the other end is open, too.
        process.send_signal(signal.SIGINT)
    # It may have come just before the process began to wait for the secret, and then has been seen by now.
    assert run(process) == (130, "", "")


def test_the_end_of_the_terminal_stops_the_build(served_sample, manage):
    manage("check").communicate()  # Makes the data directory complete.
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "--from-file", SAMPLE],
        env={**os.environ, "PUBMETA_DATA_DIR": str(served_sample.root), "TERM": "xterm"},
        preexec_fn=lambda: os.login_tty(theirs),
    )
    os.close(theirs)
    shown = b""
    while b"build_db" not in shown:
        shown += os.read(ours, 1000)
    os.close(ours)
    assert process.wait(timeout=10) == 130
    assert rows(served_sample)[0][:2] == (Status.STOPPED, "stopped; the store is as it was")
    assert served_sample.link.exists()
    assert not served_sample.staging.exists()


@pytest.mark.parametrize("ignored", [True, False])
def test_sighup_is_as_good_as_sigterm_unless_nohup_says_otherwise(served_sample, ignored):
    process = subprocess.Popen(
        [*(["nohup"] if ignored else []), *COMMAND, "--from-file", SAMPLE],
        env={**os.environ, "PUBMETA_DATA_DIR": str(served_sample.root)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert wait_for_step(process, "build_db")
    process.send_signal(signal.SIGHUP)
    process.communicate(timeout=30)
    assert process.returncode == (0 if ignored else 130)


def test_where_a_build_runs_the_service_starts_without_a_store(data, manage):
    process = manage("rebuild_store", "--from-file", SAMPLE)
    assert wait_for_step(process, "build_db")
    process.send_signal(signal.SIGSTOP)
    expected = f"== There is no store yet: building one from {SAMPLE}\n== A build is running already; "
    status, output, errors = run(manage("ensure_store", SAMPLE))
    assert (status, output, errors) == (0, f"{expected}there is no store until it ends\n", "")
    process.send_signal(signal.SIGCONT)
    assert run(process)[0] == 0
