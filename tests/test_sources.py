"""Finding and getting a dump: the newest release, an address, a local file; and the whole command against a server."""

import hashlib
import sqlite3
from contextlib import closing

import pytest

from benchmarks.dtd import DTD_NAME, dtd_text
from pipeline.errors import NotTheDump, SourceError, UntrustedSource
from pipeline.releases import dtd_url, newest_release, read_md5, release_of, release_url
from pipeline.sources import Known, Remote, Unchanged, from_file
from tests.conftest import SAMPLE
from tests.server import Answer, Server

DUMP = SAMPLE.read_bytes()
MD5 = hashlib.md5(DUMP).hexdigest()
COLLECTION = "/entities/collection/10.4230/dblp.xml"
RELEASE = "/storage/artifacts/dblp/xml/2026/dblp-2026-10-03.xml.gz"
DTD = f"/storage/artifacts/dblp/xml/2026/{DTD_NAME}"
PAGE = b'<html><a href="/x/dblp.xml.2023-01-03">1</a> <a href="dblp.xml.2026-10-03">2</a> dblp.xml.2026-09-01</html>'


def put_release(server, etag='"r"', md5=f"{MD5}  dblp-2026-10-03.xml.gz\n"):
    """Put a release into a server as DROPS has it: in the list, the dump, its md5, its DTD."""
    server.put(COLLECTION, Answer(PAGE, headers={"Content-Type": "text/html"}))
    server.put(RELEASE, Answer(DUMP, headers={"ETag": etag}))
    server.put(f"{RELEASE}.md5", md5.encode())
    server.put(DTD, dtd_text().encode())
    return server


@pytest.fixture
def server(server):
    return put_release(server)


@pytest.fixture
def obtain(server, client_of, report, tmp_path):
    def run(xml_gz="latest", dtd="latest", known=None):
        remote = Remote(client_of(server.origin), tmp_path / "downloads", report, lambda: None)
        return remote.obtain(xml_gz, dtd, server.origin, known)

    return run


def test_latest_is_the_newest_release_its_md5_its_dtd_and_then_itself(obtain, server):
    dump = obtain()
    assert (dump.release, dump.md5) == ("2026-10-03", MD5)
    assert dump.path.read_bytes() == DUMP
    assert dump.dtd.name == DTD_NAME
    assert server.paths() == [f"GET {path}" for path in (COLLECTION, f"{RELEASE}.md5", RELEASE, DTD, RELEASE)]


def test_an_address_without_a_checksum(obtain, server, report):
    url = server.put("/elsewhere/dump.xml.gz", DUMP)
    server.put(f"/elsewhere/{DTD_NAME}", dtd_text().encode())
    assert obtain(url).release is None
    assert any(".md5 does not exist" in line for line in report.lines)


def test_a_dtd_of_another_address(obtain, server):
    url = server.put("/other/name.dtd", dtd_text().encode())
    assert obtain(dtd=url).dtd.name == DTD_NAME  # The name that the dump gives it.
    assert f"GET {DTD}" not in server.paths()


def test_a_dump_that_is_here_already_is_not_fetched_again(obtain, server):
    obtain()
    before = len(server.requests)
    obtain()
    again = server.requests[before:]
    assert [request for request in again if request[1] == RELEASE and request[2] is None] == []


def test_older_dumps_are_removed(obtain, server, tmp_path):
    obtain()
    url = server.put("/elsewhere/new.xml.gz", DUMP)
    server.put(f"/elsewhere/{DTD_NAME}", dtd_text().encode())
    obtain(url)
    assert sorted(path.name for path in (tmp_path / "downloads").iterdir()) == [DTD_NAME, "new.xml.gz"]


def test_unchanged_asks_for_the_list_and_the_checksum_only(obtain, server):
    with pytest.raises(Unchanged):
        obtain(known=Known(server.origin + RELEASE, MD5, None))
    assert server.paths() == [f"GET {COLLECTION}", f"GET {RELEASE}.md5"]


def test_unchanged_without_a_checksum_asks_for_the_tag(obtain, server):
    url = server.put("/elsewhere/dump.xml.gz", Answer(DUMP, headers={"ETag": '"one"'}))
    with pytest.raises(Unchanged):
        obtain(url, known=Known(url, MD5, '"one"'))
    assert server.paths() == ["GET /elsewhere/dump.xml.gz.md5", "HEAD /elsewhere/dump.xml.gz"]


def test_unchanged_without_a_checksum_and_a_tag_is_seen_after_the_download(obtain, server):
    url = server.put("/elsewhere/dump.xml.gz", Answer(DUMP))
    server.put(f"/elsewhere/{DTD_NAME}", server.files[DTD][0].body)
    with pytest.raises(Unchanged):
        obtain(url, known=Known(url, MD5, None))
    assert obtain(url, known=Known(url, "0" * 32, None)).md5 == MD5


def test_a_changed_checksum_is_a_change(obtain, server):
    assert obtain(known=Known(server.origin + RELEASE, "0" * 32, None)).md5 == MD5


HTML = Answer(b"<!DOCTYPE html><html>Making sure you are not a bot</html>", headers={"Content-Type": "text/html"})


@pytest.mark.parametrize(
    ("path", "error", "message"),
    [
        (COLLECTION, NotTheDump, "lists no release"),
        (RELEASE, NotTheDump, "a web page came"),
        (f"{RELEASE}.md5", NotTheDump, "a web page came"),
        (DTD, NotTheDump, "a web page came"),
    ],
)
def test_a_bot_check_page_is_said_so(obtain, server, path, error, message):
    server.put(path, HTML)
    with pytest.raises(error, match=message):
        obtain()


@pytest.mark.parametrize("path", [COLLECTION, f"{RELEASE}.md5", RELEASE, DTD])
def test_a_redirect_elsewhere_is_refused_wherever_it_is(obtain, server, path):
    other = Server()
    try:
        server.put(path, Answer(b"", 301, {"Location": other.put("/x", b"x")}))
        with pytest.raises(UntrustedSource):
            obtain()
        assert other.requests == []
    finally:
        other.close()


def test_what_is_no_checksum_is_said_so(obtain, server):
    server.put(f"{RELEASE}.md5", b"none of your business")
    with pytest.raises(NotTheDump, match="this is no md5"):
        obtain()


@pytest.mark.parametrize("name", ["", "..", "a b.xml.gz", "%2e%2e"])
def test_an_address_that_ends_with_no_file_name_is_refused(obtain, server, name):
    with pytest.raises(SourceError):
        obtain(f"{server.origin}/folder/{name}")


def test_a_local_file(report, tmp_path):
    dump = from_file(SAMPLE, None, None, report, lambda: None)
    assert (dump.md5, dump.dtd) == (MD5, SAMPLE.with_name(DTD_NAME))


def test_a_local_file_whose_checksum_does_not_match(report, tmp_path):
    path = tmp_path / "dump.xml.gz"
    path.write_bytes(DUMP)
    (tmp_path / DTD_NAME).write_text(dtd_text())
    (tmp_path / "dump.xml.gz.md5").write_text("0" * 32)
    with pytest.raises(NotTheDump, match=r"where dump.xml.gz.md5 says 0000"):
        from_file(path, None, None, report, lambda: None)


@pytest.mark.parametrize(
    ("dump", "dtd", "expected"),
    [
        ("https://d/xml/2026/dblp-2026-10-03.xml.gz", "dblp-2023-06-28.dtd", "https://d/xml/2023/dblp-2023-06-28.dtd"),
        ("https://d/xml/2023/dblp-2023-06-28.xml.gz", "dblp-2023-06-28.dtd", "https://d/xml/2023/dblp-2023-06-28.dtd"),
        ("https://dblp.org/xml/dblp.xml.gz", "dblp.dtd", "https://dblp.org/xml/dblp.dtd"),
        ("https://d/xml/2026/dblp-2026-10-03.xml.gz", "dblp.dtd", "https://d/xml/2026/dblp.dtd"),
    ],
)
def test_where_the_dtd_of_a_dump_lies(dump, dtd, expected):
    assert dtd_url(dump, dtd) == expected


def test_what_names_of_releases_tell():
    assert release_url("https://d/", "2026-10-03") == "https://d/storage/artifacts/dblp/xml/2026/dblp-2026-10-03.xml.gz"
    assert release_of("https://d/x/dblp-2026-10-03.xml.gz?a=b") == "2026-10-03"
    assert release_of("https://d/x/dblp.xml.gz") is None
    assert newest_release("dblp.xml.2022-12-01 dblp.xml.2023-01-03", "x") == "2023-01-03"
    assert read_md5(f"{MD5.upper()}  *dblp.xml.gz\n", "x") == MD5


def test_the_command_builds_the_newest_release_and_then_finds_it_unchanged(server, manage, data):
    variables = {"PUBMETA_RELEASES_ORIGIN": server.origin, "PUBMETA_TRUSTED_HOSTS": server.origin}
    process = manage("rebuild_store", "--if-changed", **variables)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    phases = [line.split()[2] for line in output.splitlines() if len(line.split()) == 3]
    assert phases == ["download_dtd", "download_xml_gz", "decompress_xml", "build_db", "index_db", "verify", "publish"]
    with closing(sqlite3.connect(f"file:{data.link}?mode=ro", uri=True)) as connection:
        row = connection.execute("SELECT release, data_date, md5, source_url FROM store_info").fetchone()
    assert row == ("2026-10-03", "2026-10-03", MD5, server.origin + RELEASE)
    again = manage("rebuild_store", "--if-changed", **variables)
    output, errors = again.communicate(timeout=60)
    assert (again.returncode, errors) == (0, "")
    assert "unchanged" in output


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (HTML, "a web page came instead of the file"),
        (Answer(b"no", 404), "the server answers 404"),
        (Answer(b"busy", 503), "the server answers 503"),
        (Answer(b"busy", 429), "the server answers 429"),
        (Answer(DUMP[:-1000] + bytes(1000)), "md5"),
        (Answer(DUMP, cut_after=100_000), "tries"),
        (Answer(DUMP, total=len(DUMP) + 1000), "tries"),
        (Answer(DUMP, stall_after=70_000), "nothing came for too long"),
        (Answer(b"", 302, {"Location": "https://evil.example/x"}), "not trusted"),
    ],
    ids=["html", "404", "503", "429", "wrong content", "cut", "wrong length", "stall", "redirect"],
)
def test_a_bad_server_ends_the_command_with_one_line_and_nothing_published(server, manage, data, answer, message):
    server.put(RELEASE, answer)
    process = manage(
        "rebuild_store",
        PUBMETA_RELEASES_ORIGIN=server.origin,
        PUBMETA_TRUSTED_HOSTS=server.origin,
        PUBMETA_RETRY_PAUSE="0.01",
        PUBMETA_STALL_TIMEOUT="0.3",
    )
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert errors.startswith("CommandError: ")
    assert errors.count("\n") == 1
    assert message in errors
    assert not data.link.exists()


def test_a_stop_ends_a_stalled_download_within_five_seconds(server, manage, data):
    server.put(RELEASE, Answer(DUMP), Answer(DUMP, stall_after=70_000))
    process = manage("rebuild_store", PUBMETA_RELEASES_ORIGIN=server.origin, PUBMETA_TRUSTED_HOSTS=server.origin)
    assert server.stalled.wait(30)
    process.terminate()
    process.wait(timeout=5)
    assert process.returncode == 130
    assert process.stderr.read() == "CommandError: stopped; the store is as it was\n"
