"""Pure functions on names of people."""

from __future__ import annotations

import unicodedata

from anyascii import anyascii


def ascii_form(name: str) -> str | None:
    """Give the name in ASCII where taking its accents off is not enough for that (ß, ø, ł, ı, đ, æ), else None.

    Full-text search is blind to accents by itself, but only to those that Unicode decomposes.
    """
    if name.isascii() or _without_accents(name).isascii():
        return None
    return anyascii(name)


def _without_accents(name: str) -> str:
    decomposed = unicodedata.normalize("NFKD", name)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))
