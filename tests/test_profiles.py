"""What tells people apart: homonyms of a person, and who signed a publication in which order."""

import pytest

from bibliography.models import Author
from tests.conftest import publication


def homonyms(client, name):
    whole = client.get(f"/api/authors/{Author.objects.get(name=name).id}").json()
    return {person["name"] for person in whole["homonyms"]}


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("Mei Lan 0001", {"Mei Lan", "Mei Lan 0003"}),
        ("Wu Li", {"Wu Li 0001", "Wu Li 0002"}),
        ("Kim Roe 0001", set()),
        # Another spelling is another name, though both fold to the same.
        ("René Dupond", set()),
        ("Rene Dupond", set()),
    ],
)
def test_homonyms_have_the_same_name_but_for_the_number(made_up, client, name, others):
    assert homonyms(client, name) == others


def test_authors_come_before_editors_each_in_their_order(make_dump, build_from, client):
    names = [f"{letter}{letter.lower()} Test" for letter in "DBCA"]
    build_from(make_dump(publication("a/1", *names[:2], kind="book", editors=names[2:])))
    signed = client.get("/api/publications/a/1").json()["authors"]
    assert [(one["name"], one["role"]) for one in signed] == [
        *((name, "author") for name in names[:2]),
        *((name, "editor") for name in names[2:]),
    ]


def test_the_most_frequent_coauthors_are_those_of_papers_that_both_are_authors_of(make_dump, build_from, client):
    build_from(
        make_dump(
            publication("a/1", "Ann Test", "Bob Test", "Cy Test"),
            publication("a/2", "Ann Test", "Cy Test"),
            publication("a/3", "Bob Test", "Dee Test"),
            publication("a/4", "Ann Test", kind="book", editors=["Dee Test"]),
            publication("a/5", kind="proceedings", editors=["Ann Test", "Dee Test"]),
        )
    )
    whole = client.get(f"/api/authors/{Author.objects.get(name='Ann Test').id}").json()
    assert [(one["name"], one["count"]) for one in whole["coauthors"]] == [("Cy Test", 2), ("Bob Test", 1)]
