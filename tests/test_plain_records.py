"""Plain records, read from their text, are what ElementTree makes of them; what is wrong is told in the same words."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline import elements, plain
from pipeline.archive import RECORD_TYPES, Chunk
from pipeline.errors import MalformedDump
from pipeline.records import parse_chunk
from tests.conftest import person, publication

ENTITIES = {b"uuml": "ü".encode(), b"nbsp": "\xa0".encode(), b"minus": "−".encode()}
URL = "<url>https://orcid.org/0000-0001-2345-678X</url>\n"
TEXTS = ["Al Alpha", "J&uuml;rgen", "2020", "1999/2000", "k-means, 'x' \"y\"", "https://a.example/b?c=d"]
ODD_TEXTS = [
    *("", " ", "\n", " x", "x ", "x  y", "x\ny", "x\ty", "a &amp; b", "&lt;b&gt;", "&#956;", "&#10;", "&nosuch;"),
    *("<i>k</i>-means", "H<sub>2<sup>+</sup></sub>O", "<i/>", "<title>T</title>", "<![CDATA[<&>]]>", "<!-- c -->"),
    *("<?say x?>", "a > b", "]]>", "a & b", "a < b", "\x01", "\x7f", "\x85", "&nbsp;", "&minus;", "\u2003", "\ufffe"),
    *("\U0001d54f", "...", "....", "\ufeff"),
]
NAMES = ["title", "year", "journal", "booktitle", "school", "ee", "ee", "url", "pages", "note", "cite"]
ODD_NAMES = ["title", "crossref", "editor", "author", "shelfmark", "stream", "Title", "book", "article", "_"]
ATTRIBUTES = ["", "", ' orcid="0000-0001-2345-678X"', ' type="oa"', ' type="affiliation"']
ODD_ATTRIBUTES = [
    *(
        " type='oa'",
        ' type="a" type="b"',
        ' type="affiliation" label="former"',
        ' xmlns="u"',
        ' xml:lang="en"',
        " type",
    ),
    *(
        ' type="<"',
        ' type="a&amp;b"',
        ' type="a\nb"',
        ' type = "oa"',
        ' type="oa" ',
        ' type="a>b"',
        ' type="',
        ' x="1"',
    ),
]
STARTS = [' mdate="2020-01-01" key="{}"', ' mdate="2020-01-01" key="{}" publtype="group"']
ODD_STARTS = [
    *(
        ' key="{}" mdate="2020-01-01"',
        " mdate='2020-01-01' key='{}'",
        ' key="{}"',
        ' mdate="2020-01-01"',
        "",
        ' key=""',
    ),
    *(' mdate="1" key="{}" publtype=""', ' mdate="" key="{}"', ' mdate="1" key="{}" key="b"', ' mdate="1" key="a<{}"'),
    *(' mdate="1" key="a&amp;{}"', '\nmdate="1" key="{}"', ' mdate="1\n" key="{}"', ' mdate="1" key="{}" cdate="1"'),
]
KEYS = ["a/1", "homepages/1/1", "homepages/1/2", "www/x", "homepages/"]


def usually(usual, odd):
    """Draw what is usual far more often, so that most records are plain."""
    return st.integers(0, 24).flatmap(lambda number: st.sampled_from(usual if number else odd))


def fields(names):
    parts = usually(ATTRIBUTES, ODD_ATTRIBUTES), usually(TEXTS, ODD_TEXTS), usually(["\n"], ["", " ", "\n\n", "\r\n"])
    return st.tuples(names, *parts).map(lambda parts: "<{0}{1}>{2}</{0}>{3}".format(*parts))


def some(strategy, most):
    return st.lists(strategy, max_size=most).map("".join)


PEOPLE = st.tuples(some(fields(st.just("author")), 3), some(fields(st.just("editor")), 1)).map("".join)
PAGES = st.tuples(some(fields(st.just("author")), 2), st.just("<title>Home Page</title>\n"), some(st.just(URL), 2))
RECORDS = st.tuples(
    usually(["article", "www", "proceedings"], [*RECORD_TYPES, "stream"]),
    st.tuples(usually(STARTS, ODD_STARTS), st.sampled_from(KEYS)).map(lambda pair: pair[0].format(pair[1])),
    usually(["\n"], ["", "\n\n", "stray"]),
    st.tuples(PEOPLE, some(fields(usually(NAMES, ODD_NAMES)), 5)).map("".join) | PAGES.map("".join),
    usually(["", "\n"], [" ", "stray", "\xa0", "\t", "<!-- c -->", "<book/>", "</dblp><dblp>"]),
).map(lambda parts: "<{0}{1}>{2}{3}</{0}>{4}".format(*parts))
CHUNKS = some(RECORDS, 4)


@st.composite
def damaged_chunks(draw):
    """Put a sign or a part of the XML in the place of another part."""
    xml = draw(CHUNKS)
    places = st.sampled_from([found.start() for found in re.finditer(r'[<>="&\n/]|$', xml)])
    start, end = sorted((draw(places) + draw(st.integers(0, 1)), draw(places)))
    part = xml[draw(places) : draw(places)]
    signs = ["", *"<>&\"'/ \n\t\x00x", "]]>", "<!--", "-->", "<?", "/>", "</_><_>", "</article>", part]
    return xml[:start] + draw(st.sampled_from(signs)) + xml[draw(st.sampled_from([start, start + 1, end])) :]


def outcome(xml):
    try:
        return parse_chunk(Chunk(xml.encode(), 5, 7), ENTITIES)
    except MalformedDump as error:
        return str(error)


def assert_same(xml):
    """Compare with what becomes of a chunk of which none is read from its text."""
    found = outcome(xml)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain, "read", lambda _: None)
        assert found == outcome(xml)


MANY = settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@MANY
@given(CHUNKS)
def test_any_records(xml):
    assert_same(xml)


@MANY
@given(damaged_chunks())
def test_any_damage(xml):
    assert_same(xml)


TRAPS = {
    "a record in one": '<article mdate="1" key="a/1">\n<article mdate="1" key="a/2">\n</article></article>',
    "the end of another type": '<article mdate="1" key="a/1">\n<title>T</title>\n</book>',
    "one sign too many in an attribute, one in a text": (
        '<book mdate="1" key="b/1">\n<note type="<">x</note>\n<pages>a > b</pages>\n</book>'
    ),
    "one sign too many in a key, one in a text": '<book mdate="1" key="b/<">\n<note>a > b</note>\n</book>',
    "an empty key": '<book mdate="1" key="">\n<title>T</title>\n</book>',
    "an instruction": '<book mdate="1" key="b/1">\n<?say </book> ?>\n<title>&amp;</title>\n</book>',
    "what keeps pieces apart": "</_><_>",
    "a record without a key behind whose end tag is space": (
        '<book mdate="1">\n</book ><book mdate="1" key="b/1">\n<title>&amp;</title>\n</book>'
    ),
    "two venues": '<book mdate="1" key="b/1">\n<booktitle>B</booktitle>\n<journal>J</journal>\n</book>',
    "a page with more in it": person("1/1", "Al", extra='<note type="affiliation">U. of X</note>\n'),
    "a page without a title": person("1/1", "Al").replace(
        "<title>Home Page</title>", '<note type="affiliation">U. of X</note>'
    ),
    "a page that leads to another one": person("1/1", "Al", extra="<crossref>homepages/1/2</crossref>\n"),
}


@pytest.mark.parametrize("trap", TRAPS.values(), ids=TRAPS)
def test_a_trap(trap):
    assert_same(trap)
    assert_same(publication("a/0", "Zo") + trap + publication("a/2", "Zo") + publication("a/3", title="<i>k</i>"))


@pytest.mark.parametrize("odd", ODD_TEXTS)
@pytest.mark.parametrize("name", ["author", "editor", *NAMES])
def test_an_odd_text(name, odd):
    record = '<article mdate="1" key="a/1">\n<author>Al</author>\n<{0}>{1}</{0}>\n<{0}>x</{0}>\n</article>'
    assert_same(record.format(name, odd))
    assert_same(publication("a/0", "Zo") + record.format(name, odd) + publication("a/2", "Zo"))
    assert_same(f'<www mdate="1" key="homepages/1/1">\n<{name}>{odd}</{name}>\n<title>Home Page</title>\n</www>')


@pytest.mark.parametrize("start", ODD_STARTS)
@pytest.mark.parametrize("kind", ["article", "www", "stream"])
def test_an_odd_start(kind, start):
    record = f"<{kind}{start.format('homepages/1')}>\n<author>Al</author>\n<title>T</title>\n</{kind}>"
    assert_same(record)
    assert_same(publication("a/0", "Zo") + record + publication("a/2", "Zo"))


@pytest.mark.parametrize("attributes", ODD_ATTRIBUTES)
@pytest.mark.parametrize("name", ["author", "title", "note", "ee"])
def test_an_odd_attribute(name, attributes):
    assert_same(f'<book mdate="1" key="b/1">\n<{name}{attributes}>x</{name}>\n</book>' + person("1/1", "Al"))


def test_usual_records_are_read_from_their_text(monkeypatch):
    left = []
    monkeypatch.setattr(elements, "read_pieces", left.extend)
    monkeypatch.setattr(elements, "read", lambda xml, chunk: pytest.fail("a chunk was read as a whole"))
    usual = publication("a/1", "J&uuml;rgen", "Al") + person("1/1", "Al", "A.", extra=URL)
    usual += '<book mdate="1" key="b/1">\n<editor orcid="1">Ed</editor>\n<ee type="oa">x</ee>\n<ee>y</ee>\n</book>\n'
    assert len(parse_chunk(Chunk(usual.encode(), 1, 0), ENTITIES).publications) == 2
    assert left == []
