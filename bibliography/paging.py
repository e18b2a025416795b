"""Opaque cursors: where a search goes on, in the store that it began in and for the question that it answers."""

from __future__ import annotations

import base64
import binascii
import hashlib
import struct
from typing import NamedTuple

_CURSOR = struct.Struct(">8s8sII")


class BadCursor(Exception):
    """A cursor that this program did not give, or that belongs to another store or question; says which."""


class Asked(NamedTuple):
    """What is searched: the store (its fingerprint, eight bytes), which kind of thing, and for what."""

    store: bytes
    kind: str
    text: str

    @property
    def question(self) -> bytes:
        """Give eight bytes that hardly another question has."""
        return hashlib.sha256(f"{self.kind} {self.text}".encode()).digest()[:8]


def write_cursor(asked: Asked, after: int, offset: int = 0) -> str:
    """Write a cursor of a search."""
    packed = _CURSOR.pack(asked.store, asked.question, after, offset)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def read_cursor(text: str, asked: Asked) -> tuple[int, int]:
    """Read a cursor: (id after which to go on, how many to pass over).

    Raises ``BadCursor``.
    """
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        of_store, of_question, after, offset = _CURSOR.unpack(packed)
    except (binascii.Error, struct.error, ValueError):
        raise BadCursor("This is no cursor that a search gave.") from None
    if of_store != asked.store:
        raise BadCursor("A new store was published since this search began; begin again without a cursor.")
    if of_question != asked.question:
        raise BadCursor("This cursor is of another search; begin again without a cursor.")
    return after, offset
