"""Questions to the store over HTTP; thin."""

from __future__ import annotations

import datetime
from typing import Literal

from django.conf import settings
from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from bibliography import store
from bibliography.models import StoreInfo
from pubmeta.problems import Problem

router = Router(tags=["queries"])
# Seconds after which to ask again where there is no store: a build takes some minutes.
_RETRY_AFTER = "60"


class ProblemBody(Schema):
    """An error (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str


class Health(Schema):
    """That queries can be answered, and from which data."""

    status: Literal["ok"] = "ok"
    data_date: datetime.date
    built_at: datetime.datetime


class Stats(Schema):
    """What is in the store and where it came from."""

    publications: int
    authors: int
    data_source: Literal["DBLP"] = "DBLP"
    data_date: datetime.date
    release: datetime.date | None = Field(description="date of the monthly release, null for other dumps")
    built_at: datetime.datetime
    program_version: str = Field(description="of the program that built the store")
    source_url: str
    md5: str
    aliases: int
    authorships: int
    person_pages: int
    by_type: dict[str, int]


def store_info() -> StoreInfo:
    """Give what is in the store, or the problem to answer with."""
    try:
        return store.info()
    except store.StoreNotReady as error:
        raise Problem(503, str(error), {"Retry-After": _RETRY_AFTER}) from None


def data_date(info: StoreInfo) -> datetime.date:
    """Give of which day the data is, as the operator or else the store says."""
    return settings.ENVIRONMENT.data_date or datetime.date.fromisoformat(info.data_date)


@router.get("/health", response={200: Health, 503: ProblemBody}, summary="Can queries be answered?")
def health(request: HttpRequest) -> Health:
    """Answer 200 where the store is there and its schema ready; cheap enough to be asked every second."""
    info = store_info()
    return Health(data_date=data_date(info), built_at=info.built_at)


@router.get("/stats", response={200: Stats, 503: ProblemBody}, summary="What is in the store?")
def stats(request: HttpRequest) -> Stats:
    """Read from the store's own notes, never by counting."""
    info = store_info()
    return Stats(
        **{name: getattr(info, name) for name in _SAME_NAME},
        data_date=data_date(info),
        release=datetime.date.fromisoformat(info.release) if info.release else None,
        # Where a dump lies on this machine is nobody's business.
        source_url="local file" if info.source_url.startswith("file:") else info.source_url,
    )


_SAME_NAME = (
    *("publications", "authors", "built_at", "program_version", "md5"),
    *("aliases", "authorships", "person_pages", "by_type"),
)
