"""Headers, cookies and https: as the deployment check asks, on every answer, and told at the start."""

import http.client
import re
import subprocess
import sys
from contextlib import closing, contextmanager

import pytest
from django.test import Client

from pubmeta.control import token_file
from tests.conftest import ROOT, process_environment
from tests.made_up import problem_of
from tests.service import serving

POLICY = {
    "default-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
}
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
NAME = "pubmeta.example.org"
PRODUCTION = {"PUBMETA_HTTPS": "on", "PUBMETA_ALLOWED_HOSTS": NAME}


def policy_of(response):
    return set(response.headers["Content-Security-Policy"].split("; "))


def header_faults(response):
    return {name for name, value in HEADERS.items() if response.headers[name] != value}


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 200),
        ("/sign-in", 200),
        ("/admin/", 302),
        ("/nowhere", 404),
        ("/sign-out", 405),
        ("/static/css/base.css", 200),
        ("/api/health", 200),
        ("/api", 404),
        ("/api/nowhere", 404),
        ("/api/authors?limit=many", 422),
        ("/api/openapi.json", 200),
    ],
)
@pytest.mark.parametrize("host", ["localhost", "evil.example"])
def test_every_answer_has_the_headers(served_sample, path, status, host):
    response = Client().get(path, headers={"host": host})
    response.close()
    assert response.status_code == (400 if host != "localhost" and "static" not in path else status)
    assert header_faults(response) == set()
    assert policy_of(response) >= POLICY


def test_a_failure_of_the_server_and_a_preflight_have_them_too(served_sample, monkeypatch, settings):
    settings.CORS_ALLOWED_ORIGINS = ["https://front.example"]
    asked = {"origin": "https://front.example", "access-control-request-method": "POST"}
    preflight = Client().options("/api/start", headers=asked)
    assert preflight.headers["Access-Control-Allow-Origin"] == "https://front.example"
    monkeypatch.setattr("bibliography.store.info", lambda: 1 / 0)
    failed = Client(raise_request_exception=False).get("/")
    assert (preflight.status_code, failed.status_code) == (200, 500)
    for response in (preflight, failed):
        assert header_faults(response) == set()
        assert policy_of(response) == POLICY


def test_errors_are_pages_that_say_what_to_do(served_sample, monkeypatch):
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    missing = client.get("/nowhere", headers={"accept-language": "zh-hans"})
    refused = client.post("/sign-in", {"username": "staff", "password": "x"})
    monkeypatch.setattr("bibliography.store.info", lambda: 1 / 0)
    failed = client.get("/")
    for response, status, said in (
        (missing, 404, "没有这个页面"),
        (refused, 403, "Go back, reload the page"),
        (failed, 500, "Its log says why"),
    ):
        assert response.status_code == status
        assert said in response.content.decode()


def test_only_the_page_of_the_description_may_show_images_that_are_in_its_style_sheet(served_sample):
    assert policy_of(Client().get("/api/docs")) == {*POLICY, "img-src 'self' data:"}
    assert policy_of(Client().get("/")) == POLICY


@pytest.mark.parametrize("path", ["/", "/sign-in", "/api/docs", "/admin/login/"])
def test_no_page_has_a_script_or_a_style_in_itself(served_sample, path):
    page = Client().get(path, follow=True).content.decode()
    assert "<style" not in page
    assert "style=" not in page
    assert not re.search(r"<[^>]*\son\w+=", page)
    for script in page.split("<script")[1:]:
        assert "src=" in script.partition(">")[0] or 'type="application/json"' in script.partition(">")[0]


@pytest.mark.parametrize("path", ["/api/health", "/api", "/"])
def test_a_name_that_is_not_allowed_says_which_setting_allows_it(served_sample, path):
    response = Client().get(path, headers={"host": "evil.example"})
    if path == "/":
        assert response.status_code == 400
        assert "PUBMETA_ALLOWED_HOSTS" in response.content.decode()
    else:
        assert "PUBMETA_ALLOWED_HOSTS" in problem_of(response, 400)["detail"]


def test_a_page_that_only_begins_like_the_api_is_a_page(data):
    assert Client().get("/apis").headers["Content-Type"].startswith("text/html")


def ask(port, path, method="GET", **headers):
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request(method, path, headers={"Host": NAME, "Connection": "close", **headers})
        response = connection.getresponse()
        response.body = response.read()
        return response


def test_behind_a_proxy_that_speaks_tls(served_sample, manage):
    assert manage("collectstatic", "--noinput").wait(timeout=60) == 0
    # Where the proxy is on another machine gunicorn says nothing of https by itself.
    variables = PRODUCTION | {"FORWARDED_ALLOW_IPS": "192.0.2.1"}
    with serving(served_sample, "env", *(f"{name}={value}" for name, value in variables.items())) as port:
        by_proxy = {"X-Forwarded-Proto": "https"}
        plain, safe = ask(port, "/sign-in?next=/"), ask(port, "/sign-in", **by_proxy)
        assert (plain.status, plain.headers["Location"]) == (301, f"https://{NAME}/sign-in?next=/")
        assert header_faults(plain) == set()
        assert "Strict-Transport-Security" not in plain.headers
        assert safe.status == 200
        assert safe.headers["Strict-Transport-Security"] == "max-age=31536000"
        attributes = {part.strip().partition("=")[0] for part in safe.headers["Set-Cookie"].split(";")}
        assert {"csrftoken", "HttpOnly", "Secure", "SameSite"} <= attributes
        assert ask(port, "/api/health", Host="localhost").status == 200  # As what watches it asks, on the machine.
        assert ask(port, "/api/health/x", Host="localhost").status == 301
        strange = ask(port, "/api/state", Host="evil.example")
        assert strange.status == 400
        assert b"PUBMETA_ALLOWED_HOSTS" in strange.body
        assert header_faults(strange) == set()


def check(data, **variables):
    command = [sys.executable, str(ROOT / "manage.py"), "check", "--deploy", "--fail-level", "WARNING"]
    environment = process_environment(data, **variables)
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def test_the_deployment_check_is_clean_in_production(data):
    process = check(data, **PRODUCTION)
    assert process.returncode == 0, process.stderr
    assert "System check identified no issues" in process.stdout + process.stderr


@pytest.mark.parametrize(
    ("without", "ours"),
    [
        ({"PUBMETA_HTTPS": "off"}, "pubmeta.W001"),
        ({"PUBMETA_ALLOWED_HOSTS": ""}, "pubmeta.W002"),
        ({"PUBMETA_CONTROL_AUTH": "open"}, "pubmeta.W003"),
    ],
)
def test_the_deployment_check_names_what_is_not_for_a_network(data, without, ours):
    process = check(data, **PRODUCTION | without)
    assert process.returncode == 1
    assert f"({ours})" in process.stderr
    assert "HINT:" in process.stderr


@contextmanager
def starting(data, *prefix, **variables):
    """Start the server; gives what it says until it has started."""
    process = subprocess.Popen(
        [*prefix, sys.executable, "-m", "gunicorn"],
        cwd=ROOT,
        env=process_environment(data, PUBMETA_BIND="127.0.0.1:0", **variables),
        stderr=subprocess.PIPE,
        text=True,
    )
    lines = []
    for line in process.stderr:
        lines.append(line)
        if "Booting worker" in line:
            break
    yield "".join(lines)
    process.terminate()
    process.communicate(timeout=20)


def test_the_start_tells_where_the_token_is_and_not_what_it_is(data):
    with starting(data) as said:
        secret = token_file().read_text()
        assert str(token_file()) in said
        assert secret not in said
    with starting(data, PUBMETA_CONTROL_TOKEN="sixteen-or-more-letters") as said:
        assert "PUBMETA_CONTROL_TOKEN" in said
        assert "sixteen" not in said


def test_every_start_warns_of_a_control_that_is_open_to_all(data):
    for _ in range(2):
        with starting(data, PUBMETA_CONTROL_AUTH="open") as said:
            assert "PUBMETA_CONTROL_AUTH=open: anybody" in said
    assert not token_file().exists()


def test_where_no_token_can_be_kept_the_service_says_so_and_serves(served_sample, bound):
    manage = [sys.executable, str(ROOT / "manage.py"), "check"]
    subprocess.run(manage, env=process_environment(served_sample), check=True, capture_output=True)
    served_sample.root.chmod(0o555)
    try:
        with starting(served_sample, *bound) as said:
            assert "There is no control token, so none lets anybody control builds: the secret can neither" in said
        with serving(served_sample, *bound) as port:
            assert ask(port, "/api/health", Host="localhost").status == 200
            wrong = {"Host": "localhost", "Authorization": "Bearer guessed"}
            assert ask(port, "/api/config", **wrong).status == 200
            assert ask(port, "/api/start", "POST", **wrong).status == 403
    finally:
        served_sample.root.chmod(0o755)
