"""The admin is read-only, finds through full text, and never counts or sorts a table."""

import re

import pytest
from django.contrib.auth.models import User
from django.db import connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from pipeline.lock import BuildLock
from pipeline.models import BuildRun


@pytest.fixture
def staff(served_sample):
    User.objects.filter(username="staff").delete()
    User.objects.create_superuser("staff", password="of the tests")
    client = Client()
    assert client.login(username="staff", password="of the tests")
    return client


def titles_on(page):
    return re.findall(r'<th class="field-(?:title|name)[^"]*">(?:<a [^>]*>)?([^<]*)', page.content.decode())


@pytest.mark.parametrize("path", ["publication", "author"])
def test_lists_page_by_id_and_never_scan_the_table(staff, path):
    with CaptureQueriesContext(connections["store"]) as queries:
        page = staff.get(f"/admin/bibliography/{path}/?p=20")
    assert page.status_code == 200
    assert len(titles_on(page)) > 10
    for query in queries.captured_queries:
        assert "COUNT(" not in query["sql"].upper()
        assert "OFFSET" not in query["sql"].upper()


def test_pages_follow_each_other_without_gap_or_repeat(staff):
    first = staff.get("/admin/bibliography/author/?p=1").context["cl"].result_list
    second = staff.get("/admin/bibliography/author/?p=2").context["cl"].result_list
    assert [author.pk for author in (*first, *second)] == list(range(1, 101))


@pytest.mark.parametrize(
    ("path", "query", "expected"),
    [
        ("author", "orla", ["Orla O&#x27;Nevin"]),
        ("author", "weissaecker", ["Søren Weißæcker"]),
        ("author", "soren", ["Søren Weißæcker"]),
        ("author", "lan mei 0001", ["Mei Lan 0001"]),
        ("author", "no such person", []),
        ("publication", "signed twice", ["Signed Twice."]),
        ("publication", "μ-calculus C++", ["On H2+O &amp; μ-Calculus &lt; C++: a Reply."]),
    ],
)
def test_search_goes_through_the_full_text_index(staff, path, query, expected):
    assert titles_on(staff.get(f"/admin/bibliography/{path}/", {"q": query})) == expected


@pytest.mark.parametrize(
    "query", ['"', "*", "C++ AND", "NEAR(", "a:b", "(", "-", "^", "'", "\x00", "%", " ", "🙂", '""" OR 1']
)
def test_nothing_that_is_typed_is_a_syntax_error(staff, query):
    for path in ("author", "publication"):
        assert staff.get(f"/admin/bibliography/{path}/", {"q": query}).status_code == 200


def test_a_person_is_shown_with_aliases_and_publications(staff):
    found = staff.get("/admin/bibliography/author/", {"q": "orla nevin"}).context["cl"].result_list[0]
    page = staff.get(f"/admin/bibliography/author/{found.pk}/change/").content.decode()
    assert "O. O&#x27;Nevin" in page
    assert "Signed Twice." in page
    assert "<select" not in page


def test_a_publication_is_shown_with_its_people_and_raw_record(staff):
    found = staff.get("/admin/bibliography/publication/", {"q": "signed twice"}).context["cl"].result_list[0]
    page = staff.get(f"/admin/bibliography/publication/{found.pk}/change/").content.decode()
    assert "Orla O&#x27;Nevin" in page
    assert "&lt;inproceedings" in page


def test_builds_are_listed(staff):
    BuildRun.objects.create(pid=1, message="published something")
    assert "published something" in staff.get("/admin/pipeline/buildrun/").content.decode()


def test_a_build_that_was_killed_is_shown_as_failed(staff, served_sample):
    run = BuildRun.objects.create(pid=1)
    shown = re.compile(r'class="(?:field-status_now|readonly)">(running|error)<')
    pages = [f"/admin/pipeline/buildrun/{path}" for path in ("", f"{run.pk}/change/")]
    with BuildLock.take(served_sample.lock, "process 1"):
        assert [shown.findall(staff.get(page).content.decode()) for page in pages] == [["running"]] * 2
    assert [shown.findall(staff.get(page).content.decode()) for page in pages] == [["error"]] * 2


@pytest.mark.parametrize("path", ["bibliography/publication", "bibliography/author", "pipeline/buildrun"])
@pytest.mark.parametrize("action", ["add/", "1/delete/"])
def test_nothing_can_be_added_or_deleted(staff, path, action):
    assert staff.get(f"/admin/{path}/{action}").status_code == 403
    assert staff.post(f"/admin/{path}/{action}").status_code == 403


def test_nothing_can_be_changed(staff):
    assert staff.post("/admin/bibliography/author/1/change/", {"name": "Somebody Else"}).status_code == 403


def test_people_without_an_account_see_the_sign_in(served_sample):
    assert Client().get("/admin/bibliography/author/").status_code == 302


@pytest.mark.parametrize("path", ["publication/", "author/", "author/1/change/"])
def test_without_a_store_it_says_so(admin_client, data, path):
    page = admin_client.get(f"/admin/bibliography/{path}", follow=True)
    assert page.status_code == 200
    assert "There is no store." in page.content.decode()


@pytest.mark.parametrize("lookup", ["raw_xml__regex=(", "title__contains=a", "authorships__author__name=x"])
def test_no_condition_in_the_address_reads_the_whole_table(staff, lookup):
    assert staff.get(f"/admin/bibliography/publication/?{lookup}").status_code in (302, 400)
