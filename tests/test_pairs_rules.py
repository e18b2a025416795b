"""What an answer about pairs says, case by case: order, caps, verdicts, the same person twice, zeros."""

import pytest

from tests.made_up import PAIRS, TEAM, ask, pointers, post

ORLA, JURGEN = "Orla O'Nevin", "Jürgen Weiß-Möller"


def pair(client, left, right, **options):
    """Ask for one pair; gives count, verdict, same_person and the keys of its items."""
    answer = ask(client, [left], [right], **options)
    (found,) = answer["pair_pubs"]
    assert answer["matrix"] == {left: {right: found["count"]}}
    return found["count"], found["verdict"], found["same_person"], [item["key"] for item in found["items"]]


def test_publications_are_newest_first_then_by_title_and_without_a_year_last(made_up, client):
    keys = ["a/same-year", "a/both", "a/alias", "a/undated"]
    assert pair(client, ORLA, JURGEN) == (4, "coauthors", False, keys)


def test_a_publication_as_it_is_listed(made_up, client):
    (found,) = ask(client, [ORLA], [JURGEN], year_min=2020)["pair_pubs"]
    assert found["items"] == [
        {
            "title": title,
            "year": 2020,
            "venue": venue,
            "pub_type": "article",
            "key": key,
            "url": f"https://dblp.org/rec/{key}",
        }
        for key, title, venue in (("a/same-year", "A Before.", None), ("a/both", "A Title.", "J. Made"))
    ]


@pytest.mark.parametrize(
    ("years", "keys"),
    [
        ({"year_min": 2018, "year_max": 2018}, ["a/alias"]),
        ({"year_min": 2019}, ["a/same-year", "a/both"]),
        ({"year_max": 2020}, ["a/same-year", "a/both", "a/alias"]),
        ({"year_max": 2019}, ["a/alias"]),
        ({"year_min": 1000, "year_max": 9999}, ["a/same-year", "a/both", "a/alias"]),
        ({"year_min": None, "year_max": None}, ["a/same-year", "a/both", "a/alias", "a/undated"]),
    ],
)
def test_a_window_of_years_has_both_its_ends_and_nothing_without_a_year(made_up, client, years, keys):
    assert pair(client, ORLA, JURGEN, **years) == (len(keys), "coauthors", False, keys)


def test_a_window_without_publications_leaves_a_certain_zero(made_up, client):
    answer = ask(client, [ORLA], [JURGEN], year_min=2021)
    assert answer["pair_pubs"] == []
    assert answer["matrix"] == {ORLA: {JURGEN: 0}}


@pytest.mark.parametrize(("limit", "listed"), [(0, 0), (1, 1), (3, 3), (4, 4), (200, 4), (None, 4)])
def test_how_many_are_listed_never_changes_a_count(made_up, client, limit, listed):
    count, _, _, keys = pair(client, ORLA, JURGEN, limit_per_pair=limit)
    assert (count, keys) == (4, ["a/same-year", "a/both", "a/alias", "a/undated"][:listed])
    assert ask(client, [ORLA], [JURGEN], limit_per_pair=limit)["limit_per_pair"] == limit


@pytest.mark.parametrize(
    ("left", "right", "count", "verdict", "same"),
    [
        # Nobody is a coauthor of themself, under whatever names they signed.
        (ORLA, ORLA, 0, "none", True),
        (ORLA, "Orla Nevin-Stroud", 0, "none", True),
        ("O. O'Nevin", "orla onevin", 0, "none", True),
        (ORLA, "pid:01/1", 0, "none", True),
        # Two of one name have a paper; one of them is not their own coauthor.
        ("Mei Lan 0001", "Mei Lan 0003", 1, "coauthors", False),
        ("Mei Lan", "Mei Lan 0001", 1, "possible", True),
        ("Mei Lan", "Mei Lan", 1, "possible", True),
        ("Wu Li", "Wu Li", 0, "unknown", True),
        ("Wu Li", "Wu Li 0002", 0, "unknown", True),
        # One of several people, or of those not told apart.
        ("Wu Li", "Sarvindo", 1, "possible", False),
        ("Mei Lan", ORLA, 1, "possible", False),
        ("Mei Lan 0001", "Sarvindo", 1, "coauthors", False),
        ("Kim Roe", "Dana (Jing) Tarn", 1, "coauthors", False),
        ("Member001 Ofteam", "Member450 Ofteam", 1, "coauthors", False),
    ],
)
def test_verdicts_of_pairs_that_are_listed(made_up, client, left, right, count, verdict, same):
    found = pair(client, left, right)
    assert found[:3] == (count, verdict, same)
    assert pair(client, right, left) == found


@pytest.mark.parametrize(
    ("left", "right"),
    [(ORLA, "Sarvindo"), (ORLA, "Mei Lan 0001"), (ORLA, "Nobody"), ("Nobody", "Nobody"), (ORLA, "Wu Li"), ("", "?")],
)
def test_a_pair_with_nothing_in_common_has_no_element_and_a_zero(made_up, client, left, right):
    left = left or "Nobody Else"
    answer = ask(client, [left], [right])
    assert answer["pair_pubs"] == []
    assert answer["matrix"] == {left: {right: 0}}


def test_a_cap_that_leaves_people_out_makes_a_certain_answer_a_possible_one(made_up, client):
    assert pair(client, "Wu Li", "Sarvindo", author_limit=1)[:2] == (1, "possible")
    # The two of whom the one knows somebody are cut off: the zero is not to be trusted, and the status says so.
    answer = ask(client, ["Wu Li"], ["Gus L. Stone Jr."], author_limit=1)
    assert answer["matrix"]["Wu Li"]["Gus L. Stone Jr."] == 0
    (found,) = answer["resolution"]["left"]
    assert (found["status"], found["truncated"]) == ("several", True)
    assert pair(client, "Wu Li", "Gus L. Stone Jr.")[:2] == (5, "possible")
    assert pair(client, "Wu Li", "Wu Li", author_limit=1)[:3] == (0, "unknown", True)


def test_a_paper_of_450_people_counts_once_for_each_pair(made_up, client):
    answer = ask(client, TEAM, TEAM)
    assert answer["pair_count"] == 450 * 450
    for one in TEAM:
        assert answer["matrix"][one] == {other: int(one != other) for other in TEAM}
    counts = {(found["left"], found["right"]): found for found in answer["pair_pubs"]}
    assert [(found["left"], found["right"]) for found in answer["pair_pubs"]] == [(a, b) for a in TEAM for b in TEAM]
    assert counts[TEAM[0], TEAM[0]]["same_person"]
    assert counts[TEAM[0], TEAM[0]]["items"] == []
    assert [item["key"] for item in counts[TEAM[0], TEAM[449]]["items"]] == ["a/team"]


def test_the_matrix_has_every_zero_unless_it_is_sparse(made_up, client):
    left, right = [ORLA, "Nobody", "Sarvindo"], [JURGEN, "Sarvindo", "Nobody Else"]
    full = ask(client, left, right)
    assert full["matrix"] == {
        ORLA: {JURGEN: 4, "Sarvindo": 0, "Nobody Else": 0},
        "Nobody": {JURGEN: 0, "Sarvindo": 0, "Nobody Else": 0},
        "Sarvindo": {JURGEN: 0, "Sarvindo": 0, "Nobody Else": 0},
    }
    sparse = ask(client, left, right, sparse=True)
    assert sparse["matrix"] == {ORLA: {JURGEN: 4}, "Nobody": {}, "Sarvindo": {}}
    assert sparse["sparse"] is True
    assert full["sparse"] is False
    assert sparse["pair_pubs"] == full["pair_pubs"]
    assert sparse["resolution"] == full["resolution"]
    assert sparse["pair_count"] == full["pair_count"] == 9


def test_pairs_are_in_the_order_of_the_matrix(made_up, client):
    left, right = ["Sarvindo", ORLA, "Wu Li"], ["Wu Li", JURGEN, "Mei Lan", "Sarvindo"]
    found = [(one["left"], one["right"]) for one in ask(client, left, right)["pair_pubs"]]
    assert found == [(a, b) for a in left for b in right if (a, b) in found]
    assert len(found) == 7


def test_editors_count_where_asked_for(made_up, client):
    dana = "Dana (Jing) Tarn"
    assert ask(client, [ORLA, "Sarvindo"], [dana])["pair_pubs"] == []
    assert pair(client, ORLA, dana, include_editors=True) == (1, "coauthors", False, ["a/proc"])
    assert pair(client, "Sarvindo", dana, include_editors=True) == (1, "coauthors", False, ["a/book"])


def test_the_answer_repeats_what_was_asked(made_up, client):
    asked = {
        "exact_base_match": False,
        "year_min": 2000,
        "year_max": 2020,
        "limit_per_pair": 2,
        "sparse": True,
        "include_editors": True,
    }
    answer = ask(client, [ORLA], [JURGEN], **asked)
    assert {name: answer[name] for name in asked} == asked
    defaults = ask(client, [ORLA], [JURGEN])
    assert {name: defaults[name] for name in asked} == {
        "exact_base_match": True,
        "year_min": None,
        "year_max": None,
        "limit_per_pair": None,
        "sparse": False,
        "include_editors": False,
    }


def test_what_is_not_known_is_refused_by_name_for_it_may_be_misspelt(made_up, client):
    response = post(client, {"left": [ORLA], "right": [JURGEN], "yearMin": 2012, "a/b~c": 1})
    assert pointers(response, 422) == ["/yearMin", "/a~1b~0c"]


def test_a_question_asks_the_store_a_few_times_however_many_names_there_are(
    made_up, client, django_assert_max_num_queries
):
    with django_assert_max_num_queries(12, using="store"):
        client.post(PAIRS, {"left": TEAM, "right": TEAM}, content_type="application/json")
