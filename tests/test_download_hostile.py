"""Downloads against servers that break the rules of HTTP, or keep to them in ways that are seldom met."""

import email.utils
import gzip
import hashlib
import json
from collections import namedtuple

import pytest

from pipeline import download as module
from pipeline.download import download
from pipeline.errors import DownloadFailed, NoSpace, NotTheDump, UntrustedSource
from tests.server import Answer

CONTENT = gzip.compress(bytes(range(256)) * 800, 0)
MD5 = hashlib.md5(CONTENT).hexdigest()
OTHER = gzip.compress(b"another day" * 20_000, 0)
TAGGED = {"ETag": '"one"'}
HTML = {"Content-Type": "text/html"}
CUT = Answer(CONTENT, headers=TAGGED, cut_after=100_000)


@pytest.fixture
def fetch(server, client_of, tmp_path):
    """Download ``/dump.xml.gz`` of the server; gives (content, etag, log)."""

    def run(*answers, md5=MD5, client=None):
        url = server.put("/dump.xml.gz", *answers)
        log = []
        target = tmp_path / "dump.xml.gz"
        etag = download(client or client_of(server.origin), url, target, md5, lambda *_: None, log.append)
        return target.read_bytes(), etag, log

    return run


@pytest.fixture
def part(server, tmp_path):
    """Leave the part of an earlier download, with its note."""

    def leave(content, validator='"one"'):
        (tmp_path / "dump.xml.gz.part").write_bytes(content)
        note = {"url": f"{server.origin}/dump.xml.gz", "validator": validator, "total": len(CONTENT)}
        (tmp_path / "dump.xml.gz.part.json").write_text(json.dumps(note))

    return leave


def ranges(server):
    return [asked for _, _, asked in server.requests]


@pytest.mark.parametrize(
    "answer",
    [
        Answer(CONTENT, chunked=50_000),
        Answer(CONTENT[:5_000], chunked=1),
        Answer(CONTENT, total=""),
        Answer(CONTENT, headers={"Content-Encoding": "gzip"}),
        Answer(CONTENT, headers={"Content-Encoding": "x-gzip", "Content-Type": "application/x-gzip"}),
        Answer(CONTENT, headers={"ETag": 'W/"weak"'}),
    ],
    ids=["chunked", "chunks of a byte", "no length", "called packed", "called x-gzip", "weak tag"],
)
def test_a_file_arrives_as_the_server_keeps_it(fetch, answer):
    content, _, log = fetch(answer, md5=hashlib.md5(answer.body).hexdigest())
    assert (content, log) == (answer.body, [])


def test_a_cut_between_chunks_is_noticed(fetch, server):
    content, _, log = fetch(
        Answer(CONTENT, headers=TAGGED, chunked=50_000, cut_after=100_000), Answer(CONTENT, headers=TAGGED)
    )
    assert content == CONTENT
    assert "the connection broke off" in log[0]
    assert ranges(server) == [None, "bytes=100000-"]


def test_what_came_before_a_stall_is_kept(fetch, server):
    content, _, _ = fetch(Answer(CONTENT, headers=TAGGED, stall_after=7_000), Answer(CONTENT, headers=TAGGED))
    assert content == CONTENT
    assert ranges(server) == [None, "bytes=7000-"]


def test_a_date_of_change_serves_where_there_is_no_tag(fetch, server):
    dated = {"Last-Modified": "Sat, 03 Oct 2026 06:00:00 GMT", "ETag": 'W/"weak"'}
    content, etag, _ = fetch(Answer(CONTENT, headers=dated, cut_after=100_000), Answer(CONTENT, headers=dated))
    assert (content, etag) == (CONTENT, 'W/"weak"')
    assert server.headers[1]["If-Range"] == dated["Last-Modified"]


def test_without_tag_and_date_nothing_is_resumed(fetch, server):
    content, _, _ = fetch(Answer(CONTENT, cut_after=100_000), Answer(CONTENT))
    assert content == CONTENT
    assert ranges(server) == [None, None]


@pytest.mark.parametrize(
    "rest",
    [
        Answer(
            OTHER[: len(CONTENT) - 100_000],
            206,
            {"ETag": '"two"', "Content-Range": f"bytes 100000-{len(CONTENT) - 1}/{len(CONTENT)}"},
        ),
        Answer(CONTENT[100_000:], 206, {"Content-Range": f"bytes 100000-{len(CONTENT)}/{len(CONTENT) + 1}"}),
        Answer(CONTENT[99_000:], 206, {"Content-Range": f"bytes 99000-{len(CONTENT) - 1}/{len(CONTENT)}"}),
        Answer(CONTENT[100_000:], 206),
        Answer(b"--x\r\n", 206, {"Content-Type": "multipart/byteranges; boundary=x"}),
        Answer(b"", 416, {"Content-Range": f"bytes */{len(CONTENT)}"}),
        Answer(b"", 416),
    ],
    ids=["another tag", "another length", "another start", "no range", "multipart", "416 too early", "416 bare"],
)
def test_a_rest_that_does_not_fit_is_fetched_from_the_start_without_md5_too(fetch, server, rest):
    content, _, log = fetch(CUT, rest, Answer(CONTENT, headers=TAGGED), md5=None)
    assert content == CONTENT
    assert ranges(server) == [None, "bytes=100000-", None]
    assert log[1].endswith("trying again in 0 s")


@pytest.mark.parametrize(
    "headers", [{}, HTML, {**HTML, "Content-Range": f"bytes */{len(CONTENT)}"}], ids=["bare", "page", "page and range"]
)
def test_416_with_the_right_length_completes_whatever_its_body(fetch, server, part, headers):
    part(CONTENT)
    content, etag, _ = fetch(Answer(b"<html>416</html>", 416, headers))
    assert (content, etag) == (CONTENT, '"one"')
    assert len(server.requests) == 1


def test_a_date_is_not_given_out_as_a_tag(fetch, part):
    part(CONTENT, validator="Sat, 03 Oct 2026 06:00:00 GMT")
    assert fetch(Answer(b"", 416))[1] is None


@pytest.mark.parametrize("status", [206, 416])
@pytest.mark.parametrize("before", [None, b""], ids=["no part", "an empty part"])
def test_an_answer_to_what_was_not_asked_ends_at_once(fetch, server, part, status, before):
    if before is not None:
        part(before)
    with pytest.raises(DownloadFailed, match=f"answers {status} though the whole file was asked for"):
        fetch(Answer(CONTENT, status))
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [204, 300, 302, 304, 418, 599])
def test_a_status_that_means_no_file_is_none(fetch, server, status):
    with pytest.raises(DownloadFailed, match=rf"the server answers {status} (?!though)"):
        fetch(Answer(b"", status))
    assert len(server.requests) == 1


def test_a_wrong_md5_after_a_resume_in_one_go_is_tried_from_the_start(fetch, server):
    wrong = Answer(CONTENT[:-1_000] + bytes(1_000), headers=TAGGED)
    content, _, log = fetch(CUT, wrong, Answer(CONTENT, headers=TAGGED))
    assert content == CONTENT
    assert any("downloading from the start" in line for line in log)
    assert ranges(server) == [None, "bytes=100000-", None]


def test_the_second_byte_is_looked_at_too(fetch, server):
    with pytest.raises(NotTheDump, match=r"not a gzip file, it begins with b'\\x1f<"):
        fetch(Answer(b"\x1f<html>", chunked=1), md5=None)


@pytest.mark.parametrize("length", ["a lot", "-5", "9" * 5_000])
def test_a_length_that_is_no_number_is_none(fetch, length):
    assert fetch(Answer(CONTENT, total=length))[0] == CONTENT


def test_more_than_was_promised_is_refused(fetch, server, part):
    part(CONTENT[:100_000])
    with pytest.raises(NotTheDump, match="bytes came where"):
        fetch(
            Answer(
                CONTENT[100_000:] + b"more",
                206,
                {"Content-Range": f"bytes 100000-{len(CONTENT) - 1}/{len(CONTENT)}"},
            )
        )


def test_tries_are_counted_anew_while_they_bring_the_file_on(fetch, server, monkeypatch):
    monkeypatch.setattr(module, "_WORTHWHILE", 6 * 10_000)
    cuts = [Answer(CONTENT, headers=TAGGED, cut_after=10_000)] * 12
    content, _, log = fetch(*cuts, Answer(CONTENT, headers=TAGGED))
    assert content == CONTENT
    assert sum("going on, as 60,000 bytes more have come" in line for line in log) == 2


def test_a_dripping_server_is_a_stalled_one(fetch, server):
    short = gzip.compress(b"short", 0)
    content, _, log = fetch(Answer(short, drip=0.05), Answer(short), md5=hashlib.md5(short).hexdigest())
    assert content == short
    assert "less than 1000 bytes a second come" in log[0]


def test_a_server_that_never_says_a_word_is_given_up(fetch, client_of, server):
    with pytest.raises(DownloadFailed, match=r"nothing came for too long \(after 6 tries\)"):
        fetch(Answer(CONTENT, stall_first=True), client=client_of(server.origin, stall_timeout=0.05))
    assert len(server.requests) == 6


def test_a_wait_until_a_date_is_honoured_and_capped(fetch, client_of, server):
    waited = []
    client = client_of(server.origin, first_pause=2)
    client._cancelled = type("Clock", (), {"wait": staticmethod(waited.append), "is_set": staticmethod(bool)})
    moment = email.utils.formatdate(2_000_000_000 * 2, usegmt=True)
    long_ago = email.utils.formatdate(1_000_000_000, usegmt=True)
    busy = [Answer(b"", 503, {"Retry-After": value}) for value in (moment, long_ago, "9" * 400, "Sat, 99 Foo")]
    fetch(*busy, Answer(CONTENT), client=client)
    assert waited == [120, 4, 120, 16]


def test_what_the_server_says_in_its_status_line_is_not_repeated(fetch, server, monkeypatch):
    monkeypatch.setattr("http.server.BaseHTTPRequestHandler.responses", {403: ("\x1b[2J 404 " + "x" * 9_000, "")})
    with pytest.raises(DownloadFailed) as caught:
        fetch(Answer(b"no", 403))
    assert "\x1b" not in str(caught.value)
    assert "the server answers 403 Forbidden; if the site asks browsers" in str(caught.value)


@pytest.mark.parametrize(
    ("location", "error"),
    [
        ("http://127.0.0.1:1/x", UntrustedSource),
        ("//evil.example/x", UntrustedSource),
        ("https://dblp.org/x", UntrustedSource),
        ("file:///etc/passwd", UntrustedSource),
        ("http://name:secret@{here}/x", UntrustedSource),
        ("http://{here}\\@evil.example/x", UntrustedSource),
        ("http://[bad/x", DownloadFailed),
        ("", DownloadFailed),
    ],
)
def test_a_redirect_is_checked_before_it_is_followed(fetch, server, location, error):
    here = server.origin.removeprefix("http://")
    with pytest.raises(error) as caught:
        fetch(Answer(b"", 307, {"Location": location.replace("{here}", here)}))
    assert "secret" not in str(caught.value)
    assert {path for _, path, _ in server.requests} == {"/dump.xml.gz"}


def test_the_body_of_a_redirect_is_not_read(fetch, server):
    server.put("/there.gz", CONTENT)
    content, _, log = fetch(Answer(bytes(100_000), 302, {"Location": "/there.gz"}, stall_after=1_000))
    assert (content, log) == (CONTENT, [])


def test_a_disk_that_fills_up_meanwhile_ends_the_download(fetch, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(module.shutil, "disk_usage", lambda path: usage(10**9, 9 * 10**8, 10**6))
    with pytest.raises(NoSpace, match="no space for the download"):
        fetch(Answer(CONTENT, chunked=50_000))
