"""What is read of a record, however it was read; knows neither XML nor SQL."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_FOUR_DIGITS = re.compile(r"(?<!\d)\d{4}(?!\d)")


class Publication(NamedTuple):
    """A publication as its record says, the people apart; columns of the store in their order."""

    key: str
    pub_type: str
    title: str
    year: int | None
    venue: str | None
    publtype: str | None
    ee: str | None
    mdate: str | None
    raw_xml: str


PublicationRow = tuple[str, str, str, int | None, str | None, str | None, str | None, str | None, str]


@lru_cache(1024)
def year_of(text: str) -> int | None:
    """Read a year, also one that is not four digits alone, such as ``1999/2000``; None where there is none."""
    found = _FOUR_DIGITS.search(text)
    return int(found[0]) if found else None


def folded(text: str) -> str:
    """Give a text with single spaces only, and none around it."""
    return " ".join(text.split())
