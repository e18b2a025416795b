"""A stop while a server keeps us waiting: ends at once, and leaves no thread, no socket and no damaged part."""

import gzip
import json
import threading

import pytest

from pipeline.download import download
from pipeline.errors import BuildStopped
from pipeline.sources import Remote
from tests.server import Answer
from tests.test_sources import COLLECTION, DTD, MD5, RELEASE, put_release

CONTENT = gzip.compress(bytes(range(256)) * 800, 0)
OTHER = gzip.compress(b"another day" * 20_000, 0)
TAGGED = {"ETag": '"one"'}


@pytest.fixture
def server(server):
    return put_release(server, TAGGED["ETag"], MD5)


@pytest.fixture
def patient(server, client_of):
    return client_of(server.origin, stall_timeout=60)


def stop_obtaining(server, client, report, directory):
    """Get the newest release, and stop as soon as the server stalls."""

    def check():
        if server.stalled.is_set():
            raise BuildStopped("stopped on request")

    with pytest.raises(BuildStopped):
        Remote(client, directory, report, check).obtain("latest", "latest", server.origin, None)


def threads():
    return [thread for thread in threading.enumerate() if thread.name == "download"]


@pytest.mark.parametrize("path", [COLLECTION, f"{RELEASE}.md5", RELEASE, DTD])
def test_a_stop_ends_a_transfer_and_its_thread(server, patient, report, tmp_path, path):
    server.put(path, Answer(server.files[path][0].body, stall_after=10))
    stop_obtaining(server, patient, report, tmp_path)
    assert threads() == []


@pytest.mark.parametrize("path", [COLLECTION, RELEASE])
def test_a_stop_ends_a_wait_for_a_first_answer(server, patient, report, tmp_path, path):
    server.put(path, Answer(stall_first=True))
    stop_obtaining(server, patient, report, tmp_path)
    server.closing.set()
    for thread in threads():
        thread.join(10)


def test_no_connection_is_kept_once_the_dump_is_here(server, patient, report, tmp_path):
    Remote(patient, tmp_path, report, lambda: None).obtain("latest", "latest", server.origin, None)
    assert len(patient._session.get_adapter(server.origin).poolmanager.pools) == 0


def test_a_stop_ends_a_stalled_download_at_once(patient, server, tmp_path):
    url = server.put("/x.gz", Answer(CONTENT, headers=TAGGED, stall_after=50_000))
    waiting, stopped = threading.Event(), threading.Event()

    def progress(received, total):
        if received == 50_000:  # All that will come: what follows is the wait for more.
            waiting.set()

    def run():
        try:
            download(patient, url, tmp_path / "x.gz", None, progress, print)
        except BuildStopped:
            stopped.set()

    thread = threading.Thread(target=run)
    thread.start()
    assert waiting.wait(10)
    patient.cancel()
    ended = stopped.wait(5)
    server.closing.set()
    thread.join(10)
    assert ended


def test_an_answer_that_comes_after_the_stop_leaves_the_part_alone(patient, server, tmp_path):
    url = server.put("/x.gz", Answer(OTHER, stall_first=True))
    (tmp_path / "x.gz.part").write_bytes(CONTENT[:100_000])
    note = {"url": url, "validator": '"one"', "total": len(CONTENT)}
    (tmp_path / "x.gz.part.json").write_text(json.dumps(note))
    stopped = threading.Event()

    def run():
        try:
            download(patient, url, tmp_path / "x.gz", None, lambda *_: None, print)
        except BuildStopped:
            stopped.set()

    thread = threading.Thread(target=run)
    thread.start()
    assert server.stalled.wait(10)
    patient.cancel()
    server.closing.set()  # Now the server answers, with another file.
    thread.join(10)
    assert stopped.is_set()
    assert (tmp_path / "x.gz.part").read_bytes() == CONTENT[:100_000]
