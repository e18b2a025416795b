"""Two groups of people: who of the one has written with whom of the other, and what.

One pass over the authorships of each group, however many names they have; pairs come from the publications that
both have a hand in, so nothing is asked pair by pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bibliography.batches import batches
from bibliography.limits import check_deadline
from bibliography.models import Authorship, Publication, Role
from bibliography.resolve import Resolution, Status

Ints = npt.NDArray[np.int64]
# Publication and pair make one integer; dblp has 8.7 million publications.
_PUBLICATION_BITS = 28
_PUBLICATION = (1 << _PUBLICATION_BITS) - 1
_JOINED_AT_ONCE = 1_000_000  # Rows of the right group: some tens of megabytes.


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


def pairs(
    left: Sequence[Resolution], right: Sequence[Resolution], window: Window, *, editors: bool, limit: int
) -> list[Pair]:
    """Give the pairs with publications or a person in common, in the order of the groups.

    A publication counts where a person of one entry and *another* person of the other signed it, as authors, or
    as editors too where ``editors`` says so. At most ``limit`` publications of a pair are listed.
    """
    lefts, rights = _people(left), _people(right)
    signed = _signed(np.concatenate((lefts, rights))[:, 0], editors=editors)
    together = _together(_by_entry(lefts, signed), _by_entry(rights, signed), len(right))
    works = look_up(_distinct(together & _PUBLICATION).tolist(), window)
    check_deadline()
    listed = _newest(together, works, limit)
    check_deadline()
    same = _in_common(left, right)
    for number in same.difference(listed):
        listed[number] = (0, [])
    found = []
    for number in sorted(listed):
        count, some = listed[number]
        one, other = left[number // len(right)], right[number % len(right)]
        meaning = verdict(count, certain=one.status == other.status == Status.ONE)
        found.append(Pair(one.entry, other.entry, count, some, meaning, number in same))
    return found


class _Signed(NamedTuple):
    """Who of a group signed what, a column each: place of the entry in its group, person, publication."""

    place: Ints
    person: Ints
    publication: Ints


def _people(group: Sequence[Resolution]) -> Ints:
    """Give the people of a group: rows of person and place of the entry, sorted."""
    return np.array(
        sorted((person.id, place) for place, entry in enumerate(group) for person in entry.people), dtype=np.int64
    ).reshape(-1, 2)


def _signed(people: Ints, *, editors: bool) -> Ints:
    """Look up who signed what, rows of person and publication; all from one index, without looking at the table."""
    roles = list(Role) if editors else [Role.AUTHOR]
    rows = chain.from_iterable(
        Authorship.objects.filter(author_id__in=some, role__in=roles).values_list("author_id", "publication_id")
        for some in batches(_distinct(people).tolist())
    )
    return np.fromiter(chain.from_iterable(rows), dtype=np.int64).reshape(-1, 2)


def _by_entry(people: Ints, signed: Ints) -> _Signed:
    """Give what a group signed, by the places of its entries."""
    at, by = _join(signed[:, 0], people[:, 0])
    return _Signed(people[by, 1], signed[at, 0], signed[at, 1])


def _join(keys: Ints, others: Ints) -> tuple[Ints, Ints]:
    """Give all pairs of places (in ``keys``, in ``others``) where the two are equal; ``others`` are sorted."""
    first = np.searchsorted(others, keys, "left")
    counts = np.searchsorted(others, keys, "right") - first
    at = np.repeat(np.arange(len(keys)), counts)
    return at, np.arange(len(at)) - np.repeat(np.cumsum(counts) - counts - first, counts)


def _together(left: _Signed, right: _Signed, width: int) -> Ints:
    """Give what each pair of entries has together: number of the pair (row by row) and publication in one integer.

    Sorted and each once, however many people of an entry signed the publication.
    """
    left = _Signed._make(column[np.argsort(left.publication, kind="stable")] for column in left)
    found = [np.empty(0, dtype=np.int64)]
    for start in range(0, len(right.publication), _JOINED_AT_ONCE):
        check_deadline()
        some = _Signed._make(column[start : start + _JOINED_AT_ONCE] for column in right)
        at, to = _join(some.publication, left.publication)
        other = some.person[at] != left.person[to]
        at, to = at[other], to[other]
        pair = left.place[to] * width + some.place[at]
        found.append(_distinct(pair << _PUBLICATION_BITS | some.publication[at]))
    return _distinct(np.concatenate(found))


def _distinct(values: Ints) -> Ints:
    """Sort, and keep one of each: a tenth of the time of ``np.unique``, which makes a hash table first."""
    ordered = np.sort(values)
    distinct: Ints = ordered[np.diff(ordered, prepend=-1) != 0]
    return distinct


def look_up(publications: Sequence[int], window: Window) -> list[Work]:
    """Look up publications, leaving out those of other years, newest first."""
    works: list[Work] = []
    for some in batches(publications):
        rows = Publication.objects.filter(id__in=some)
        if window.first is not None:
            rows = rows.filter(year__gte=window.first)
        if window.last is not None:
            rows = rows.filter(year__lte=window.last)
        works += map(Work._make, rows.values_list(*Work._fields))
    return sorted(works, key=newest_first)


def newest_first(work: Work) -> tuple[int, str, str]:
    """Sort by year, those without one last, then by title."""
    return (-work.year if work.year is not None else 1, work.title, work.key)


def _newest(together: Ints, works: list[Work], limit: int) -> dict[int, tuple[int, list[Work]]]:
    """Give by number of the pair how many works the two have together, and the first; ``works`` are in order."""
    ids = np.array([work.id for work in works], dtype=np.int64)
    by_id = np.argsort(ids)
    kept, place = _join(together & _PUBLICATION, ids[by_id])
    # Sorted by pair, and within a pair by the order of the works.
    ordered = np.sort((together[kept] >> _PUBLICATION_BITS) << _PUBLICATION_BITS | by_id[place])
    numbers, places = ordered >> _PUBLICATION_BITS, (ordered & _PUBLICATION).tolist()
    starts = np.flatnonzero(np.diff(numbers, prepend=-1))
    counts = np.diff(starts, append=len(numbers))
    return {
        number: (count, [works[at] for at in places[start : start + min(count, limit)]])
        for number, start, count in zip(numbers[starts].tolist(), starts.tolist(), counts.tolist(), strict=True)
    }


def _in_common(left: Sequence[Resolution], right: Sequence[Resolution]) -> set[int]:
    """Give the numbers of the pairs of entries that may stand for the same person."""
    places: dict[int, list[int]] = {}
    for place, entry in enumerate(right):
        for person in entry.people:
            places.setdefault(person.id, []).append(place)
    return {
        row * len(right) + place
        for row, entry in enumerate(left)
        for person in entry.people
        for place in places.get(person.id, ())
    }
