"""A stop in each phase of a build: within five seconds, nothing left behind, the store as it was.

``STOPS=10`` tries each phase so many times, a moment later each time; ``STOP_PUBLICATIONS=300000`` makes phases longer.
"""

import os
import threading
import time

import psutil
import pytest

from benchmarks.dump import write_files
from pipeline.progress import PHASES
from tests.conftest import copy_store
from tests.console import pid_of_build, services, until, until_state
from tests.server import Answer
from tests.service import digest
from tests.test_sources import COLLECTION, DTD, RELEASE, put_release

pytestmark = pytest.mark.usefixtures("uncounted")
STOPS = int(os.environ.get("STOPS", "1"))
PUBLICATIONS = int(os.environ.get("STOP_PUBLICATIONS", "6000"))


@pytest.fixture(scope="module")
def dump(tmp_path_factory):
    """A dump whose build takes long enough to be stopped in the middle."""
    path = tmp_path_factory.mktemp("dump") / "dblp.xml.gz"
    write_files(path, PUBLICATIONS, seed=9)
    return path


@pytest.fixture
def service(data, sample_stores, server, dump):
    copy_store(sample_stores, data)
    put_release(server, md5="0" * 32)
    for dtd in dump.parent.glob("*.dtd"):
        server.put(f"{RELEASE.rpartition('/')[0]}/{dtd.name}", dtd.read_bytes())
    server.put(f"{RELEASE}.md5", Answer(b"", 404))
    server.put(RELEASE, Answer(dump.read_bytes(), headers={"ETag": '"r"'}))
    with services(data, server.origin, 1) as (started,):
        yield started


@pytest.mark.parametrize("attempt", range(STOPS))
@pytest.mark.parametrize("phase", PHASES)
def test_a_stop_in_each_phase(service, server, data, dump, phase, attempt, record_testsuite_property):
    gate = threading.Event()
    if phase == "download_dtd":  # To begin with, the release that the DTD is of is looked for.
        waited_for = (COLLECTION, DTD)[attempt % 2]
        server.put(waited_for, Answer(server.files[waited_for][0].body, gate=gate))
    elif phase == "download_xml_gz":
        content = dump.read_bytes()
        slow = Answer(content, headers={"ETag": '"r"'}, stall_after=attempt * len(content) // 10)
        server.put(RELEASE, Answer(content, headers={"ETag": '"r"'}), slow)
    before, served = digest(data.link), data.link.resolve()
    service.start(allow_shrink=True)
    until(lambda: phase in service.state()["logs"], 120)
    processes = psutil.Process(pid_of_build(data)).children(recursive=True)
    threading.Event().wait(attempt * 0.07)
    asked = time.monotonic()
    assert service.stop()[0] == 200
    ended = until_state(service, 5, "stopped", "completed")
    took = time.monotonic() - asked
    record_testsuite_property(f"{phase} {attempt}", f"{ended['status']} after {took:.2f} s")
    assert not data.staging.exists()
    until(lambda: not any(map(is_alive, processes)), 5)
    if ended["status"] == "stopped":
        assert ended["message"] == "stopped; the store is as it was"
        assert (digest(data.link), data.link.resolve()) == (before, served)
        assert list(data.stores.glob("*.sqlite")) == [served]
    else:  # It was published already.
        assert phase in ("verify", "publish")
        assert data.link.resolve() != served
    assert service.ask("GET", "health")[0] == 200


def is_alive(process):
    """Tell whether a process is more than an entry that nobody has looked at yet."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
