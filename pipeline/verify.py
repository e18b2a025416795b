"""Is a new store fit to be published?"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import apsw

from bibliography import store
from pipeline.assemble import Contents
from pipeline.errors import VerificationFailed
from pipeline.fulltext import NAMES, TITLES, check_indexes
from pipeline.load import watch
from pipeline.processes import Child, children
from pipeline.progress import Check
from pipeline.releases import is_date

# A release loses records now and then, but never a tenth: that is a dump that was cut or mixed up.
MAX_SHRINK = 0.10


def verify(path: Path, contents: Contents, check: Check) -> None:
    """Look at the store itself, not at what the loader believes: schema, counts, links, full-text indexes.

    Raises ``VerificationFailed`` with what is wrong.
    """
    _check_schema(path)
    with children() as start:
        # Parts of this work go on side by side; these two groups of indexes take about as long as each other.
        groups = (TITLES + NAMES[:1], NAMES[1:])
        indexes: list[Child] = [start(f"check of {group[0]}", check_indexes, path, group) for group in groups]
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            watch(connection, check)
            _check_rows(connection, contents)
            _check_links(connection, contents)
        except apsw.Error as error:
            raise VerificationFailed(f"the new store is damaged: {error}") from error
        finally:
            connection.close()
        for child in indexes:
            child.finish(check)


def verify_info(path: Path) -> None:
    """Look at what a store that is complete says of itself; raises ``VerificationFailed``."""
    with closing(sqlite3.connect(path)) as connection:
        release, data_date = connection.execute("SELECT release, data_date FROM store_info WHERE completed").fetchone()
    for name, day in (("release", release), ("data_date", data_date)):
        if not (is_date(day) if day else name == "release"):
            raise VerificationFailed(f"store_info.{name} is {day!r}, which is no day")


def _check_schema(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        try:
            lacking = store.missing(connection)
        except sqlite3.Error as error:
            raise VerificationFailed(f"the new store is damaged: {error}") from error
    if lacking:
        raise VerificationFailed(f"the new store lacks the {lacking[0][0]} {lacking[0][1]}")


def _check_rows(connection: apsw.Connection, contents: Contents) -> None:
    """Publications and people are numbered from 1 without a gap, and all that were loaded are there."""
    for table, expected in (("publications", contents.publications), ("authors", contents.authors)):
        found = _row(connection, f"SELECT count(*), min(id), max(id) FROM {table}")
        if found != (expected, 1, expected):
            raise VerificationFailed(f"{table}: {expected} were loaded, but count, first and last id are {found}")
    for table, expected in (("title_fts", contents.publications), ("author_fts", contents.authors)):
        (indexed,) = _row(connection, f"SELECT count(*) FROM {table}_docsize")
        if indexed != expected:
            raise VerificationFailed(f"{table} is of {indexed} rows, but there are {expected}")


def _check_links(connection: apsw.Connection, contents: Contents) -> None:
    """Every link points to rows that exist: ids have no gaps, so it is enough that none lies outside."""
    (links,) = _row(connection, "SELECT count(*) FROM pub_authors")
    if links != contents.authorships:
        raise VerificationFailed(f"{contents.authorships} authorships were loaded, but {links} are there")
    for table, column, last in (
        ("pub_authors", "pub_id", contents.publications),
        ("pub_authors", "author_id", contents.authors),
        ("author_aliases", "author_id", contents.authors),
        ("former_pids", "author_id", contents.authors),
    ):
        (low,) = _row(connection, f"SELECT min({column}) FROM {table}")
        (high,) = _row(connection, f"SELECT max({column}) FROM {table}")
        if low is not None and (low < 1 or high > last):
            raise VerificationFailed(f"{table}.{column} points to {low} … {high}, but only 1 … {last} exist")


def _row(connection: apsw.Connection, query: str) -> tuple[int, ...]:
    return tuple(next(iter(connection.execute(query))))


def read_counts(store: Path) -> dict[str, int]:
    """Give the counts of a store that was built by any version of pubmeta.

    Raises ``VerificationFailed`` where it has none that could be read.
    """
    counts: dict[str, int] = {}
    try:
        connection = apsw.Connection(str(store), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            cursor = connection.execute("SELECT * FROM store_info")
            for row in cursor:
                columns = [name for name, *_ in cursor.get_description()]
                counts = {name: value for name, value in zip(columns, row, strict=True) if name in _GUARDED}
        finally:
            connection.close()
    except apsw.Error as error:
        raise VerificationFailed(f"{store.name} cannot be read ({error}): {_BLIND}") from error
    if not counts:
        raise VerificationFailed(f"{store.name} does not say what is in it: {_BLIND}")
    return counts


_GUARDED = ("publications", "authors", "aliases", "authorships", "person_pages")
_BLIND = "nothing tells whether a new store has lost records; to build all the same, add --allow-shrink"


def shrinkage(before: Mapping[str, int], after: Contents) -> str | None:
    """Say of what a new store holds less by over a tenth than those counts of the old one; None of nothing."""
    for name in _GUARDED:
        old, new = before.get(name, 0), getattr(after, name)
        if new < old * (1 - MAX_SHRINK):
            return f"{name} fell from {old:,} to {new:,}, more than {MAX_SHRINK:.0%}"
    return None
