"""Conditional requests: what a tag stands for, and that a condition is judged only where there is an answer."""

import pytest
from django.test import Client

import pubmeta
from tests.made_up import PAIRS, pointers, post, problem_of

QUESTION = {"left": ["Orla O'Nevin"], "right": ["Jürgen Weiß-Möller"]}
PATH = "/api/authors?q=orla"


@pytest.fixture
def client():
    return Client(raise_request_exception=False)


@pytest.mark.parametrize("name", ["max_author_resolve", "max_pair_results", "max_entries_per_side"])
def test_other_limits_make_other_tags(made_up, client, settings, name):
    tag = post(client, QUESTION).headers["ETag"]
    assert post(client, QUESTION).headers["ETag"] == tag
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={name: 7})
    response = post(client, QUESTION, **{"if-none-match": tag})
    assert (response.status_code, response.headers["ETag"] == tag) == (200, False)


def test_another_version_makes_other_tags(made_up, client, monkeypatch):
    tag = client.get(PATH).headers["ETag"]
    monkeypatch.setattr(pubmeta, "__version__", "0.0.0")
    assert client.get(PATH).headers["ETag"] != tag


def test_answers_of_both_methods_are_to_be_asked_for_again(made_up, client):
    for response in (client.get(PATH), post(client, QUESTION)):
        assert (response.status_code, response.headers["Cache-Control"]) == (200, "no-cache")


@pytest.mark.parametrize("condition", [{"if-none-match": "*"}, {"if-match": '"x"'}, {"if-match": "*"}])
def test_what_is_not_there_or_not_right_is_so_under_every_condition(made_up, client, condition):
    problem_of(client.get("/api/authors/99999999", headers=condition), 404)
    problem_of(client.get("/api/publications/a/nothing", headers=condition), 404)
    assert pointers(client.get("/api/authors?q=a&cursor=x", headers=condition), 400) == ["/cursor"]
    assert pointers(post(client, QUESTION | {"left": []}, **condition), 400) == ["/left"]


@pytest.mark.parametrize(
    ("condition", "got", "posted"),
    [
        ({"if-none-match": "*"}, 304, 412),
        ({"if-none-match": '"other"'}, 200, 200),
        ({"if-match": '"other"'}, 412, 412),
        ({"if-match": "*"}, 200, 200),
    ],
)
def test_conditions_on_what_is_there(made_up, client, condition, got, posted):
    assert client.get(PATH, headers=condition).status_code == got
    assert post(client, QUESTION, **condition).status_code == posted


@pytest.mark.parametrize("form", ["{}", "W/{}", '"a", {}', 'W/"b" , W/{}'])
def test_who_has_the_answer_costs_no_work(made_up, client, monkeypatch, form):
    tags = client.get(PATH).headers["ETag"], post(client, QUESTION).headers["ETag"]
    monkeypatch.setattr("bibliography.resolve.search.people_beginning", None)
    monkeypatch.setattr("bibliography.questions.resolve", None)
    assert client.get(PATH, headers={"if-none-match": form.format(tags[0])}).status_code == 304
    problem_of(post(client, QUESTION, **{"if-none-match": form.format(tags[1])}), 412)


def test_conditional_answers_are_described(client):
    paths = client.get("/api/openapi.json").json()["paths"]
    for path in ("/api/authors", "/api/authors/{id}", "/api/publications", "/api/publications/{key}"):
        assert {"304", "412"} <= paths[path]["get"]["responses"].keys()
        assert "content" not in paths[path]["get"]["responses"]["304"]
    assert "412" in paths[PAIRS]["post"]["responses"]
    assert "304" not in paths[PAIRS]["post"]["responses"]
