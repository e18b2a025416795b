"""The bodies that questions come in: their fields, and what each may hold."""

from __future__ import annotations

from typing import Annotated, Any

from django.conf import settings
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationInfo
from pydantic_core import PydanticCustomError

from bibliography.names import normalise
from pubmeta.problems import BROKEN_RULE

_LIMITS = settings.ENVIRONMENT
# The longest name in dblp has about a hundred characters; addresses of person pages are shorter.
MAX_ENTRY = 300
_FIRST_YEAR, _LAST_YEAR = 1000, 9999
# A list may hold repeats and blanks, which do not count; but each bad value of it is named, at a kilobyte each.
_MAX_LIST = 10 * _LIMITS.max_entries_per_side
# People of the bundled sample.
_LEFT, _RIGHT = ["Orla O'Nevin"], ["Mei Lan 0001", "Nobody Atall"]
_PAIRS_EXAMPLE: dict[str, Any] = {"left": _LEFT, "right": _RIGHT}
_NAMES_EXAMPLE: dict[str, Any] = {"entries": _LEFT + _RIGHT}


def _check_side(entries: list[str], info: ValidationInfo) -> list[str]:
    """Refuse a side without names, and over HTTP, where there is a context, one with too many."""
    if not any(map(normalise, entries)):
        raise PydanticCustomError(BROKEN_RULE, "has no names")
    most = _LIMITS.max_entries_per_side
    if info.context and len(entries) > most:
        names = len(set(map(normalise, entries)) - {""})
        if names > most:
            told = {"names": f"{names:,}", "most": f"{most:,}"}
            raise PydanticCustomError(BROKEN_RULE, "has {names} names; at most {most} are answered at once", told)
    return entries


def _check_order(first: int | None, info: ValidationInfo) -> int | None:
    last = info.data.get("year_max")
    if first is not None and last is not None and first > last:
        raise PydanticCustomError("years", "is later than year_max")
    return first


Entry = Annotated[str, StringConstraints(max_length=MAX_ENTRY)]
Entries = Annotated[list[Entry], Field(max_length=_MAX_LIST), AfterValidator(_check_side)]
Year = Annotated[int, Field(ge=_FIRST_YEAR, le=_LAST_YEAR)]
ExactOnly = Annotated[
    bool, Field(description="only exact matches; false also allows full text, then text inside names")
]
AuthorLimit = Annotated[
    Annotated[int, Field(ge=1, le=_LIMITS.max_author_resolve)] | None,
    Field(description="people an entry may resolve to"),
]


class PairsQuestion(BaseModel):
    """Two groups of people.

    Entries are names, or pid:…, addresses of dblp person pages, ORCIDs; name:… is the one person of that very name.
    """

    # A misspelt option would lead to a wrong answer.
    model_config = ConfigDict(strict=True, extra="forbid", json_schema_extra={"example": _PAIRS_EXAMPLE})

    left: Entries
    right: Entries
    exact_base_match: ExactOnly = True
    year_max: Year | None = Field(default=None, description="inclusive")
    # After the other one, which it is compared with.
    year_min: Annotated[Year | None, AfterValidator(_check_order)] = Field(default=None, description="inclusive")
    limit_per_pair: Annotated[int, Field(ge=0, le=_LIMITS.max_pair_results)] | None = Field(
        default=None, description="publications listed a pair; never changes a count"
    )
    author_limit: AuthorLimit = None
    sparse: bool = Field(default=False, description="leave the zeros out of the matrix")
    include_editors: bool = Field(default=False, description="count what somebody edited too")


class NamesQuestion(BaseModel):
    """A group of people, by itself: whom do its entries stand for?"""

    model_config = ConfigDict(strict=True, extra="forbid", json_schema_extra={"example": _NAMES_EXAMPLE})

    entries: Entries
    exact_base_match: ExactOnly = True
    author_limit: AuthorLimit = None
    limit_per_entry: int = Field(default=20, ge=0, le=1000, description="people listed an entry; all count")
