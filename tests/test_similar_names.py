"""People who may be meant as well: the very name wins, and others of almost that name are told of."""

import pytest

from tests.conftest import person, publication
from tests.made_up import ask
from tests.test_resolve import resolved

TWINS = [
    person("1/1", "Adam Visegrad"),
    person("1/2", "Ádám Visegrád", "Adam W. Visegrad"),
    person("2/1", "Jo Lind 0001"),
    person("2/2", "Jó Lind 0001"),
    person("2/3", "Jó Lind 0002"),
    *(person(f"3/{n}", name) for n, name in enumerate(["Eva Eek", *(f"Ev{a} Eek" for a in "àáâãäå")])),
    publication("a/1", "Ádám Visegrád", "Some Body"),
    *(publication(f"a/e{n}", "Evä Eek") for n in range(3)),
]


@pytest.fixture
def twins(make_dump, build_from):
    build_from(make_dump(*("".join(f"&#{ord(one)};" if ord(one) > 127 else one for one in text) for text in TWINS)))


def similar(client, entry):
    (found,) = ask(client, [entry], ["Some Body"])["resolution"]["left"]
    return found["method"], [one["name"] for one in found["similar"]]


@pytest.mark.parametrize(
    ("entry", "method", "names"),
    [
        ("Adam Visegrad", "exact", ["Ádám Visegrád"]),
        ("Ádám Visegrád", "exact", ["Adam Visegrad"]),
        ("Adam W. Visegrad", "alias", []),
        ("ADAM VISEGRAD", "folded", []),
        ("pid:1/1", "identifier", []),
        ("Nobody", None, []),
        ("Some Body", "exact", []),
        ("Jo Lind 0001", "exact", ["Jó Lind 0001"]),
        ("Jo Lind", "exact", ["Jó Lind 0001", "Jó Lind 0002"]),
    ],
)
def test_people_of_almost_that_name(twins, client, entry, method, names):
    assert similar(client, entry) == (method, names)


def test_at_most_five_are_told_of_the_best_known_first(twins, client):
    _, names = similar(client, "Eva Eek")
    assert len(names) == 5
    assert names[0] == "Evä Eek"


def test_the_very_name_wins_all_the_same(twins, client):
    answer = ask(client, ["Adam Visegrad"], ["Some Body"])
    assert answer["matrix"] == {"Adam Visegrad": {"Some Body": 0}}
    (found,) = answer["resolution"]["left"]
    assert (found["status"], found["total"]) == ("one", 1)
    assert found["similar"][0].keys() == found["authors"][0].keys()


@pytest.mark.parametrize("entry", ["isegrad 0001", "Lind 0001", "o Lind 0001", "Jo Lind 0002"])
def test_a_homonym_number_is_of_that_very_name_and_not_searched_for_in_others(twins, client, entry):
    expected = ("one", "folded", ["Jó Lind 0002"]) if entry == "Jo Lind 0002" else ("none", None, [])
    assert resolved(client, entry, exact_base_match=False) == expected


def test_a_person_found_by_a_part_of_a_name_is_one_and_the_method_says_so(twins, client):
    assert resolved(client, "isegr", exact_base_match=False)[1] == "substring"
    assert resolved(client, "Body", exact_base_match=False) == ("one", "fulltext", ["Some Body"])
