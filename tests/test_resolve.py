"""What somebody may type for a name, and which people it is taken for."""

import unicodedata

import pytest

from bibliography.names import folded
from tests.made_up import TEAM, ask, pointers, post

ORLA = ["Orla O'Nevin"]
LAN = ["Mei Lan", "Mei Lan 0001", "Mei Lan 0003"]
LI = ["Wu Li", "Wu Li 0001", "Wu Li 0002"]
NORTH = "Łukasz Đurić-Kadın"
DUPONDS = ["Rene Dupond", "René Dupond"]


def resolved(client, entry, **options):
    """Give what an entry is taken for: status, method, names of the people."""
    (found,) = ask(client, [entry], ["Sarvindo"], **options)["resolution"]["left"]
    assert found["total"] >= len(found["authors"])
    return found["status"], found["method"], [person["name"] for person in found["authors"]]


# What is no name, and what means something to SQL, to full text or to nobody.
ODD = [
    *"% _ ' * ? - , ( \\ \" ;-- Orla% Orla* name:Orla 🙂 pid: pid orcid 0001 0000-0001-2345".split(),
    *("C++ AND", "NEAR(Orla O)", '"Orla" OR "Wu"', ", ,", " 0001", "' OR 1=1 --", "🙂 Orla", "Orla O_Nevin Jr"),
    *("Orla\0Nevin", "Orla O\0Nevin\0\0Jr", "\x1b[31m", "\ufffd", "\U000e0001", "a" * 300, "☃" * 300),
    *("https://example.org/pid/01/1", "https://dblp.org/rec/a/both", "https://dblp.org/pid/"),
]
# Entry, status, method, people in order.
EXACTLY = [
    ("Orla O'Nevin", "one", "exact", ORLA),
    ("  Orla\t\n O'Nevin ", "one", "exact", ORLA),
    ("\0Orla\x7f O'Nevin\x85", "one", "exact", ORLA),
    ("orla o'nevin", "one", "folded", ORLA),
    ("ORLA O’NEVIN", "one", "folded", ORLA),
    ("Orla O‘Nevin", "one", "folded", ORLA),
    ("Orla O\u02bcNevin", "one", "folded", ORLA),
    ("Orla O\u02bbNevin", "one", "folded", ORLA),
    ("Orla O`Nevin", "one", "folded", ORLA),
    ("Orla O´Nevin", "one", "folded", ORLA),
    ("Orla ONevin", "one", "folded", ORLA),
    ("O'Nevin, Orla", "one", "folded", ORLA),
    ("Nevin-Stroud, Orla", "one", "folded", ORLA),
    ("O. O'Nevin", "one", "alias", ORLA),
    ("Orla Nevin-Stroud", "one", "alias", ORLA),
    ("orla nevin stroud", "one", "folded", ORLA),
    ("Orla Nevin\u2010Stroud", "one", "folded", ORLA),
    ("Orla Nevin\u2013Stroud", "one", "folded", ORLA),
    ("Orla\u200b O'Nevin\u200e", "one", "folded", ORLA),
    ("O O Nevin", "one", "folded", ORLA),
    # Not what somebody typed: parts of a name, more than a name.
    ("O'Nevin", "none", None, []),
    ("Orla Olga O'Nevin", "none", None, []),
    ("Orla", "none", None, []),
    # Letters that Unicode takes apart, and those that it does not.
    ("Jürgen Weiß-Möller", "one", "exact", ["Jürgen Weiß-Möller"]),
    (unicodedata.normalize("NFD", "Jürgen Weiß-Möller"), "one", "exact", ["Jürgen Weiß-Möller"]),
    ("Jurgen Weiss Moller", "one", "folded", ["Jürgen Weiß-Möller"]),
    ("JÜRGEN WEISS-MÖLLER", "one", "folded", ["Jürgen Weiß-Möller"]),
    ("JÜRGEN WEIẞ-MÖLLER", "one", "folded", ["Jürgen Weiß-Möller"]),
    ("Juergen Weiss-Moeller", "none", None, []),
    ("Soren Aeroskob", "one", "folded", ["Søren Ærøskøb"]),
    ("SØREN ÆRØSKØB", "one", "folded", ["Søren Ærøskøb"]),
    (NORTH, "one", "exact", [NORTH]),
    ("Lukasz Duric Kadin", "one", "folded", [NORTH]),
    ("ŁUKASZ ĐURIĆ-KADIN", "one", "folded", [NORTH]),
    # A name in the very spelling of one person is not taken for another's.
    ("René Dupond", "one", "exact", ["René Dupond"]),
    ("Rene Dupond", "one", "exact", ["Rene Dupond"]),
    ("rené dupond", "several", "folded", DUPONDS),
    # Homonyms: the very name first, then by publications.
    ("Mei Lan", "disambiguation", "exact", ["Mei Lan", "Mei Lan 0001", "Mei Lan 0003"]),
    ("mei lan", "disambiguation", "folded", ["Mei Lan 0001", "Mei Lan", "Mei Lan 0003"]),
    ("Lan, Mei", "disambiguation", "folded", ["Mei Lan 0001", "Mei Lan", "Mei Lan 0003"]),
    ("Mei Lan 0001", "one", "exact", ["Mei Lan 0001"]),
    ("mei-lan 0003", "one", "folded", ["Mei Lan 0003"]),
    ("Lan, Mei 0003", "one", "folded", ["Mei Lan 0003"]),
    ("Mei Lan 0002", "none", None, []),
    ("mei lan 9999", "none", None, []),
    ("Mei Lan 1", "none", None, []),
    ("Mei Lan 00011", "none", None, []),
    ("Wu Li", "several", "exact", ["Wu Li", "Wu Li 0001", "Wu Li 0002"]),
    ("Wu Li 0002", "one", "exact", ["Wu Li 0002"]),
    ("Wu L. Li", "one", "alias", ["Wu Li 0002"]),
    ("Wu L. Li 0002", "none", None, []),
    ("Kim Roe", "one", "exact", ["Kim Roe 0001"]),
    ("Kim Roe 0002", "none", None, []),
    # Names that are not first and last; a group; somebody without a page.
    ("Sarvindo", "one", "exact", ["Sarvindo"]),
    ("Dana (Jing) Tarn", "one", "exact", ["Dana (Jing) Tarn"]),
    ("Dana Jing Tarn", "one", "folded", ["Dana (Jing) Tarn"]),
    ("Dana Tarn", "none", None, []),
    ("Gus L. Stone Jr.", "one", "exact", ["Gus L. Stone Jr."]),
    ("gus l stone jr", "one", "folded", ["Gus L. Stone Jr."]),
    ("Stone Jr., Gus L.", "one", "folded", ["Gus L. Stone Jr."]),
    ("Stone, Gus L., Jr.", "none", None, []),
    ("Ann Marie d’Arc", "one", "folded", ["Ann-Marie D'Arc"]),
    ("The Made Up Collaboration", "one", "exact", ["The Made Up Collaboration"]),
    ("No Page", "one", "exact", ["No Page"]),
    ("王小明", "one", "exact", ["王小明"]),
    ("王 小明", "one", "folded", ["王小明"]),
    ("王小", "none", None, []),
    ("Wang Xiaoming", "none", None, []),
    *((text, "none", None, []) for text in ODD),
]


@pytest.mark.parametrize(("entry", "status", "method", "people"), EXACTLY)
def test_names_as_they_are(made_up, client, entry, status, method, people):
    assert resolved(client, entry) == (status, method, people)


def test_an_entry_of_ten_thousand_characters_is_refused_by_name(made_up, client):
    assert pointers(post(client, {"left": ["a", "b" * 10_000], "right": ["c"]}), 422) == ["/left/1"]


def test_repeats_and_blanks_are_dropped_and_the_order_stays(made_up, client):
    left = ["Wu Li", " ", "Sarvindo", "Wu  Li", "", "René Dupond", unicodedata.normalize("NFD", "René Dupond"), "wu li"]
    answer = ask(client, left, ["Sarvindo", "Sarvindo "])
    assert answer["left_authors"] == ["Wu Li", "Sarvindo", "René Dupond", "wu li"]
    assert answer["right_authors"] == ["Sarvindo"]
    assert answer["pair_count"] == 4
    assert list(answer["matrix"]) == answer["left_authors"]
    assert [found["entry"] for found in answer["resolution"]["left"]] == answer["left_authors"]


def test_what_is_told_of_a_person_asks_for_that_person_again(made_up, client):
    (found,) = ask(client, ["Wu Li"], ["Sarvindo"])["resolution"]["left"]
    for person in found["authors"]:
        assert person.keys() == {"id", "name", "pid", "kind", "publications"}
        assert resolved(client, f"pid:{person['pid']}") == ("one", "identifier", [person["name"]])
        assert client.get(f"/api/authors/{person['id']}").json()["name"] == person["name"]


@pytest.mark.parametrize(
    ("entry", "limit", "people", "truncated"),
    [
        ("Wu Li", 3, LI, False),
        ("Wu Li", 2, LI[:2], True),
        ("Wu Li", 1, LI[:1], True),
        ("Mei Lan", 1, LAN[:1], True),
        ("Sarvindo", 1, ["Sarvindo"], False),
        ("Ofteam", 1, TEAM[:1], True),
    ],
)
def test_a_cap_takes_the_likeliest_people_and_says_so(made_up, client, entry, limit, people, truncated):
    answer = ask(client, [entry], ["Sarvindo"], author_limit=limit, exact_base_match=False)
    (found,) = answer["resolution"]["left"]
    assert found["truncated"] is truncated
    assert found["total"] == len(people)
    assert [person["name"] for person in found["authors"]] == people
    # Somebody who was left out may be a person of their own.
    certain = people == ["Sarvindo"]
    assert found["status"] == ("one" if certain else "disambiguation" if entry == "Mei Lan" else "several")


def test_twenty_people_are_shown_and_all_count(made_up, client):
    answer = ask(client, ["Ofteam"], ["Member450 Ofteam"], exact_base_match=False)
    (found,) = answer["resolution"]["left"]
    assert (found["status"], found["total"], len(found["authors"])) == ("several", 450, 20)
    assert answer["pair_pubs"][0]["count"] == 1


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("佐々木 ゆうこ", "佐々木ゆうこ"),  # A sign that repeats another is part of the name.
        ("ﬁne Ｆｕｌｌ", "finefull"),
        ("İpek Iğdır", "ipekigdir"),
        ("O\u02bcNevin", "onevin"),
        ("Þór Eðvarð", "thoredvard"),
        ("...", ""),
    ],
)
def test_folding(name, expected):
    assert folded(name) == expected
