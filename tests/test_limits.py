"""What one question may cost: too long, too many at once, too large; and no store to ask."""

import contextlib

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from bibliography import api
from bibliography.limits import DeadlineExceeded, Slots, TooBusy, deadline
from tests.made_up import PAIRS, TEAM, ask, pointers, post, problem_of

QUESTION = {"left": ["Orla O'Nevin"], "right": ["Sarvindo"]}
# More pairs than are answered without a place among the heavy ones.
LARGE = {"left": TEAM, "right": TEAM}


def endless():
    """Run a statement that never ends by itself, as far as the deadline lets it."""
    with connections["store"].cursor() as cursor:
        cursor.execute("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")


@pytest.fixture
def hurried(settings):
    """Let no question take any time; called with False, let it take all that a busy machine needs."""
    usual = settings.ENVIRONMENT

    def hurry(on):
        settings.ENVIRONMENT = usual.model_copy(update={"query_timeout": 1e-9 if on else 600})

    hurry(True)
    return hurry


@pytest.mark.parametrize(
    "question",
    [QUESTION, LARGE, {**LARGE, "left": ["a e"], "exact_base_match": False}],
    ids=["few names", "many names", "full text"],
)
def test_a_question_that_takes_too_long_ends_and_the_next_one_is_answered(made_up, client, hurried, question):
    response = post(client, question)
    problem_of(response, 503)
    assert int(response.headers["Retry-After"]) > 0
    hurried(False)
    assert post(client, question).status_code == 200


def test_a_statement_is_interrupted_and_the_connection_stays_usable(made_up):
    with pytest.raises(DeadlineExceeded), deadline(0.05):
        endless()
    with connections["store"].cursor() as cursor:
        assert cursor.execute("SELECT 1").fetchone() == (1,)


def test_names_are_searched_for_until_the_deadline(made_up, client, hurried, monkeypatch):
    searched = []
    monkeypatch.setattr("bibliography.resolve.search.people_with_words", lambda text, _: searched.append(text) or [])
    question = {"left": [f"zz{n}" for n in range(50)], "right": ["a"], "exact_base_match": False}
    problem_of(post(client, question), 503)
    assert searched == []
    hurried(False)
    assert post(client, question).status_code == 200
    assert len(searched) == 51


def test_searches_have_a_deadline_too(served_sample, client, hurried):
    response = client.get("/api/publications?q=a*")
    problem_of(response, 503)
    assert int(response.headers["Retry-After"]) > 0
    hurried(False)
    assert client.get("/api/publications?q=a*").status_code == 200


@pytest.mark.parametrize(
    "path",
    ["/api/authors?q=a", "/api/authors/1", "/api/publications?q=a", "/api/publications/a/b", "/api/stats", "pairs"],
)
def test_without_a_store_every_question_is_503_and_says_when_to_ask_again(data, client, path):
    response = post(client, QUESTION) if path == "pairs" else client.get(path)
    assert "rebuild_store" in problem_of(response, 503)["detail"]
    assert int(response.headers["Retry-After"]) > 0


@pytest.mark.parametrize(
    "question",
    [
        {"left": [f"left {n}" for n in range(201)], "right": [f"right {n}" for n in range(200)]},
        {"left": [f"zzx{n}" for n in range(101)], "right": ["a"], "exact_base_match": False},
    ],
    ids=["many pairs", "many searches"],
)
def test_heavy_questions_beyond_their_places_are_429_and_light_ones_are_answered(made_up, client, settings, question):
    with contextlib.ExitStack() as stack:
        for _ in range(settings.ENVIRONMENT.heavy_queries):
            stack.enter_context(api._heavy.taken())
        response = post(client, question)
        problem_of(response, 429)
        assert int(response.headers["Retry-After"]) > 0
        ask(client, **QUESTION)
    assert post(client, question).status_code == 200


def test_a_place_is_free_again_after_a_question_that_failed(made_up, client, hurried, settings):
    for _ in range(settings.ENVIRONMENT.heavy_queries + 1):
        problem_of(post(client, LARGE), 503)
    hurried(False)
    assert post(client, LARGE).status_code == 200


def test_there_are_as_many_places_as_were_made():
    slots = Slots(1)
    with slots.taken(), pytest.raises(TooBusy), slots.taken():
        pass
    with slots.taken():
        pass


def test_a_body_that_is_too_large_is_413(made_up, client):
    problem_of(post(client, b'{"left": ["' + b"a" * 5_000_000 + b'"]}'), 413)


def test_a_thousand_names_a_side_of_the_longest_kind_are_answered(made_up, client):
    # In the longest form that JSON has for a letter, six bytes.
    sides = [",".join(f'"{n:04d}' + "\\u00fc" * 296 + '"' for n in range(1000))] * 2
    body = '{{"left": [{}], "right": [{}], "sparse": true}}'.format(*sides).encode()
    assert len(body) > 3_500_000
    answer = post(client, body).json()
    assert answer["pair_count"] == 1_000_000


@pytest.mark.parametrize("entry", ["1", '"a"'], ids=["of the wrong type", "repeated"])
def test_a_list_of_a_million_entries_is_refused_as_a_whole(made_up, client, entry):
    body = f'{{"left": [{",".join([entry] * 1_000_000)}], "right": ["a"]}}'.encode()
    response = client.post(PAIRS, data=body, content_type="application/json")
    assert pointers(response, 400) == ["/left"]
    assert len(response.content) < 1000


def test_a_list_that_is_too_long_is_told_in_short_from_a_shell(made_up, tmp_path):
    names = tmp_path / "names.txt"
    names.write_text("\n".join(f"name {n}" for n in range(10_001)))
    with pytest.raises(CommandError, match="at most 10,000") as told:
        call_command("coauthors", names, names)
    assert len(str(told.value)) < 500


def test_of_many_bad_values_all_are_listed_but_few_are_told(made_up, client):
    response = post(client, {"left": [1] * 1000, "right": ["a"]})
    assert pointers(response, 422) == [f"/left/{n}" for n in range(1000)]
    assert response.json()["detail"].endswith("; and 990 more")
