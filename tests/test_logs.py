"""The log: lines of JSON, one a request, why requests failed, and nothing of what anybody asked."""

import http.client
import io
import json
import logging
import re
import socket
import sqlite3
import sys
from contextlib import closing

import pytest
from django.test import Client

from bibliography import store
from pubmeta import logs
from tests.made_up import PAIRS
from tests.service import serving

ASKED = "Zephyrine Quillmärsh"
QUOTED = "Zephyrine%20Quillm%C3%A4rsh"
SECRETS = ("zephyrine", "quillm")
JSON = {"Content-Type": "application/json"}
OF_ALL = {"timestamp", "level", "logger", "pid", "message"}
OF_A_REQUEST = OF_ALL | {"request_id", "method", "path", "route", "status", "duration_ms", "bytes"}
QUESTIONS = [
    # Method, path, headers, body; the status and the route that the line is to have.
    ("GET", "/", {}, None, 500, "/"),
    ("GET", f"/?q={QUOTED}", {}, None, 500, "/"),
    ("GET", "/api/health", {"Cookie": "sessionid=Zephyrine"}, None, 200, "/api/health"),
    ("GET", f"/api/authors?q={QUOTED}", {}, None, 200, "/api/authors"),
    ("GET", f"/api/authors?q=a&limit={QUOTED}&cursor={QUOTED}", {}, None, 422, "/api/authors"),
    ("GET", f"/api/authors?q=a&cursor={QUOTED}", {}, None, 400, "/api/authors"),
    ("GET", f"/api/authors/{QUOTED}", {}, None, 404, "other"),
    ("GET", f"/api/people/by-name/{QUOTED}", {}, None, 404, "other"),
    ("GET", f"/api/publications?q={QUOTED}", {}, None, 200, "/api/publications"),
    ("GET", "/api/publications/a/b", {}, None, 404, "/api/publications/<path:key>"),
    ("POST", f"/api/publications?q={QUOTED}", {}, None, 405, "/api/publications"),
    ("GET", f"/api/health?q={QUOTED}", {"Host": "evil.example"}, None, 400, "other"),
    ("GET", f"/admin/login/?next={QUOTED}", {}, None, 500, "/admin/login/"),
    ("POST", PAIRS, JSON, json.dumps({"left": [ASKED], "right": ["A"]}), 200, PAIRS),
    ("POST", PAIRS, JSON, json.dumps({"left": ASKED, "right": {ASKED: 1}}), 422, PAIRS),
    ("POST", PAIRS, JSON, '{"left": ["Zephyrine', 400, PAIRS),
    ("POST", PAIRS, {"Content-Type": "text/zephyrine"}, "Zephyrine", 415, PAIRS),
    ("POST", "/api/start", JSON | {"Authorization": "Bearer Zephyrine"}, "{}", 403, "/api/start"),
]


def send(port, method, path, headers, body):
    """Give the status of the answer."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request(method, path, body, {"Connection": "close", **headers})
        response = connection.getresponse()
        response.read()
        return response.status


def send_what_is_no_request(port):
    with closing(socket.create_connection(("127.0.0.1", port), timeout=10)) as connection:
        connection.sendall(f"GET /api/authors?q={ASKED} HTTP/1.1\r\n\r\n".encode())
        assert b" 400 " in connection.recv(1000)


def damage(data):
    """Make searches for people fail in a store that looks whole."""
    with closing(sqlite3.connect(data.link.resolve())) as connection:
        connection.execute("DELETE FROM author_fts_data")
        connection.commit()


def test_the_log_of_the_server_tells_of_every_request_and_of_nothing_asked(served_sample):
    log = []
    with serving(served_sample, log=log) as port:
        for method, path, headers, body, status, _ in QUESTIONS:
            assert send(port, method, path, headers, body) == status, path
        send_what_is_no_request(port)
        damage(served_sample)
        assert send(port, "GET", f"/api/authors?q={QUOTED}", {}, None) == 500
        question = {"left": [ASKED], "right": ["A"], "exact_base_match": False}
        assert send(port, "POST", PAIRS, JSON, json.dumps(question)) == 500
    lines = [json.loads(line) for line in log]
    assert all(line.keys() >= OF_ALL for line in lines)
    text = "".join(log).lower()
    assert [word for word in SECRETS if word in text] == []

    requests = [line for line in lines if line["logger"] == "pubmeta.observe"]
    assert all(line.keys() == OF_A_REQUEST for line in requests)
    told = [(line["method"], line["status"], line["route"]) for line in requests]
    expected = [(method, status, route) for method, _, _, _, status, route in QUESTIONS]
    assert told == [*expected, ("GET", 500, "/api/authors"), ("POST", 500, PAIRS)]
    paths = [line["path"] for line in requests]
    assert paths[6:10] == ["/api/authors/…", "/api/people/…", "/api/publications", "/api/publications/<path:key>"]
    assert {line["bytes"] > 0 for line in requests} == {True}
    assert "Invalid request from ip=127.0.0.1: InvalidHTTPVersion" in [line["message"] for line in lines]

    failures = {line["request_id"]: line["traceback"] for line in lines if "traceback" in line}
    assert failures.keys() == {line["request_id"] for line in requests if line["status"] == 500}
    page, *_, search, pairs = failures.values()
    assert "ValueError: Missing staticfiles manifest entry" in page
    assert "sqlite3.DatabaseError (SQLITE_CORRUPT" in search
    assert "sqlite3.DatabaseError (SQLITE_CORRUPT" in pairs


@pytest.fixture
def lines():
    """Give a function that reads the lines that this process has logged, as the service would write them."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logs.JsonLines())
    handler.addFilter(logs.Discretion())
    logging.getLogger().addHandler(handler)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    logging.getLogger().removeHandler(handler)


class Broken:
    """A middleware with a fault."""

    def __init__(self, get_response):
        pass

    def __call__(self, request):
        try:
            raise LookupError(f"where is {ASKED}?")
        except LookupError as error:
            raise RuntimeError(f"cannot answer {request.GET.get('q')}") from error


@pytest.mark.parametrize("path", ["/", "/api/health"])
def test_an_error_in_a_middleware_is_logged_without_what_was_asked(data, lines, settings, path):
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, f"{__name__}.Broken"]
    response = Client(raise_request_exception=False).get(path, {"q": ASKED})
    assert response.status_code == 500
    failure, request = lines()
    assert failure["message"] == "the request failed"
    assert failure["request_id"] == request["request_id"] == response["X-Request-ID"]
    assert failure["traceback"].endswith("\nbuiltins.RuntimeError")
    assert "\nbuiltins.LookupError\n\nwhich led to\n" in failure["traceback"]
    assert "Zephyrine" not in json.dumps([failure, request])


@pytest.mark.parametrize(("query", "told"), [({}, True), ({"q": ASKED}, False)])
def test_an_error_in_an_endpoint_has_its_message_where_nothing_was_asked(data, lines, monkeypatch, query, told):
    said = f"the disk of {ASKED} is gone"  # Not below: a traceback shows the lines of the program.

    def broken():
        raise OSError(said)

    monkeypatch.setattr(store, "info", broken)
    Client(raise_request_exception=False).get("/api/health", query)
    failure, request = lines()
    assert (failure["message"], request["status"]) == ("GET /api/health failed", 500)
    assert (said in failure["traceback"]) is told
    assert "OSError" in failure["traceback"]


def test_what_gunicorn_says_of_a_request_that_it_cannot_handle(lines):
    logging.getLogger("gunicorn.error").error("Error handling request %s %s", "GET", f"/?q={ASKED}")
    assert [line["message"] for line in lines()] == ["Error handling request"]


def test_the_server_for_development_writes_no_lines_of_its_own(lines, capfd):
    logging.getLogger("django.server").error('"%s" 500', f"GET /?q={ASKED}")
    assert (lines(), capfd.readouterr()) == ([], ("", ""))


def test_a_path_cannot_forge_a_line(data, lines):
    Client().get("/api/a%1Bb")
    (request,) = lines()
    assert request["path"] == "/api/a%1Bb"


@pytest.mark.parametrize("path", ["/api/publications/Jane Roe", "/api/authors/7", "/admin/bibliography/author/7/"])
def test_of_a_path_that_names_somebody_only_the_pattern_is_told(served_sample, lines, path):
    Client().get(path)
    request = lines()[-1]
    assert request["path"] == request["route"]
    assert not {"Jane", "7"} & set(re.split(r"\W", request["path"]))


def test_a_name_of_a_file_that_is_no_text_can_be_told():
    record = logging.LogRecord("pubmeta", logging.WARNING, "", 0, "no such file: %s", ("a\udcff",), None)
    assert json.loads(logs.JsonLines().format(record))["message"] == "no such file: a\udcff"


def test_on_a_terminal_the_lines_are_for_people(monkeypatch):
    assert logs.configuration()["formatters"]["lines"] == {"()": "pubmeta.logs.JsonLines"}
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert logs.configuration()["formatters"]["lines"] == {"()": "pubmeta.logs.PlainLines"}
    record = logging.LogRecord("pubmeta.observe", logging.INFO, "", 0, "GET / %s", (200,), None)
    record.created = 0.0
    assert logs.PlainLines().format(record).endswith(" INFO pubmeta.observe: GET / 200")
