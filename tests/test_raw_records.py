"""The raw text of a record is well-formed by itself, whatever stands in it or beside it, and says the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from pipeline.archive import Chunk
from pipeline.publication import Publication
from pipeline.records import parse_chunk
from tests.conftest import person, publication

ENTITIES = {b"uuml": "ü".encode()}


def rows_of(xml):
    return [Publication(*row) for row in parse_chunk(Chunk(xml.encode(), 1, 0), ENTITIES).publications]


def canonical(record):
    record.tail = None
    return etree.tostring(record, method="c14n", with_comments=False)


def assert_raw(xml):
    """Compare the raw texts with what lxml makes of the whole chunk, and with what they are parsed to."""
    parser = etree.XMLParser(remove_comments=True, remove_pis=True, resolve_entities=False)
    root = etree.fromstring(f"<dblp>{xml.replace('&uuml;', 'ü')}</dblp>".encode(), parser)
    rows = rows_of(xml)
    expected = [record for record in root if record.tag not in ("www", "stream")]
    assert [canonical(etree.fromstring(row.raw_xml.encode(), parser)) for row in rows] == [*map(canonical, expected)]
    for row in rows:
        assert row.raw_xml == row.raw_xml.strip()
        (again,) = rows_of(row.raw_xml)
        assert again[:-1] == row[:-1]


def test_the_raw_text_of_a_usual_record_is_that_of_the_dump():
    first = publication("a/1", "J&uuml;rgen", title="<i>k</i> &amp; &#956; 'x' \"y\"")
    second = publication("a/2", "Al", kind="book")
    raw = [row.raw_xml for row in rows_of("\n" + first + person("1/1", "Al") + "\n" + second + "\n")]
    assert raw == [first.replace("&uuml;", "ü"), second]


SELF_CLOSING = '<article mdate="2020-01-01" key="a/0"/>'
PLAIN = publication("a/9", "Al")
ODD = {
    "closes itself": SELF_CLOSING,
    "without anything in it": '<article key="a/1"></article>',
    "a comment": '<article key="a/1"><!-- </article> --><title>T</title></article>',
    "CDATA": '<article key="a/1"><title><![CDATA[</article> & <b>]]></title></article>',
    "an instruction": '<article key="a/1"><?say </article> ?><title>T</title></article>',
    "an element named like it": '<article key="a/1"><article><title>No</title></article><title>T</title></article>',
    "elements named like it, one closing itself": '<article key="a/1"><article></article><article/></article>',
    "an element named like others": '<article key="a/1"><book><title>T</title></book><data/></article>',
    "an element named like it, and one whose name begins like a type": (
        '<article key="a/1"><article>No</article><booktitle>B</booktitle></article><book key="b/1">B</book>'
    ),
    "a tag with space": '<article key="a/1" ><title >T</title ></article >',
    "attributes on lines": "<article\nkey=\"a/1\"\n  mdate='2020-01-01'>\n<title>T</title></article>",
    "an escaped end tag": '<article key="a/1"><title>&lt;/article></title><note>]]&gt;</note></article>',
    "letters in attributes": '<article key="a/&uuml;&quot;&lt;&#10;"><title type="&gt;">&uuml;</title></article>',
    "an unknown type": '<stream key="s"><title>S</title></stream>',
    "text beside it": "stray &amp; text",
    "a comment beside it": "<!-- <article> -->",
    "an instruction beside it": "<?say </article> ?>",
    "white space": "\n\n \t",
}


@pytest.mark.parametrize("before", ["", SELF_CLOSING, PLAIN], ids=["first", "after one that closes itself", "second"])
@pytest.mark.parametrize("xml", ODD.values(), ids=ODD)
def test_the_raw_text_of_an_odd_record(xml, before):
    assert_raw(before + xml)
    assert_raw(before + xml + PLAIN)


@given(
    st.lists(st.sampled_from([*ODD.values(), PLAIN, PLAIN.replace("article", "book"), person("1/1", "Al")]), max_size=5)
)
def test_the_raw_texts_of_odd_records_together(records):
    assert_raw("".join(records))
