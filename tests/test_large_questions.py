"""Questions whose answers could be large: what they cost is bounded, and what they say stays the same."""

import contextlib
import tracemalloc

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from bibliography import api, coauthors, columns, questions, resolve, tally
from bibliography.limits import DeadlineExceeded, deadline
from tests.conftest import publication
from tests.made_up import PAIRS, TEAM, ask, pointers, post, problem_of

ORLA, JURGEN = "Orla O'Nevin", "Jürgen Weiß-Möller"
# Names that share people with each other in many ways.
ENTRIES = ["Mei Lan", "Wu Li", "wu li", ORLA, "Mei Lan 0001", "Mei Lan 0003", JURGEN, "Sarvindo", "Nobody", *TEAM[:20]]
ONE_EDITORS = {"exact_base_match": False, "include_editors": True, "limit_per_pair": 2}


def spellings(name, number):
    """Write a name in so many ways that are equal in the blind comparison."""
    return [name[:at] + "-" * dashes + name[at:] for dashes in range(1, 99) for at in range(1, len(name))][:number]


@pytest.mark.parametrize("rows", [1, 2, 3, 7, 50])
@pytest.mark.parametrize("options", [{}, ONE_EDITORS, {"year_min": 2011, "year_max": 2020}])
def test_an_answer_is_the_same_in_however_many_pieces_it_is_found(made_up, client, monkeypatch, rows, options):
    left, right = ENTRIES, [*reversed(ENTRIES), "Kim Roe", "Dana (Jing) Tarn", "l"]
    whole = ask(client, left, right, **options)
    for module, name in ((columns, "_AT_ONCE"), (coauthors, "_ROWS_AT_ONCE")):
        monkeypatch.setattr(module, name, rows)
    monkeypatch.setattr("bibliography.answers._AT_ONCE", rows)
    monkeypatch.setattr("bibliography.rows._PARAMETERS", rows)
    assert ask(client, left, right, **options) == whole
    assert len(whole["pair_pubs"]) > 100


@pytest.fixture
def prolific(make_dump, build_from):
    """Serve somebody who wrote 300 papers, and the other one who wrote them too."""
    build_from(make_dump(*(publication(f"a/{n}", "Poutbar Brejo", "Glimdo Fosk") for n in range(300))))


@pytest.mark.parametrize("other", ["Poutbar Brejo", "Glimdo Fosk"])
def test_many_spellings_of_a_prolific_person_take_little_memory(prolific, client, other):
    question = {"left": spellings("Poutbar Brejo", 150), "right": spellings(other, 150), "limit_per_pair": 0}
    post(client, question | {"right": ["a"]})
    tracemalloc.start()
    response = post(client, question)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 40_000_000
    answer = response.json()
    counts = {count for row in answer["matrix"].values() for count in row.values()}
    assert (len(answer["pair_pubs"]), counts) == (22_500, {0 if other == "Poutbar Brejo" else 300})


def test_an_answer_lists_as_many_publications_as_fit_the_same_number_for_each_pair(prolific, client):
    names = spellings("Poutbar Brejo", 100), spellings("Glimdo Fosk", 100)
    answer = ask(client, *names)
    assert (answer["limit_per_pair"], answer["listed_per_pair"]) == (None, 25)
    assert {(pair["count"], len(pair["items"])) for pair in answer["pair_pubs"]} == {(300, 25)}
    assert ask(client, *names, limit_per_pair=25)["pair_pubs"] == answer["pair_pubs"]


def test_more_publications_than_an_answer_may_list_are_400_where_they_were_asked_for(prolific, client):
    names = {"left": spellings("Poutbar Brejo", 100), "right": spellings("Glimdo Fosk", 100)}
    response = post(client, names | {"limit_per_pair": 26})
    assert pointers(response, 400) == ["/limit_per_pair"]
    assert "250,000" in response.json()["detail"]


@pytest.mark.parametrize(("most", "limit"), [(7, 200), (6, 3), (5, 2), (4, 1), (3, 0)])
@pytest.mark.parametrize("rows", [1, 500_000])
def test_the_longest_lists_are_cut_first(made_up, client, monkeypatch, most, limit, rows):
    monkeypatch.setattr(columns, "_AT_ONCE", rows)
    left, right = [ORLA, "Wu Li"], [JURGEN, "Sarvindo", "Mei Lan", "Dana (Jing) Tarn"]
    whole = ask(client, left, right, include_editors=True)
    assert [pair["count"] for pair in whole["pair_pubs"]] == [4, 1, 1, 1]
    monkeypatch.setattr(tally, "MOST_LISTED", most)
    answer = ask(client, left, right, include_editors=True)
    assert (answer["listed_per_pair"], answer["matrix"]) == (limit, whole["matrix"])
    for pair, all_of_it in zip(answer["pair_pubs"], whole["pair_pubs"], strict=True):
        assert pair == all_of_it | {"items": all_of_it["items"][:limit]}


@pytest.mark.parametrize(
    ("module", "name", "question", "where"),
    [
        (resolve, "_MOST_PEOPLE", {"left": ["Wu Li"], "right": ["Mei Lan"]}, ["/author_limit"]),
        (questions, "_MOST_SIGNED", {"left": [ORLA], "right": [JURGEN]}, ["/left", "/right"]),
        (coauthors, "_MOST_WORKS", {"left": [ORLA], "right": [JURGEN]}, ["/left", "/right"]),
    ],
)
def test_a_question_about_more_than_fits_into_memory_is_400_and_says_why(
    made_up, client, monkeypatch, module, name, question, where
):
    monkeypatch.setattr(module, name, 3)
    response = post(client, question)
    assert pointers(response, 400) == where
    assert "more than 3" in response.json()["detail"]


def test_from_a_shell_too_it_is_one_clear_line(made_up, tmp_path, monkeypatch):
    monkeypatch.setattr(coauthors, "_MOST_WORKS", 3)
    names = tmp_path / "names.txt"
    names.write_text(f"{ORLA}\n{JURGEN}\n")
    with pytest.raises(CommandError, match="left and right stand for people with more than 3 publications in common"):
        call_command("coauthors", names, names)


def test_the_deadline_holds_between_pieces_and_while_an_answer_is_written(made_up):
    people = resolve.resolve([ORLA, JURGEN], exact_only=True, limit=10)
    groups = [[people[ORLA]], [people[JURGEN]]]
    found = coauthors.pairs(*groups, coauthors.Window(), editors=False, limit=1, fixed=False)
    assert len(list(found)) == 1
    with deadline(1e-9):
        for ask_for in (lambda: columns.pieces(np.ones(3, dtype=np.int64)), found.counts, found.__iter__):
            with pytest.raises(DeadlineExceeded):
                list(ask_for())


@pytest.mark.parametrize("name", ["_HEAVY_PAIRS", "_HEAVY_PUBLICATIONS"])
def test_a_question_is_heavy_by_its_pairs_or_by_the_publications_of_its_people(
    made_up, client, monkeypatch, settings, name
):
    monkeypatch.setattr(api, name, 2)
    few, many = {"left": ["Kim Roe"], "right": ["Nobody"]}, {"left": [ORLA, "Wu Li"], "right": [JURGEN, "Sarvindo"]}
    with contextlib.ExitStack() as stack:
        for _ in range(settings.ENVIRONMENT.heavy_queries):
            stack.enter_context(api._heavy.taken())
        problem_of(post(client, many), 429)
        assert post(client, few).status_code == 200
    assert client.post(PAIRS, many, content_type="application/json").status_code == 200


@pytest.mark.parametrize("sizes", [(1, 100), (100, 1)])
def test_names_of_both_sides_that_are_searched_for_are_counted(made_up, client, settings, sizes):
    left, right = ([f"zz{side}{n}" for n in range(size)] for side, size in enumerate(sizes))
    with contextlib.ExitStack() as stack:
        for _ in range(settings.ENVIRONMENT.heavy_queries):
            stack.enter_context(api._heavy.taken())
        problem_of(post(client, {"left": left, "right": right, "exact_base_match": False}), 429)
