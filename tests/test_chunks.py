"""Where a dump is cut: only between records, whatever their types, and whatever stands in them."""

import io
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import archive
from pipeline.archive import DumpStream, read_chunks, read_head
from tests.conftest import publication

DOCTYPE = '<!DOCTYPE dblp SYSTEM "dblp.dtd">'


def chunks_of(body, size, encoding="UTF-8"):
    """Cut a dump into chunks of about that size."""
    content = f'<?xml version="1.0" encoding="{encoding}"?>\n{DOCTYPE}\n<dblp>{body}\n</dblp>'.encode(encoding)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(archive, "CHUNK_BYTES", size)
        head = read_head(content, "dump.xml")
        return list(read_chunks(DumpStream(io.BytesIO(content), packed=False, name="dump.xml"), head))


def assert_whole(chunks, body):
    """Each chunk is some records, all of them together are the dump, and each knows where it is."""
    assert "".join(chunk.xml.decode() for chunk in chunks) == body
    line, offset = 3, 0
    for chunk in chunks:
        ElementTree.fromstring(b"<dblp>" + chunk.xml + b"</dblp>")
        assert chunk.line == line
        assert chunk.offset >= offset
        line += chunk.xml.count(b"\n")
        offset = chunk.offset


KINDS = st.sampled_from([*archive.RECORD_TYPES, "stream"])
TEXTS = st.text("<>a \nü", max_size=40).map(lambda text: text.replace("<", "&lt;").replace(">", "&gt;"))


@given(
    st.lists(st.tuples(KINDS, TEXTS, st.sampled_from(["", "\n", " \n\n"])), max_size=12),
    st.integers(1, 300),
    st.sampled_from(["UTF-8", "ISO-8859-1"]),
)
def test_records_of_any_type_in_chunks_of_any_size(records, size, encoding):
    body = "".join(f"{space}<{kind}>{text}</{kind}>" for kind, text, space in records)
    assert_whole(chunks_of(body, size, encoding), body)


ODD = {
    "a record": publication("a/1", "Ada Test"),
    "an unknown type": '<stream key="s/1"><title>S</title></stream>',
    "an unknown type that closes itself": '<rel key="s/1" uri="u"/>',
    "an unknown type that holds records": '<volume key="v"><book key="b/1">B</book><book key="b/2">B</book></volume>',
    "a child named like a record": '<article key="a/2"><data>d</data><book>b</book><title>T</title></article>',
    "an element within one of the same name": "<book><book><title/></book><title>T</title></book>",
    "tags in a comment": "<!-- </article> <book> </book> -->",
    "tags in CDATA": "<article><note><![CDATA[</note></article><book>]]></note></article>",
    "tags in an instruction": "<?say </article><book></book> ?>",
    "signs in attributes": "<book title=\"/> > '\"><note type='>\"/>'>a/>b</note></book>",
    "space in tags": "<book\nkey = 'b/3'\n><title\n/></book\n>",
}


@pytest.mark.parametrize("body", ODD.values(), ids=ODD)
def test_odd_records_in_chunks_of_every_size(body):
    body = f"{body}\n{body}{ODD['a record']}{body}"
    for size in range(1, len(body) + 2):
        assert_whole(chunks_of(body, size), body)


@given(st.lists(st.sampled_from(list(ODD.values())), max_size=8), st.integers(1, 300))
def test_odd_records_together(records, size):
    body = "\n".join(records)
    assert_whole(chunks_of(body, size), body)


@pytest.mark.parametrize("name", ["an unknown type", "an unknown type that closes itself", "a comment"])
def test_many_in_a_row_that_are_no_records_of_known_types(monkeypatch, name):
    monkeypatch.setattr(archive, "_MAX_RECORD", 20_000)
    body = ODD.get(name, "<!-- c --><person/>") * 2_000
    chunks = chunks_of(body, 1024)
    assert_whole(chunks, body)
    assert len(chunks) > 20


def test_unknown_types_are_named_in_the_log(build_from, make_dump, report):
    build_from(make_dump(ODD["an unknown type"] * 2, publication("a/1", "Ada Test"), "<person/>"))
    assert "records of unknown types were passed over: 2 stream, 1 person" in report.lines


def test_no_word_of_unknown_types_where_there_are_none(build_from, make_dump, report):
    build_from(make_dump(publication("a/1", "Ada Test")))
    assert not [line for line in report.lines if "unknown" in line]
