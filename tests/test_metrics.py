"""What Prometheus is told: by which processes, of what, and to whom."""

import datetime
import http.client
import json
import os
import re
import signal
from contextlib import closing

import pytest
from django.contrib.auth.models import User
from django.test import Client
from prometheus_client.openmetrics.parser import text_string_to_metric_families as read_openmetrics
from prometheus_client.parser import text_string_to_metric_families as read_text

from bibliography import store
from bibliography.models import StoreInfo
from pipeline.lock import BuildLock
from pipeline.manager import manager_of
from pipeline.models import BuildRun, Status
from pubmeta import control
from tests.console import BEARER, services, until
from tests.made_up import problem_of

COUNT = "pubmeta_request_duration_seconds_count"


def values(text, read=read_text):
    """Give every sample by its name and labels."""
    samples = [sample for family in read(text) for sample in family.samples]
    return {(sample.name, *sorted(sample.labels.items())): sample.value for sample in samples}


def requests(found):
    """Give how many requests were counted, by method, route and status."""
    return {(*(value for _, value in key[1:]),): count for key, count in found.items() if key[0] == COUNT}


@pytest.fixture
def scrape(data):
    """Ask for the metrics of this process as who may."""

    def ask(**headers):
        bearer = {"Authorization": f"Bearer {control.token()}"}
        response = Client().get("/metrics", headers={**bearer, **headers})
        assert response.status_code == 200
        return response

    return ask


@pytest.fixture
def numbers(scrape):
    return lambda: values(scrape().content.decode())


def test_without_a_credential_nothing_is_told(data):
    response = Client().get("/metrics")
    assert "token" in problem_of(response, 401)["detail"]
    assert response["WWW-Authenticate"].startswith("Bearer ")
    problem_of(Client().get("/metrics", headers={"Authorization": "Bearer wrong"}), 403)
    assert Client().post("/metrics", headers={"Authorization": f"Bearer {control.token()}"}).status_code == 405


@pytest.mark.parametrize(("staff", "status"), [(True, 200), (False, 403)])
def test_signed_in_staff_may_look_without_a_csrf_token(data, staff, status):
    user = User.objects.create_user("somebody", is_staff=staff)
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    assert client.get("/metrics").status_code == status
    user.delete()


def test_the_format_is_the_one_that_is_asked_for(served_sample, scrape):
    assert scrape()["Content-Type"].startswith("text/plain; version=0.0.4")
    response = scrape(Accept="application/openmetrics-text;version=1.0.0,text/plain;q=0.5")
    assert response["Content-Type"].startswith("application/openmetrics-text; version=1.0.0")
    assert "no-store" in response["Cache-Control"]
    assert values(response.content.decode(), read_openmetrics)[("pubmeta_store_ready",)] == 1


def test_requests_are_counted_by_route_and_what_is_made_up_is_one(served_sample, numbers):
    before = requests(numbers())
    for path in ("/api/health", "/api/authors/1", "/api/authors/2", "/nothing/1", "/nothing/2", "/api/x/y"):
        Client().get(path)
    Client().generic("MADEUP", "/api/health")
    Client().head("/api/health")
    found = numbers()
    new = {key: count - before.get(key, 0) for key, count in requests(found).items() if count > before.get(key, 0)}
    assert new == {
        ("GET", "/api/health", "200"): 1,
        ("GET", "/api/authors/<int:id>", "200"): 2,
        ("GET", "other", "404"): 3,
        ("other", "/api/health", "405"): 1,
        ("HEAD", "/api/health", "200"): 1,
        ("GET", "/metrics", "200"): 1,
    }
    assert found[("pubmeta_requests_in_progress", ("method", "GET"))] == 1
    assert found[("pubmeta_requests_in_progress", ("method", "HEAD"))] == 0


def test_the_store_is_told_with_its_age(served_sample, numbers, monkeypatch):
    now = datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.UTC)
    monkeypatch.setattr("django.utils.timezone.now", lambda: now)
    info = store.info()
    found = numbers()
    assert found[("pubmeta_store_publications",)] == 1996
    assert found[("pubmeta_store_people",)] == 1411
    assert found[("pubmeta_store_data_age_seconds",)] == 4.5 * 24 * 60 * 60  # The data is of 28 December.
    assert found[("pubmeta_store_age_seconds",)] == pytest.approx((now - info.built_at).total_seconds())
    assert isinstance(info, StoreInfo)


def test_without_a_store_there_is_no_age(data, numbers):
    found = numbers()
    assert found[("pubmeta_store_ready",)] == 0
    assert [key for key in found if "age" in key[0]] == []


def test_the_build_is_told_with_its_state_and_how_far_its_phase_is(data, numbers):
    def state():
        manager_of(data.root).refresh()
        found = numbers()
        states = {key[1][1] for key, value in found.items() if key[0] == "pubmeta_build_state" and value == 1}
        percent = {key[1][1]: value for key, value in found.items() if key[0] == "pubmeta_build_progress_percent"}
        return states, percent

    assert state() == ({"idle"}, {})
    with BuildLock.take(data.lock, "this test"):
        run = BuildRun.objects.create(pid=1, step="build_db", progress={"percent": 42.5})
        assert state() == ({"running"}, {"build_db": 42.5})
    run.finish(Status.ERROR, "it failed")
    assert state() == ({"error"}, {})


def ask(service, path):
    with closing(http.client.HTTPConnection("127.0.0.1", service.port, timeout=20)) as connection:
        connection.request("GET", path, headers={"Connection": "close", **BEARER})
        response = connection.getresponse()
        assert response.status == 200
        return response.read().decode()


def test_several_processes_are_summed_and_one_that_dies_loses_nothing(served_sample, server, tmp_path, monkeypatch):
    directory = tmp_path / "temporary"
    directory.mkdir()
    monkeypatch.setenv("TMPDIR", str(directory))
    asked = 0

    def answered_by():
        nonlocal asked
        asked += 1
        ask(service, "/api/health")
        lines = [json.loads(line) for line in list(service.log)]
        return {line["pid"] for line in lines if line.get("route") == "/api/health"}

    def in_progress():
        return {int(re.search(r"_(\d+)\.db", path.name)[1]) for path in directory.glob("*/gauge_livesum_*.db")}

    with services(served_sample, server.origin, 1, workers=2) as (service,):
        until(lambda: len(answered_by()) == 2, 20)
        dead, alive = answered_by()
        for _ in range(5):  # Whoever answers tells of both.
            assert requests(values(ask(service, "/metrics")))[("GET", "/api/health", "200")] == asked
        assert in_progress() == {dead, alive}
        os.kill(dead, signal.SIGKILL)
        until(lambda: dead not in in_progress(), 20)
        answered_by()
        assert requests(values(ask(service, "/metrics")))[("GET", "/api/health", "200")] == asked
        service.end(signal.SIGTERM)
    assert list(directory.glob("pubmeta-metrics-*")) == []
