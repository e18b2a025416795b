"""Names become people: aliases and redirects that contradict each other, papers signed twice, forms to be found by."""

import numpy as np
import pytest

from bibliography.names import folded, latin, normalise, split_number, words
from pipeline import people as module
from pipeline.archive import Chunk
from pipeline.errors import BuildStopped
from pipeline.people import People, Signatures, Tally
from pipeline.records import parse_chunk
from tests.conftest import person, publication

ENTITIES = {b"uuml": "ü".encode()}


def people_of(*chunks):
    """Understand some chunks of records, each a list of them."""
    signatures = Signatures()
    for records in chunks:
        signatures.add(parse_chunk(Chunk("".join(records).encode(), 1, 0), ENTITIES))
    return People(signatures, lambda: None)


def tally_of(people):
    tally = Tally(people.count)
    for links in people.links():
        tally.add(links, people.years)
    return tally


def rows_of(people):
    """Give the rows of people with their numbers instead of ids."""
    return list(people.author_rows(tally_of(people), np.arange(people.count + 1)))


def signed(people):
    """Give who signed what: (publication, name of the person, role, position)."""
    names = [None, *(row[1] for row in rows_of(people))]
    return [
        (publication, names[person], "editor" if is_editor else "author", position)
        for links in people.links()
        for publication, person, is_editor, position in zip(*links, strict=True)
    ]


def aliases_of(people):
    names = [None, *(row[1] for row in rows_of(people))]
    return {name: names[person] for name, person in people.aliases}


def redirect(pid, target, *names):
    return person(pid, *names, extra=f"<crossref>homepages/{target}</crossref>")


AL, BO = person("1/1", "Al Alpha"), person("2/2", "Bo Beta")
LEFT = "1 aliases are the name of somebody else too and were left to them"
LOST = "1 redirect pages lead to no person page; the names on them stand for themselves"
JOINED = "1 person pages have the primary name of another page and were joined to it"

# Of each: the records, the aliases, the people without a page, and what is told.
CASES = {
    "no people at all": ([publication("a/1")], {}, [], []),
    "a page without papers": ([AL], {}, [], []),
    "papers without a page": ([publication("a/1", "Al", "Bo")], {}, ["Al", "Bo"], []),
    "an alias": ([person("1/1", "Al Alpha", "A. Alpha")], {"A. Alpha": "Al Alpha"}, [], []),
    "an alias that signs before its page": (
        [publication("a/1", "A. Alpha"), person("1/1", "Al Alpha", "A. Alpha")],
        {"A. Alpha": "Al Alpha"},
        [],
        [],
    ),
    "an alias that is a primary name": ([person("1/1", "Al Alpha", "Bo Beta"), BO], {}, [], [LEFT]),
    "an alias that is a primary name seen before": ([BO, person("1/1", "Al Alpha", "Bo Beta")], {}, [], [LEFT]),
    "aliases of each other": (
        [person("1/1", "Al Alpha", "Bo Beta"), person("2/2", "Bo Beta", "Al Alpha")],
        {},
        [],
        [LEFT.replace("1", "2")],
    ),
    "an alias that two claim": (
        [person("1/1", "Al Alpha", "X."), person("2/2", "Bo Beta", "X.")],
        {"X.": "Al Alpha"},
        [],
        [LEFT],
    ),
    "an alias claimed twice by one": (
        [person("1/1", "Al Alpha", "X."), redirect("1/2", "1/1", "X.", "Al Alpha")],
        {"X.": "Al Alpha"},
        [],
        [],
    ),
    "a redirect": ([redirect("1/2", "1/1", "X.", "Y."), AL], {"X.": "Al Alpha", "Y.": "Al Alpha"}, [], []),
    "a chain of redirects": (
        [redirect("1/4", "1/3", "X."), redirect("1/2", "1/1", "Z."), redirect("1/3", "1/2", "Y."), AL],
        {"X.": "Al Alpha", "Y.": "Al Alpha", "Z.": "Al Alpha"},
        [],
        [],
    ),
    "a redirect whose name is an alias": (
        [redirect("2/3", "2/2", "X."), person("1/1", "Al Alpha", "X."), BO],
        {"X.": "Al Alpha"},
        [],
        [LEFT],
    ),
    "a redirect whose name is a primary name": ([redirect("1/2", "1/1", "Bo Beta"), AL, BO], {}, [], [LEFT]),
    "a redirect to nowhere": ([redirect("1/2", "9/9", "X.", "Y.")], {}, ["X.", "Y."], [LOST]),
    "a redirect to itself": ([redirect("1/2", "1/2", "X.")], {}, ["X."], [LOST]),
    "redirects in a circle": (
        [redirect("1/2", "1/3", "X."), redirect("1/3", "1/4", "Y."), redirect("1/4", "1/3", "Z."), AL],
        {},
        ["X.", "Y.", "Z."],
        [LOST.replace("1", "3")],
    ),
    "a redirect to a page that is joined to another": (
        [AL, person("1/5", "Al Alpha"), redirect("1/2", "1/5", "X.")],
        {"X.": "Al Alpha"},
        [],
        [JOINED],
    ),
    "a primary name on two pages": (
        [person("1/1", "Al Alpha", "X."), person("1/5", "Al Alpha", "Y.")],
        {"X.": "Al Alpha", "Y.": "Al Alpha"},
        [],
        [JOINED],
    ),
    "homonyms": (
        [person("3/3", "Wu Li", publtype="disambiguation"), person("3/3-1", "Wu Li 0001", "Wu Li 0002")],
        {"Wu Li 0002": "Wu Li 0001"},
        [],
        [],
    ),
}


@pytest.mark.parametrize("apart", [False, True], ids=["together", "each in a chunk"])
@pytest.mark.parametrize(("records", "aliases", "without_page", "notes"), CASES.values(), ids=CASES)
def test_who_is_who(records, aliases, without_page, notes, apart):
    people = people_of(*([record] for record in records)) if apart else people_of(records)
    rows = rows_of(people)
    assert aliases_of(people) == aliases
    assert [name for _, name, pid, *_ in rows if pid is None] == without_page
    assert people.notes == notes
    assert [row[0] for row in rows] == [*range(1, people.count + 1)]
    assert len({row[1] for row in rows} | aliases.keys()) == people.count + len(aliases)


def test_of_two_pages_with_one_name_the_first_counts():
    note = '<note type="affiliation">{}</note>'
    pages = [person(f"1/{place}", "Al Alpha", extra=note.format(place)) for place in (1, 2, 3)]
    people = people_of([BO, pages[0]], pages[1:], [person("4/4", "Cy Gamma")])
    assert [row[1:5] for row in rows_of(people)] == [
        ("Bo Beta", "2/2", None, None),
        ("Al Alpha", "1/1", None, "1"),
        ("Cy Gamma", "4/4", None, None),
    ]


@pytest.mark.parametrize("block", [1, 2, 250_000])
def test_a_person_signs_a_publication_once_in_each_role(monkeypatch, block):
    monkeypatch.setattr(module, "_BLOCK", block)
    people = people_of(
        [publication("a/1", "A. Alpha", "Bo Beta", "Al Alpha", "Cy", "Bo Beta")],
        [publication("a/2"), publication("a/3", "Cy", "Al Alpha", kind="book", editors=("Al Alpha", "Cy", "A. Alpha"))],
        [person("1/1", "Al Alpha", "A. Alpha"), BO, publication("a/4", editors=("Bo Beta",), kind="proceedings")],
    )
    assert signed(people) == [
        (1, "Al Alpha", "author", 1),
        (1, "Bo Beta", "author", 2),
        (1, "Cy", "author", 4),
        (3, "Cy", "author", 1),
        (3, "Al Alpha", "author", 2),
        (3, "Al Alpha", "editor", 1),
        (3, "Cy", "editor", 2),
        (4, "Bo Beta", "editor", 1),
    ]
    # A book that somebody both wrote and edited is one publication.
    assert {row[1]: row[6] for row in rows_of(people)} == {"Al Alpha": 2, "Bo Beta": 2, "Cy": 2}


@pytest.mark.parametrize(
    ("names", "searched"),
    [
        (["Al Alpha"], None),
        (["J&uuml;rgen Alpha"], "Jurgen Alpha"),
        (["Al Alpha", "A. Alpha", "Al A."], "A. Alpha\nAl A."),
        (["Søren Weißæcker"], "Soren Weissaecker"),
        (["Al Alpha", "Ål Øst"], "Ål Øst\nAl Ost"),
        (["Søren Øst", "S. Øst"], "S. Øst\nSoren Ost\nS. Ost"),
    ],
    ids=["ASCII", "an accent", "aliases", "letters", "letters of an alias", "letters of both"],
)
def test_what_a_person_is_found_by_besides_the_name(names, searched):
    ((*_, found),) = rows_of(people_of([person("1/1", *names)]))
    assert found == searched


def test_people_without_a_page_are_found_by_ascii_too():
    (row,) = rows_of(people_of([publication("a/1", "Łukasz Şık")]))
    assert row == (1, "Łukasz Şık", None, None, None, "person", 1, 2020, 2020, "Lukasz Sik")


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("Al Alpha", "Al Alpha"),
        ("Jürgen Çelik Ñandú", "Jurgen Celik Nandu"),
        ("王 伟 Ωmega 😀", "王 伟 Ωmega 😀"),
        ("Weiß", "Weiss"),
        ("Øst", "Ost"),
        ("Łukasz", "Lukasz"),
        ("Işık", "Isik"),
        ("Đorđe", "Dorde"),
        ("Æsir Œuvre", "Aesir Oeuvre"),
        ("Jürgen Weiß 0001", "Jurgen Weiss 0001"),
    ],
)
def test_latin_letters(name, form):
    assert latin(name) == form


@pytest.mark.parametrize(
    "spellings",
    [
        ("Jean-Pierre O'Neil", "jean pierre oneil", "JEANPIERRE O’NEIL", "Jean‐Pierre O'Neil"),
        ("Weiß", "WEISS", "weiss"),
        ("Işık", "ISIK", "isik"),
        ("Dave (Jing) Tian", "Dave Jing Tian"),
        ("A. B. Cé", "A B Ce", "A.B. Ce"),
        ("Jose\u0301", "José", "Jose"),
    ],
)
def test_spellings_that_fold_to_the_same(spellings):
    assert len({folded(spelling) for spelling in spellings}) == 1


@pytest.mark.parametrize("text", ["", " ", "%", "_", "😀", "--'’"])
def test_text_without_a_letter_folds_to_nothing(text):
    assert folded(text) == ""
    assert words(text) == []


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Al Alpha 0001", ("Al Alpha", "0001")),
        ("Al Alpha", ("Al Alpha", None)),
        ("Al Alpha 12345", ("Al Alpha 12345", None)),
        ("0001", ("0001", None)),
        ("Al 0001 0002", ("Al 0001", "0002")),
    ],
)
def test_homonym_numbers(name, parts):
    assert split_number(name) == parts


def test_normal_form():
    assert normalise("  Jose\u0301\t \u00a0Q\n") == "José Q"
    assert normalise("Al\x00Alpha\x85 \x1b") == "Al Alpha"


def test_words_are_those_of_full_text():
    assert words("O'Neil, Jean-P. 0001 _x_ Weiß") == ["o", "neil", "jean", "p", "0001", "x", "weiss"]


def test_ids_are_ranks():
    people = people_of([AL, BO, publication("a/1", "Bo Beta", "Cy"), publication("a/2", "Bo Beta", "Cy")])
    tally = tally_of(people)
    rows = sorted(people.author_rows(tally, tally.ranks()))
    assert [(row[0], row[1], row[6]) for row in rows] == [(1, "Bo Beta", 2), (2, "Cy", 2), (3, "Al Alpha", 0)]


def test_years_of_people():
    dated = [publication(f"a/{year}", "Al Alpha", "Bo Beta", year=year) for year in ("1999", "2003", "")]
    people = people_of([AL, BO, person("3/3", "Cy"), *dated, publication("a/x", "Dee", year="")])
    assert {row[1]: row[7:9] for row in rows_of(people)} == {
        "Al Alpha": (1999, 2003),
        "Bo Beta": (1999, 2003),
        "Cy": (None, None),
        "Dee": (None, None),
    }


def test_a_stop_ends_the_work_on_names():
    signatures = Signatures()
    signatures.add(parse_chunk(Chunk(AL.encode(), 1, 0), ENTITIES))
    with pytest.raises(BuildStopped):
        People(signatures, _stop)


def _stop():
    raise BuildStopped("stopped")


def test_pids_of_redirect_pages_are_those_of_the_people_that_they_lead_to():
    people = people_of([redirect("1/4", "1/3"), redirect("1/3", "1/1", "X."), redirect("9/8", "9/9"), BO, AL])
    names = [None, *(row[1] for row in rows_of(people))]
    assert {pid: names[number] for pid, number in people.former_pids} == {"1/4": "Al Alpha", "1/3": "Al Alpha"}
