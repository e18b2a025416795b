"""One question about two groups of people, answered whole; the API and the command ask it alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.conf import settings

from bibliography import rendering, store
from bibliography.bodies import NamesQuestion, PairsQuestion
from bibliography.coauthors import Together, Window, pairs
from bibliography.limits import TooMuch
from bibliography.names import normalise
from bibliography.resolve import Resolution, resolve

_MOST_SIGNED = 5_000_000  # Signatures that are looked up for one question: some 200 MB.


class Groups(NamedTuple):
    """What the entries of the two sides stand for, and how many publications all those people have."""

    left: list[Resolution]
    right: list[Resolution]
    publications: int


def group(entries: Iterable[str]) -> list[str]:
    """Give the entries of a side in normal form, without repeats and blanks."""
    return [entry for entry in dict.fromkeys(map(normalise, entries)) if entry]


def find_names(question: PairsQuestion | NamesQuestion, entries: Sequence[str]) -> dict[str, Resolution]:
    """Say what entries in normal form stand for."""
    limit = question.author_limit or settings.ENVIRONMENT.max_author_resolve
    return resolve(entries, exact_only=question.exact_base_match, limit=limit)


def find_people(question: PairsQuestion, left: Sequence[str], right: Sequence[str]) -> Groups:
    """Say what the entries stand for; the groups are those of the question, in normal form. Raises ``TooMuch``."""
    found = find_names(question, [*left, *right])
    publications = {person.id: person.publications for entry in found.values() for person in entry.people}
    total = sum(publications.values())
    if total > _MOST_SIGNED:
        raise TooMuch(f"stand for people with more than {_MOST_SIGNED:,} publications", "left", "right")
    return Groups([found[entry] for entry in left], [found[entry] for entry in right], total)


def find_pairs(question: PairsQuestion, groups: Groups) -> tuple[dict[str, Any], Together]:
    """Say who of the left group has written with whom of the right one: ``PairsAnswer`` but for ``pair_pubs``.

    Those follow, for they may be a million. Raises ``StoreNotReady``, ``DeadlineExceeded`` and ``TooMuch``.
    """
    info, limit = store.info(), question.limit_per_pair
    found = pairs(
        groups.left,
        groups.right,
        Window(question.year_min, question.year_max),
        editors=question.include_editors,
        limit=settings.ENVIRONMENT.max_pair_results if limit is None else limit,
        fixed=limit is not None,
    )
    left, right = ([entry.entry for entry in side] for side in (groups.left, groups.right))
    told = {
        "left_authors": left,
        "right_authors": right,
        "matrix": rendering.matrix(left, right, found.counts(), sparse=question.sparse),
        "pair_count": len(left) * len(right),
        **question.model_dump(exclude={"left", "right", "author_limit"}),
        "listed_per_pair": found.limit,
        "resolution": {
            "left": [rendering.resolved(entry) for entry in groups.left],
            "right": [rendering.resolved(entry) for entry in groups.right],
        },
        "store": rendering.store_name(info),
    }
    return told, found


def answer(question: PairsQuestion, left: Sequence[str], right: Sequence[str]) -> dict[str, Any]:
    """Give all of an answer in the shape of ``PairsAnswer``; raises as ``find_people`` and ``find_pairs`` do."""
    store.info()  # Says that there is no store before anything is looked up.
    told, found = find_pairs(question, find_people(question, left, right))
    return {**told, "pair_pubs": list(map(rendering.pair_item, found))}
