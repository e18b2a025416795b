"""Opaque cursors: where a search goes on, in the store that it began in."""

from __future__ import annotations

import base64
import binascii
import struct

_CURSOR = struct.Struct(">8sII")


class BadCursor(Exception):
    """A cursor that this program did not give, or that belongs to another store; says which."""


def write_cursor(store: bytes, after: int, offset: int = 0) -> str:
    """Write a cursor; ``store`` is the fingerprint of the store, eight bytes."""
    return base64.urlsafe_b64encode(_CURSOR.pack(store, after, offset)).decode().rstrip("=")


def read_cursor(text: str, store: bytes) -> tuple[int, int]:
    """Read a cursor: (id after which to go on, how many to pass over).

    Raises ``BadCursor``.
    """
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        of_store, after, offset = _CURSOR.unpack(packed)
    except (binascii.Error, struct.error, ValueError):
        raise BadCursor("This is no cursor that a search gave.") from None
    if of_store != store:
        raise BadCursor("A new store was published since this search began; begin again without a cursor.")
    return after, offset
