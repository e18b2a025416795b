"""A dump as a file: packed or not, cut off, damaged, a bomb, in another encoding, and its cutting into chunks."""

import gzip
import io
import random

import pytest

from pipeline import archive
from pipeline.archive import DumpStream, open_dump, read_chunks, read_head
from pipeline.errors import BadArchive, BadDtd, MalformedDump

DECLARATION = b'<?xml version="1.0" encoding="ISO-8859-1"?>\n'
DOCTYPE = b'<!DOCTYPE dblp SYSTEM "dblp-2026-10-03.dtd">\n'
HEAD = DECLARATION + DOCTYPE + b"<dblp>\n"
TAIL = b"\n</dblp>\n"


def record(number, kind="article"):
    return f'<{kind} key="a/{number}">\n<title>Title {number * number}.</title>\n</{kind}>'.encode()


RECORDS = b"".join(record(number) for number in range(400))


def chunks_of(content, encoding=None):
    """Cut a plain dump that lies in memory."""
    head = read_head(content[: 64 * 1024], "dump.xml")
    if encoding:
        assert head.encoding == encoding
    return list(read_chunks(DumpStream(io.BytesIO(content), packed=False, name="dump.xml"), head))


def read_file(path):
    """Read a dump from a file as a build does."""
    with open_dump(path) as stream:
        head = read_head(stream.read(64 * 1024), path.name)
    with open_dump(path) as stream:
        return b"".join(chunk.xml for chunk in read_chunks(stream, head))


@pytest.fixture
def written(tmp_path):
    def write(content, name="dump.xml.gz"):
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return write


def packed_dump():
    return gzip.compress(HEAD + RECORDS + TAIL, mtime=0)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("dump.xml", HEAD + RECORDS + TAIL),
        ("dump.xml.gz", packed_dump()),
        ("dump.xml", packed_dump()),  # What counts is the first bytes.
        ("dump.xml.gz", gzip.compress(HEAD + RECORDS[:999]) + gzip.compress(RECORDS[999:] + TAIL)),
        ("dump.xml.gz", packed_dump() + bytes(512)),
    ],
    ids=["plain", "packed", "packed without the ending", "two gzip members", "padded with zeros"],
)
def test_a_dump_is_read_whole(written, name, content):
    assert read_file(written(content, name)).strip() == RECORDS


@pytest.mark.parametrize(
    ("start", "name", "encoding"),
    [
        (HEAD, "dblp-2026-10-03.dtd", "latin-1"),
        (b'<?xml version="1.0"?><!DOCTYPE dblp SYSTEM "dblp.dtd"><dblp>', "dblp.dtd", "utf-8"),
        (
            b'\xef\xbb\xbf<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE dblp SYSTEM "dblp.dtd"><dblp>',
            "dblp.dtd",
            "utf-8",
        ),
        (b"<?xml version='1.0' encoding='us-ascii'?><!DOCTYPE dblp SYSTEM 'dblp.dtd'><dblp>", "dblp.dtd", "ascii"),
        (b'<!DOCTYPE dblp SYSTEM "https://dblp.org/xml/dblp.dtd"><dblp>', "dblp.dtd", "utf-8"),
        (
            b'<!-- CC0 -->\n<!DOCTYPE dblp SYSTEM "d.dtd">\n<!-- of May --> <!----><dblp mdate="2026-05-01">',
            "d.dtd",
            "utf-8",
        ),
    ],
    ids=["a dated DTD", "no encoding", "a byte order mark", "ASCII", "a DTD with an address", "comments"],
)
def test_a_head(start, name, encoding):
    assert read_head(start + RECORDS, "dump.xml") == (name, encoding, len(start) - start.endswith(b"\n"))


@pytest.mark.parametrize(
    ("start", "error", "message"),
    [
        (DECLARATION + b"<dblp>\n", BadDtd, "names no DTD"),
        (DECLARATION + b'<!DOCTYPE dblp SYSTEM "../../etc/passwd"><dblp>', BadDtd, "'passwd', which is not the name"),
        (DECLARATION + b'<!DOCTYPE dblp SYSTEM ".dtd"><dblp>', BadDtd, "not the name of a DTD"),
        (HEAD.replace(b"ISO-8859-1", b"UTF-16"), MalformedDump, "written in utf-16"),
        (HEAD.replace(b"ISO-8859-1", b"windows-1252"), MalformedDump, "written in windows-1252"),
        (HEAD.decode().encode("utf-16"), MalformedDump, "not a dump of dblp"),
        (b"", MalformedDump, "not a dump of dblp"),
        (
            b"<!DOCTYPE html><html><body>Are you a robot?",
            MalformedDump,
            "dump.xml is not a dump of dblp: it begins with b'<!DOC",
        ),
        (DECLARATION + b"<rss>", MalformedDump, "not a dump of dblp"),
        (b'<!DOCTYPE dblp PUBLIC "x" "dblp.dtd"><dblp>', MalformedDump, "not a dump of dblp"),
    ],
    ids=lambda value: value.decode("latin-1")[-30:] if isinstance(value, bytes) else None,
)
def test_a_head_that_is_refused(start, error, message):
    with pytest.raises(error, match=message):
        read_head(start + RECORDS[:100] if start else start, "dump.xml")


@pytest.mark.parametrize(
    "subset",
    [
        '<!ENTITY uuml SYSTEM "{secret}">',
        '<!ENTITY % more SYSTEM "{secret}"> %more;',
        '<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY uuml "&b;&b;&b;">',
        "<!ELEMENT dblp ANY>",
        "",
    ],
    ids=["a local file", "a parameter entity", "a bomb", "no entity", "nothing"],
)
def test_a_doctype_with_declarations_is_refused_and_no_file_is_read(tmp_path, subset):
    secret = tmp_path / "secret.txt"
    secret.write_text("the text of a local file")
    declared = f'<!DOCTYPE dblp SYSTEM "dblp.dtd" [{subset.format(secret=secret.as_uri())}]>\n<dblp>\n'
    with pytest.raises(BadDtd, match="declarations of its own") as caught:
        read_head(DECLARATION + declared.encode() + b"<article><title>&uuml;</title></article></dblp>", "dump.xml")
    assert "local file" not in str(caught.value)


# Tried in every way to divide them, these would take for longer than the universe is old.
@pytest.mark.parametrize("filling", [b"<!-- c -->" * 1000, b" " * 60_000, b"\n<!---->" * 5000, b"<!--" * 9000])
@pytest.mark.parametrize(
    ("before", "behind"),
    [(b"", b"<html>"), (DECLARATION + DOCTYPE, b"<html>"), (HEAD + RECORDS + b"</dblp>", b"x")],
    ids=["at the beginning", "behind the DOCTYPE", "at the end"],
)
def test_comments_and_spaces_without_end_are_refused_at_once(before, filling, behind):
    with pytest.raises(MalformedDump):
        chunks_of(before + filling + behind)


def test_an_archive_that_is_cut_off_anywhere(written):
    content = packed_dump()
    for length in {*range(30), *range(40, len(content), 97), *range(len(content) - 10, len(content))}:
        with pytest.raises(BadArchive, match="is cut off" if length > 1 else "is not gzip" if length else "is empty"):
            read_file(written(content[:length]))


def test_an_archive_that_is_damaged_anywhere(written):
    content, chance = packed_dump(), random.Random(7)
    for place in range(10, len(content), 41):
        damaged = bytearray(content)
        damaged[place] ^= chance.randrange(1, 256)
        # Reads of whole archives end in the check of their sum, so damage never goes unseen.
        with pytest.raises((BadArchive, MalformedDump)):
            read_file(written(damaged))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<!DOCTYPE html><html><body>Are you a robot?", "dump.xml.gz is not gzip: it begins with b'<!DOCTYPE html>"),
        (b"", "dump.xml.gz is empty"),
        (b"PK\x03\x04", "is not gzip"),
        (packed_dump() + b"more", "cut off|damaged"),
        (b"\x1f\x8b\x07" + bytes(30), "is damaged"),
    ],
    ids=["a bot-check page", "empty", "zip", "something after it", "an unknown method"],
)
def test_what_is_no_archive(written, content, message):
    with pytest.raises(BadArchive, match=message):
        read_file(written(content))


def test_a_path_that_cannot_be_read(tmp_path):
    for path in (tmp_path, tmp_path / "nothing.xml"):
        with pytest.raises(BadArchive, match="cannot be read"), open_dump(path):
            pass


def test_an_archive_that_unpacks_to_too_much(written, monkeypatch):
    path = written(packed_dump())
    assert read_file(path)
    monkeypatch.setattr(archive, "MAX_UNPACKED", len(HEAD + RECORDS + TAIL) - 1)
    with pytest.raises(BadArchive, match="unpacks to more than"):
        read_file(path)


def test_an_archive_that_unpacks_out_of_proportion(written, monkeypatch):
    monkeypatch.setattr(archive, "CHUNK_BYTES", 4096)
    monkeypatch.setattr(archive, "_RATIO_COUNTS_FROM", 100_000)
    bomb = HEAD + record(1) + b" " * 3_000_000 + TAIL
    with pytest.raises(BadArchive, match="unpacks to over 100 times its size"):
        read_file(written(gzip.compress(bomb)))
    assert read_file(written(bomb, "dump.xml")).strip() == record(1)


def test_a_record_without_an_end(monkeypatch):
    monkeypatch.setattr(archive, "CHUNK_BYTES", 1024)
    monkeypatch.setattr(archive, "_MAX_RECORD", 10_000)
    with pytest.raises(MalformedDump, match=r"line \d+: no record ends within"):
        chunks_of(HEAD + record(1) + b"<article>" + b"\n<note>more</note>" * 1000 + b"</article>" + TAIL)


def test_a_chunk_ends_with_the_last_whole_record_however_long_the_next_one_is(monkeypatch):
    monkeypatch.setattr(archive, "CHUNK_BYTES", 100_000)
    long = b"<article>" + b"<author>Al Alpha</author>" * 10_000 + b"</article>"
    assert [chunk.xml.strip() for chunk in chunks_of(HEAD + record(1) + long + TAIL)] == [record(1), long]


@pytest.mark.parametrize(
    ("end", "line"),
    [(b"", 404), (b"\n", 404), (b"\n</dbl", 405), (b"<article>\n<title>Cut", 405), (b"\n</dblp>\nmore", 406)],
)
def test_a_dump_that_breaks_off(end, line):
    content = HEAD + b"".join(record(number) for number in range(200)) + end
    with pytest.raises(MalformedDump, match=f"line {line}: the dump breaks off before </dblp>"):
        chunks_of(content)


@pytest.mark.parametrize(
    "last",
    [b'<stream key="s">\n<title>S</title>\n</stream>', b'<article key="a/x"/>', b"<!-- the end -->", b"", record(7)],
    ids=["of an unknown type", "closing itself", "a comment", "none", "an article"],
)
@pytest.mark.parametrize("tail", [TAIL, b"</dblp>", b"\n</dblp >\n<!-- made in May -->\n"])
def test_the_last_record_may_be_anything(last, tail):
    assert b"".join(chunk.xml for chunk in chunks_of(HEAD + RECORDS + last + tail)).strip() == RECORDS + last


@pytest.mark.parametrize(
    ("encoding", "text"),
    [("ISO-8859-1", "Jürgen Weiß"), ("UTF-8", "Jürgen Weiß Łukasz"), ("us-ascii", "J&uuml;rgen")],
)
def test_raw_letters_become_utf_8(encoding, text):
    content = f'<?xml version="1.0" encoding="{encoding}"?>\n{DOCTYPE.decode()}<dblp>\n<article>{text}</article></dblp>'
    (chunk,) = chunks_of(content.encode(encoding))
    assert chunk.xml.decode().strip() == f"<article>{text}</article>"


@pytest.mark.parametrize(("encoding", "name"), [("utf-8", "utf-8"), ("us-ascii", "ascii")])
def test_a_byte_that_the_encoding_does_not_have(encoding, name):
    head = HEAD.replace(b"ISO-8859-1", encoding.encode())
    with pytest.raises(MalformedDump, match=rf"line 6: a byte that is not {name}: b'\\xfc'"):
        chunks_of(head + b"<article>\n\nJ\xfcrgen</article>" + TAIL)
