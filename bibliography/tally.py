"""Counting what pairs have together: how many publications, and which are to be listed."""

from __future__ import annotations

from bisect import bisect_right

import numpy as np

from bibliography.columns import Ints, starts_of
from bibliography.limits import TooMuch

# Publications that one answer lists, all pairs together: some seventy megabytes.
MOST_LISTED = 250_000
# Number of a pair and rank of a publication make one integer; dblp has 8.7 million publications.
_RANK_BITS = 28


class Tally:
    """Counts the publications of each pair, and keeps those with the lowest ranks, ``limit`` of a pair.

    Left and right say how many entries are behind each set of people: a pair of sets is listed for all of them.
    Where more than ``MOST_LISTED`` came together, ``limit`` is lowered, or if it is ``fixed`` ``TooMuch`` raised.
    """

    def __init__(self, left: Ints, right: Ints, limit: int, *, fixed: bool) -> None:
        self._left, self._right = left, right
        self.limit = limit
        self._fixed = fixed
        self.pairs = self.counts = self._listed = np.empty(0, dtype=np.int64)

    def add(self, pairs: Ints, ranks: Ints) -> None:
        """Count publications of pairs (numbered row by row), none of which was counted before."""
        ordered = np.sort(pairs << _RANK_BITS | ranks)
        numbers = ordered >> _RANK_BITS
        starts = starts_of(numbers)
        self._count(numbers[starts], np.diff(starts, append=len(numbers)))
        self._lower()
        listed = np.sort(np.concatenate((self._listed, ordered))) if len(self._listed) else ordered
        numbers = listed >> _RANK_BITS
        starts = starts_of(numbers)
        before = np.arange(len(numbers)) - np.repeat(starts, np.diff(starts, append=len(numbers)))
        self._listed = listed[before < self.limit]

    def _count(self, pairs: Ints, counts: Ints) -> None:
        if len(self.pairs):
            pairs, counts = np.concatenate((self.pairs, pairs)), np.concatenate((self.counts, counts))
            order = np.argsort(pairs, kind="stable")
            starts = starts_of(pairs[order])
            pairs, counts = pairs[order][starts], np.add.reduceat(counts[order], starts)
        self.pairs, self.counts = pairs, counts

    def _lower(self) -> None:
        entries = self._left[self.pairs // len(self._right)] * self._right[self.pairs % len(self._right)]

        def total(limit: int) -> int:
            return int((np.minimum(self.counts, limit) * entries).sum())

        if total(self.limit) <= MOST_LISTED:
            return
        if self._fixed:
            raise TooMuch(
                f"has more than {MOST_LISTED:,} publications listed; lower it, or leave it out for as many as fit",
                "limit_per_pair",
            )
        self.limit = bisect_right(range(self.limit + 1), MOST_LISTED, key=total) - 1

    @property
    def listed(self) -> Ints:
        """Give the ranks of the publications that are listed, pair by pair."""
        return self._listed & ((1 << _RANK_BITS) - 1)
