"""The command ``coauthors`` as a process: no failure may end with a status that means an answer."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, process_environment

FORMATS = ["table", "csv", "json"]
LEFT, RIGHT = "Orla O'Nevin\n", "Mei Lan 0001\nSøren Weißæcker\n"


@pytest.fixture
def lists(tmp_path):
    (tmp_path / "left.txt").write_text(LEFT, encoding="utf-8")
    (tmp_path / "right.txt").write_text(RIGHT, encoding="utf-8")
    return tmp_path / "left.txt", tmp_path / "right.txt"


@pytest.fixture
def run(data, lists):
    """Run the command as a process that writes where it is told; gives status and errors."""

    def started(stdout, *options, **variables):
        command = [sys.executable, str(ROOT / "manage.py"), "coauthors", *map(str, lists), *options]
        process = subprocess.run(
            command,
            env=process_environment(data, **variables),
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
        )
        return process.returncode, process.stderr

    return started


@pytest.mark.parametrize("form", FORMATS)
def test_a_pipe_that_is_closed_ends_it_quietly_as_sigpipe_does(served_sample, run, form):
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as pipe:
        assert run(pipe, "--format", form) == (141, "")


@pytest.mark.parametrize("form", FORMATS)
def test_an_answer_that_cannot_be_written_is_an_error(served_sample, run, form):
    said = "CommandError: the answer cannot be written: No space left on device\n"
    with Path("/dev/full").open("wb") as full:
        assert run(full, "--format", form) == (3, said)


def test_an_output_that_cannot_show_a_name_is_an_error(served_sample, run):
    said = "CommandError: standard output cannot show '\\xf8'; set PYTHONIOENCODING=utf-8\n"
    assert run(subprocess.DEVNULL, "--format", "csv", PYTHONIOENCODING="ascii") == (3, said)


def test_a_mistake_of_ours_is_an_error_too(served_sample, coauthors, lists, monkeypatch):
    monkeypatch.setattr("bibliography.questions.resolve", lambda *a, **k: 1 / 0)
    ended = coauthors(*lists)
    assert (ended.returncode, ended.stdout) == (3, "")
    assert "ZeroDivisionError" in ended.stderr


@pytest.mark.parametrize("options", [(), ("--traceback",)])
def test_a_store_that_is_damaged_inside_is_an_error(served_sample, coauthors, lists, options):
    store = served_sample.link.resolve()
    size = store.stat().st_size
    store.chmod(0o644)
    with store.open("r+b") as file:  # All but its first pages, which hold the schema.
        file.seek(size // 8)
        file.write(b"\xff" * (size - size // 8))
    ended = coauthors(*lists, *options)
    assert ended.returncode == 3
    assert "The store cannot be read: database disk image is malformed" in ended.stderr.splitlines()[-1]
    assert options or ended.stderr.count("\n") == 1


@pytest.mark.parametrize("page", ["README.md", "docs/queries.md"])
def test_the_example_works_as_printed(served_sample, tmp_path, page):
    text = (ROOT / page).read_text(encoding="utf-8")
    (example,) = (part for part in re.split(r"\n{2,}", text) if "manage.py coauthors" in part)
    script = example.replace(".venv/bin/python manage.py", f"{sys.executable} {ROOT / 'manage.py'}")
    environment = process_environment(served_sample)
    process = subprocess.run(["sh", "-c", script], env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert (process.returncode, process.stderr) == (1, "")
    assert "Mei Lan 0001" in process.stdout
    assert "nobody in dblp" in process.stdout
