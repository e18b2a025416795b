"""Long lists in pieces that fit into one SQL statement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

_T = TypeVar("_T")
# SQLite takes 32,766 parameters a statement since 3.32 (https://sqlite.org/limits.html, section 9).
_PARAMETERS = 30_000


def batches(values: Sequence[_T]) -> Iterator[Sequence[_T]]:
    """Yield the values in order, as many at once as one statement takes."""
    for start in range(0, len(values), _PARAMETERS):
        yield values[start : start + _PARAMETERS]
