"""Who signed what: names become people while the records go by, all in compact arrays.

A name is a number from 0 in the order of first sight. Papers keep the names that they were signed with until every
person page has been seen; then an alias is replaced by its person, because a page may come long after the papers.
A person is a number from 1 in the order of the pages until publications are counted; ids, which are ranks, follow.
"""

from __future__ import annotations

import marshal
from array import array
from collections.abc import Iterator
from itertools import chain, compress, repeat
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bibliography.names import latin
from pipeline.pages import PersonRow
from pipeline.progress import Check
from pipeline.publication import Publication
from pipeline.records import Batch

Int64s = npt.NDArray[np.int64]
Ints = npt.NDArray[np.int32]
_NO_YEAR = 32_767  # Later than any.
_YEAR = itemgetter(Publication._fields.index("year"))
_BLOCK = 50_000  # Publications whose links are handled at once, in a dozen arrays of thirty megabytes together.


AuthorRow = tuple[int, str, str | None, str | None, str | None, str, int, int | None, int | None, str | None]
"""A row of ``authors``: id, name, pid, ORCID, affiliation, kind, publications, first and last year, other names."""


class Links(NamedTuple):
    """Who signed what, a column each; ``is_editor`` is 0 for authors and 1 for editors, positions are from 1."""

    publication: Int64s
    person: Int64s
    is_editor: Int64s
    position: Int64s


class Tally:
    """What the people have published, an element each, by their numbers: how much, and the years of it."""

    def __init__(self, people: int) -> None:
        self.publications = np.zeros(people + 1, dtype=np.int32)  # Nobody has number 0.
        self.first_year = np.full(people + 1, _NO_YEAR, dtype=np.int16)
        self.last_year = np.zeros(people + 1, dtype=np.int16)

    def add(self, links: Links, years: npt.NDArray[np.int16]) -> None:
        """Count a block of links, whatever the role; ``years`` are those of all publications, 0 where unknown."""
        publication, person = links.publication, links.person
        if links.is_editor.any():
            kept = _first_of_each(publication << 32 | person)
            if kept is not None:
                publication, person = publication[kept], person[kept]
        np.add.at(self.publications, person, np.int32(1))  # A plain 1 would take NumPy's slow way, 25 times as long.
        year = years[publication - 1]
        np.maximum.at(self.last_year, person, year)
        np.minimum.at(self.first_year, person, np.where(year, year, _NO_YEAR))

    def ranks(self) -> Ints:
        """Give the id of each person: 1 for the most publications, and so on; 0 for nobody."""
        order = np.argsort(-self.publications[1:], kind="stable")
        ranks = np.zeros(len(self.publications), dtype=np.int32)
        ranks[order + 1] = np.arange(1, len(ranks), dtype=np.int32)
        return ranks

    def columns(self) -> Iterator[tuple[int, int | None, int | None]]:
        """Yield publications, first and last year of each person."""
        for count, first, last in zip(
            _each(self.publications[1:]), _each(self.first_year[1:]), _each(self.last_year[1:]), strict=True
        ):
            yield (count, first, last) if last else (count, None, None)


class _Numbers(dict[str, int]):
    """Gives every name a number the first time it is asked for."""

    def __missing__(self, name: str) -> int:
        number = self[name] = len(self)
        return number


class Signatures:
    """All names on all publications and person pages, as they come in."""

    def __init__(self) -> None:
        self.numbers = _Numbers()
        self.signed = array("i")  # Numbers of names, publication after publication.
        self.author_counts = array("i")  # A publication each; editors follow its authors in ``signed``.
        self.editor_counts = array("i")
        self.years = array("h")  # A publication each, 0 where there is none.
        self.page_names = array("i")  # The primary name of each person page.
        # The pages of each batch as they came, marshalled: four million small objects would take a gigabyte.
        self.pages: list[bytes] = []
        self.aliases: list[tuple[int, int]] = []  # (name, page)
        self.redirects: dict[str, tuple[str, list[int]]] = {}  # pid → (pid it leads to, names on the page)

    def add(self, batch: Batch) -> None:
        """Take in the names of a batch."""
        number = self.numbers.__getitem__
        self.signed.extend(map(number, batch.signatures))
        self.author_counts.frombytes(batch.author_counts)
        self.editor_counts.frombytes(batch.editor_counts)
        self.years.extend([year or 0 for year in map(_YEAR, batch.publications)])
        first_page = len(self.page_names)
        self.page_names.extend(map(number, batch.page_names))
        self.pages.append(batch.pages)
        self.aliases += [(number(name), first_page + page) for page, name in batch.aliases]
        for pid, target, names in batch.redirects:
            self.redirects[pid] = (target, [number(name) for name in names])

    def people(self, check: Check) -> Iterator[PersonRow]:
        """Yield what each person page says, in their order; ``check`` is called now and then."""
        for pages in self.pages:
            check()
            yield from marshal.loads(pages)


class People:
    """The people that the names turned out to be, and who signed which publication.

    Those with a person page come first, in the order of the pages. ``aliases`` are (name, person's number) pairs,
    ``former_pids`` are (pid of a page that leads to another one, person's number);
    ``notes`` tell, a line each, where person pages contradict each other. ``check`` is called on the way.
    """

    def __init__(self, signatures: Signatures, check: Check) -> None:
        self._signatures = signatures
        self._check = check
        self.names = list(signatures.numbers)
        self.notes: list[str] = []
        self._led: list[tuple[str, int]] = []  # (pid of a redirect page, primary name that it leads to)
        owner = self._owning_pages()
        primary = self._primary_names(owner)
        check()
        everyone = np.arange(len(self.names), dtype=np.int32)
        pages = np.frombuffer(signatures.page_names, dtype=np.int32)
        self._is_first_page = owner[pages] == np.arange(len(pages))
        without_page = everyone[(owner < 0) & (primary == everyone)]
        self._person_names = np.concatenate((pages[self._is_first_page], without_page))
        self.count = len(self._person_names)
        person_of_primary = np.zeros(len(self.names), dtype=np.int32)
        person_of_primary[self._person_names] = np.arange(1, self.count + 1, dtype=np.int32)
        self._person_of_name: Ints = person_of_primary[primary]
        alias_names = everyone[primary != everyone].tolist()
        self.aliases = [(self.names[name], int(self._person_of_name[name])) for name in alias_names]
        self.former_pids = [(pid, int(self._person_of_name[name])) for pid, name in self._led]
        self._authors = np.frombuffer(signatures.author_counts, dtype=np.int32)
        self._editors = np.frombuffer(signatures.editor_counts, dtype=np.int32)
        self._signed = np.frombuffer(signatures.signed, dtype=np.int32)
        self.years = np.frombuffer(signatures.years, dtype=np.int16)

    def _owning_pages(self) -> Ints:
        """Give the person page of each primary name, -1 where there is none; of two pages the first counts."""
        pages = np.frombuffer(self._signatures.page_names, dtype=np.int32)
        owner = np.full(len(self.names), -1, dtype=np.int32)
        owner[pages[::-1]] = np.arange(len(pages), dtype=np.int32)[::-1]
        doubled = len(pages) - int(np.count_nonzero(owner >= 0))
        if doubled:
            self.notes.append(f"{doubled} person pages have the primary name of another page and were joined to it")
        return owner

    def _primary_names(self, owner: Ints) -> Ints:
        """Give the primary name of each name: itself, unless it is an alias."""
        primary = np.arange(len(self.names), dtype=np.int32)
        pages = self._signatures.page_names
        claims = [(name, pages[page]) for name, page in self._signatures.aliases]
        claims += self._redirected()
        refused = 0
        for name, main in claims:
            if owner[name] >= 0 or (primary[name] != name and primary[name] != main):
                refused += int(main != name)
            else:
                primary[name] = main
        if refused:
            self.notes.append(f"{refused} aliases are the name of somebody else too and were left to them")
        return primary

    def _redirected(self) -> Iterator[tuple[int, int]]:
        """Yield (name on a redirect page, primary name of the person that it leads to)."""
        redirects = self._signatures.redirects
        if not redirects:
            return
        wanted = {target for target, _ in redirects.values()}
        pages = zip(self._signatures.page_names, self._signatures.people(self._check), strict=True)
        main = {person[0]: name for name, person in pages if person[0] in wanted}
        lost = 0
        for pid, (target, names) in redirects.items():
            seen = {pid}
            while target in redirects and target not in seen:
                seen.add(target)
                target = redirects[target][0]
            if target in main:
                self._led.append((pid, main[target]))
                yield from ((name, main[target]) for name in names)
            else:
                lost += 1
        if lost:
            self.notes.append(f"{lost} redirect pages lead to no person page; the names on them stand for themselves")

    def author_rows(self, tally: Tally, ranks: Ints) -> Iterator[AuthorRow]:
        """Yield the rows of ``authors``, in the order of the person pages."""
        others: dict[int, list[str]] = {}
        for alias, person in self.aliases:
            others.setdefault(person, []).append(alias)
        without_page: Iterator[tuple[str | None, str | None, str | None, str]] = repeat((None, None, None, "person"))
        pages = chain(compress(self._signatures.people(self._check), _each(self._is_first_page)), without_page)
        names = map(self.names.__getitem__, _each(self._person_names))
        rows = zip(_each(ranks[1:]), names, pages, tally.columns(), strict=False)
        for person, (rank, name, page, counted) in enumerate(rows, 1):
            searched = None
            if person in others or not name.isascii():
                searched = "\n".join(_search_forms(name, others.get(person, []))) or None
            yield (rank, name, *page, *counted, searched)

    def links(self) -> Iterator[Links]:
        """Yield who signed what in blocks, sorted by publication, role and position.

        A person who is on a publication twice in one role, by a primary name and an alias, has one link.
        """
        at = 0
        for start in range(0, len(self._authors), _BLOCK):
            counts = np.empty(2 * len(self._authors[start : start + _BLOCK]), dtype=np.int32)
            counts[0::2] = self._authors[start : start + _BLOCK]
            counts[1::2] = self._editors[start : start + _BLOCK]
            total = int(counts.sum())
            # A group is a publication and a role: 2 i for the authors of publication i, 2 i + 1 for its editors.
            group = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
            first = np.repeat(np.cumsum(counts) - counts, counts)
            position = np.arange(1, total + 1) - first
            person = self._person_of_name[self._signed[at : at + total]].astype(np.int64)
            links = Links(start + 1 + (group >> 1), person, group & 1, position)
            kept = _first_of_each(group << 32 | person)
            yield links if kept is None else Links._make(column[kept] for column in links)
            at += total


def _each(values: npt.NDArray[Any]) -> Iterator[Any]:
    """Yield the elements as Python's own numbers, of which all at once would take forty bytes each."""
    return chain.from_iterable(values[at : at + _BLOCK].tolist() for at in range(0, len(values), _BLOCK))


def _first_of_each(keys: Int64s) -> npt.NDArray[np.intp] | None:
    """Give where each key stands first, in order; None, the usual case and fast to see, where none repeats."""
    ordered = np.sort(keys)
    if not (ordered[1:] == ordered[:-1]).any():
        return None
    return np.sort(np.unique(keys, return_index=True)[1])


def _search_forms(name: str, others: list[str]) -> list[str]:
    """Give all that a person is to be found by besides the name: aliases, and ASCII forms of them all."""
    known = dict.fromkeys((name, *others, *map(latin, (name, *others))))
    del known[name]
    return list(known)
