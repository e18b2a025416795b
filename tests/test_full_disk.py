"""A real file system that is full, before or in the middle of a build: one line, nothing lost, nothing left."""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress

import pytest

from benchmarks.dtd import DTD_NAME, dtd_text
from benchmarks.dump import write_files
from pipeline.layout import DataDir
from tests.conftest import ROOT, copy_store
from tests.server import Answer
from tests.service import guarding, serving, succeeds, watching
from tests.test_kill import wait_for_step

pytestmark = pytest.mark.usefixtures("uncounted")
MB = 1024 * 1024
RESERVE = 64 * MB  # What a build leaves free for others.
PUBLICATIONS = 4_000
NAME = "dblp.xml.gz"
FILE = f"/mirror/{NAME}"
TAGGED = {"ETag": '"one"'}


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A file system of 112 MB."""
    path = tmp_path_factory.mktemp("small")
    if shutil.which("mount") is None:
        pytest.skip("there is no mount here")
    mounting = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=112m", "pubmeta-tests", path], capture_output=True, text=True
    )
    if mounting.returncode:
        pytest.skip(f"this process may not mount a file system: {mounting.stderr.strip()}")
    yield path
    subprocess.run(["umount", "--lazy", path], check=True)


@pytest.fixture(scope="module")
def data(small, sample_stores):
    directory = DataDir(small / "data")
    directory.root.mkdir()
    return copy_store(sample_stores, directory)


@pytest.fixture(scope="module")
def watched(data):
    with serving(data) as port, watching(port) as answers:
        yield port, answers


@pytest.fixture
def unharmed(data, watched):
    with guarding(data, *watched) as check:
        yield check


@pytest.fixture(scope="module")
def dump(tmp_path_factory):
    path = tmp_path_factory.mktemp("dump") / NAME
    write_files(path, PUBLICATIONS, seed=5)
    return path


@pytest.fixture
def filler(small):
    """What others keep on the disk: call it with how many bytes it shall leave."""
    path = small / "filler"

    def fill(leave):
        taken = 0
        with path.open("wb") as file:
            while (rest := shutil.disk_usage(small).free - leave) > 0:
                with suppress(OSError):  # Others may have taken some of it in between.
                    os.posix_fallocate(file.fileno(), taken, rest)
                    taken += rest

    yield fill
    path.unlink(missing_ok=True)


@pytest.fixture
def space(small):
    return (small / "filler").unlink


def failure(process, data):
    """Give the one line that a build leaves, and see that it has left nothing else."""
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors.count("\n")) == (1, 1), errors
    assert not data.staging.exists()
    return errors


def test_no_space_for_the_new_store_is_said_before_it_is_begun(data, unharmed, manage, dump, filler, space):
    filler(leave=RESERVE + MB)
    errors = failure(manage("rebuild_store", "--from-file", dump), data)
    assert errors.startswith("CommandError: no space for the new store: it needs ")
    unharmed()
    space()
    succeeds(manage("rebuild_store", "--from-file", dump), data, PUBLICATIONS)


@pytest.mark.parametrize("leave", [0, 1 * MB, 2 * MB, 3 * MB])
def test_others_fill_the_disk_in_the_middle_of_a_build(data, unharmed, manage, dump, filler, space, leave):
    process = manage("rebuild_store", "--from-file", dump)
    assert wait_for_step(process, "build_db")
    process.send_signal(signal.SIGSTOP)  # It has hardly begun; where it fails is a matter of what it is left.
    filler(leave)
    process.send_signal(signal.SIGCONT)
    errors = failure(process, data)
    assert "database or disk is full" in errors or "No space left on device" in errors
    unharmed()
    space()
    succeeds(manage("rebuild_store", "--from-file", dump), data, PUBLICATIONS)


def test_a_disk_that_is_full_already_takes_no_build(data, unharmed, manage, dump, filler, space):
    filler(leave=0)
    errors = failure(manage("rebuild_store", "--from-file", dump), data)
    assert errors.startswith(f"CommandError: no build can be started in {data.root} (0 MB free): ")
    unharmed()
    space()
    succeeds(manage("rebuild_store", "--from-file", dump), data, PUBLICATIONS)


def test_a_first_start_on_a_full_disk_leaves_no_half_of_a_secret(small, filler, space):
    fresh = small / "fresh"
    fresh.mkdir()
    command = [sys.executable, str(ROOT / "manage.py"), "check"]
    environment = {**os.environ, "PUBMETA_DATA_DIR": str(fresh)}
    filler(leave=0)
    process = subprocess.run(command, env=environment, capture_output=True, text=True)
    said = f"the secret can neither be read nor made in {fresh}/secret-key: No space left on device\n"
    assert (process.returncode, process.stderr) == (os.EX_CONFIG, said)
    assert not any(path.read_bytes() for path in fresh.iterdir())
    space()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    assert len((fresh / "secret-key").read_text()) >= 50


@pytest.fixture
def server(server, dump):
    server.put(f"{FILE}.md5", hashlib.md5(dump.read_bytes()).hexdigest().encode())
    server.put(f"/mirror/{DTD_NAME}", dtd_text().encode())
    return server


@pytest.fixture
def download(server, manage, data):
    """Start a build from the server, nothing downloaded yet the first time."""
    shutil.rmtree(data.downloads, ignore_errors=True)
    url = server.origin + FILE
    return lambda: manage("rebuild_store", "--xml-gz-url", url, PUBMETA_TRUSTED_HOSTS=server.origin)


@pytest.mark.parametrize(
    "answer", [{"headers": TAGGED}, {"total": ""}], ids=["known by its length", "found out on the way"]
)
def test_a_download_that_does_not_fit(data, unharmed, server, download, dump, filler, space, answer):
    server.put(FILE, Answer(dump.read_bytes(), **answer))
    filler(leave=RESERVE + MB // 4)
    errors = failure(download(), data)
    assert errors.startswith("CommandError: no space for the download: it needs ")
    assert " can be used in " in errors
    unharmed()
    assert [path.name for path in data.downloads.iterdir()] == [DTD_NAME]
    space()
    succeeds(download(), data, PUBLICATIONS)


def test_others_fill_the_disk_in_the_middle_of_a_download(data, unharmed, server, download, dump, filler, space):
    content = dump.read_bytes()
    server.put(FILE, Answer(content, headers=TAGGED))

    def on_sent(sent):
        if server.requests[-1][1:] == (FILE, None) and sent > len(content) // 2:
            server.on_sent = lambda sent: None
            part = data.downloads / f"{NAME}.part"
            while not part.exists() or part.stat().st_size == 0:
                server.closing.wait(0.001)
            filler(leave=0)

    server.on_sent = on_sent
    errors = failure(download(), data)
    assert errors.startswith("CommandError: no space for the download: ")
    unharmed()
    have = (data.downloads / f"{NAME}.part").read_bytes()
    assert content.startswith(have)
    space()
    succeeds(download(), data, PUBLICATIONS)
    assert server.requests[-1] == ("GET", FILE, f"bytes={len(have)}-")
