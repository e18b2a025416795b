"""Downloads against a server that cuts off, stalls, lies and redirects."""

import gzip
import hashlib
import threading
from collections import namedtuple

import pytest

from pipeline import download as module
from pipeline.download import download
from pipeline.errors import BuildStopped, DownloadFailed, NoSpace, NotTheDump, UntrustedSource
from tests.server import Answer, Server

CONTENT = gzip.compress(bytes(range(256)) * 20_000, 0)
MD5 = hashlib.md5(CONTENT).hexdigest()
TAGGED = {"ETag": '"one"'}


@pytest.fixture
def fetch(server, client_of, tmp_path):
    """Download ``/dump.xml.gz`` of the server; gives (path, log)."""

    def run(*answers, md5=MD5, client=None):
        url = server.put("/dump.xml.gz", *answers) if answers else f"{server.origin}/dump.xml.gz"
        log = []
        target = tmp_path / "dump.xml.gz"
        download(client or client_of(server.origin), url, target, md5, lambda *_: None, log.append)
        return target, log

    return run


def parts(tmp_path):
    return sorted(path.name for path in tmp_path.iterdir())


def test_a_whole_file(fetch, tmp_path):
    path, log = fetch(CONTENT)
    assert path.read_bytes() == CONTENT
    assert (parts(tmp_path), log) == (["dump.xml.gz"], [])


def test_progress_tells_bytes_and_total(server, client_of, tmp_path):
    told = []
    url = server.put("/x.gz", CONTENT)
    download(client_of(server.origin), url, tmp_path / "x.gz", None, lambda *args: told.append(args), print)
    assert told[-1] == (len(CONTENT), len(CONTENT))


def test_a_cut_is_resumed_where_it_happened(fetch, server):
    path, log = fetch(Answer(CONTENT, headers=TAGGED, cut_after=1_000_000), Answer(CONTENT, headers=TAGGED))
    assert path.read_bytes() == CONTENT
    assert len(log) == 1
    assert server.requests[0][2] is None
    assert 0 < int(server.requests[1][2].removeprefix("bytes=").removesuffix("-")) <= 1_000_000
    assert server.headers[1]["If-Range"] == '"one"'


def test_the_part_of_an_earlier_build_is_resumed(fetch, server, tmp_path):
    with pytest.raises(DownloadFailed, match=r"promised|broke off"):
        fetch(Answer(CONTENT, headers=TAGGED, cut_after=100_000))
    assert "dump.xml.gz.part" in parts(tmp_path)
    before = len(server.requests)
    path, _ = fetch(Answer(CONTENT, headers=TAGGED))
    assert path.read_bytes() == CONTENT
    assert server.requests[before][2] is not None
    assert parts(tmp_path) == ["dump.xml.gz"]


def test_a_file_that_changed_meanwhile_is_fetched_from_the_start(fetch):
    other = gzip.compress(b"other" * 100_000, 0)
    path, _ = fetch(
        Answer(CONTENT, headers=TAGGED, cut_after=100_000),
        Answer(other, headers={"ETag": '"two"'}),
        md5=hashlib.md5(other).hexdigest(),
    )
    assert path.read_bytes() == other


def test_a_server_that_knows_no_ranges_sends_it_all_again(fetch):
    path, _ = fetch(
        Answer(CONTENT, headers=TAGGED, cut_after=100_000), Answer(CONTENT, headers=TAGGED, ignore_range=True)
    )
    assert path.read_bytes() == CONTENT


def test_416_to_a_resume_means_that_the_file_is_whole(fetch, tmp_path):
    (tmp_path / "dump.xml.gz.part").write_bytes(CONTENT)
    fetch_note(tmp_path, fetch)
    path, _ = fetch(Answer(CONTENT, headers=TAGGED))
    assert path.read_bytes() == CONTENT


def fetch_note(tmp_path, fetch):
    """Write the note that goes with a part, as a download that broke off would have."""
    with pytest.raises(DownloadFailed):
        fetch(Answer(CONTENT, headers=TAGGED, cut_after=100_000))
    (tmp_path / "dump.xml.gz.part").write_bytes(CONTENT)


def test_416_with_another_length_starts_anew(fetch, tmp_path):
    fetch_note(tmp_path, fetch)
    (tmp_path / "dump.xml.gz.part").write_bytes(CONTENT + b"too long")
    path, _ = fetch(Answer(CONTENT, headers=TAGGED))
    assert path.read_bytes() == CONTENT


def test_a_wrong_md5_of_a_fresh_file_is_refused_and_nothing_is_kept(fetch, tmp_path):
    with pytest.raises(NotTheDump, match="the md5 is .* where 0000"):
        fetch(CONTENT, md5="0" * 32)
    assert parts(tmp_path) == []


def test_a_wrong_md5_of_a_resumed_file_is_tried_once_from_the_start(fetch, tmp_path):
    fetch_note(tmp_path, fetch)
    (tmp_path / "dump.xml.gz.part").write_bytes(b"\x1f\x8b" + bytes(50_000))
    path, log = fetch(Answer(CONTENT, headers=TAGGED))
    assert path.read_bytes() == CONTENT
    assert any("from the start" in line for line in log)


def test_html_is_not_the_dump_and_says_what_to_do(fetch, tmp_path):
    page = Answer(b"<!DOCTYPE html><html>Are you a robot?</html>", headers={"Content-Type": "text/html; charset=utf-8"})
    with pytest.raises(NotTheDump, match="a web page came instead of the file; .*--from-file"):
        fetch(page)
    assert parts(tmp_path) == []


def test_what_is_not_gzip_is_refused_at_once(fetch, server):
    with pytest.raises(NotTheDump, match="not a gzip file, it begins with b'PK"):
        fetch(b"PK\x03\x04" + bytes(100_000))
    assert len(server.requests) == 1


@pytest.mark.parametrize("total", [len(CONTENT) + 5_000])
def test_a_promise_of_more_than_comes_ends_in_one_line(fetch, total):
    with pytest.raises(DownloadFailed, match=r"after 6 tries"):
        fetch(Answer(CONTENT, total=total))


def test_an_empty_file_is_refused(fetch):
    with pytest.raises(NotTheDump, match="an empty file came"):
        fetch(b"")


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_busy_server_is_asked_again(fetch, status):
    path, log = fetch(Answer(b"busy", status), Answer(b"busy", status), Answer(CONTENT))
    assert path.read_bytes() == CONTENT
    assert len(log) == 2


def test_a_server_that_stays_busy_ends_in_one_line(fetch, server):
    with pytest.raises(DownloadFailed, match=r"the server answers 503 .*after 6 tries"):
        fetch(Answer(b"busy", 503))
    assert len(server.requests) == 6


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_what_asking_again_will_not_mend_is_not_asked_again(fetch, server, status):
    with pytest.raises(DownloadFailed, match=f"the server answers {status}"):
        fetch(Answer(b"no", status))
    assert len(server.requests) == 1


class Pauses:
    """Stands in for the clock: notes how long would be waited, and does not wait."""

    def __init__(self, client):
        self.seconds = []
        client._cancelled = self

    def wait(self, seconds):
        self.seconds.append(seconds)

    def is_set(self):
        return False


def test_pauses_grow(fetch, client_of, server):
    client = client_of(server.origin, first_pause=2)
    pauses = Pauses(client)
    with pytest.raises(DownloadFailed):
        fetch(Answer(b"busy", 503), client=client)
    assert pauses.seconds == [2, 4, 8, 16, 32]


@pytest.mark.parametrize(("asked", "waited"), [("7", 7), ("0", 2), ("86400", 120), ("soon", 2)])
def test_retry_after_is_kept_within_reason(fetch, client_of, server, asked, waited):
    client = client_of(server.origin, first_pause=2)
    pauses = Pauses(client)
    fetch(Answer(b"busy", 429, {"Retry-After": asked}), Answer(CONTENT), client=client)
    assert pauses.seconds == [waited]


def test_a_stall_is_a_cut(fetch, server):
    path, log = fetch(Answer(CONTENT, headers=TAGGED, stall_after=200_000), Answer(CONTENT, headers=TAGGED))
    assert path.read_bytes() == CONTENT
    assert "nothing came for too long" in log[0]


def test_a_server_that_is_not_there_ends_in_one_line(client_of, tmp_path):
    gone = Server()
    gone.close()
    with pytest.raises(DownloadFailed, match="the connection failed"):
        download(client_of(gone.origin), f"{gone.origin}/x.gz", tmp_path / "x.gz", None, lambda *_: None, print)


def test_a_redirect_to_another_host_is_refused_before_it_is_asked(fetch, server):
    other = Server()
    try:
        with pytest.raises(UntrustedSource, match="is not trusted"):
            fetch(Answer(b"", 302, {"Location": other.put("/dump.xml.gz", CONTENT)}))
        assert other.requests == []
    finally:
        other.close()


def test_a_redirect_on_a_trusted_host_is_followed(fetch, server):
    server.put("/there.gz", CONTENT)
    path, _ = fetch(Answer(b"", 302, {"Location": "/there.gz"}))
    assert path.read_bytes() == CONTENT


def test_redirects_in_circles_end(fetch, server):
    with pytest.raises(DownloadFailed, match="in circles"):
        fetch(Answer(b"", 302, {"Location": "/dump.xml.gz"}))


def test_a_disk_without_room_is_noticed_before_anything_is_written(fetch, monkeypatch, tmp_path):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(module.shutil, "disk_usage", lambda path: usage(10**9, 9 * 10**8, 10**6))
    with pytest.raises(NoSpace, match="no space for the download: it needs 5.12 MB"):
        fetch(CONTENT)
    assert "dump.xml.gz.part" not in parts(tmp_path)


def test_a_stop_ends_a_download_that_waits_to_try_again(fetch, server, client_of):
    client = client_of(server.origin, first_pause=60)
    timer = threading.Timer(0.2, client.cancel)
    timer.start()
    with pytest.raises(BuildStopped):
        fetch(Answer(b"busy", 503), client=client)
    timer.join()
