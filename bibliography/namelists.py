"""Lists of names as people keep them: a text file with a name a line."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator

from bibliography.bodies import MAX_ENTRY
from bibliography.names import normalise
from bibliography.reviewers import COLUMNS, DELIMITERS

_COMMENT = re.compile(r"(?:^|\s)#.*")
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class ListUnreadable(Exception):
    """The list cannot be read as names; says where and what to do."""


def names(source: str, content: bytes) -> Iterator[str]:
    """Yield the names of a list, in normal form; ``source`` is what messages call it.

    Raises ``ListUnreadable``.
    """
    # Only newlines end a line: str.splitlines would also split at the odd separators that are pasted into names.
    for number, line in enumerate(io.StringIO(_decoded(source, content), newline=None), 1):
        name = normalise(_COMMENT.sub("", line))
        if number == 1 and _is_header(name):
            raise ListUnreadable(f"{source} looks like CSV ({name:.60}); a list has a name a line, and nothing else")
        if len(name) > MAX_ENTRY:
            raise ListUnreadable(f"{source}, line {number}: {len(name):,} characters are no name; at most {MAX_ENTRY}")
        if name:
            yield name


def _decoded(source: str, content: bytes) -> str:
    if content.startswith(_UTF_16) or b"\0" in content:
        raise ListUnreadable(f"{source}, line 1: is not UTF-8; convert it: iconv -f UTF-16 -t UTF-8")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        hint = "convert it, for example: iconv -f WINDOWS-1252 -t UTF-8"
        raise ListUnreadable(f"{source}, line {line}: is not UTF-8; {hint}") from error


def _is_header(line: str) -> bool:
    """Tell whether a line names columns, two at least; one of those words may well be somebody's name."""
    cells = re.split(f"[{DELIMITERS}]", line.lower())
    return len(COLUMNS.intersection(cell.strip(' "') for cell in cells)) > 1
