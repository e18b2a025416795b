"""What holds for all questions over HTTP: the shape of errors, tags for caches, compression, other origins."""

import gzip
import json

import pytest
from django.db import connections
from django.test import Client

from tests.made_up import PAIRS, RECORDS, ask, pointers, post, problem_of

QUESTION = {"left": ["Orla O'Nevin"], "right": ["Jürgen Weiß-Möller"]}
ORIGIN = "https://front.example"


@pytest.fixture
def client():
    return Client(raise_request_exception=False)


@pytest.mark.parametrize(
    ("changed", "where"),
    [
        ({"left": None}, ["/left"]),
        ({"left": "Orla"}, ["/left"]),
        ({"left": ["a", 1, None, "b", ["c"]]}, ["/left/1", "/left/2", "/left/4"]),
        ({"left": ["a" * 10_000], "right": [True]}, ["/left/0", "/right/0"]),
        ({"year_min": "2010", "year_max": 20.5}, ["/year_max", "/year_min"]),
        ({"year_min": 0, "year_max": 10**30}, ["/year_max", "/year_min"]),
        ({"year_min": True}, ["/year_min"]),
        ({"limit_per_pair": -1, "author_limit": 0}, ["/limit_per_pair", "/author_limit"]),
        ({"limit_per_pair": 201, "author_limit": 801}, ["/limit_per_pair", "/author_limit"]),
        (
            {"exact_base_match": "no", "sparse": 1, "include_editors": None},
            ["/exact_base_match", "/sparse", "/include_editors"],
        ),
        ({"year_min": 2020, "year_max": 2019}, ["/year_min"]),
    ],
)
def test_all_bad_values_are_named_by_pointers_from_the_root(made_up, client, changed, where):
    assert pointers(post(client, QUESTION | changed), 422) == where


def test_a_body_without_the_two_sides(made_up, client):
    assert pointers(post(client, b"{}"), 422) == ["/left", "/right"]


@pytest.mark.parametrize("body", [b"null", b"[]", b"3", b'"left"', b"[[1, 2]]"])
def test_a_body_that_is_no_object(made_up, client, body):
    assert pointers(post(client, body), 422) == [""]


def test_an_empty_body(made_up, client):
    assert pointers(post(client, b""), 422) == [""]


@pytest.mark.parametrize(
    ("changed", "where"),
    [
        ({"left": []}, ["/left"]),
        ({"left": [], "right": []}, ["/left", "/right"]),
        ({"left": ["", " ", "\t\n", "\u00a0", "\0", "\x01\x9f"]}, ["/left"]),
        ({"right": [f"name {n}" for n in range(1001)]}, ["/right"]),
        ({"left": [f"name {n}" for n in range(1001)], "right": [" "]}, ["/left", "/right"]),
        ({"left": [], "year_min": 2020, "year_max": 2019}, ["/left", "/year_min"]),
        ({"left": [], "right": [1], "year_min": 2020, "year_max": 2010}, ["/left", "/right/0", "/year_min"]),
    ],
)
def test_sides_that_are_empty_or_too_long_are_400_and_all_are_named(made_up, client, changed, where):
    assert pointers(post(client, QUESTION | changed), 400) == where


def test_a_thousand_names_after_repeats_and_blanks_are_not_too_many(made_up, client):
    names = [f"name {n}" for n in range(1000)]
    assert post(client, {"left": [*names, *names, ""], "right": ["a"]}).status_code == 200


@pytest.mark.parametrize(
    "body",
    [b"{", b"\xff", b'{"left": ["a"], "right": ["\\ud800"]}', b'{"left": [NaN]}', b"left=a&right=b", b"[" * 100_000],
    ids=["cut off", "not UTF-8", "half a surrogate pair", "NaN", "a form", "too deep"],
)
def test_what_is_not_json_is_400(made_up, client, body):
    assert "JSON" in problem_of(post(client, body), 400)["detail"]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_another_type_of_body_is_415(made_up, client, kind):
    response = client.generic("POST", PAIRS, json.dumps(QUESTION), content_type=kind)
    assert "application/json" in problem_of(response, 415)["detail"]


@pytest.mark.parametrize("kind", ["application/json; charset=utf-8", "Application/JSON", "application/json;charset=x"])
def test_json_may_be_called_so_in_several_ways(made_up, client, kind):
    assert client.generic("POST", PAIRS, json.dumps(QUESTION), content_type=kind).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("get", PAIRS, "POST"),
        ("delete", PAIRS, "POST"),
        ("post", "/api/authors", "GET"),
        ("put", "/api/authors/1", "GET"),
    ],
)
def test_a_method_that_an_address_does_not_know_is_405(made_up, client, method, path, allowed):
    response = getattr(client, method)(path)
    problem_of(response, 405)
    assert allowed in response.headers["Allow"]


@pytest.mark.parametrize(
    ("query", "where"),
    [
        ("", ["/q"]),
        ("q=a&limit=0", ["/limit"]),
        ("q=a&limit=101", ["/limit"]),
        (f"limit=x&cursor={'x' * 101}", ["/q", "/limit", "/cursor"]),
        (f"q={'x' * 501}", ["/q"]),
    ],
)
@pytest.mark.parametrize("path", ["/api/authors", "/api/publications"])
def test_all_bad_values_of_a_query_are_named(made_up, client, path, query, where):
    assert pointers(client.get(f"{path}?{query}"), 422) == where


def test_a_failure_inside_is_a_problem_that_tells_nothing_of_the_inside(made_up, client, monkeypatch, caplog):
    monkeypatch.setattr("bibliography.questions.resolve", lambda *a, **k: 1 / 0)
    body = problem_of(post(client, QUESTION), 500)
    assert "division" not in json.dumps(body)
    assert "division" in caplog.text


# Caches.


@pytest.mark.parametrize(
    "path", ["/api/authors?q=orla", "/api/authors/1", "/api/publications?q=by", "/api/publications/a/self"]
)
def test_who_has_the_answer_is_told_that_it_still_holds(made_up, client, path):
    first = client.get(path)
    tag = first.headers["ETag"]
    again = client.get(path, headers={"if-none-match": f'"other", W/{tag}'})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == tag
    assert again.headers["Cache-Control"] == "no-cache"
    assert client.get(path, headers={"if-none-match": '"other"'}).content == first.content


def test_a_tag_names_the_whole_question(made_up, client):
    questions = [
        QUESTION,
        QUESTION | {"sparse": True},
        QUESTION | {"left": ["Sarvindo"]},
    ]
    tags = {post(client, question).headers["ETag"] for question in questions}
    tags |= {client.get(f"/api/authors?q={q}").headers["ETag"] for q in ("a", "b")}
    tags |= {client.get("/api/publications?q=a").headers["ETag"]}
    assert len(tags) == 6


def test_a_condition_that_fails_on_post_is_412(made_up, client):
    # RFC 9110, 13.1.2: 304 is for GET and HEAD alone.
    tag = post(client, QUESTION).headers["ETag"]
    problem_of(post(client, QUESTION, **{"if-none-match": tag}), 412)
    problem_of(post(client, QUESTION, **{"if-match": '"other"'}), 412)
    assert post(client, QUESTION, **{"if-none-match": '"other"'}).status_code == 200
    assert post(client, QUESTION, **{"if-match": tag}).status_code == 200


def test_errors_have_no_tag(made_up, client):
    for response in (client.get("/api/authors/2000000"), client.get("/api/authors?q=a&cursor=x"), post(client, {})):
        assert "ETag" not in response.headers


def test_a_new_store_ends_the_old_answers(made_up, client, make_dump, build_from):
    path = "/api/authors?q=orla"
    tag, asked = client.get(path).headers["ETag"], post(client, QUESTION).headers["ETag"]
    build_from(make_dump(*RECORDS))
    connections["store"].close()  # As a server does after each request.
    after = client.get(path, headers={"if-none-match": tag})
    assert after.status_code == 200
    assert after.headers["ETag"] != tag
    assert post(client, QUESTION, **{"if-none-match": asked}).status_code == 200


def test_answers_are_compressed_for_who_accepts_it_and_the_tag_goes_with_them(made_up, client):
    path = "/api/publications?q=counting&limit=20"
    plain = client.get(path)
    packed = client.get(path, headers={"accept-encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert "Accept-Encoding" in packed.headers["Vary"]
    known = {"accept-encoding": "gzip", "if-none-match": packed.headers["ETag"]}
    assert client.get(path, headers=known).status_code == 304


# Front ends on other origins.


@pytest.fixture
def origins(settings):
    settings.CORS_ALLOWED_ORIGINS = [ORIGIN]


@pytest.fixture
def failing(monkeypatch):
    monkeypatch.setattr("bibliography.api.search.people_beginning", lambda *a: 1 / 0)


ANSWERS = {
    200: lambda client, **headers: post(client, QUESTION, **headers),
    304: lambda client, **headers: client.get(
        "/api/authors/1", headers=headers | {"if-none-match": client.get("/api/authors/1").headers["ETag"]}
    ),
    400: lambda client, **headers: post(client, {"left": [], "right": []}, **headers),
    404: lambda client, **headers: client.get("/api/nothing", headers=headers),
    405: lambda client, **headers: client.get(PAIRS, headers=headers),
    413: lambda client, **headers: post(client, b" " * 5_000_000, **headers),
    415: lambda client, **headers: client.post(PAIRS, "x", content_type="text/plain", headers=headers),
    422: lambda client, **headers: post(client, {}, **headers),
    500: lambda client, **headers: client.get("/api/authors?q=a", headers=headers),
}


@pytest.mark.parametrize("status", ANSWERS)
def test_a_listed_origin_may_read_answers_and_errors(made_up, client, origins, failing, status):
    response = ANSWERS[status](client, origin=ORIGIN)
    assert response.status_code == status
    assert response.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert {"etag", "retry-after"} <= set(response.headers["Access-Control-Expose-Headers"].lower().split(", "))
    assert "Access-Control-Allow-Credentials" not in response.headers


def test_a_listed_origin_may_read_that_there_is_no_store(data, client, origins):
    response = client.get("/api/authors?q=a", headers={"origin": ORIGIN})
    problem_of(response, 503)
    assert response.headers["Access-Control-Allow-Origin"] == ORIGIN


@pytest.mark.parametrize("status", ANSWERS)
@pytest.mark.parametrize("origin", ["https://other.example", "null", ORIGIN + ".other.example", "http://front.example"])
def test_another_origin_may_read_nothing(made_up, client, origins, failing, status, origin):
    assert "Access-Control-Allow-Origin" not in ANSWERS[status](client, origin=origin).headers


def test_a_listed_origin_is_told_in_advance_what_it_may_send(made_up, client, origins):
    asking = {
        "origin": ORIGIN,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
    }
    response = client.options(PAIRS, headers=asking)
    assert response.status_code == 200
    assert response.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert "POST" in response.headers["Access-Control-Allow-Methods"]
    assert {"content-type", "if-none-match"} <= set(response.headers["Access-Control-Allow-Headers"].split(", "))
    assert "Access-Control-Allow-Origin" not in client.options(PAIRS, headers=asking | {"origin": "null"}).headers


def test_pages_are_not_for_other_origins(made_up, client, origins):
    assert "Access-Control-Allow-Origin" not in client.get("/", headers={"origin": ORIGIN}).headers


def test_an_answer_says_which_store_it_is_from(made_up, client):
    answer = ask(client, **QUESTION)
    assert answer["store"]["release"] is None
    assert answer["store"]["built_at"].endswith("Z")
