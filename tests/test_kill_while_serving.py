"""A build that is killed at any instant: the service answers throughout, and the next build starts clean."""

import hashlib
import math
import random
import re
import shutil
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass

import psutil
import pytest

from benchmarks.dtd import DTD_NAME, dtd_text
from benchmarks.dump import write_files
from pipeline.layout import DataDir
from tests.conftest import copy_store
from tests.server import Answer, Server
from tests.service import guarding, serving, succeeds, watching
from tests.test_kill import wait_for_step

pytestmark = pytest.mark.usefixtures("uncounted")
PUBLICATIONS = 4_000
NAME = "dblp.xml.gz"
FILE = f"/mirror/{NAME}"
HEAD = "bytes=0-65535"
HELD_BACK = 8 * 1024  # Bytes that Python may keep from a file until there are more.


@pytest.fixture(scope="module")
def dump(tmp_path_factory):
    """A dump whose build takes a few seconds, so that there are moments to be killed in."""
    path = tmp_path_factory.mktemp("dump") / "dblp.xml.gz"
    write_files(path, PUBLICATIONS, seed=5)
    return path


@pytest.fixture(scope="module")
def data(tmp_path_factory, sample_stores):
    """One data directory for all that is killed here, a store of the sample in it to begin with."""
    directory = DataDir(tmp_path_factory.mktemp("served") / "data")
    directory.root.mkdir()
    return copy_store(sample_stores, directory)


@pytest.fixture(scope="module")
def watched(data):
    """The production server, asked for its health all the time; gives its port and what it answered."""
    with serving(data) as port, watching(port) as answers:
        yield port, answers


@pytest.fixture
def unharmed(data, watched):
    with guarding(data, *watched) as check:
        yield check


@pytest.mark.parametrize("step", ["decompress_xml", "build_db", "index_db", "verify", "publish"])
@pytest.mark.parametrize("seed", range(2))
def test_sigkill_in_any_phase_leaves_the_old_store_or_the_whole_new_one(data, unharmed, manage, dump, step, seed):
    process = manage("rebuild_store", "--from-file", dump)
    children = []
    if wait_for_step(process, step):
        children = psutil.Process(process.pid).children(recursive=True)
        # The moment within the phase is random; the build may even have ended by then.
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=random.Random(f"{step}{seed}").uniform(0, 0.4))
    process.kill()
    process.communicate()
    psutil.wait_procs(children, timeout=10)
    assert not [child for child in children if child.is_running()]  # No process outlives the build.
    unharmed([PUBLICATIONS])
    succeeds(manage("rebuild_store", "--from-file", dump), data, PUBLICATIONS)


@dataclass
class Line:
    """A slow line to a build: no block is sent before the one that went before it is on disk.

    Once ``budget`` bytes have been sent in all, the build is killed.
    """

    data: DataDir
    server: Server
    build: subprocess.Popen | None = None
    budget: float = math.inf

    def on_sent(self, sent):
        if self.server.sent >= self.budget:
            self.build.kill()
        _, path, wanted = self.server.requests[-1]
        if path != FILE or wanted == HEAD:
            return
        end = sent + int(re.sub("[^0-9]", "", wanted or "0"))
        while not self._has(end - HELD_BACK) and self.build.poll() is None:
            self.server.closing.wait(0.001)

    def _has(self, size):
        return len(self.part()) >= size or (self.data.downloads / NAME).exists()

    def part(self):
        """Give what has arrived."""
        path = self.data.downloads / f"{NAME}.part"
        return path.read_bytes() if path.exists() else b""


@pytest.fixture
def line(data, dump):
    server = Server()
    server.put(f"{FILE}.md5", hashlib.md5(dump.read_bytes()).hexdigest().encode())
    server.put(f"/mirror/{DTD_NAME}", dtd_text().encode())
    line = Line(data, server)
    server.on_sent = line.on_sent
    yield line
    server.close()


@pytest.fixture
def download(line, manage):
    """Start a build over the line, to be killed once so many bytes have been sent."""

    def start(budget=math.inf):
        line.server.sent, line.budget = 0, budget
        line.server.requests.clear()
        line.build = manage(
            "rebuild_store",
            "--xml-gz-url",
            line.server.origin + FILE,
            PUBMETA_TRUSTED_HOSTS=line.server.origin,
            PUBMETA_STALL_TIMEOUT="60",
        )
        return line.build

    return start


@pytest.mark.parametrize("headers", [{"ETag": '"one"'}, {}], ids=["resumed", "from the start"])
@pytest.mark.parametrize("seed", range(2))
def test_sigkill_at_any_byte_of_a_download_and_of_what_is_left_of_it(
    data, unharmed, line, download, dump, headers, seed
):
    content, chance = dump.read_bytes(), random.Random(seed)
    line.server.put(FILE, Answer(content, headers=headers))
    shutil.rmtree(data.downloads, ignore_errors=True)
    data.downloads.mkdir()
    (data.downloads / "dblp-2019-11-01.xml.gz.part").write_bytes(b"nobody will ask for the rest of this")
    for _ in range(4):
        have = len(line.part())
        # Of the head, the DTD and the md5, and of the dump or what is missing of it.
        to_come = 65_536 + len(dtd_text()) + 32 + len(content) - (have if headers else 0)
        process = download(budget=chance.uniform(0, to_come))
        process.communicate(timeout=60)
        assert process.returncode == -signal.SIGKILL
        assert content.startswith(line.part())
        unharmed()
    have = len(line.part())
    succeeds(download(), data, PUBLICATIONS)
    assert line.server.requests[-1][2] == (f"bytes={have}-" if headers and have else None)
    assert sorted(path.name for path in data.downloads.iterdir()) == [DTD_NAME, NAME]
    assert (data.downloads / NAME).read_bytes() == content
