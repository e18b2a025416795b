"""The shapes of answers, as ``/api/docs`` shows them."""

from __future__ import annotations

import datetime
from typing import Literal

from ninja import Schema
from pydantic import Field

from bibliography.coauthors import Verdict
from bibliography.resolve import Method, Status

MAX_QUERY = 500


class BadValue(Schema):
    """A bad value of a request."""

    pointer: str = Field(description="RFC 6901, from the root of the body or the query")
    detail: str


class ProblemBody(Schema):
    """An error (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str = Field(description="in words that a person can act on")
    errors: list[BadValue] | None = Field(default=None, description="all bad values of the request")


class Health(Schema):
    """That queries can be answered, and from which data."""

    status: Literal["ok"] = "ok"
    data_date: datetime.date
    built_at: datetime.datetime
    age_days: int = Field(description="days since data_date")
    stale: bool = Field(description="older than PUBMETA_MAX_AGE_DAYS; queries are answered all the same")


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


class Member(Schema):
    """A reviewer."""

    name: str
    affiliation: str


class Members(Schema):
    """The list of reviewers that the operator gave; empty where there is none."""

    members: list[Member]
    count: int


class Found(Schema):
    """A person that an entry may stand for."""

    id: int = Field(description="rank in this store; another store has other ids")
    name: str
    pid: str | None
    kind: str
    publications: int


class Resolved(Schema):
    """What an entry turned out to be."""

    entry: str
    status: Status
    method: Method | None
    authors: list[Found] = Field(description="the first 20 of them, or as many as `limit_per_entry` says")
    total: int = Field(description="all of them count")
    truncated: bool = Field(description="a cap left people out")
    similar: list[Found] = Field(
        description="up to five people whose names are the entry but for case, accents and punctuation; they do not "
        "count, because others have exactly that name, but may be the same person"
    )


class Resolutions(Schema):
    """What all entries turned out to be."""

    left: list[Resolved]
    right: list[Resolved]


class Item(Schema):
    """A publication as it is listed."""

    title: str
    year: int | None
    venue: str | None
    pub_type: str
    key: str
    url: str = Field(description="of the document, or else of the record at dblp")


class PairItem(Schema):
    """Two entries with publications together, or that may be the same person."""

    left: str
    right: str
    count: int
    verdict: Verdict = Field(
        description="with a count `coauthors` where both entries are one person, else `possible`; without one "
        "`none` where both are, else `unknown`"
    )
    same_person: bool
    items: list[Item]


class StoreName(Schema):
    """Which store answered."""

    release: datetime.date | None
    built_at: datetime.datetime


class PairsAnswer(Schema):
    """Who has written with whom."""

    left_authors: list[str]
    right_authors: list[str]
    matrix: dict[str, dict[str, int]] = Field(
        description="counts by left and right entry; a count of 0 is certain only where the verdict is `none`"
    )
    pair_pubs: list[PairItem] = Field(
        description="pairs with a count or a person in common; all others have the count 0, and the verdict `none` "
        "where both entries have the status `one` in `resolution`, else `unknown`"
    )
    pair_count: int
    limit_per_pair: int | None
    listed_per_pair: int = Field(description="publications listed a pair at most: `limit_per_pair`, or else what fits")
    exact_base_match: bool
    sparse: bool
    include_editors: bool
    year_min: int | None
    year_max: int | None
    resolution: Resolutions
    store: StoreName


class NamesAnswer(Schema):
    """Whom the names of a group stand for, in the order sent, without repeats."""

    resolution: list[Resolved]
    store: StoreName


class Described(Found):
    """A person with what tells people apart."""

    orcid: str | None
    affiliation: str | None
    aliases: list[str]
    first_year: int | None
    last_year: int | None
    venues: list[str] = Field(description="where the person publishes most, by a sample")


class PersonHit(Described):
    """A person that was found."""

    matched: str = Field(description="the one of the names that matched")


class People(Schema):
    """People that were found, best known first."""

    items: list[PersonHit]
    next: str | None = Field(description="cursor of what follows; null at the end")


class SignedItem(Item):
    """A publication of a person."""

    role: str
    position: int


class Coauthor(Found):
    """A person with whom another one has written."""

    count: int = Field(description="publications that both are authors of")


class WholePerson(Described):
    """All that the store has of a person."""

    url: str | None = Field(description="of the person page at dblp")
    homonyms: list[Found] = Field(description="the others of the same name but for the number")
    coauthors: list[Coauthor] = Field(description="the 20 most frequent")
    items: list[SignedItem] = Field(description="all publications, newest first")


class Signed(Schema):
    """A name on a publication."""

    id: int
    name: str
    pid: str | None
    role: str
    position: int


class TitleItem(Item):
    """A publication that was found."""

    matched: list[tuple[int, int]] = Field(description="which parts of the title matched, each from … up to …")
    authors: list[Signed] = Field(description="the first 20 names on it")
    author_count: int


class Titles(Schema):
    """Publications that were found: of the first thousand the newest first, then of the next thousand."""

    items: list[TitleItem]
    next: str | None = Field(description="cursor of what follows; null at the end")


class WholePublication(Item):
    """All that the store has of a publication."""

    publtype: str | None
    ee: str | None
    mdate: str | None
    dblp_url: str
    authors: list[Signed]
    bibtex: str
    raw_xml: str
