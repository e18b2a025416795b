"""The optional list of reviewers, a CSV file of the operator."""

from __future__ import annotations

import csv
import functools
import io
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from bibliography.names import normalise

# Columns that hold a name, each way tried in turn; a name in two parts is put together.
_NAME_COLUMNS = (
    ("reviewer",),
    ("name",),
    ("given_name", "family_name"),
    ("first name", "last name"),
    ("first", "last"),
)
_AFFILIATION = "affiliation"
_DELIMITERS = ",;\t"  # What spreadsheets write, depending on the country.


class Reviewer(NamedTuple):
    """One line of the list."""

    name: str
    affiliation: str


class ReviewersUnreadable(Exception):
    """The list is there but cannot be read; says why."""


def reviewers(path: Path) -> tuple[Reviewer, ...]:
    """Give the list; empty where there is no file, read again where it has changed.

    Raises ``ReviewersUnreadable``.
    """
    try:
        found = path.stat()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise ReviewersUnreadable(f"{path.name}: {error.strerror}") from error
    return _read(path, found.st_mtime_ns, found.st_size, found.st_ino)


@functools.lru_cache(maxsize=1)
def _read(path: Path, changed: int, size: int, inode: int) -> tuple[Reviewer, ...]:
    try:
        text = path.read_text(encoding="utf-8-sig")  # Excel begins a file with a byte order mark.
    except UnicodeDecodeError as error:
        raise ReviewersUnreadable(f"{path.name} is not UTF-8 (byte {error.start}); save it as CSV UTF-8") from error
    except OSError as error:
        raise ReviewersUnreadable(f"{path.name}: {error.strerror}") from error
    # Only newlines end a line: str.splitlines would also split at the odd separators that are pasted into names.
    lines = list(io.StringIO(text))
    if not text.strip():
        raise ReviewersUnreadable(f"{path.name} is empty; its first line names the columns")
    delimiter = max(_DELIMITERS, key=lines[0].count)
    try:
        return tuple(_rows(path.name, csv.reader(lines, delimiter=delimiter, strict=True)))
    except csv.Error as error:
        raise ReviewersUnreadable(f"{path.name}: {error}") from error


def _rows(file: str, rows: Iterable[list[str]]) -> Iterator[Reviewer]:
    numbered = enumerate(rows, 1)
    _, header = next(numbered)
    columns = {normalise(name).lower(): place for place, name in enumerate(header)}
    name_of = _name_reader(file, columns)
    affiliation = columns.get(_AFFILIATION)
    for line, row in numbered:
        if not any(map(str.strip, row)):
            continue
        row += [""] * (len(header) - len(row))
        name = name_of(row)
        if not name:
            raise ReviewersUnreadable(f"{file}: row {line} has no name")
        yield Reviewer(name, "" if affiliation is None else normalise(row[affiliation]))


def _name_reader(file: str, columns: dict[str, int]) -> Callable[[list[str]], str]:
    for names in _NAME_COLUMNS:
        if all(name in columns for name in names):
            places = [columns[name] for name in names]
            return lambda row: normalise(" ".join(row[place] for place in places))
    ways = ", ".join(" + ".join(names) for names in _NAME_COLUMNS)
    raise ReviewersUnreadable(f"{file} has no column for names; one of these is needed: {ways}")
