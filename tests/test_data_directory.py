"""A data directory that cannot be used ends every command with one line; one that can only be read is served."""

import os
import shutil
import subprocess
import sys

import pytest

from pipeline.lock import BuildLock
from tests.conftest import ROOT, SAMPLE, process_environment, publication
from tests.service import ask, digest, serving

MANAGE = (sys.executable, str(ROOT / "manage.py"))
REBUILD = (*MANAGE, "rebuild_store", "--from-file", str(SAMPLE))
ENSURE = (*MANAGE, "ensure_store", str(SAMPLE))
PREVIOUS = (*MANAGE, "previous_store")
GUNICORN = (sys.executable, "-m", "gunicorn")
READ = "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1], uri=True).execute('SELECT count(*) FROM authors'))"


@pytest.fixture
def seal():
    """Take permissions from a directory and all in it, until the test is over."""
    sealed = []

    def take(directory, mode):
        for path in [directory, *directory.rglob("*")]:
            if not path.is_symlink():
                sealed.append((path, path.stat().st_mode))
        for path, before in reversed(sealed):
            path.chmod(before & mode)

    yield take
    for path, before in sealed:
        path.chmod(before)


def run(command, data_dir):
    environment = {**os.environ, "PUBMETA_DATA_DIR": str(data_dir), "PUBMETA_BIND": "127.0.0.1:0"}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)


def complaint(command, data_dir, status=1):
    """Give the one line with which a command fails; gunicorn says a word of its own before."""
    process = run(command, data_dir)
    lines = [line for line in process.stderr.splitlines() if "Starting gunicorn" not in line]
    assert (process.returncode, len(lines)) == (status, 1), process
    assert str(data_dir) in lines[0]
    return lines[0]


@pytest.mark.parametrize("command", [REBUILD, ENSURE, PREVIOUS, GUNICORN])
@pytest.mark.parametrize("below", ["", "below"])
def test_a_file_in_place_of_the_data_directory(tmp_path, command, below):
    (tmp_path / "data").write_text("precious")
    line = complaint(command, tmp_path / "data" / below, status=78)
    assert line.startswith("PUBMETA_DATA_DIR=")
    assert "no directory can be there" in line
    assert (tmp_path / "data").read_text() == "precious"


@pytest.mark.parametrize("command", [REBUILD, ENSURE, PREVIOUS, GUNICORN])
def test_a_data_directory_that_nobody_may_enter(tmp_path, bound, seal, command):
    directory = tmp_path / "data"
    directory.mkdir()
    seal(directory, 0o000)
    line = complaint([*bound, *command], directory, status=78)
    assert line == f"the secret can neither be read nor made in {directory}/secret-key: Permission denied"


@pytest.fixture
def read_only(served_sample, seal):
    """A data directory with a served store, a previous one and all else, and not to be written."""
    served = served_sample.link.resolve().name
    for path in list(served_sample.stores.iterdir()):
        shutil.copy(path, path.with_name(path.name.replace(served, "dblp-before.sqlite")))
    served_sample.previous_link.symlink_to("stores/dblp-before.sqlite")
    run([*MANAGE, "check"], process_environment(served_sample)["PUBMETA_DATA_DIR"])  # Makes the secret.
    with BuildLock.take(served_sample.lock, "process 1"):
        pass
    seal(served_sample.root, 0o555)
    return served_sample


def test_a_data_directory_that_cannot_be_written_takes_no_build(read_only, bound):
    before = digest(read_only.link)
    line = complaint([*bound, *REBUILD], read_only.root)
    assert line.startswith(f"CommandError: no build can be started in {read_only.root} (")
    assert line.endswith(f": [Errno 13] Permission denied: '{read_only.lock}'")
    assert digest(read_only.link) == before


def test_a_database_of_builds_that_cannot_be_written_takes_no_build(read_only, bound):
    for path in read_only.root.glob("build.lock*"):
        path.chmod(0o644)
    line = complaint([*bound, *REBUILD], read_only.root)
    assert line.startswith(f"CommandError: no build can be started in {read_only.root} (")
    assert line.endswith(": attempt to write a readonly database")


def test_the_links_of_a_data_directory_that_cannot_be_written_stay(read_only, bound):
    for path in read_only.root.glob("build.lock*"):
        path.chmod(0o644)
    line = complaint([*bound, *PREVIOUS], read_only.root)
    assert line.startswith("CommandError: the links cannot be changed: ")
    assert "Permission denied" in line


def test_a_store_that_is_there_already_needs_no_permission_to_write(read_only, bound):
    process = run([*bound, *ENSURE], read_only.root)
    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout.startswith("== The store holds 1,996 publications")


def test_a_data_directory_that_cannot_be_written_is_served(read_only, bound):
    with serving(read_only, *bound) as port:
        assert ask(port)[0] == 200
        assert ask(port, "/api/stats")[1]["publications"] == 1996


def test_somebody_who_may_only_read_reads_a_store_that_nobody_has_opened_yet(build_from, make_dump, data, bound, seal):
    build_from(make_dump(publication("a/1", "Ada Test", "Bo Test")))
    before = digest(data.link)
    seal(data.root, 0o555)
    for options in ("mode=ro", "mode=rw"):  # The latter is how tools open what they take for their own.
        process = run([*bound, sys.executable, "-c", READ, f"file:{data.link}?{options}"], data.root)
        assert (process.stdout, process.stderr) == ("(2,)\n", "")
    assert digest(data.link) == before


def test_a_store_that_cannot_be_read_is_not_ready_until_it_can(read_only, bound):
    store = read_only.link.resolve()
    store.chmod(0o000)
    with serving(read_only, *bound) as port:
        status, problem = ask(port)
        assert (status, problem["detail"][:57]) == (503, "The store cannot be read: unable to open database file. B")
        store.chmod(0o444)
        assert ask(port)[0] == 200
