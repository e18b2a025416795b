"""Who may control builds: every route and method, with everything but the right credential, does nothing."""

import itertools
import json
import logging
from types import SimpleNamespace

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import get_resolver

from pipeline.lock import BuildLock
from pipeline.manager import manager_of
from pipeline.models import BuildRun, Status
from pubmeta import control, throttle
from pubmeta.throttle import Throttle

CONTROL = ("/api/start", "/api/stop", "/api/reset")
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
ELSEWHERE = "https://elsewhere.example"


@pytest.fixture(autouse=True)
def fresh_throttle(monkeypatch):
    monkeypatch.setattr(control, "_tokens", Throttle())
    monkeypatch.setattr(control, "_passwords", Throttle())


@pytest.fixture
def account(data):
    """Make an account and sign it in; all are removed after the test."""
    made = []

    def make(name="somebody", **rights):
        made.append(User.objects.create_user(name, password="a good password", **rights))
        client = Client(enforce_csrf_checks=True)
        client.force_login(made[-1])
        return client

    yield make
    for user in made:
        user.delete()


@pytest.fixture
def bearer(data):
    return {"Authorization": f"Bearer {control.token()}"}


def routes(patterns=None, prefix="/"):
    """Give every address that the service has, with something in the place of parameters."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        path = prefix + str(pattern.pattern)
        if hasattr(pattern, "url_patterns"):
            yield from routes(pattern.url_patterns, path)
        else:
            yield path.replace("<int:id>", "1").replace("<path:key>", "a/b").split("<")[0].strip("^$")


def nobody(account):
    return Client(enforce_csrf_checks=True), {}


def wrong_token(account):
    return Client(enforce_csrf_checks=True), {"Authorization": "Bearer wrong"}


def token_in_the_wrong_place(account):
    return Client(enforce_csrf_checks=True), {"X-Token": control.token(), "Cookie": f"token={control.token()}"}


def other_scheme(account):
    return Client(enforce_csrf_checks=True), {"Authorization": f"Basic {control.token()}"}


def staff_without_csrf_token(account):
    return account(is_staff=True), {}


def staff_with_wrong_csrf_token(account):
    return account(is_staff=True), {"X-CSRFToken": "a" * 64, "Cookie-Extra": "1"}


def staff_on_another_site(account):
    client = account(is_staff=True)
    return client, {**csrf(client), "Origin": ELSEWHERE}


def not_staff(account):
    client = account()
    return client, csrf(client)


def inactive_staff(account):
    client = account(is_staff=True)
    headers = csrf(client)
    User.objects.filter(username="somebody").update(is_active=False)
    return client, headers


def csrf(client):
    """Give the header that a page of ours sends along."""
    client.cookies["csrftoken"] = "c" * 32
    return {"X-CSRFToken": "c" * 32}


STATUS = {
    nobody: 401,
    token_in_the_wrong_place: 401,
    inactive_staff: 401,
    wrong_token: 403,
    other_scheme: 401,
    staff_without_csrf_token: 403,
    staff_with_wrong_csrf_token: 403,
    staff_on_another_site: 403,
    not_staff: 403,
}


@pytest.mark.parametrize("visitor", STATUS)
@pytest.mark.parametrize("running", [True, False])
def test_who_may_not_control_changes_nothing_by_any_route_or_method(data, account, visitor, running):
    run = BuildRun.objects.create(pid=1, status=Status.RUNNING if running else Status.STOPPED)
    client, headers = visitor(account)
    lock = BuildLock.take(data.lock) if running else None
    before = BuildRun.objects.values().get()
    try:
        for path, method in itertools.product(sorted({*routes(), *CONTROL}), METHODS):
            control._tokens = Throttle()  # Otherwise all but the first would be refused for being too many.
            response = client.generic(method, path, "{}", "application/json", headers=headers)
            if path in CONTROL:
                assert response.status_code == (STATUS[visitor] if method == "POST" else 405), (method, path)
        assert BuildRun.objects.values().get() == before
        assert manager_of(data.root).refresh().run == run.pk
    finally:
        if lock is not None:
            lock.close()


def test_what_is_refused_says_so_as_a_problem(data, bearer):
    response = Client().post("/api/start")
    assert response.status_code == 401
    assert response["WWW-Authenticate"].startswith("Bearer ")
    assert response["Content-Type"] == "application/problem+json"
    assert isinstance(response.json()["detail"], str)


def test_the_bearer_of_the_token_may_whatever_the_case_of_the_scheme(data):
    for header in (f"Bearer {control.token()}", f"bearer {control.token()}", f"BEARER  {control.token()}  "):
        assert Client().post("/api/stop", headers={"Authorization": header}).status_code == 200


def test_signed_in_staff_with_the_csrf_token_may(data, account):
    client = account(is_staff=True)
    assert client.post("/api/stop", headers=csrf(client)).status_code == 200
    assert client.post("/api/stop", headers={**csrf(client), "Origin": "http://testserver"}).status_code == 200


def test_a_front_end_on_a_listed_origin_may_with_the_token(data, settings, bearer):
    settings.CORS_ALLOWED_ORIGINS = ["https://front.example"]
    assert Client().post("/api/stop", headers={**bearer, "Origin": "https://front.example"}).status_code == 200
    assert Client().post("/api/stop", headers={**bearer, "Origin": ELSEWHERE}).status_code == 403
    assert Client().post("/api/stop", headers={**bearer, "Origin": "null"}).status_code == 403


def test_open_to_anybody_but_not_to_pages_of_other_sites(data, settings, monkeypatch):
    monkeypatch.setattr(settings.ENVIRONMENT, "control_auth", "open")
    assert Client().post("/api/stop").status_code == 200
    assert Client().post("/api/stop", headers={"Origin": ELSEWHERE}).status_code == 403
    assert Client().get("/api/config").json()["may_control"] is True


def test_the_token_is_made_once_and_for_its_owner_only(data):
    token = control.token()
    assert len(token) > 40
    assert control.token() == token
    assert control.token_file().stat().st_mode & 0o777 == 0o600
    control.token_file().unlink()
    assert control.token() != token


def test_who_guesses_has_to_wait_and_the_log_does_not_repeat_the_guess(data, bearer, caplog, monkeypatch):
    monkeypatch.setattr(throttle, "time", SimpleNamespace(monotonic=lambda: 1.0))  # However slow this machine is.
    with caplog.at_level(logging.WARNING, "pubmeta"):
        answers = [post_from("192.0.2.1", "a-wrong-guess") for _ in range(10)]
    assert [answer.status_code for answer in answers] == [403] * 6 + [429] * 4
    assert 1 <= int(answers[-1]["Retry-After"]) <= 2
    assert caplog.text.count("192.0.2.1") == 6
    assert "a-wrong-guess" not in caplog.text
    assert post_from("192.0.2.1", control.token()).status_code == 429  # Or guessing would go on meanwhile.
    assert post_from("192.0.2.2", control.token()).status_code == 200
    assert not control._passwords.wait("192.0.2.1")  # Staff behind the same address may sign in.
    assert post_from("127.0.0.1", "x", forwarded="198.51.100.7, 192.0.2.1").status_code == 429
    assert post_from("127.0.0.1", control.token(), forwarded="192.0.2.1, 192.0.2.9").status_code == 200


def test_a_right_token_forgives_what_was_mistyped(data):
    for _ in range(4):
        assert [post_from("192.0.2.1", "wrong").status_code for _ in range(4)] == [403] * 4
        assert post_from("192.0.2.1", control.token()).status_code == 200


def test_who_guesses_passwords_has_to_wait_too(data, account, caplog):
    account("chair", is_staff=True)
    sign_in = {"username": "chair", "password": "wrong", "next": "/admin/"}
    for _ in range(6):
        Client().post("/admin/login/", sign_in, REMOTE_ADDR="192.0.2.1")
    right = {**sign_in, "password": "a good password"}
    assert not signed_in(Client(), right, "192.0.2.1")
    assert signed_in(Client(), right, "192.0.2.2")
    assert "wrong" not in caplog.text


def signed_in(client, sign_in, address):
    client.post("/admin/login/", sign_in, REMOTE_ADDR=address)
    return "_auth_user_id" in client.session


def post_from(address, token, forwarded=None):
    headers = {"Authorization": f"Bearer {token}"} | ({"X-Forwarded-For": forwarded} if forwarded else {})
    return Client().post("/api/stop", headers=headers, REMOTE_ADDR=address)


def test_where_things_are_is_told_to_those_who_may_control(data, bearer):
    secret = str(data.root)
    options = {"file": f"{secret}/dump.xml", "xml_gz_url": "latest"}
    said = f"{secret}/staging: No space left on device, /home/chair/dump.xml.gz is from https://dblp.org/x/y.xml"
    BuildRun.objects.create(pid=1, status=Status.ERROR, message=said, log=[said], log_length=1, options=options)
    for path in ("config", "state", "files", "runs"):
        assert secret in Client().get(f"/api/{path}", headers=bearer).content.decode()
        assert secret not in Client().get(f"/api/{path}").content.decode()
    state = Client().get("/api/state").json()
    assert state["message"] == "staging: No space left on device, dump.xml.gz is from https://dblp.org/x/y.xml"
    assert state["options"] == {"xml_gz_url": "latest"}
    files = json.loads(Client().get("/api/files").content)
    assert (files["data_dir"], files["files"]["db"]["path"]) == (".", "dblp.sqlite")


def test_credentials_for_a_proxy_do_not_stand_in_the_way_of_a_session(data, account):
    client = account(is_staff=True)
    for _ in range(8):
        assert client.post("/api/stop", headers={**csrf(client), "Authorization": "Basic eDp5"}).status_code == 200


@pytest.mark.parametrize("origin", ["http://[", "null", "", "testserver", "http://testserver.elsewhere.example"])
def test_what_is_no_origin_of_ours_is_refused(data, bearer, origin):
    assert Client().post("/api/stop", headers={**bearer, "Origin": origin}).status_code == 403


def test_who_fails_for_days_waits_no_longer_than_the_longest():
    throttle = Throttle()
    for _ in range(1_100):
        throttle.failed("192.0.2.1")
    assert 200 < throttle.wait("192.0.2.1") <= 300
