"""Two groups of people: who of the one has written with whom of the other, and what.

One pass over the authorships of each group, however many names they have; pairs come from the publications that
both have a hand in, so nothing is asked pair by pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import NamedTuple

import numpy as np

from bibliography.columns import Ints, distinct
from bibliography.groups import Sets, Signatures, in_common, sets_of
from bibliography.limits import TooMuch, check_deadline
from bibliography.models import Role
from bibliography.resolve import Resolution, Status
from bibliography.rows import rows
from bibliography.tally import Tally

# Publication and person make one integer; ids of SQLite's rows that count from 1 are far smaller.
_PERSON_BITS = 32
_MOST_WORKS = 500_000  # Some 300 MB: the thousand best known of dblp have written fewer together.
_ROWS_AT_ONCE = 10_000


class Verdict(StrEnum):
    """What a count says about the two people."""

    COAUTHORS = "coauthors"
    POSSIBLE = "possible"
    NONE = "none"
    UNKNOWN = "unknown"


class Work(NamedTuple):
    """A publication as it is listed: columns of ``publications``."""

    id: int
    title: str
    year: int | None
    venue: str | None
    pub_type: str
    key: str
    ee: str | None


_WORKS = f"SELECT {', '.join(Work._fields)} FROM publications WHERE id IN ({{values}})"
_SIGNED = "SELECT pub_id, author_id FROM pub_authors WHERE author_id IN ({values}) AND role IN (%s, %s)"


class Pair(NamedTuple):
    """Two entries that have ``total`` publications together, or a person in common; ``works`` are the newest."""

    left: str
    right: str
    total: int
    works: Sequence[Work]
    verdict: Verdict
    same_person: bool


@dataclass(frozen=True, slots=True)
class Window:
    """Years that count, both ends included; None where a side is open."""

    first: int | None = None
    last: int | None = None


def verdict(count: int, *, certain: bool) -> Verdict:
    """Say what a count of publications means; ``certain`` is it where each of the two names is a single person's."""
    if count:
        return Verdict.COAUTHORS if certain else Verdict.POSSIBLE
    return Verdict.NONE if certain else Verdict.UNKNOWN


class Together:
    """The pairs that have publications or a person in common, in the order of the groups.

    They are made one by one as they are asked for: there may be a million. ``limit`` says how many publications
    of a pair are listed.
    """

    def __init__(self, left: Sequence[Resolution], right: Sequence[Resolution], limit: int) -> None:
        self.limit = limit
        self._left, self._right = left, right
        # Number of the pair, row by row; count; whether it may be the same person; where its works begin, and end.
        self._columns = np.empty((5, 0), dtype=np.int64)
        self._works: list[Work] = []

    def fill(self, lefts: Sets, rights: Sets, tally: Tally, works: Sequence[Work]) -> None:
        """Write out for all entries what was found of their sets of people."""
        same = in_common(lefts, rights)
        found = distinct(np.concatenate((tally.pairs, same)))
        if not len(found):
            return
        counts, is_same = np.zeros_like(found), np.zeros_like(found)
        counts[np.searchsorted(found, tally.pairs)] = tally.counts
        is_same[np.searchsorted(found, same)] = 1
        ends = np.cumsum(np.minimum(counts, tally.limit))
        by_left, left = lefts.places(found // len(rights.entries))
        by_right, right = rights.places((found % len(rights.entries))[by_left])
        pair, at = left[by_right] * len(self._right) + right, by_left[by_right]
        order = np.argsort(pair)
        at = at[order]
        self._columns = np.stack((pair[order], counts[at], is_same[at], np.concatenate(([0], ends))[at], ends[at]))
        self._works = [works[rank] for rank in tally.listed.tolist()]

    def __iter__(self) -> Iterator[Pair]:
        sure = [[entry.status == Status.ONE for entry in group] for group in (self._left, self._right)]
        for number, count, same, start, end in self._rows():
            row, place = divmod(number, len(self._right))
            meaning = verdict(count, certain=sure[0][row] and sure[1][place])
            works = self._works[start:end]
            yield Pair(self._left[row].entry, self._right[place].entry, count, works, meaning, bool(same))

    def counts(self) -> Iterator[tuple[str, str, int]]:
        """Yield the entries that have publications together, and how many."""
        for number, count, *_ in self._rows():
            if count:
                row, place = divmod(number, len(self._right))
                yield self._left[row].entry, self._right[place].entry, count

    def _rows(self) -> Iterator[tuple[int, ...]]:
        for start in range(0, self._columns.shape[1], _ROWS_AT_ONCE):
            check_deadline()
            yield from zip(*self._columns[:, start : start + _ROWS_AT_ONCE].tolist(), strict=True)


def pairs(
    left: Sequence[Resolution], right: Sequence[Resolution], window: Window, *, editors: bool, limit: int, fixed: bool
) -> Together:
    """Find the pairs with publications or a person in common.

    A publication counts where a person of one entry and *another* person of the other signed it, as authors, or
    as editors too where ``editors`` says so. At most ``limit`` publications of a pair are listed; fewer where the
    answer would be too large, unless the limit is ``fixed``. Raises ``DeadlineExceeded`` and ``TooMuch``.
    """
    lefts, rights = sets_of(left), sets_of(right)
    signatures = Signatures(*_signed(lefts, rights, editors=editors), lefts, rights)
    if len(signatures.publications) > _MOST_WORKS:
        raise TooMuch(f"stand for people with more than {_MOST_WORKS:,} publications in common", "left", "right")
    works = look_up(signatures.publications.tolist(), window)
    tally = Tally(lefts.entries, rights.entries, limit, fixed=fixed)
    for found, ranks in signatures.together(np.array([work.id for work in works], dtype=np.int64)):
        tally.add(found, ranks)
    together = Together(left, right, tally.limit)
    together.fill(lefts, rights, tally, works)
    return together


def _signed(left: Sets, right: Sets, *, editors: bool) -> tuple[Ints, Ints]:
    """Look up who signed what, publication and person, sorted; all from one index, without looking at the table."""
    people = distinct(np.concatenate((left.person, right.person))).tolist()
    signed = chain.from_iterable(rows(_SIGNED, people, Role.AUTHOR, Role.EDITOR if editors else Role.AUTHOR))
    flat = np.fromiter(signed, dtype=np.int64).reshape(-1, 2)
    both = distinct(flat[:, 0] << _PERSON_BITS | flat[:, 1])
    return both >> _PERSON_BITS, both & ((1 << _PERSON_BITS) - 1)


def look_up(publications: Sequence[int], window: Window) -> list[Work]:
    """Look up publications, leaving out those of other years, newest first."""
    years = [("year >= %s", window.first), ("year <= %s", window.last)]
    bounds = [(condition, year) for condition, year in years if year is not None]
    statement = " AND ".join([_WORKS, *(condition for condition, _ in bounds)])
    found = rows(statement, publications, *(year for _, year in bounds))
    return sorted(map(Work._make, found), key=newest_first)


def newest_first(work: Work) -> tuple[int, str, str]:
    """Sort by year, those without one last, then by title."""
    return (-work.year if work.year is not None else 1, work.title, work.key)
