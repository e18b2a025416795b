"""Groups of entries as columns of numbers: which people they stand for, and what people of both groups signed.

Entries of the same people are one set, so what a name costs does not grow with its spellings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np

from bibliography.columns import Ints, distinct, matches, pieces, spread, starts_of
from bibliography.resolve import Resolution

_SEVERAL = 0  # In the place of a person; ids begin with 1.


@dataclass(frozen=True, slots=True)
class Sets:
    """The sets of people that the entries of a group stand for, numbered."""

    of_entry: Ints
    entries: Ints
    """How many entries stand for each set."""
    person: Ints
    number: Ints
    """Which set each person is in; rows sorted by person."""

    def places(self, numbers: Ints) -> tuple[Ints, Ints]:
        """Give the places of all entries of those sets, each with where its set is in ``numbers``."""
        at, place = spread((np.cumsum(self.entries) - self.entries)[numbers], self.entries[numbers])
        return at, np.argsort(self.of_entry, kind="stable")[place]


def sets_of(group: Sequence[Resolution]) -> Sets:
    """Give the sets of people of a group."""
    numbers: dict[frozenset[int], int] = {}
    of_entry = [numbers.setdefault(frozenset(person.id for person in entry.people), len(numbers)) for entry in group]
    person = np.fromiter(chain.from_iterable(numbers), dtype=np.int64)
    number = np.repeat(np.arange(len(numbers)), np.fromiter(map(len, numbers), dtype=np.int64, count=len(numbers)))
    order = np.argsort(person, kind="stable")
    return Sets(np.array(of_entry), np.bincount(of_entry), person[order], number[order])


def in_common(left: Sets, right: Sets) -> Ints:
    """Give the pairs of sets that share a person, numbered row by row and sorted."""
    first, counts = matches(left.person, right.person)
    found = np.empty(0, dtype=np.int64)
    for piece in pieces(counts):
        at, to = spread(first[piece], counts[piece])
        found = distinct(np.concatenate((found, left.number[piece][at] * len(right.entries) + right.number[to])))
    return found


class _Signers(NamedTuple):
    """Which sets of a group signed publications, sorted: by whom, if it was one person."""

    rank: Ints
    number: Ints
    person: Ints


class Signatures:
    """What was signed by a person of the one group and another one of the other."""

    def __init__(self, publication: Ints, person: Ints, left: Sets, right: Sets) -> None:
        """Take who of both groups signed what, each once, sorted by publication."""
        self._left, self._right, self._person = left, right, person
        self._in_left, self._in_right = matches(person, left.person), matches(person, right.person)
        starts = starts_of(publication)
        sizes = np.diff(starts, append=len(publication))
        lefts, rights = (np.add.reduceat(counts, starts) for _, counts in (self._in_left, self._in_right))
        common = (lefts > 0) & (rights > 0) & (sizes > 1)
        self.publications = publication[starts[common]]
        self._starts, self._sizes = starts[common], sizes[common]
        # What a publication costs: its signers by sets, then no more pairs of sets than there are.
        most = len(left.entries) * len(right.entries)
        self._weights = (lefts + rights + np.minimum(lefts * rights, most))[common]

    def together(self, ranked: Ints) -> Iterator[tuple[Ints, Ints]]:
        """Yield pairs of sets, numbered row by row, and the rank of a publication that they have together.

        ``ranked`` are publications in the order of their ranks. Each pair and rank comes once, by pieces of ranks.
        """
        at = np.searchsorted(self.publications, ranked)
        starts, sizes = self._starts[at], self._sizes[at]
        for piece in pieces(self._weights[at]):
            ranks, rows = spread(starts[piece], sizes[piece])
            left = self._signers(ranks, rows, self._in_left, self._left)
            right = self._signers(ranks, rows, self._in_right, self._right)
            one, other = spread(*matches(left.rank, right.rank))
            one_person, other_person = left.person[one], right.person[other]
            differ = (one_person != other_person) | (one_person == _SEVERAL)
            one, other = one[differ], other[differ]
            yield left.number[one] * len(self._right.entries) + right.number[other], left.rank[one] + piece.start

    def _signers(self, ranks: Ints, rows: Ints, members: tuple[Ints, Ints], sets: Sets) -> _Signers:
        """Give the sets whose people are in those rows of signatures."""
        first, counts = members
        at, to = spread(first[rows], counts[rows])
        keys = ranks[at] * len(sets.entries) + sets.number[to]
        order = np.argsort(keys, kind="stable")
        keys, person = keys[order], self._person[rows[at[order]]]
        starts = starts_of(keys)
        alone = np.diff(starts, append=len(keys)) == 1
        rank, number = np.divmod(keys[starts], len(sets.entries))
        return _Signers(rank, number, np.where(alone, person[starts], _SEVERAL))
