"""Rows of the store by long lists of values: the few statements that every question is made of.

They are plain SQL, written out where they are used: Django's ORM takes a millisecond to write such a statement and
looks at each value by itself, which was half the time of a small question (measured at 2 million publications).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.db import connections

from pubmeta.routers import STORE

# SQLite takes 32,766 parameters a statement since 3.32 (https://sqlite.org/limits.html, section 9).
_PARAMETERS = 30_000


def rows(statement: str, values: Sequence[Any], *more: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a statement for all values, as many at once as one statement takes.

    They go where the statement says ``{values}``; ``more`` are the parameters behind them, marked by ``%s``.
    """
    for start in range(0, len(values), _PARAMETERS):
        some = values[start : start + _PARAMETERS]
        with connections[STORE].cursor() as cursor:
            cursor.execute(statement.format(values=", ".join(["%s"] * len(some))), [*some, *more])
            yield from cursor.fetchall()
