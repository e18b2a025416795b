"""The line for cron as the README has it, run as cron runs it: hardly an environment, no terminal, a new place."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.layout import DataDir
from pipeline.lock import BuildLock
from tests.conftest import ROOT
from tests.test_sources import put_release

LINE = re.search(r"^    ((?:\S+ +){5})(cd (\S+) .*)$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.fixture
def installed(tmp_path):
    """pubmeta as it is installed: the program and its environment in a directory."""
    directory = tmp_path / "pubmeta"
    directory.mkdir()
    for name in ("manage.py", "pubmeta", "bibliography", "pipeline", "static", "templates"):
        path = ROOT / name
        if path.is_dir():
            shutil.copytree(path, directory / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(path, directory)
    (directory / ".venv").symlink_to(Path(sys.prefix))
    return directory


@pytest.fixture
def cron(installed, server, tmp_path):
    """Run the line of the README; gives its exit status and what cron would send by mail."""
    put_release(server)

    def run():
        settings = {"PUBMETA_RELEASES_ORIGIN": server.origin, "PUBMETA_TRUSTED_HOSTS": server.origin}
        process = subprocess.run(
            ["/bin/sh", "-c", LINE[2].replace(LINE[3], str(installed))],
            env={"PATH": "/usr/bin:/bin", "SHELL": "/bin/sh", "HOME": str(tmp_path), "LOGNAME": "nobody", **settings},
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            start_new_session=True,
            timeout=120,
        )
        return process.returncode, process.stdout, process.stderr

    return run


def test_the_first_run_builds_the_second_finds_nothing_new_and_one_beside_a_build_says_so(cron, installed):
    data = DataDir(installed / "data")
    log = data.root / "build.log"
    assert cron() == (0, "", "")
    first = log.read_text()
    served = data.link.resolve(strict=True)
    lines = first.splitlines()
    assert "1,996 publications" in lines[-1]
    assert all(re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S", line) for line in lines)
    assert cron() == (0, "", "")
    assert log.read_text().startswith(first)
    assert log.read_text()[len(first) :].splitlines()[-1].endswith("unchanged: the store is of this dump already")
    before = log.read_text()
    with BuildLock.take(data.lock):
        status, output, errors = cron()
    assert (status, output, errors.count("\n")) == (75, "", 1)
    assert "process" in errors
    assert log.read_text() == before
    assert data.link.resolve() == served


def test_a_failure_comes_by_mail_in_one_line(cron, installed, server):
    server.files.clear()
    status, output, errors = cron()
    assert (status, output, errors.count("\n")) == (1, "", 1)
    assert errors.startswith("CommandError: ")
    assert not DataDir(installed / "data").link.exists()


def test_the_line_runs_once_a_month():
    minute, hour, day, month, weekday = LINE[1].split()
    assert 0 <= int(minute) < 60
    assert 0 <= int(hour) < 24
    assert 1 <= int(day) <= 28
    assert (month, weekday) == ("*", "*")
