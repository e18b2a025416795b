"""Records of XML and what they become: every odd one of dblp, and those that are no dblp at all."""

import marshal
from array import array
from xml.etree import ElementTree

import pytest

from pipeline.archive import Chunk
from pipeline.errors import MalformedDump
from pipeline.pages import Person
from pipeline.publication import Publication
from pipeline.records import Batch, parse_chunk
from tests.conftest import person, publication

ENTITIES = {b"uuml": "ü".encode(), b"szlig": "ß".encode(), b"nbsp": "\xa0".encode()}


def parsed(xml, line=1):
    """Parse a chunk, there and back over the way between processes."""
    return Batch.unpack(parse_chunk(Chunk(xml.encode(), line, 0), ENTITIES).pack())


def publications(xml):
    """Give the publications of a chunk, each with its authors and its editors."""
    batch = parsed(xml)
    names = iter(batch.signatures)
    counts = zip(array("i", batch.author_counts), array("i", batch.editor_counts), strict=True)
    return [
        (Publication(*row), [next(names) for _ in range(authors)], [next(names) for _ in range(editors)])
        for row, (authors, editors) in zip(batch.publications, counts, strict=True)
    ]


def pages(xml):
    """Give the names and the ``Person`` of each person page of a chunk, and its redirects."""
    batch = parsed(xml)
    assert batch.publications == batch.signatures == []
    people = [Person(*row) for row in marshal.loads(batch.pages)]
    names = [[name] for name in batch.page_names]
    for page, alias in batch.aliases:
        names[page].append(alias)
    return list(zip(names, people, strict=True)), batch.redirects


TITLES = {
    "<title>Plain.</title>": "Plain.",
    "<title><i>k</i>-means</title>": "k-means",
    "<title>H<sub>2<sup>+</sup></sub>O</title>": "H2+O",
    '<title>See <ref href="db/x">this <tt>C++</tt></ref>.</title>': "See this C++.",
    "<title>&lt;b&gt; &amp; &quot;q&quot; &apos;a&apos;</title>": "<b> & \"q\" 'a'",
    "<title>&#956;-Calculus &#x1D54F; J&uuml;rgen</title>": "μ-Calculus 𝕏 Jürgen",
    "<title>  Folded\n   over\tlines. </title>": "Folded over lines.",
    "<title>One&#10;two&#13;three&#9;four</title>": "One two three four",
    "<title>\tA tab</title>": "A tab",
    "<title>A&nbsp;wide &#8195; space</title>": "A wide space",
    "<title>A <i> b </i> c</title>": "A b c",
    "<title><![CDATA[<i>not</i> & markup]]></title>": "<i>not</i> & markup",
    "<title>Before<!-- a comment -->After</title>": "BeforeAfter",
    "<title>Before<?robots no?>After</title>": "BeforeAfter",
    "<title>First.</title><title>Second.</title>": "First.",
    "<title></title>": "",
    "<title/>": "",
    "<title> \n </title>": "",
    "<title><i/></title>": "",
    "": "",
}


@pytest.mark.parametrize(("xml", "title"), TITLES.items(), ids=TITLES)
def test_a_title(xml, title):
    ((found, *_),) = publications(f'<article key="a/1">{xml}</article>')
    assert found.title == title


FIELDS = {
    "<year>2020</year>": ("year", 2020),
    "<year>1799</year>": ("year", 1799),
    "<year>1999/2000</year>": ("year", 1999),
    "<year>\n2020 </year>": ("year", 2020),
    "<year>2020</year><year>1990</year>": ("year", 2020),
    "<year>unknown</year>": ("year", None),
    "<year>12020</year>": ("year", None),
    "<year>12020, in truth 2020</year>": ("year", 2020),
    "<year/>": ("year", None),
    "<title>1999</title>": ("year", None),
    "<year>2099</year>": ("year", 2099),
    "<ee>https://a</ee><ee>https://b</ee>": ("ee", "https://a"),
    "<ee>...</ee><ee>https://b</ee>": ("ee", "https://b"),
    "<ee>...</ee>": ("ee", None),
    "<ee/><ee>https://b</ee>": ("ee", "https://b"),
    "<ee> \n</ee><ee>...</ee><ee>https://b</ee>": ("ee", "https://b"),
    "<ee> ... </ee><ee>https://b</ee>": ("ee", "https://b"),
    "<ee>\n  https://a\n</ee>": ("ee", "https://a"),
    "<ee/><ee> </ee>": ("ee", None),
    "<ee type='oa'>https://a?b&amp;c</ee>": ("ee", "https://a?b&c"),
    "<url>db/a.html</url>": ("ee", None),
    "<school>S</school><booktitle>B</booktitle><journal>J</journal>": ("venue", "J"),
    "<school>S</school><booktitle>B</booktitle>": ("venue", "B"),
    "<school>S</school><publisher>P</publisher>": ("venue", "S"),
    "<journal/><booktitle>B</booktitle>": ("venue", "B"),
    "<journal> </journal><school>S</school>": ("venue", "S"),
    "<journal>\n J.  of\tX </journal>": ("venue", "J. of X"),
    "<journal>J. of X </journal>": ("venue", "J. of X"),
    "<journal><i/></journal>": ("venue", None),
    "<journal>\n</journal>": ("venue", None),
    "<publisher>P</publisher><series>S</series>": ("venue", None),
    "<journal>J. Gr&uuml;n &amp; Wei&szlig;</journal>": ("venue", "J. Grün & Weiß"),
    "<shelfmark level='3'>QA <i>76</i></shelfmark><stream>s</stream><rel uri='u'/>": ("title", ""),
}


@pytest.mark.parametrize(("xml", "expected"), FIELDS.items(), ids=FIELDS)
def test_a_field(xml, expected):
    ((found, *_),) = publications(f'<article key="a/1">{xml}</article>')
    assert getattr(found, expected[0]) == expected[1]


def test_attributes():
    ((found, *_),) = publications(
        '<data cdate="2019-01-01" publtype="informal withdrawn" mdate="2024-02-29" key="a/J&uuml;1" />'
    )
    assert found[:8] == ("a/Jü1", "data", "", None, None, "informal withdrawn", None, "2024-02-29")
    ((found, *_),) = publications("<article key='a/1'></article>")
    assert found[:8] == ("a/1", "article", "", None, None, None, None, None)


PEOPLE = {
    "<author>Ann Alpha</author><author>Bo Beta</author>": (["Ann Alpha", "Bo Beta"], []),
    "<editor>Ed</editor><author>Al</author><title>T</title><editor>Em</editor><author>Bo</author>": (
        ["Al", "Bo"],
        ["Ed", "Em"],
    ),
    "<editor>Ann Alpha</editor>": ([], ["Ann Alpha"]),
    "": ([], []),
    '<author orcid="0000-0001-2345-678X" aux="0001" label="L" type="t">Wu Li 0001</author>': (["Wu Li 0001"], []),
    "<author>J&uuml;rgen Wei&szlig;</author>": (["Jürgen Weiß"], []),
    "<author>Mei\n  Lan 0001</author><author> Sarvindo </author>": (["Mei Lan 0001", "Sarvindo"], []),
    "<author>Mei\tLan</author><author>Bo&nbsp;Beta</author>": (["Mei Lan", "Bo Beta"], []),
    "<author>Bo </author><author>Al</author>": (["Bo", "Al"], []),
    "<author>Al</author><author> Bo</author>": (["Al", "Bo"], []),
    "<author>Ann <i>A.</i> Alpha</author>": (["Ann A. Alpha"], []),
    "<author/><author> </author><author>Al</author><editor>\n</editor>": (["Al"], []),
    "<author>Al</author><author>Al</author>": (["Al", "Al"], []),
    "<author>Dana (Jing) Tarn|O'Nevin, Jr.</author>": (["Dana (Jing) Tarn|O'Nevin, Jr."], []),
}


@pytest.mark.parametrize(("xml", "expected"), PEOPLE.items(), ids=[xml or "nobody" for xml in PEOPLE])
def test_who_signed(xml, expected):
    # Between others, because white space is looked for in all names of a chunk at once.
    found = publications(publication("a/0", "Zo") + f'<book key="a/1">{xml}</book>' + publication("a/2", "Zo"))
    assert [people for _, *people in found] == [[["Zo"], []], list(expected), [["Zo"], []]]


def test_a_name_does_not_depend_on_what_else_is_in_the_chunk():
    wide = publication("a/1", "Bo&nbsp;Beta")
    folded = publication("a/2", "Mei\n Lan")
    assert parsed(wide).signatures + parsed(folded).signatures == parsed(wide + folded).signatures


def test_450_authors():
    names = [f"Member{number:03d} Ofteam" for number in range(450)]
    ((_, authors, _),) = publications(publication("a/1", *names))
    assert authors == names


HOME = "<title>Home Page</title>"
ORCID = "0000-0001-2345-678X"
PAGES = {
    HOME: Person("1/1", None, None, "person"),
    "": Person("1/1", None, None, "person"),
    f"{HOME}<url>https://orcid.org/{ORCID}</url>": Person("1/1", ORCID, None, "person"),
    f"<url>https://orcid.org/{ORCID}</url>": Person("1/1", ORCID, None, "person"),
    f"<url>https://example.org/{ORCID}</url><url> http://orcid.org/{ORCID}/\n</url>": Person(
        "1/1", ORCID, None, "person"
    ),
    f"<url>https://orcid.org/{ORCID}</url><url>https://orcid.org/0000-0000-0000-0000</url>": Person(
        "1/1", ORCID, None, "person"
    ),
    f"<url>https://orcid.org/{ORCID}9</url><url/>": Person("1/1", None, None, "person"),
    '<note type="affiliation">U. of  X\n Y</note>': Person("1/1", None, "U. of X Y", "person"),
    f'{HOME}<note type="affiliation" label="PhD 2011">Old</note><note type="affiliation">New</note>': Person(
        "1/1", None, "New", "person"
    ),
    f'{HOME}<note type="affiliation" label="former">Old</note>': Person("1/1", None, "Old", "person"),
    f'{HOME}<note type="award">Prize</note><note>Text</note>': Person("1/1", None, None, "person"),
    f'{HOME}<note type="affiliation"> </note><note type="affiliation"/>': Person("1/1", None, None, "person"),
    f"{HOME}<crossref/>": Person("1/1", None, None, "person"),
}


@pytest.mark.parametrize(("xml", "expected"), PAGES.items(), ids=[xml or "a name alone" for xml in PAGES])
def test_a_person_page(xml, expected):
    found, redirects = pages(f'<www key="homepages/1/1"><author>Al</author>{xml}</www>')
    assert (found, redirects) == ([(["Al"], expected)], [])


@pytest.mark.parametrize(
    ("publtype", "kind"),
    [("disambiguation", "disambiguation"), ("noshow group", "group"), ("noshow", "person"), ("groups", "person")],
)
def test_the_kind_of_a_person_page(publtype, kind):
    found, _ = pages(person("1/1", "Wu Li", publtype=publtype))
    assert found == [(["Wu Li"], Person("1/1", None, None, kind))]


def test_names_on_person_pages():
    first = person("1/1", "Al\n Alpha", "A. Alpha", "Al Alpha", " A.  Alpha", "Alpha, A.")
    found, _ = pages(first + person("2/2") + person("3/3", "Bo", "B."))
    assert [names for names, _ in found] == [["Al Alpha", "A. Alpha", "Alpha, A."], ["Bo", "B."]]


def test_pages_that_lead_to_others():
    found, redirects = pages(
        person("1/2", "Al Old", "A. Old", extra="<crossref> homepages/1/1\n</crossref>")
        + person("1/3", extra="<crossref>homepages/1/2</crossref>")
    )
    assert (found, redirects) == ([], [("1/2", "1/1", ["Al Old", "A. Old"]), ("1/3", "1/2", [])])


@pytest.mark.parametrize("key", ["persons/Nobody2003", "www/org/example", "homepage/1/1", "homepages"])
def test_other_pages_of_the_web_are_nothing(key):
    assert pages(f'<www key="{key}"><author>Al</author>{HOME}</www>') == ([], [])


def test_every_type_and_two_records_on_a_line():
    kinds = "article inproceedings proceedings book incollection phdthesis mastersthesis data".split()
    found = publications("".join(f'<{kind} key="a/{kind}"><title>T</title></{kind}>' for kind in kinds))
    assert [row.pub_type for row, *_ in found] == kinds
    assert [row.raw_xml for row, *_ in found] == [f'<{k} key="a/{k}"><title>T</title></{k}>' for k in kinds]


def test_unknown_types_are_counted():
    stream = '<stream key="s"><title>S</title><author>Nobody</author></stream>'
    batch = parsed(stream + publication("a/1", "Al") + "<person/>" + stream)
    assert batch.passed_over == {"stream": 2, "person": 1}
    assert batch.signatures == ["Al"]
    ((row, *_),) = publications(stream + publication("a/1", "Al"))
    assert ElementTree.fromstring(row.raw_xml).findtext("author") == "Al"


@pytest.mark.parametrize(
    ("xml", "line", "message"),
    [
        ('<article key="a/2">\n<title>A <b></title></article>', 11, "record a/2: mismatched tag"),
        ('<article key="a/2">\n<title>&nosuch;</title></article>', 11, "record a/2: undefined entity"),
        ('<article key="a/2"><title>A & B</title></article>', 10, "record a/2: not well-formed"),
        ("<article key='a/J&uuml;2'><title>\n\n&#1;</title></article>", 12, "record a/Jü2: reference to invalid"),
        ('<article key="a/2">\n<title key="x">key="y"</b></article>', 11, "record a/2: mismatched tag"),
        ('<article key="a/2"><title>T</title>', 10, "record a/2: mismatched tag"),
        ('<article key="a/2"></article>\n</dblp><dblp>', 11, "record a/2: junk after"),
        ('<article key="a/2"><![CDATA[ </article>', 10, "record a/2: unclosed CDATA"),
        ('<!DOCTYPE dblp [<!ENTITY uuml "x">]><article key="a/2"/>', 10, "record a/1: "),
        ('\n<article mdate="2020"><title>T</title>\n</article>', 11, "a article without a key"),
        ('<stream/>\n<article key="a/2"/>\n<book key=""/><book key="a/3"/>', 12, "a book without a key"),
        ('<article key="a/2">\n<book/></article>\n<book/>', 12, "a book without a key"),
        ("<!-- \n --><article><book/></article>", 11, "a article without a key"),
    ],
)
def test_malformed_records(xml, line, message):
    # The chunk begins on line 6; its first record has five lines, the last of which the next one begins on.
    with pytest.raises(MalformedDump, match=rf"^line {line}, {message}|^line {line}: {message}") as caught:
        parsed(publication("a/1", "Jürgen ÄÖÜ") + xml, line=6)
    assert "\n" not in str(caught.value)


def test_a_key_is_found_behind_letters_on_its_line():
    with pytest.raises(MalformedDump, match=r"^line 1, record a/2: mismatched"):
        parsed('<article key="a/1"><author>ÄÖÜ &uuml;&uuml;</author></article><article key="a/2"></b>')
