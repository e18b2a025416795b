"""The whole command, a real process, against servers that do each thing wrong that a server can."""

import sqlite3
from contextlib import closing

import pytest

from benchmarks.dtd import DTD_NAME, dtd_text
from tests.server import Answer, Server
from tests.test_sources import COLLECTION, DTD, DUMP, HTML, MD5, PAGE, RELEASE, put_release

FILE = "/mirror/dblp.xml.gz"
TAGGED = {"ETag": '"one"'}


@pytest.fixture
def server(server):
    put_release(server, TAGGED["ETag"], MD5)
    server.put(FILE, Answer(DUMP, headers=TAGGED))
    server.put(f"/mirror/{DTD_NAME}", dtd_text().encode())
    return server


@pytest.fixture
def rebuild(server, manage):
    """Start the command against the server; it is not patient."""

    def start(*arguments, stall_timeout="0.5"):
        return manage(
            "rebuild_store",
            *arguments,
            PUBMETA_RELEASES_ORIGIN=server.origin,
            PUBMETA_TRUSTED_HOSTS=server.origin,
            PUBMETA_RETRY_PAUSE="0.01",
            PUBMETA_STALL_TIMEOUT=stall_timeout,
        )

    return start


def failure(process, data):
    """Give the one line that a failed build leaves, and see that it has left nothing else."""
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert errors.startswith("CommandError: ")
    assert errors.count("\n") == 1
    assert not data.link.exists()
    assert not data.link.is_symlink()
    assert not data.staging.exists()
    return errors


def test_a_build_over_an_unreliable_line(server, rebuild, data):
    server.put(
        FILE,
        Answer(DUMP, headers=TAGGED),  # For the head.
        Answer(b"busy", 503, {"Retry-After": "0"}),
        Answer(DUMP, headers=TAGGED, cut_after=70_000),
        Answer(DUMP, headers=TAGGED, stall_after=70_000),
        Answer(DUMP, headers=TAGGED),
    )
    process = rebuild("--xml-gz-url", server.origin + FILE)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    assert output.count("trying again in") == 3
    asked = [given for _, path, given in server.requests if path == FILE]
    assert asked == ["bytes=0-65535", None, None, "bytes=70000-", "bytes=140000-"]
    with closing(sqlite3.connect(f"file:{data.link}?mode=ro", uri=True)) as connection:
        row = connection.execute("SELECT release, md5, source_url, etag FROM store_info").fetchone()
    assert row == (None, MD5, server.origin + FILE, '"one"')
    again = rebuild("--xml-gz-url", server.origin + FILE, "--if-changed")
    output, _ = again.communicate(timeout=60)
    assert (again.returncode, "unchanged" in output) == (0, True)
    assert server.paths()[-2:] == [f"GET {FILE}.md5", f"HEAD {FILE}"]


@pytest.mark.parametrize(
    ("path", "answer", "message"),
    [
        (COLLECTION, HTML, "lists no release of dblp; give --xml-gz-url or --from-file"),
        (f"{RELEASE}.md5", HTML, "a web page came instead of the file"),
        (f"{RELEASE}.md5", b"0" * 32, "the file is damaged or not the one that was announced, try again later"),
        (DTD, Answer(b"", 404), "the server answers 404 Not Found; look whether the address is right"),
        (RELEASE, Answer(DUMP, stall_first=True), "nothing came for too long (after 6 tries)"),
        (RELEASE, Answer(b"", 302, {"Location": RELEASE}), "redirects in circles"),
    ],
    ids=["page html", "md5 html", "md5 wrong", "dtd 404", "silence", "circle"],
)
def test_latest_fails_with_one_line(server, rebuild, data, path, answer, message):
    server.put(path, answer)
    assert message in failure(rebuild(stall_timeout="0.1"), data)


def test_a_truncated_file_that_no_length_gives_away_is_not_published(server, rebuild, data):
    server.put(FILE, Answer(DUMP[:-5_000], total=""))
    message = failure(rebuild("--xml-gz-url", server.origin + FILE), data)
    assert "dblp.xml.gz is cut off: the archive ends before its end mark" in message


def test_a_file_that_is_cut_for_ever_is_gone_on_with_by_the_next_build(server, rebuild, data):
    server.put(FILE, Answer(DUMP, headers=TAGGED, cut_after=70_000), Answer(DUMP, headers=TAGGED, cut_after=10_000))
    assert "(after 6 tries)" in failure(rebuild("--xml-gz-url", server.origin + FILE), data)
    have = (data.downloads / "dblp.xml.gz.part").stat().st_size
    assert have == 60_000
    server.put(FILE, Answer(DUMP, headers=TAGGED))
    process = rebuild("--xml-gz-url", server.origin + FILE)
    process.communicate(timeout=60)
    assert process.returncode == 0
    assert server.requests[-1] == ("GET", FILE, f"bytes={have}-")


def test_a_redirect_to_another_port_is_refused_before_it_is_asked(server, rebuild, data):
    other = Server()
    try:
        server.put(FILE, Answer(b"", 302, {"Location": other.put("/dblp.xml.gz", DUMP)}))
        assert "the host 127.0.0.1 is not trusted" in failure(rebuild("--xml-gz-url", server.origin + FILE), data)
        assert other.requests == []
    finally:
        other.close()


@pytest.mark.parametrize(
    ("path", "answer"),
    [(COLLECTION, Answer(PAGE, stall_after=10)), (RELEASE, Answer(stall_first=True))],
    ids=["the page stalls", "the dump never comes"],
)
def test_a_stop_while_the_server_stalls_ends_the_command(server, rebuild, data, path, answer):
    server.put(path, answer)
    process = rebuild(stall_timeout="60")
    assert server.stalled.wait(30)
    process.terminate()
    _, errors = process.communicate(timeout=5)
    assert (process.returncode, errors) == (130, "CommandError: stopped; the store is as it was\n")
    assert not data.link.exists()
