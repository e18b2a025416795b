"""Records to a staging store; knows no XML.

A staging file is read by nobody and thrown away when a build fails, so it is written without a journal. Rows go
in by ascending key; every index is built afterwards, by the migrations, from full tables.
"""

from __future__ import annotations

import marshal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count, islice
from operator import itemgetter
from pathlib import Path

import apsw

from bibliography.names import folded, split_number
from pipeline.errors import LoadError
from pipeline.people import Ints, People, Tally
from pipeline.progress import Check
from pipeline.publication import Publication, PublicationRow
from pipeline.records import Batch

_INSTRUCTIONS_PER_CHECK = 200_000  # Of SQLite's virtual machine: some milliseconds.
# Nobody reads the file, and a crash throws it away: no journal, no waiting for the disk, no zeroed deletions.
FAST = (
    "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; PRAGMA secure_delete=OFF;"
    "PRAGMA foreign_keys=OFF; PRAGMA cache_size=-65536"
)
_INSERT_PUBLICATION = f"INSERT INTO publications ({', '.join(Publication._fields)}) VALUES ({'?, ' * 8}?)"
_INSERT_PERSON = f"INSERT INTO people VALUES ({'?, ' * 9}?)"
_INSERT_ALIAS = "INSERT INTO author_aliases (name, author_id, folded) VALUES (?, ?, ?)"
_AUTHOR_COLUMNS = "id, name, pid, orcid, affiliation, kind, publications, first_year, last_year, other_names"
# By itself, not by the index that could not be made.
_DOUBLED_KEY = "SELECT key FROM publications NOT INDEXED GROUP BY key HAVING count(*) > 1 ORDER BY min(id) LIMIT 1"

Send = Callable[[bytes], None]
"""Hands a marshalled list of rows to the process that builds a full-text index."""
_TITLE, _TYPE = itemgetter(Publication._fields.index("title")), itemgetter(Publication._fields.index("pub_type"))


@contextmanager
def writing(path: Path, check: Check | None = None) -> Iterator[apsw.Connection]:
    """Open a staging file and write in one transaction; what SQLite refuses becomes a ``LoadError``.

    ``check`` is asked every few milliseconds, also in the middle of a long statement, and may raise.

    apsw instead of the standard library's module: rows go in twice as fast, integers from arrays four times, and
    its SQLite is the same on every machine.
    """
    connection = apsw.Connection(str(path))
    try:
        if check is not None:
            watch(connection, check)
        connection.execute(FAST)
        connection.execute("BEGIN")
        yield connection
        connection.execute("COMMIT")
    except apsw.Error as error:
        raise LoadError(f"the store could not be written: {error}") from error
    finally:
        connection.close()


def watch(connection: apsw.Connection, check: Check) -> None:
    """Call ``check`` every few milliseconds while the connection works; what it raises ends the statement."""

    def handler() -> bool:
        check()
        return False

    connection.set_progress_handler(handler, _INSTRUCTIONS_PER_CHECK)


@contextmanager
def attached(connection: apsw.Connection, path: Path) -> Iterator[None]:
    """Attach another staging file as ``built``, to copy from it."""
    # A file cannot be attached within a transaction.
    connection.execute("COMMIT")
    connection.execute("ATTACH DATABASE ? AS built", (str(path),))
    connection.execute("BEGIN")
    yield
    connection.execute("COMMIT")
    connection.execute("DETACH DATABASE built")
    connection.execute("BEGIN")


def apply_migration(connection: apsw.Connection, name: str, sql: str) -> None:
    """Run a migration of the store on full tables, and note in the store that it was run.

    Raises ``LoadError`` that names the record where two of the same key stand in the way of an index.
    """
    try:
        connection.execute(sql)
    except apsw.ConstraintError as error:
        doubled = connection.execute(_DOUBLED_KEY).get
        if doubled is None:
            raise
        raise LoadError(f"the dump holds more than one record with the key {doubled}") from error
    connection.execute(
        "INSERT INTO django_migrations (app, name, applied) VALUES ('bibliography', ?, datetime('now'))", (name,)
    )


class PublicationWriter:
    """Inserts publications, numbered as they come, and sends their titles on to be indexed.

    ``written`` is the number of publications, ``by_type`` that of each type.
    """

    def __init__(self, connection: apsw.Connection, titles: Send, batch_size: int) -> None:
        self.written = 0
        self.by_type: Counter[str] = Counter()
        self._connection = connection
        self._titles = titles
        self._batch_size = batch_size
        self._pending: list[PublicationRow] = []

    def add(self, batch: Batch) -> None:
        """Take a batch; rows are written once there are enough of them."""
        self._pending += batch.publications
        if len(self._pending) >= self._batch_size:
            self.flush()

    def flush(self) -> None:
        """Write what is pending."""
        rows, self._pending = self._pending, []
        if not rows:
            return
        self._connection.executemany(_INSERT_PUBLICATION, rows)
        self._titles(marshal.dumps(list(zip(count(self.written + 1), map(_TITLE, rows), strict=False)), 2))
        self.by_type.update(map(_TYPE, rows))
        self.written += len(rows)


def insert_people(path: Path, people: People, tally: Tally, ranks: Ints, batch_size: int, check: Check) -> None:
    """Write the people, as they come, and their aliases into a staging file of their own (see ``sort_people``)."""
    with writing(path, check) as connection:
        connection.execute(f"CREATE TABLE people AS SELECT {_AUTHOR_COLUMNS} FROM authors")
        rows = people.author_rows(tally, ranks)
        while block := list(islice(rows, batch_size)):
            connection.executemany(_INSERT_PERSON, block)
            check()
        aliases = ((name, int(ranks[person]), _folded_base(name)) for name, person in sorted(people.aliases))
        connection.executemany(_INSERT_ALIAS, aliases)
        former = sorted((pid, int(ranks[person])) for pid, person in people.former_pids)
        connection.executemany("INSERT INTO former_pids (pid, author_id) VALUES (?, ?)", former)


def _folded_base(*name: apsw.SQLiteValue) -> str:
    return folded(split_number(str(name[0]))[0])


def sort_people(connection: apsw.Connection, indexes: str) -> None:
    """Make the table of authors, sorted and with its indexes, from what ``insert_people`` wrote."""
    connection.create_scalar_function("folded", _folded_base, 1, deterministic=True)
    connection.execute(
        f"INSERT INTO authors ({_AUTHOR_COLUMNS}, folded) SELECT *, folded(name) FROM people ORDER BY id"
    )
    connection.execute("DROP TABLE people")
    connection.execute(indexes)


def adopt_people(connection: apsw.Connection, path: Path) -> None:
    """Copy authors, their aliases and former pids into the store, whose tables are empty but have the same indexes."""
    with attached(connection, path):
        for table in ("authors", "author_aliases", "former_pids"):
            connection.execute(f"INSERT INTO main.{table} SELECT * FROM built.{table}")
