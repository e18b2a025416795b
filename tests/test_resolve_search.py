"""Names that are searched for where asked for, and identifiers that name one person for good."""

import pytest

from tests.test_resolve import DUPONDS, NORTH, ORLA, resolved

ORCID = "0000-0001-2345-678X"
# What means something to full text, and finds nobody all the same.
ODD = [
    *'\' * """ *** 🙂 🙂🙂🙂 ^Zz (((( %%% ___ % _'.split(),
    *("C++ AND", "NEAR(xx yy)", "Zz OR Orla", '"Orla" NOT', "name : Zz", "- - -"),
    *("abc\0def", "\x01x\x02\x03z", "a" * 300, "(" * 300, "x " * 149),
]
# Entry, status, method, people in order.
SEARCHED = [
    # Steps that come before full text stay first.
    ("Orla O'Nevin", "one", "exact", ORLA),
    ("rene dupond", "several", "folded", DUPONDS),
    # Every word is in the name, in any order; initials match names, names do not match initials.
    ("O'Nevin", "one", "fulltext", ORLA),
    ("Nevin O", "one", "fulltext", ORLA),
    ("stroud orla", "one", "fulltext", ORLA),
    ("J. Weiss-Moller", "one", "fulltext", ["Jürgen Weiß-Möller"]),
    ("Möller J", "one", "fulltext", ["Jürgen Weiß-Möller"]),
    ("G. L. Stone", "one", "fulltext", ["Gus L. Stone Jr."]),
    ("G. Stone", "one", "fulltext", ["Gus L. Stone Jr."]),
    ("Dana Tarn", "one", "fulltext", ["Dana (Jing) Tarn"]),
    ("Æ. Søren", "none", None, []),
    ("Aeroskob", "one", "fulltext", ["Søren Ærøskøb"]),
    ("Kadin", "one", "fulltext", [NORTH]),
    ("Mei", "disambiguation", "fulltext", ["Mei Lan 0001", "Mei Lan", "Mei Lan 0003"]),
    ("M. Lan", "disambiguation", "fulltext", ["Mei Lan 0001", "Mei Lan", "Mei Lan 0003"]),
    ("O'Nevin Stroud", "none", None, []),  # The words are in two names of one person, and in neither alone.
    ("Mei Lan 0002", "none", None, []),
    # Text inside a name.
    ("Sarvin", "one", "substring", ["Sarvindo"]),
    ("RVIND", "one", "substring", ["Sarvindo"]),
    ("eiß-mö", "one", "substring", ["Jürgen Weiß-Möller"]),
    ("eiss-mo", "one", "substring", ["Jürgen Weiß-Möller"]),
    ("(Jin", "one", "substring", ["Dana (Jing) Tarn"]),
    ("r%c", "one", "substring", ["Per%cent Under_score"]),
    ("r_s", "one", "substring", ["Per%cent Under_score"]),
    ("%cent", "one", "fulltext", ["Per%cent Under_score"]),
    ("r%cen", "one", "substring", ["Per%cent Under_score"]),
    ("王小", "one", "substring", ["王小明"]),
    ("小明", "none", None, []),  # Of less than three letters only beginnings of words are found.
    *((text, "none", None, []) for text in ODD),
]
# Entries that name one person for good, and what they stand for.
IDENTIFIED = [
    ("name:Wu Li", "one", ["Wu Li"]),
    ("name:Wu Li 0001", "one", ["Wu Li 0001"]),
    *((text, "one", ORLA) for text in ("pid:01/1", "PID:01/1", "pid: 01/1", " pid:01/1 ")),
    *(
        (f"{scheme}://{host}/pid/01/1{rest}", "one", ORLA)
        for scheme, host, rest in [
            ("https", "dblp.org", ""),
            ("http", "dblp.org", ".html"),
            ("https", "www.dblp.org", ".xml"),
            ("https", "dblp.uni-trier.de", ".html"),
            ("https", "dblp.dagstuhl.de", ".html?view=by-type"),
            ("https", "dblp.org", "?q=a%20b"),
            ("https", "dblp.org", "/"),
            ("https", "dblp.org", ".html#top"),
            ("HTTPS", "DBLP.org", ".html"),
        ]
    ),
    ("dblp.org/pid/01/1", "one", ORLA),
    ("dblp.uni-trier.de/pid/01/1.html", "one", ORLA),
    ("pid:20/1", "disambiguation", ["Mei Lan"]),
    ("pid:20/1-1", "one", ["Mei Lan 0001"]),
    ("https://dblp.org/pid/20/1-3.html", "one", ["Mei Lan 0003"]),
    ("pid:t/TeeTee", "one", ["T. Tee"]),
    *(
        (text, "one", ORLA)
        for text in (
            ORCID,
            ORCID.lower(),
            f"https://orcid.org/{ORCID}",
            f"http://orcid.org/{ORCID}/",
            f"orcid.org/{ORCID}",
        )
    ),
    *(
        (text, "none", [])
        for text in [
            *(
                "pid:01/2",
                "pid:t/teetee",
                "pid:01/1x",
                "pid:%",
                "pid:Sarvindo",
                "pid:'",
                "pid:\0",
                "https://dblp.org/pid/9/9",
            ),
            *("name:Wu", "name:wu li", "name:Wu L. Li"),
            *("0000-0000-0000-0000", "https://orcid.org/0000-0002-2345-6789"),
        ]
    ),
]


@pytest.mark.parametrize(("entry", "status", "method", "people"), SEARCHED)
def test_names_searched_for(made_up, client, entry, status, method, people):
    assert resolved(client, entry, exact_base_match=False) == (status, method, people)


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(("entry", "status", "people"), IDENTIFIED)
def test_identifiers(made_up, client, entry, status, people, exact):
    method = "identifier" if people else None
    assert resolved(client, entry, exact_base_match=exact) == (status, method, people)
