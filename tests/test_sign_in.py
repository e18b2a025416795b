"""Signing in to the pages: who, where to, how often one may try."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from pubmeta import control
from pubmeta.throttle import Throttle

PASSWORD = "of the tests"


@pytest.fixture
def staff(data):
    User.objects.filter(username="staff").delete()
    return User.objects.create_user("staff", password=PASSWORD, is_staff=True)


@pytest.fixture(autouse=True)
def _nobody_has_failed(monkeypatch):
    monkeypatch.setattr(control, "_passwords", Throttle())


def sign_in(client, password=PASSWORD, **more):
    return client.post("/sign-in", {"username": "staff", "password": password, **more})


def test_signing_in_leads_to_the_page_which_says_who_it_is_and_lets_sign_out(staff):
    client = Client(enforce_csrf_checks=True)
    assert 'href="/sign-in?next=/bootstrap"' in client.get("/bootstrap").content.decode()
    token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', client.get("/sign-in").content.decode())[1]
    assert sign_in(client, csrfmiddlewaretoken=token).headers["Location"] == "/bootstrap"
    page = client.get("/bootstrap").content.decode()
    assert "Signed in as staff" in page
    assert '<p class="account">' not in page
    token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', page)[1]
    assert client.post("/sign-out", {"csrfmiddlewaretoken": token}).headers["Location"] == "/bootstrap"
    assert "Signed in" not in client.get("/bootstrap").content.decode()


def test_nobody_is_signed_in_or_out_by_a_page_of_another_site(staff):
    client = Client(enforce_csrf_checks=True)
    assert sign_in(client).status_code == 403
    client.force_login(staff)
    assert client.post("/sign-out").status_code == 403
    assert client.get("/sign-out").status_code == 405
    assert "Signed in as staff" in client.get("/bootstrap").content.decode()


def test_a_wrong_password_is_said_so(staff):
    response = sign_in(Client(), "wrong")
    assert response.status_code == 200
    assert "correct username and password" in response.content.decode()


@pytest.mark.parametrize(
    ("asked", "location"),
    [
        ("/admin/pipeline/buildrun/", "/admin/pipeline/buildrun/"),
        ("https://evil.example/", "/bootstrap"),
        ("//evil.example/", "/bootstrap"),
        ("javascript:alert(1)", "/bootstrap"),
    ],
)
def test_signing_in_leads_back_but_never_to_another_site(staff, asked, location):
    client = Client()
    shown = client.get("/sign-in", {"next": asked}).content.decode()
    assert f'name="next" value="{asked if asked == location else ""}"' in shown
    assert sign_in(client, next=asked).headers["Location"] == location


def test_the_admin_signs_in_at_the_same_page(staff):
    client = Client()
    response = client.get("/admin/pipeline/buildrun/", follow=True)
    assert 'name="next" value="/admin/pipeline/buildrun/"' in response.content.decode()
    assert 'action="/sign-in"' in response.content.decode()
    assert sign_in(client, next="/admin/").headers["Location"] == "/admin/"
    assert client.get("/admin/").status_code == 200


def test_who_is_not_staff_is_told_so_where_staff_is_wanted(staff):
    User.objects.filter(username="staff").update(is_staff=False)
    client = Client()
    client.force_login(staff)
    response = client.get("/admin/", follow=True)
    assert response.status_code == 200
    assert "You have signed in as staff, who is not staff" in response.content.decode()


def test_who_has_failed_often_is_told_how_long_to_wait_even_with_the_right_password(staff):
    client = Client(REMOTE_ADDR="192.0.2.9")
    for _ in range(6):
        assert sign_in(client, "wrong").status_code == 200
    for _ in range(6):  # Meanwhile, programs of the same address.
        control._passwords.failed("192.0.2.9")
    response = sign_in(client)
    seconds = int(response.headers["Retry-After"])
    assert response.status_code == 429
    assert 60 <= seconds <= 64
    page = response.content.decode()
    assert f"Too many tries from your address have failed; try again in {seconds} seconds." in page
    assert "correct username" not in page
    assert sign_in(Client(REMOTE_ADDR="192.0.2.10")).status_code == 302
