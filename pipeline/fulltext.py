"""Full-text indexes, each built by a process of its own in a file of its own, while other work goes on.

The file has the schema of the store, so the index is the one that the store's own migration declares; what FTS5
keeps of it is then copied into the store as it is (``adopt_index``).
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

import apsw

from pipeline.errors import VerificationFailed
from pipeline.load import attached, sort_people, writing

#: The full-text tables of publications and of people.
TITLES = ("title_fts",)
NAMES = ("author_fts", "author_trigram")
# Memory for terms not yet written, in bytes. FTS5's own 1 MB makes a thousand small segments of millions of
# titles; with 16 MB there are a few dozen, which are merged once, at the end.
_PENDING_BYTES = 16 * 1024 * 1024
# Merging as rows come in would write the index several times over.
_WHILE_FILLING = {"automerge": 0, "crisismerge": 1000, "hashsize": _PENDING_BYTES}
_DEFAULTS = {"automerge": 4, "crisismerge": 16, "hashsize": 1024 * 1024}  # https://sqlite.org/fts5.html, section 6.


def index_titles(path: Path, rows: Connection, send: Callable[[bytes], None]) -> None:
    """Fill the index of titles with what comes through ``rows``; the body of a process.

    A message is a marshalled list of (id, title); an empty one ends the work.
    """
    with _filling(path, TITLES) as connection:
        while message := rows.recv_bytes():
            connection.executemany("INSERT INTO title_fts (rowid, title) VALUES (?, ?)", marshal.loads(message))


def index_people(path: Path, indexes: str, send: Callable[[bytes], None]) -> None:
    """Make the table of authors and all its indexes, for full text too; the body of a process."""
    with _filling(path, NAMES) as connection:
        sort_people(connection, indexes)
        for table in NAMES:
            connection.execute(f"INSERT INTO {table} ({table}) VALUES ('rebuild')")


@contextmanager
def _filling(path: Path, tables: tuple[str, ...]) -> Iterator[apsw.Connection]:
    with writing(path) as connection:
        _configure(connection, tables, _WHILE_FILLING)
        yield connection
        for table in tables:
            connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")
        _configure(connection, tables, _DEFAULTS)


def _configure(connection: apsw.Connection, tables: tuple[str, ...], options: dict[str, int]) -> None:
    for table in tables:
        for option, value in options.items():
            connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES (?, ?)", (option, value))


def adopt_index(connection: apsw.Connection, path: Path, tables: tuple[str, ...]) -> None:
    """Copy finished indexes from the file that they were built in into the store.

    Rows of equal tables go over as they are ("xfer" in SQLite's insert.c): 0.2 s for 100 MB.
    """
    with attached(connection, path):
        for shadow in _shadow_tables(connection, tables):
            connection.execute(f"DELETE FROM main.{shadow}")
            connection.execute(f"INSERT INTO main.{shadow} SELECT * FROM built.{shadow}")


def _shadow_tables(connection: apsw.Connection, tables: tuple[str, ...]) -> Iterator[str]:
    """Yield the tables in which FTS5 keeps an index (https://sqlite.org/fts5.html, section 9)."""
    for table in tables:
        for suffix in ("data", "idx", "docsize", "config"):
            name = f"{table}_{suffix}"
            if list(connection.execute("SELECT 1 FROM main.sqlite_master WHERE name = ?", (name,))):
                yield name


def check_indexes(path: Path, tables: tuple[str, ...], send: Callable[[bytes], None]) -> None:
    """Let FTS5 compare indexes with the text of the tables that they belong to; the body of a process.

    FTS5 asks nobody whether to go on meanwhile, 20 seconds at full size: only a process of its own can be stopped.
    Raises ``VerificationFailed`` for an index that says something else than its table.
    """
    # FTS5 takes the check for a write, for which only one process could have the lock. Nobody writes the file.
    connection = apsw.Connection(str(path), vfs="unix-none")
    try:
        for table in tables:
            try:
                # Without rank 1 the text of a table that is not FTS5's own is not looked at.
                connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)")
            except apsw.Error as error:
                raise VerificationFailed(f"the full-text index {table} does not fit its table: {error}") from error
    finally:
        connection.close()
