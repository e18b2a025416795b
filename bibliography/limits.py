"""What one question may cost: a deadline for each, and so many heavy ones at once."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DatabaseError, connections

from pubmeta.routers import STORE

_INSTRUCTIONS_PER_CHECK = 10_000  # Of SQLite's virtual machine: less than a millisecond.
_here = threading.local()


class DeadlineExceeded(Exception):
    """The question took longer than it may."""


class TooMuch(Exception):
    """The answer would not fit into memory; says in what way, and which fields of the question to change."""

    def __init__(self, reason: str, *fields: str) -> None:
        super().__init__(f"{' and '.join(fields)} {reason}.")
        self.reason = reason
        self.fields = fields


class TooBusy(Exception):
    """As many heavy questions as may be are being answered."""


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """End whatever asks the store within the block once the time is over, in the middle of a statement too.

    Raises ``DeadlineExceeded``.
    """
    _here.ends = time.monotonic() + seconds
    connection = connections[STORE]
    connection.ensure_connection()
    raw: sqlite3.Connection = connection.connection
    raw.set_progress_handler(_is_over, _INSTRUCTIONS_PER_CHECK)
    try:
        yield
    except DatabaseError as error:
        if _is_over():
            raise DeadlineExceeded from error
        raise
    finally:
        raw.set_progress_handler(None, 0)
        _here.ends = None


def check_deadline() -> None:
    """Raise ``DeadlineExceeded`` where the time of the question that this thread answers is over."""
    if _is_over():
        raise DeadlineExceeded


def _is_over() -> bool:
    ends: float | None = getattr(_here, "ends", None)
    return ends is not None and time.monotonic() > ends


class Slots:
    """Places for heavy questions in this process; who finds none is told at once instead of waiting."""

    def __init__(self, places: int) -> None:
        self._free = threading.BoundedSemaphore(places)

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Hold a place for the block; raises ``TooBusy`` where there is none."""
        if not self._free.acquire(blocking=False):
            raise TooBusy
        try:
            yield
        finally:
            self._free.release()
