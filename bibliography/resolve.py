"""Entries to people, with the reason: which people of dblp may a name that somebody typed stand for?

The first step that finds anybody wins:

0. an identifier: pid, address of a dblp person page, ORCID, or ``name:`` and the very name, for the one person of it
   where others have it with a number and there is no pid;
1. the name or alias itself, without a homonym number also everybody numbered apart; then the same blind to case,
   accents and punctuation, "Last, First" included;
2. and 3., where asked for: full text, then text inside a name (``search.py``); not with a homonym number, which is
   one person's of that very name and would be found in others.

Step 1 is one look-up for all entries together: whoever shares a base name shares its folded form, which is indexed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from bibliography import search
from bibliography.limits import TooMuch, check_deadline
from bibliography.models import AuthorKind
from bibliography.names import folded, split_number
from bibliography.rows import rows
from bibliography.search import Person

# Copied from a page an address may lack its scheme.
_DBLP = r"(?:https?://)?(?:www\.)?dblp\.(?:org|uni-trier\.de|dagstuhl\.de)"
_PID = re.compile(rf"pid:\s*(\S+)|{_DBLP}/pid/([^?#\s]+)[?#]?.*", re.IGNORECASE)
_PAGE_SUFFIX = re.compile(r"(?:\.(?:html|xml|rdf|nt|ttl|bib|ris))?/?$")
_ORCID = re.compile(r"(?:(?:https?://)?orcid\.org/)?(\d{4}-\d{4}-\d{4}-\d{3}[\dXx])/?", re.IGNORECASE)
_VERY_NAME = re.compile(r"name:(\S.*)")  # So "Name: Jane Doe" is a name with a label, which nobody has.
_MOST_SIMILAR = 5  # People of a similar name that are told of.
_MOST_PEOPLE = 200_000  # That the entries of a question stand for, all told: some 70 MB.


class Method(StrEnum):
    """Which step found the people."""

    IDENTIFIER = "identifier"
    EXACT = "exact"
    ALIAS = "alias"
    FOLDED = "folded"
    FULLTEXT = "fulltext"
    SUBSTRING = "substring"


class Status(StrEnum):
    """What an entry turned out to be."""

    ONE = "one"
    SEVERAL = "several"
    DISAMBIGUATION = "disambiguation"
    NONE = "none"


_PERSON = ", ".join(f"authors.{field}" for field in Person._fields)
_NAMED = f"SELECT folded, {_PERSON} FROM authors WHERE folded IN ({{values}})"
_ALSO_NAMED = f"""
    SELECT author_aliases.folded, author_aliases.name, {_PERSON}
    FROM author_aliases JOIN authors ON authors.id = author_aliases.author_id
    WHERE author_aliases.folded IN ({{values}})
"""
_IDENTIFIED = f"SELECT {{column}}, {_PERSON} FROM authors WHERE {{column}} IN ({{values}}) ORDER BY id"
_FORMERLY = f"""
    SELECT former_pids.pid, {_PERSON}
    FROM former_pids JOIN authors ON authors.id = former_pids.author_id
    WHERE former_pids.pid IN ({{values}})
"""


@dataclass(frozen=True)
class Resolution:
    """The people that an entry may stand for, likeliest first; ``truncated`` where a cap left some out."""

    entry: str
    method: Method | None
    people: tuple[Person, ...]
    truncated: bool
    similar: tuple[Person, ...] = ()
    """Who has a name that is equal in the blind comparison, but not the very name."""

    @cached_property
    def status(self) -> Status:
        """Say whether the entry is a single person."""
        if not self.people:
            return Status.NONE
        if any(person.kind == AuthorKind.DISAMBIGUATION for person in self.people):
            return Status.DISAMBIGUATION
        return Status.ONE if len(self.people) == 1 and not self.truncated else Status.SEVERAL


class _Named(NamedTuple):
    """A person by one of the names."""

    name: str
    is_alias: bool
    person: Person


def resolve(entries: Iterable[str], *, exact_only: bool, limit: int) -> dict[str, Resolution]:
    """Find the people of each entry, at most ``limit`` an entry.

    Entries are in normal form (``names.normalise``). Raises ``DeadlineExceeded`` where a question has a deadline,
    and ``TooMuch``.
    """
    entries = list(dict.fromkeys(entries))
    identifiers = {entry: found for entry in entries if (found := _identifier(entry))}
    resolutions = _by_identifier(identifiers, limit)
    names = [entry for entry in entries if entry not in identifiers]
    resolutions |= _by_name(names, limit)
    searched = set() if exact_only else {entry for entry in names if split_number(entry)[1] is None}
    total = 0
    for entry in entries:
        if entry in searched and not resolutions[entry].people:
            check_deadline()  # Each search may be too short to be interrupted, and there may be thousands.
            resolutions[entry] = _by_search(entry, limit)
        total += len(resolutions[entry].people)
        if total > _MOST_PEOPLE:
            raise TooMuch(f"has entries stand for more than {_MOST_PEOPLE:,} people; lower it", "author_limit")
    return resolutions


def _identifier(entry: str) -> tuple[str, str] | None:
    """Give what kind of identifier an entry is, a column of authors, and its value; None for a name."""
    if found := _PID.fullmatch(entry):
        return ("pid", _PAGE_SUFFIX.sub("", found[2]) if found[2] else found[1])
    if found := _VERY_NAME.fullmatch(entry):
        return ("name", found[1])
    found = _ORCID.fullmatch(entry)
    return ("orcid", found[1].upper()) if found else None


def find_by_identifier(text: str) -> list[Person]:
    """Give the people that an identifier stands for; none where the text is none."""
    found = _identifier(text)
    return list(_by_identifier({text: found}, limit=100)[text].people) if found else []


def _by_identifier(identifiers: dict[str, tuple[str, str]], limit: int) -> dict[str, Resolution]:
    people: dict[tuple[str, str], list[Person]] = defaultdict(list)
    for column in ("pid", "orcid", "name"):
        wanted = [value for kind, value in identifiers.values() if kind == column]
        for value, *person in rows(_IDENTIFIED.format(column=column, values="{values}"), wanted):
            people[column, value].append(Person._make(person))
    pids = [value for kind, value in identifiers.values() if kind == "pid" and (kind, value) not in people]
    for value, *person in rows(_FORMERLY, pids):
        people["pid", value].append(Person._make(person))
    return {
        entry: _resolution(entry, Method.IDENTIFIER, people[identifier], limit)
        for entry, identifier in identifiers.items()
    }


def _by_name(entries: Sequence[str], limit: int) -> dict[str, Resolution]:
    keys = {entry: _keys(entry) for entry in entries}
    named = _named(sorted({key for both in keys.values() for key in both}))
    return {
        entry: _named_so(entry, [one for key in keys[entry] for one in named.get(key, ())], limit, blind=keys[entry][0])
        for entry in entries
    }


def _keys(entry: str) -> list[str]:
    """Give the folded forms that an entry may have: as it stands, and "Last, First" the other way round."""
    base, _ = split_number(entry)
    last, comma, first = base.partition(",")
    return [folded(base), folded(f"{first} {last}")] if comma and "," not in first else [folded(base)]


def _named(keys: Sequence[str]) -> dict[str, list[_Named]]:
    """Give all people by names and aliases of these folded forms."""
    named: dict[str, list[_Named]] = defaultdict(list)
    for key, *person in rows(_NAMED, keys):
        one = Person._make(person)
        named[key].append(_Named(one.name, False, one))
    for key, name, *person in rows(_ALSO_NAMED, keys):
        named[key].append(_Named(name, True, Person._make(person)))
    return named


def _named_so(entry: str, named: Sequence[_Named], limit: int, *, blind: str) -> Resolution:
    """Take those of that very name, without a number also those whose name without its number it is.

    Where there are none, take those whose name folds to the same; a homonym number that was given must be theirs.
    ``named`` are all whose name without its number folds to the same, which is ``blind``.
    """
    _, number = split_number(entry)
    matching = [one for one in named if one.name == entry or split_number(one.name)[0] == entry]
    # Names without any letter are all the same to the blind comparison, and so none is.
    alike = named if blind else matching
    if number is not None:
        alike = [one for one in alike if split_number(one.name)[1] == number]
    if not matching:
        return _resolution(entry, Method.FOLDED, _in_order(entry, alike), limit)
    method = Method.ALIAS if all(one.is_alias for one in matching) else Method.EXACT
    found = _resolution(entry, method, _in_order(entry, matching), limit)
    if len(matching) == len(alike):
        return found
    taken = {one.person.id for one in matching}
    others = sorted({one.person for one in alike if one.person.id not in taken})  # Ids are ranks.
    return replace(found, similar=tuple(others[:_MOST_SIMILAR]))


def _in_order(entry: str, named: Iterable[_Named]) -> list[Person]:
    """Sort people: the very name before numbered ones, then by publications; nobody twice."""
    ordered = sorted(named, key=lambda one: (one.name != entry, -one.person.publications, one.person.name))
    return list({one.person.id: one.person for one in ordered}.values())


def _by_search(entry: str, limit: int) -> Resolution:
    people = search.people_with_words(entry, limit + 1)
    if people:
        return _resolution(entry, Method.FULLTEXT, people, limit)
    return _resolution(entry, Method.SUBSTRING, search.people_with_text(entry, limit + 1), limit)


def _resolution(entry: str, method: Method, people: Sequence[Person], limit: int) -> Resolution:
    return Resolution(entry, method if people else None, tuple(people[:limit]), len(people) > limit)
