"""Health, stats, the shape of errors, the description of the API and the page, as front ends rely on them."""

import json
import sqlite3
from contextlib import closing

import pytest
from django.test import Client, override_settings

from bibliography import store
from pubmeta.environment import Environment
from tests.made_up import problem_of


@pytest.fixture
def client():
    return Client(raise_request_exception=False)


def test_health_is_ok_with_a_store(served_sample, client):
    response = client.get("/api/health")
    assert response.status_code == 200
    assert response.json()["status"] == "ok"


def test_health_without_a_store_is_503_and_says_when_to_ask_again(data, client):
    response = client.get("/api/health")
    assert "rebuild_store" in problem_of(response, 503)["detail"]
    assert int(response.headers["Retry-After"]) > 0


def test_stats_have_the_fields_of_the_contract(served_sample, client):
    body = client.get("/api/stats").json()
    assert body["publications"] == 1996
    assert body["authors"] == 1411
    assert body["data_source"] == "DBLP"
    assert body["data_date"] == "2025-12-28"
    assert body["release"] is None
    assert body["built_at"].endswith("Z")
    assert sum(body["by_type"].values()) == body["publications"]


def test_stats_without_a_store_is_503(data, client):
    problem_of(client.get("/api/stats"), 503)


def test_stats_never_tell_where_a_local_dump_lies(served_sample, client):
    assert "/" not in client.get("/api/stats").json()["source_url"]


def test_the_operator_may_say_of_which_day_the_data_is(served_sample, client, monkeypatch):
    monkeypatch.setenv("PUBMETA_DATA_DATE", "2026-10-03")
    with override_settings(ENVIRONMENT=Environment.load()):
        assert client.get("/api/stats").json()["data_date"] == "2026-10-03"


def test_stats_are_read_from_the_notes_of_the_store(served_sample, client, django_assert_num_queries):
    client.get("/api/stats")
    with django_assert_num_queries(1, using="store"):  # Which file it is: what is in it is known.
        client.get("/api/stats")


@pytest.mark.parametrize(
    "damage", ["DROP TABLE title_fts", "DROP INDEX pub_authors_author", "ALTER TABLE authors DROP orcid"]
)
def test_a_store_that_lacks_anything_of_the_schema_is_not_ready(served_sample, client, damage):
    path = served_sample.link.resolve()
    with closing(sqlite3.connect(path)) as connection:
        if "orcid" in damage:
            connection.execute("DROP INDEX authors_orcid")
        connection.execute(damage)
    store._info.cache_clear()
    assert "lacks" in problem_of(client.get("/api/health"), 503)["detail"]


def test_a_store_that_was_never_finished_is_not_ready(served_sample, client):
    with closing(sqlite3.connect(served_sample.link.resolve())) as connection:
        connection.execute("UPDATE store_info SET completed = 0")
        connection.commit()
    assert "never finished" in problem_of(client.get("/api/health"), 503)["detail"]


def test_a_file_that_is_no_database_is_not_ready(data, client):
    data.stores.mkdir()
    path = data.stores / "dblp-x.sqlite"
    path.write_bytes(b"not a database" * 1000)
    data.link.symlink_to(path)
    problem_of(client.get("/api/health"), 503)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("get", "/api/nothing", 404),
        ("get", "/api/health/", 404),  # Paths have no trailing slash and do not redirect.
        ("get", "/api/", 404),
        ("post", "/api/health", 405),
        ("delete", "/api/stats", 405),
        ("put", "/api/nothing", 404),
    ],
)
def test_errors_of_the_framework_have_the_shape_too(served_sample, client, method, path, status):
    response = getattr(client, method)(path)
    problem_of(response, status)
    if status == 405:
        assert response.headers["Allow"]


def test_an_untrusted_host_header_is_a_problem(served_sample, client):
    problem_of(client.get("/api/health", headers={"host": "evil.example"}), 400)


def test_a_failure_of_the_server_is_a_problem_without_its_inside(served_sample, client, monkeypatch, caplog):
    def broken():
        raise RuntimeError("a secret of the inside")

    monkeypatch.setattr(store, "info", broken)
    body = problem_of(client.get("/api/health"), 500)
    assert "secret" not in json.dumps(body)
    assert "a secret of the inside" in caplog.text


def test_the_description_is_openapi_and_names_every_path(client):
    described = client.get("/api/openapi.json").json()
    assert described["openapi"].startswith("3.")
    assert {"/api/health", "/api/stats"} <= described["paths"].keys()
    assert "503" in described["paths"]["/api/health"]["get"]["responses"]


def test_the_page_of_the_description_loads_nothing_from_elsewhere(client):
    page = client.get("/api/docs").content.decode()
    assert "swagger" in page
    assert "http://" not in page
    assert "https://" not in page.replace("https://json", "")


@pytest.mark.parametrize("path", ["/", "/bootstrap"])
def test_the_page_shows_the_numbers(served_sample, client, path):
    response = client.get(path)
    assert response.status_code == 200
    assert "1,996" in response.content.decode()
    assert "Dec. 28, 2025" in response.content.decode()


@pytest.mark.parametrize("path", ["/", "/bootstrap"])
def test_the_page_without_a_store_says_what_to_do(data, client, path):
    response = client.get(path)
    assert response.status_code == 200
    assert "rebuild_store" in response.content.decode()


def test_a_damaged_store_shows_on_the_page_instead_of_an_error(data, client):
    data.stores.mkdir()
    path = data.stores / "dblp-x.sqlite"
    path.write_bytes(b"")
    data.link.symlink_to(path)
    assert "lacks" in client.get("/").content.decode()


@pytest.mark.parametrize("path", ["/api/health", "/api/stats", "/", "/api/nowhere"])
def test_head_is_get_without_the_body(served_sample, client, path):
    got, head = client.get(path), client.head(path)
    assert (head.status_code, head.content) == (got.status_code, b"")
    assert head["Content-Length"] == str(len(got.content))
