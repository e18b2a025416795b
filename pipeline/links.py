"""Who signed what: tens of millions of rows, sorted as packed integers, written and indexed by a process of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import apsw
import numpy as np

from pipeline.errors import LoadError
from pipeline.load import attached, writing
from pipeline.people import Int64s, Links, People, Tally
from pipeline.progress import Check

# A link is one integer of 63 bits: publication (33 million; dblp has 8.7), role, position (8,191; the most is 450),
# person (16 million; dblp has 4.2). Sorted integers are links in the order of the table.
_PUBLICATION_BITS, _ROLE_BITS, _POSITION_BITS, _PERSON_BITS = 25, 1, 13, 24
_PERSON = (1 << _PERSON_BITS) - 1
_POSITION_AT = _PERSON_BITS
_ROLE_AT = _POSITION_AT + _POSITION_BITS
_PUBLICATION_AT = _ROLE_AT + _ROLE_BITS
_INSERT = f"""
    INSERT INTO pub_authors (pub_id, role, position, author_id)
    SELECT value >> {_PUBLICATION_AT}, iif(value >> {_ROLE_AT} & 1, 'editor', 'author'),
           value >> {_POSITION_AT} & {(1 << _POSITION_BITS) - 1}, value & {_PERSON}
    FROM carray(?)
"""
_ROWS_AT_ONCE = 1_000_000  # Eight megabytes.


def write_links(people: People, path: Path, check: Check) -> tuple[int, Tally]:
    """Write all links to a file, packed and sorted, with the numbers of people, not yet their ids.

    Returns how many there are, and what they tell of each person.
    Raises ``LoadError`` where a number is too large for its bits.
    """
    total, tally = 0, Tally(people.count)
    with path.open("wb") as file:
        for links in people.links():
            file.write(_pack(links).data)  # Unlike tofile, which does not always hear that the disk is full.
            tally.add(links, people.years)
            total += len(links.person)
            check()
    return total, tally


def _pack(links: Links) -> Int64s:
    for name, bits in (("publication", _PUBLICATION_BITS), ("position", _POSITION_BITS), ("person", _PERSON_BITS)):
        largest = int(getattr(links, name).max(initial=0))
        if largest >> bits:
            raise LoadError(f"{name} {largest:,} is more than {(1 << bits) - 1:,}, for which this program was made")
    packed: Int64s = (
        links.publication << _PUBLICATION_AT
        | links.is_editor << _ROLE_AT
        | links.position << _POSITION_AT
        | links.person
    )
    return packed


def index_links(path: Path, packed: Path, ranks: bytes, indexes: str, send: Callable[[bytes], None]) -> None:
    """Fill the table of links in a staging file of its own and create its indexes; the body of a process.

    ``ranks`` holds the id of each person by number, an array of C ints.
    """
    ids = np.frombuffer(ranks, dtype=np.int32).astype(np.int64)
    with writing(path) as connection:
        with packed.open("rb") as file:
            while len(rows := np.fromfile(file, dtype=np.int64, count=_ROWS_AT_ONCE)):
                rows = rows & ~_PERSON | ids[rows & _PERSON]
                connection.execute(_INSERT, (apsw.carray(rows, flags=apsw.SQLITE_CARRAY_INT64),))
        connection.execute(indexes)


def adopt_links(connection: apsw.Connection, path: Path) -> None:
    """Copy the links and their index into the store, whose table is empty but has the same index.

    So both go over as they are ("xfer" in SQLite's insert.c), ten times as fast as they were made.
    """
    with attached(connection, path):
        connection.execute("INSERT INTO main.pub_authors SELECT * FROM built.pub_authors")
