"""``/api/authors/resolve``: whom the names of one group stand for, exactly as the pairs would take them."""

import pytest
from django.test import Client

from tests.made_up import PAIRS

NAMES = "/api/authors/resolve"
ENTRIES = [
    "Orla O'Nevin",
    " Orla  O'Nevin ",
    "Nobody Atall",
    "",
    "pid:31/3",
    "O. O'Nevin",
    "Wu Li",
    "rené dupond",
    "Lan M",
]


def ask(path, **body):
    return Client().post(path, body, content_type="application/json")


@pytest.mark.parametrize("exact", [True, False])
def test_names_are_what_they_are_in_a_pair(made_up, exact):
    alone = ask(NAMES, entries=ENTRIES, exact_base_match=exact).json()
    both = ask(PAIRS, left=ENTRIES, right=["x"], exact_base_match=exact).json()
    assert alone == {"resolution": both["resolution"]["left"], "store": both["store"]}
    assert [one["entry"] for one in alone["resolution"]] == [ENTRIES[0], ENTRIES[2], *ENTRIES[4:]]


def test_a_cap_is_told(made_up):
    (li,) = ask(NAMES, entries=["Wu Li"], author_limit=1).json()["resolution"]
    assert (len(li["authors"]), li["total"], li["truncated"]) == (1, 1, True)


@pytest.mark.parametrize(("asked", "listed"), [({}, 20), ({"limit_per_entry": 0}, 0), ({"limit_per_entry": 1000}, 450)])
def test_as_many_people_are_listed_as_were_asked_for(made_up, asked, listed):
    (team,) = ask(NAMES, entries=["Ofteam"], exact_base_match=False, **asked).json()["resolution"]
    assert (len(team["authors"]), team["total"]) == (listed, 450)


@pytest.mark.parametrize(
    ("body", "status", "pointer"),
    [
        ({"entries": [" "]}, 400, "/entries"),
        ({"entries": ["a" * 301]}, 422, "/entries/0"),
        ({"entries": ["a"], "x": 1}, 422, "/x"),
        ({"entries": ["a"], "limit_per_entry": 1001}, 422, "/limit_per_entry"),
        ({"entries": [f"n{number}" for number in range(1001)]}, 400, "/entries"),
    ],
)
def test_bad_bodies_are_named(made_up, body, status, pointer):
    answer = ask(NAMES, **body)
    assert (answer.status_code, [bad["pointer"] for bad in answer.json()["errors"]]) == (status, [pointer])


def test_many_searches_take_a_place_among_the_heavy_questions(made_up, settings, monkeypatch):
    from bibliography import api
    from bibliography.limits import Slots

    monkeypatch.setattr(api, "_heavy", Slots(0))
    entries = [f"Nobody {number}" for number in range(101)]
    assert ask(NAMES, entries=entries).status_code == 200
    assert ask(NAMES, entries=entries, exact_base_match=False).status_code == 429
