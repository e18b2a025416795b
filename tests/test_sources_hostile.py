"""What a server may do wrong while a dump, its checksum and its DTD are asked for, and what is asked at all."""

import gzip
import hashlib

import pytest

from benchmarks.dtd import DTD_NAME, dtd_text
from pipeline.errors import BadDtd, DownloadFailed, NotTheDump, PipelineError, UntrustedSource
from pipeline.releases import md5_url, newest_release, read_md5
from pipeline.sources import Known, Remote, Unchanged, from_file
from tests.server import Answer
from tests.test_sources import COLLECTION, DTD, DUMP, MD5, RELEASE, put_release

FOLDER = RELEASE.rpartition("/")[0]
OTHER_MD5 = "0" * 32


@pytest.fixture
def server(server):
    return put_release(server, md5=f"{MD5}\n")


@pytest.fixture
def downloads(tmp_path):
    return tmp_path / "downloads"


@pytest.fixture
def obtain(server, client_of, report, downloads):
    def run(xml_gz="latest", dtd="latest", known=None):
        remote = Remote(client_of(server.origin), downloads, report, lambda: None)
        return remote.obtain(xml_gz, dtd, server.origin, known)

    return run


def dump_naming(dtd_name):
    return gzip.compress(f'<?xml version="1.0"?>\n<!DOCTYPE dblp SYSTEM "{dtd_name}">\n<dblp>\n</dblp>'.encode())


def test_the_dtd_may_lie_in_the_folder_of_another_year(obtain, server):
    server.put(RELEASE, dump_naming("dblp-2023-06-28.dtd"))
    server.put(f"{RELEASE}.md5", hashlib.md5(dump_naming("dblp-2023-06-28.dtd")).hexdigest().encode())
    server.put(FOLDER.replace("2026", "2023") + "/dblp-2023-06-28.dtd", dtd_text().encode())
    assert obtain().dtd.name == "dblp-2023-06-28.dtd"


@pytest.mark.parametrize("status", [404, 410])
def test_a_checksum_that_is_not_there_is_done_without(obtain, server, report, status):
    server.put(f"{RELEASE}.md5", Answer(b"no", status))
    assert obtain().md5 == MD5
    assert any("checked by its length alone" in line for line in report.lines)


@pytest.mark.parametrize("status", [401, 403, 500, 503])
def test_a_checksum_that_is_refused_is_not_done_without(obtain, server, status):
    server.put(f"{RELEASE}.md5", Answer(b"no", status))
    with pytest.raises(DownloadFailed, match=rf"md5: the server answers {status} "):
        obtain()


def test_an_address_with_404_in_it_is_not_taken_for_a_missing_checksum(obtain, server, monkeypatch):
    monkeypatch.setattr("http.server.BaseHTTPRequestHandler.responses", {403: ("said 404 nothing", "")})
    server.put(f"{RELEASE}.md5", Answer(b"no", 403))
    with pytest.raises(DownloadFailed, match="answers 403 Forbidden"):
        obtain()


def test_what_is_here_already_asks_for_nothing_of_the_dump(obtain, server):
    obtain()
    before = len(server.requests)
    obtain()
    assert server.paths()[before:] == [f"GET {COLLECTION}", f"GET {RELEASE}.md5", f"GET {DTD}"]


def test_what_is_here_damaged_is_fetched_again(obtain, server, downloads):
    dump = obtain()
    dump.path.write_bytes(DUMP[:-1] + b"?")
    assert obtain().path.read_bytes() == DUMP


@pytest.mark.parametrize(
    ("answer", "requests"),
    [(Answer(DUMP, 405), 3), (Answer(DUMP, headers={"ETag": '"two"'}), 3)],
    ids=["no HEAD", "another tag"],
)
def test_a_tag_that_cannot_be_compared_is_a_change(obtain, server, answer, requests):
    url = server.put("/x/dump.xml.gz", answer, Answer(DUMP))
    server.put(f"/x/{DTD_NAME}", dtd_text().encode())
    assert obtain(url, known=Known(url, OTHER_MD5, '"one"')).md5 == MD5
    assert server.paths()[:requests] == ["GET /x/dump.xml.gz.md5", "HEAD /x/dump.xml.gz", "GET /x/dump.xml.gz"]
    assert server.headers[1]["If-None-Match"] == '"one"'


def test_a_tag_counts_for_its_own_address_only(obtain, server):
    url = server.put("/x/dump.xml.gz", Answer(DUMP, headers={"ETag": '"one"'}))
    server.put(f"/x/{DTD_NAME}", dtd_text().encode())
    obtain(url, known=Known(f"{server.origin}/y/dump.xml.gz", OTHER_MD5, '"one"'))
    assert not any(path.startswith("HEAD") for path in server.paths())


def test_a_fragment_is_not_part_of_the_address(obtain, server):
    assert obtain(f"{server.origin}{RELEASE}#top").url == server.origin + RELEASE
    assert server.paths()[0] == f"GET {RELEASE}.md5"


def test_a_query_stays_behind_the_name_of_the_checksum():
    assert md5_url("https://d/x.xml.gz?a=b#c") == "https://d/x.xml.gz.md5?a=b"


@pytest.mark.parametrize(("xml_gz", "dtd"), [("latest", "https://evil.example/x.dtd"), ("http://u:p@x/y.gz", "latest")])
def test_an_untrusted_address_is_refused_before_anything_is_asked(obtain, server, xml_gz, dtd):
    with pytest.raises(UntrustedSource):
        obtain(xml_gz, dtd)
    assert server.requests == []


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"PK\x03\x04", "not a gzip file"),
        (b"", "416 .*; the file there is empty"),
        (b"\x1f\x8bnonsense", "the archive is damaged"),
        (gzip.compress(b"<html>no dump</html>"), "not a dump of dblp"),
        (gzip.compress(b"\0" * 10_000_000), "not a dump of dblp"),
        (dump_naming("../../etc/evil.sh"), "not the name of a DTD"),
    ],
    ids=["zip", "empty", "damaged", "packed page", "bomb", "path"],
)
def test_what_is_no_dump_is_told_by_its_first_bytes(obtain, server, body, message):
    server.put(RELEASE, body)
    with pytest.raises(PipelineError, match=message):
        obtain()
    assert server.paths()[-1] == f"GET {RELEASE}"


def test_the_head_may_come_in_small_pieces(obtain, server):
    server.put(RELEASE, Answer(DUMP, chunked=10, ignore_range=True), Answer(DUMP))
    assert obtain().md5 == MD5


@pytest.mark.parametrize("body", [b"<html>Are you a robot?</html>", b"", b"<!ELEMENT dblp ANY>"])
def test_what_is_no_dtd_is_refused_and_not_kept(obtain, server, downloads, body):
    server.put(DTD, body)
    with pytest.raises(BadDtd):
        obtain()
    assert list(downloads.iterdir()) == []


def test_a_dtd_is_kept_byte_by_byte(obtain, server):
    content = (
        '<?xml version="1.0" encoding="ISO-8859-1"?>\n<!-- Universität -->\n'.encode("latin-1") + dtd_text().encode()
    )
    server.put(DTD, content)
    assert obtain().dtd.read_bytes() == content


def test_a_small_file_that_does_not_end_is_refused(obtain, server, monkeypatch):
    monkeypatch.setattr("pipeline.http._SMALL", 1 << 20)
    server.put(f"{RELEASE}.md5", bytes(2 << 20))
    with pytest.raises(NotTheDump, match="more than 1 MB came where a small file was expected"):
        obtain()


@pytest.mark.parametrize("path", [COLLECTION, f"{RELEASE}.md5", RELEASE, DTD])
def test_a_server_that_is_busy_once_is_asked_again_and_that_is_told(obtain, server, report, path):
    server.put(path, Answer(b"busy", 503), *server.files[path])
    assert obtain().md5 == MD5
    assert sum("503 Service Unavailable; trying again in 0.01 s" in line for line in report.lines) == 1


def test_folders_among_the_downloads_are_left_alone(obtain, downloads):
    (downloads / "mine").mkdir(parents=True)
    obtain()
    assert (downloads / "mine").is_dir()


@pytest.mark.parametrize(
    "text",
    ["{}", "{}\n", "{}  dblp.xml.gz\n", "{} *dblp.xml.gz\r\n", "{}  my dump.xml.gz\n", "\n{}\n"],
)
def test_a_checksum_is_read_in_every_form(text):
    assert read_md5(text.format(MD5), "x") == MD5


@pytest.mark.parametrize("text", ["", "0" * 31, "0" * 33, "g" * 32, f"md5: {MD5}", f"{MD5}  a\n{MD5}  b\n"])
def test_what_is_no_checksum_is_refused(text):
    with pytest.raises(NotTheDump, match="this is no md5"):
        read_md5(text, "x")


def test_a_page_without_releases_says_what_to_do():
    with pytest.raises(NotTheDump, match="lists no release of dblp; give --xml-gz-url or --from-file"):
        newest_release("dblp.xml.soon", "https://d/")


def test_a_local_file_takes_the_dtd_that_is_given(make_dump, report, tmp_path):
    path = make_dump(name="folder.xml.gz")
    given = (tmp_path / DTD_NAME).rename(tmp_path / "given.dtd")
    assert from_file(path, given, None, report, lambda: None).dtd == given
    with pytest.raises(BadDtd, match=f"the DTD /.*/{DTD_NAME} is missing"):
        from_file(path, None, None, report, lambda: None)


def test_a_local_file_that_is_served_already_is_unchanged(make_dump, report):
    path = make_dump()
    md5 = hashlib.md5(path.read_bytes()).hexdigest()
    with pytest.raises(Unchanged):
        from_file(path, None, Known("elsewhere", md5, None), report, lambda: None)
