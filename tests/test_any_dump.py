"""Any dump, however its records contradict each other, is understood as a plain reading of it by other means."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.dtd import DTD_NAME, dtd_text
from pipeline import archive
from pipeline import people as people_module
from pipeline.archive import open_dump, read_chunks, read_head
from pipeline.dtd import read_entities
from pipeline.people import People, Signatures, Tally
from pipeline.records import parse_chunk
from tests import reference

HEAD = f'<?xml version="1.0" encoding="ISO-8859-1"?>\n<!DOCTYPE dblp SYSTEM "{DTD_NAME}">\n<dblp>'
# Few names and few keys, so that they meet; some are the same name in another spelling.
NAMES = st.sampled_from(
    [
        *("Al Alpha", "Al\n  Alpha", " Al Alpha ", "A. Alpha", "Bo Beta", "J&uuml;rgen Wei&szlig;", "Jürgen Weiß"),
        *("Wu Li", "Wu Li 0001", "Wu&#160;Li", "Wu\tLi", "Cy <i>C.</i> Gamma", "<!-- nobody -->", " ", "Dee"),
    ]
)
PIDS = [f"1/{number}" for number in range(6)]
SPACES = st.sampled_from(["", "", "\n", "\n  "])
TEXTS = st.recursive(
    st.sampled_from(["k", "means", " ", "\n ", "\t", "&uuml;", "&amp;", "&lt;", "&#956;", "ß", "&#10;", "&#160;"])
    | st.sampled_from(["<!-- &uuml; -->", "<![CDATA[<&uuml;>]]>", "...", "2020", "<sub/>"]),
    lambda inner: (
        st.lists(inner, max_size=4).map("".join)
        | st.tuples(st.sampled_from("i sub sup tt ref".split()), inner).map(lambda pair: "<{0}>{1}</{0}>".format(*pair))
    ),
    max_leaves=6,
)


NO_ATTRIBUTES = st.just("")


def fields(tag, content, attributes=NO_ATTRIBUTES):
    return st.tuples(attributes, content).map(lambda pair: f"<{tag}{pair[0]}>{pair[1]}</{tag}>")


SIGNED = fields("author", NAMES, st.sampled_from(["", ' orcid="0000-0001-2345-678X"'])) | fields("editor", NAMES)
OTHERS = st.one_of(
    *(fields(tag, TEXTS) for tag in ("title", "journal", "booktitle", "school", "note")),
    fields("year", st.sampled_from(["2020", "1999/2000", " 1850 ", "soon", ""])),
    fields("ee", st.sampled_from(["https://a?b&amp;c", "https://d", "..."]), st.sampled_from(["", ' type="oa"'])),
    fields("shelfmark", TEXTS),
    st.just("<pages/>"),
)
ABOUT = st.one_of(
    st.just("<title>Home Page</title>"),
    fields("url", st.sampled_from(["https://orcid.org/0000-0001-2345-678X", "http://orcid.org/1", " x"])),
    fields(
        "note",
        st.sampled_from(["U. of X", "U. of\n Y", " "]),
        st.sampled_from([' type="affiliation"', ' type="affiliation" label="PhD 2011"', "", ' type="award"']),
    ),
)
LEADS = fields("crossref", st.sampled_from([*PIDS, "9/9"]).map(lambda pid: f"homepages/{pid}"))


@st.composite
def publications(draw, key):
    kind = draw(st.sampled_from([kind for kind in archive.RECORD_TYPES if kind != "www"]))
    publtype = draw(st.sampled_from(["", ' publtype="informal withdrawn"', ' publtype="group"']))
    content = draw(st.lists(SIGNED | OTHERS, max_size=7))
    space = draw(SPACES)
    return f'<{kind}{publtype} mdate="2020-01-0{key}" key="a/{key}">{space}{space.join(content)}</{kind}>{draw(SPACES)}'


@st.composite
def pages(draw, pid):
    publtype = draw(st.sampled_from(["", "", ' publtype="disambiguation"', ' publtype="noshow group"']))
    content = draw(st.lists(fields("author", NAMES), max_size=3))
    content += draw(st.lists(ABOUT, max_size=3)) + draw(st.lists(LEADS, max_size=1))
    return f'<www{publtype} key="homepages/{pid}">{"".join(draw(st.permutations(content)))}</www>{draw(SPACES)}'


@st.composite
def dumps(draw):
    records = [draw(publications(key)) for key in range(1, 1 + draw(st.integers(0, 5)))]
    records += [draw(pages(pid)) for pid in PIDS[: draw(st.integers(0, len(PIDS)))]]
    records += draw(
        st.lists(st.sampled_from(["<!-- a comment -->", '<stream key="s"><title>S</title></stream>']), max_size=2)
    )
    records += draw(st.lists(st.just('<www key="www/x"><author>Bo Beta</author></www>'), max_size=1))
    return f"{HEAD}\n{''.join(draw(st.permutations(records)))}\n</dblp>"


def understood(path):
    """Read a dump with the pipeline, in the form of the reference."""
    entities, signatures, publications = read_entities(path.with_name(DTD_NAME)), Signatures(), []
    with open_dump(path) as stream:
        head = read_head(stream.read(64 * 1024), path.name)
    with open_dump(path) as stream:
        for chunk in read_chunks(stream, head):
            batch = parse_chunk(chunk, entities)
            signatures.add(batch)
            publications += batch.publications
    people = People(signatures, lambda: None)
    links, tally = [], Tally(people.count)
    for block in people.links():
        links += zip(*(column.tolist() for column in block), strict=True)
        tally.add(block, people.years)
    rows = list(people.author_rows(tally, np.arange(people.count + 1)))
    names = {number: name for number, name, *_ in rows}
    assert len(links) == len(set(links))
    return {
        "publications": {key: row for key, *row, _ in publications},
        "people": {name: (*about, count) for _, name, *about, count, _, _, _ in rows},
        "aliases": {name: names[person] for name, person in people.aliases},
        "authorships": {
            (publications[number - 1][0], names[person], "editor" if is_editor else "author", position)
            for number, person, is_editor, position in links
        },
    }


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(dump=dumps(), size=st.sampled_from([1, 100, 1000]), block=st.sampled_from([1, 2, 1000]))
def test_any_dump(tmp_path_factory, dump, size, block):
    path = tmp_path_factory.getbasetemp() / "any.xml"
    path.write_bytes(dump.encode("latin-1"))
    path.with_name(DTD_NAME).write_text(dtd_text())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(archive, "CHUNK_BYTES", size)
        patch.setattr(people_module, "_BLOCK", block)
        found = understood(path)
    expected = reference.read(path)
    expected["publications"] = {key: list(row) for key, row in expected["publications"].items()}
    assert found == expected
