"""Full-text search of titles and people.

Whatever somebody typed becomes quoted words before it reaches MATCH, so no input is an operator or a syntax error.
Ids of people are ranks, so people come best known first, and a search reads no further than it needs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from itertools import islice
from typing import Any, NamedTuple

from django.db import connections

from bibliography.names import latin, words
from pubmeta.routers import STORE

# A phrase in quotes, which may be left open, or a run of anything else.
_TERM = re.compile(r'"([^"]*)"?|([^\s"]+)')
_TITLE_WORD = re.compile(r"[^\W_]+")
_PERSON_WORD = re.compile(r"([^\W_]+)(['’]?)")
_TRIGRAM = 3  # Letters that the index of text inside names is made of.
# Of a long text the first trigrams are enough to find the few names that are then looked at.
_MOST_TRIGRAMS = 24
_ROWS_AT_ONCE = 64
_BEGIN, _END = "\x01", "\x02"  # Around the words that matched; no title holds them, because XML cannot.


_Wanted = tuple[str, bool]
"""A word that is looked for, and whether words that begin with it will do."""


class Person(NamedTuple):
    """A person as found: columns of ``authors``."""

    id: int
    name: str
    pid: str | None
    kind: str
    publications: int


class Hit(NamedTuple):
    """A person, and the one of the names that matched."""

    person: Person
    matched: str


class TitleHit(NamedTuple):
    """A publication and the parts of its title that matched, each from a position up to another."""

    id: int
    matched: list[tuple[int, int]]


def people_with_words(text: str, limit: int) -> list[Person]:
    """Find people of whose names one has all words of the text, in any order; an initial begins a word."""
    return [hit.person for hit in _people_with(_wanted(text), 0, limit)]


def people_beginning(text: str, after: int, limit: int) -> list[Hit]:
    """Find people as somebody types: as ``people_with_words``, but the last word may be unfinished.

    Only people with an id above ``after`` are found, so that a search may go on where it stopped.
    """
    wanted = _wanted(text)
    return _people_with([*wanted[:-1], *((word, True) for word, _ in wanted[-1:])], after, limit)


def people_with_text(text: str, limit: int) -> list[Person]:
    """Find people of whose names one holds the text, blind to case and accents; ``%`` and ``_`` are themselves.

    Of one or two letters there is no index: they are looked for where words begin.
    """
    needle = latin(text).casefold()
    if len(needle) < _TRIGRAM:
        return [hit.person for hit in _people_with([(word, True) for word in words(text)], 0, limit)]
    trigrams = dict.fromkeys(needle[at : at + _TRIGRAM] for at in range(len(needle) - _TRIGRAM + 1))
    expression = " AND ".join(_quoted(trigram) for trigram in islice(trigrams, _MOST_TRIGRAMS))
    hits = _people("author_trigram", expression, 0, limit, lambda name: needle in latin(name).casefold())
    return [hit.person for hit in hits]


def _wanted(text: str) -> list[_Wanted]:
    """Give the words of a text; a single letter is an initial, unless it is that of O'Neil."""
    found = _PERSON_WORD.findall(latin(text).casefold())
    return [(word, len(word) == 1 and not apostrophe) for word, apostrophe in found]


def _people_with(wanted: Sequence[_Wanted], after: int, limit: int) -> list[Hit]:
    if not wanted:
        return []

    def matches(name: str) -> bool:
        having = words(name)
        return all(
            any(one.startswith(word) for one in having) if unfinished else word in having for word, unfinished in wanted
        )

    expression = " AND ".join(f"{_quoted(word)}{'*' if unfinished else ''}" for word, unfinished in wanted)
    return _people("author_fts", expression, after, limit, matches)


def _people(table: str, expression: str, after: int, limit: int, matches: Callable[[str], bool]) -> list[Hit]:
    """Go through the people that an index gives, by rank, until enough have one name that matches by itself."""
    columns = ", ".join(f"authors.{field}" for field in Person._fields)
    rows = _rows(
        f"SELECT {columns}, authors.other_names FROM {table} JOIN authors ON authors.id = {table}.rowid"
        f" WHERE {table} MATCH %s AND {table}.rowid > %s ORDER BY {table}.rowid",
        (expression, after),
    )
    with closing(rows):
        return list(islice(_hits(rows, matches), limit))


def _hits(rows: Iterator[tuple[Any, ...]], matches: Callable[[str], bool]) -> Iterator[Hit]:
    for *person, others in rows:
        found = Person._make(person)
        matched = next(filter(matches, (found.name, *(others.split("\n") if others else ()))), None)
        if matched is not None:
            yield Hit(found, matched)


def titles(text: str, after: int, limit: int) -> list[TitleHit]:
    """Find publications whose titles have all words and "phrases" of a text, in the order of their ids.

    A word that ends in ``*`` may go on. Only ids above ``after`` are found.
    """
    expression = title_expression(text)
    if not expression:
        return []
    rows = _rows(
        "SELECT rowid, highlight(title_fts, 0, %s, %s) FROM title_fts WHERE title_fts MATCH %s AND rowid > %s"
        " ORDER BY rowid LIMIT %s",
        (_BEGIN, _END, expression, after, limit),
    )
    with closing(rows):
        return [TitleHit(number, _marked(title)) for number, title in rows]


def title_expression(text: str) -> str:
    """Turn what somebody typed into an FTS5 expression; empty where there is no word in it."""
    terms = []
    for phrase, word in _TERM.findall(text):
        inside = " ".join(_TITLE_WORD.findall(phrase or word))
        if inside:
            terms.append(_quoted(inside) + ("*" if word.endswith("*") else ""))
    return " AND ".join(terms)


def _quoted(text: str) -> str:
    return '"{}"'.format(text.replace('"', '""'))


def _marked(title: str) -> list[tuple[int, int]]:
    """Give from where to where words were marked in a title, counted without the marks."""
    before, *parts = title.split(_BEGIN)
    marked, position = [], len(before)
    for part in parts:
        word, _, rest = part.partition(_END)
        marked.append((position, position + len(word)))
        position += len(word) + len(rest)
    return marked


def _rows(sql: str, parameters: Sequence[str | int]) -> Generator[tuple[Any, ...], None, None]:
    """Yield the rows of a query on the store, read a few at a time."""
    with connections[STORE].cursor() as cursor:
        cursor.execute(sql, parameters)
        while rows := cursor.fetchmany(_ROWS_AT_ONCE):
            yield from rows
