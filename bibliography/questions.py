"""One question about two groups of people, answered whole; the API and the command ask it alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.conf import settings

from bibliography import rendering, store
from bibliography.coauthors import Window, pairs
from bibliography.names import normalise
from bibliography.resolve import resolve
from bibliography.schemas import PairsQuestion


def group(entries: Iterable[str]) -> list[str]:
    """Give the entries of a side in normal form, without repeats and blanks."""
    return [entry for entry in dict.fromkeys(map(normalise, entries)) if entry]


def answer(question: PairsQuestion, left: Sequence[str], right: Sequence[str]) -> dict[str, Any]:
    """Say who of the left group has written with whom of the right one, in the shape of ``PairsAnswer``.

    The groups are those of the question, in normal form. Raises ``StoreNotReady``.
    """
    info, limits = store.info(), settings.ENVIRONMENT
    limit = question.author_limit or limits.max_author_resolve
    people = resolve([*left, *right], exact_only=question.exact_base_match, limit=limit)
    lefts, rights = [people[entry] for entry in left], [people[entry] for entry in right]
    listed = limits.max_pair_results if question.limit_per_pair is None else question.limit_per_pair
    window = Window(question.year_min, question.year_max)
    found = pairs(lefts, rights, window, editors=question.include_editors, limit=listed)
    return {
        "left_authors": left,
        "right_authors": right,
        "matrix": rendering.matrix(left, right, found, sparse=question.sparse),
        "pair_pubs": [rendering.pair_item(one) for one in found],
        "pair_count": len(left) * len(right),
        **question.model_dump(exclude={"left", "right", "author_limit"}),
        "resolution": {
            "left": [rendering.resolved(entry) for entry in lefts],
            "right": [rendering.resolved(entry) for entry in rights],
        },
        "store": {"release": info.release, "built_at": info.built_at},
    }
