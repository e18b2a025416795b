"""Counts, publications, verdicts and people of an answer are those of a slow, plain reading of the same dump."""

import random
import re
import unicodedata
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import reference
from tests.conftest import REAL
from tests.made_up import ask
from tests.pairs_reference import Answers

MOST_LISTED = 200  # The setting PUBMETA_MAX_PAIR_RESULTS as it is by default.


def check(client, answers, left, right, **options):
    """Ask, compare everything with the plain answer; give the verdicts that occurred, counted."""
    body = ask(client, left, right, **options)
    assert (body["left_authors"], body["right_authors"]) == (left, right)
    assert body["pair_count"] == len(left) * len(right)
    for side, entries in (("left", left), ("right", right)):
        for entry, found in zip(entries, body["resolution"][side], strict=True):
            check_people(answers, entry, found)
    limit = options.get("limit_per_pair")
    plain = {
        "first": options.get("year_min"),
        "last": options.get("year_max"),
        "editors": options.get("include_editors", False),
        "limit": MOST_LISTED if limit is None else limit,
    }
    expected, matrix, seen = [], {}, Counter()
    for one in left:
        matrix[one] = {}
        for other in right:
            pair = answers.pair(one, other, **plain)
            seen[pair["verdict"]] += 1
            if pair["count"] or not options.get("sparse"):
                matrix[one][other] = pair["count"]
            if pair["count"] or pair["same_person"]:
                seen["same" if pair["same_person"] else "not the same"] += 1
                expected.append({"left": one, "right": other, **pair})
    assert body["matrix"] == matrix
    assert body["pair_pubs"] == expected
    return seen


def check_people(answers, entry, found):
    method, people = answers.resolve(entry)
    assert (found["entry"], found["method"], found["total"]) == (entry, method, len(people))
    assert found["status"] == answers.status(people)
    assert found["truncated"] is False
    assert {person["name"] for person in found["authors"]} <= people
    assert len(found["authors"]) == min(20, len(people))
    known = [person["publications"] for person in found["authors"] if person["name"] != entry]
    assert known == sorted(known, reverse=True)
    assert all(person["publications"] == answers.people[person["name"]] for person in found["authors"])


def misspelt(name, draw):
    """Write a name as somebody might."""
    return draw.choice(
        [
            str.upper,
            str.lower,
            lambda name: unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode() or "x",
            lambda name: name.replace("-", " ").replace("'", "’").replace(".", ""),
            lambda name: re.sub(r"(.+) (\S+)", r"\2, \1", name),
            lambda name: re.sub(r" \d{4}$", "", name),
            lambda name: re.sub(r" \d{4}$", "", name) + " 0097",
            lambda name: name[: len(name) // 2] + name[len(name) // 2 + 1 :],
        ]
    )(name)


def a_group(answers, coauthors, numbered, aliases, draw):
    """Draw names that have to do with each other, and some that have not."""
    everybody, size = answers.everybody, draw.randint(1, 60)
    group, at = [], draw.choice(everybody)
    while len(group) < size:
        kind = draw.random()
        if kind < 0.6 and coauthors.get(at):
            at = draw.choice(coauthors[at])
            name = at
        elif kind < 0.75:
            at = draw.choice(numbered)
            name = at if draw.random() < 0.5 else at[:-5]
        elif kind < 0.78:
            name = draw.choice(aliases)
        else:
            at = name = draw.choice(everybody)
        if draw.random() < 0.25:
            name = misspelt(name, draw)
        group.append(" ".join(name.split()))
    return list(dict.fromkeys(name for name in group if name))


@pytest.mark.skipif(not REAL.exists(), reason="the real records of dblp are not beside the project")
def test_five_hundred_groups_of_the_real_dblp(serve, client):
    serve(REAL)
    dump = reference.read(REAL)
    answers, draw = Answers(dump), random.Random(20261003)
    answers.everybody = sorted(dump["people"])
    coauthors = {}
    for people in answers.signers["author"].values():
        for who in people:
            coauthors.setdefault(who, set()).update(people)
    coauthors = {who: sorted(others) for who, others in coauthors.items()}
    numbered = [name for name in answers.everybody if re.search(r" \d{4}$", name)]
    aliases = sorted(dump["aliases"])
    seen = Counter()
    for _ in range(500):
        left, right = (a_group(answers, coauthors, numbered, aliases, draw) for _ in range(2))
        # People of the left and those whom they know, so that there is something to count.
        people = [who for name in left for who in sorted(answers.resolve(name)[1])]
        known = [draw.choice(coauthors[who]) for who in people if who in coauthors]
        right = list(dict.fromkeys([left[0], *known[:30], *right]))[:60]
        options = {"limit_per_pair": draw.choice([None, 0, 1, 3]), "sparse": draw.random() < 0.5}
        if draw.random() < 0.5:
            options |= {"year_min": draw.choice([None, 1990, 2005]), "year_max": draw.choice([None, 2005, 2015])}
        if draw.random() < 0.25:
            options |= {"include_editors": True}
        seen += check(client, answers, left, right, **options)
    assert all(seen[verdict] > 1000 for verdict in ("coauthors", "possible", "none", "unknown")), seen
    assert seen["same"] > 500


@pytest.fixture
def made_up_answers(made_up, made_up_dump):
    return Answers(reference.read(made_up_dump))


ENTRIES = [
    *("Orla O'Nevin", "O. O'Nevin", "orla oʼnevin", "Jürgen Weiß-Möller", "Jurgen W. Moeller", "jurgen weiss moller"),
    *("Mei Lan", "Mei Lan 0001", "Mei Lan 0003", "Mei Lan 0002", "Wu Li", "Wu Li 0001", "Wu Li 0002", "Wu L. Li"),
    *("wu li", "li, wu", "Kim Roe", "Dana (Jing) Tarn", "Gus L. Stone Jr.", "Sarvindo", "Rene Dupond", "René Dupond"),
    *("RENÉ DUPOND", "Member001 Ofteam", "Member450 Ofteam", "No Page", "Nobody", "???", "The Made Up Collaboration"),
]
YEARS = st.none() | st.integers(2008, 2021)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    left=st.lists(st.sampled_from(ENTRIES), min_size=1, max_size=6, unique=True),
    right=st.lists(st.sampled_from(ENTRIES), min_size=1, max_size=6, unique=True),
    years=st.tuples(YEARS, YEARS).filter(lambda pair: None in pair or pair[0] <= pair[1]),
    limit=st.none() | st.integers(0, 3),
    editors=st.booleans(),
    sparse=st.booleans(),
)
def test_any_groups_of_made_up_people(client, made_up_answers, left, right, years, limit, editors, sparse):
    options = {"limit_per_pair": limit, "include_editors": editors, "sparse": sparse}
    check(client, made_up_answers, left, right, year_min=years[0], year_max=years[1], **options)
