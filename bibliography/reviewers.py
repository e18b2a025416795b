"""The optional list of reviewers, a CSV file of the operator."""

from __future__ import annotations

import csv
import functools
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, count
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
_MIDDLE = "middle name"  # Between the two parts, where there is such a column.
_AFFILIATION = "affiliation"
#: Columns that mean something.
COLUMNS = frozenset(chain(*_NAME_COLUMNS, (_MIDDLE, _AFFILIATION)))
#: What spreadsheets write between columns, depending on the country.
DELIMITERS = ",;\t"


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
    except FileNotFoundError as error:
        if path.is_symlink():
            raise ReviewersUnreadable(f"{path.name} is a symbolic link that leads nowhere") from error
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
    delimiter = _delimiter(lines)
    return tuple(_rows(path.name, _numbered(path.name, csv.reader(lines, delimiter=delimiter, strict=True))))


def _delimiter(lines: list[str]) -> str:
    """Find what stands between columns; a first line that only says so, ``sep=;`` for Excel, is taken away."""
    found = re.fullmatch("sep=(.)\n", lines[0])
    if found:
        del lines[0]
        return found[1]
    return max(DELIMITERS, key=lines[0].count)


def _numbered(file: str, rows: Iterator[list[str]]) -> Iterator[tuple[int, list[str]]]:
    """Count rows as a spreadsheet does; one may be several lines of the file."""
    for number in count(1):
        try:
            yield number, next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            raise ReviewersUnreadable(f"{file}: row {number}: {error}; look at its quotes") from error


def _rows(file: str, rows: Iterator[tuple[int, list[str]]]) -> Iterator[Reviewer]:
    _, header = next(rows, (1, []))
    names = [normalise(name).lower() for name in header]
    for name, times in Counter(names).items():
        if times > 1 and name in COLUMNS:
            raise ReviewersUnreadable(f"{file}: row 1 has {times} columns called {name!r}")
    width = max((place for place, name in enumerate(names, 1) if name), default=0)
    columns = {name: place for place, name in enumerate(names)}
    name_of = _name_reader(file, columns)
    affiliation = columns.get(_AFFILIATION)
    for number, row in rows:
        if not any(map(str.strip, row)):
            continue
        if any(map(str.strip, row[width:])):
            hint = "text with a separator in it must be in quotes"
            raise ReviewersUnreadable(f"{file}: row {number} has more cells than the {width} of row 1; {hint}")
        row += [""] * (len(header) - len(row))
        name = name_of(row)
        if not name:
            raise ReviewersUnreadable(f"{file}: row {number} has no name")
        yield Reviewer(name, "" if affiliation is None else normalise(row[affiliation]))


def _name_reader(file: str, columns: dict[str, int]) -> Callable[[list[str]], str]:
    for names in _NAME_COLUMNS:
        if all(name in columns for name in names):
            first, *last = names
            middle = [_MIDDLE] if last and _MIDDLE in columns else []
            places = [columns[name] for name in (first, *middle, *last)]
            return lambda row: normalise(" ".join(row[place] for place in places))
    ways = ", ".join(" + ".join(names) for names in _NAME_COLUMNS)
    raise ReviewersUnreadable(f"{file} has no column for names; one of these is needed: {ways}")
