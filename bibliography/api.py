"""Questions to the store over HTTP; thin."""

from __future__ import annotations

import datetime
from contextlib import ExitStack
from typing import Annotated

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Path, Query, Router

from bibliography import bodies, rendering, schemas, search, store
from bibliography.answers import fingerprint, from_store, json_response
from bibliography.coauthors import Window, look_up
from bibliography.limits import Slots
from bibliography.models import Author, Publication, StoreInfo
from bibliography.names import normalise
from bibliography.paging import Asked, read_cursor, write_cursor
from bibliography.questions import find_names, find_pairs, find_people, group
from bibliography.resolve import find_by_identifier
from bibliography.reviewers import reviewers
from pubmeta.problems import Problem

router = Router(tags=["queries"])
_LIMITS = settings.ENVIRONMENT
# A question is heavy above so many pairs, names to be searched for by text, or publications of the people that
# are asked for: some tens of milliseconds.
_HEAVY_PAIRS, _HEAVY_SEARCHES, _HEAVY_PUBLICATIONS = 40_000, 100, 100_000
_heavy = Slots(_LIMITS.heavy_queries)
_BLOCK = 1000  # Titles that are sorted together; a common word has hundreds of thousands.
_PROBLEMS = dict.fromkeys((400, 412, 422, 503), schemas.ProblemBody)
_ASKED = {**_PROBLEMS, **dict.fromkeys((411, 413, 415, 429), schemas.ProblemBody)}
_CONDITIONAL = {304: None, **_PROBLEMS}

Search = Annotated[str, Query(max_length=schemas.MAX_QUERY)]
Id = Annotated[int, Path(ge=1, le=2**31 - 1)]
Limit = Annotated[int, Query(ge=1, le=100)]
Cursor = Annotated[str | None, Query(max_length=100, description="`next` of the answer before")]


def data_date(info: StoreInfo) -> datetime.date:
    """Give of which day the data is, as the operator or else the store says."""
    return settings.ENVIRONMENT.data_date or datetime.date.fromisoformat(info.data_date)


@router.get("/health", response={200: schemas.Health, 503: schemas.ProblemBody}, summary="Can queries be answered?")
def health(request: HttpRequest) -> HttpResponse:
    """Answer 200 where the store is there and its schema ready; cheap enough to be asked every second."""
    info = store.info()
    day = data_date(info)
    age = (timezone.now().date() - day).days
    stale = age > settings.ENVIRONMENT.max_age_days
    told = schemas.Health(data_date=day, built_at=info.built_at, age_days=age, stale=stale)
    return json_response(told.model_dump())


@router.get("/stats", response={200: schemas.Stats, 503: schemas.ProblemBody}, summary="What is in the store?")
def stats(request: HttpRequest) -> HttpResponse:
    """Read from the store's own notes, never by counting."""
    info = store.info()
    told = schemas.Stats(
        **{name: getattr(info, name) for name in _SAME_NAME},
        data_date=data_date(info),
        release=datetime.date.fromisoformat(info.release) if info.release else None,
        # Where a dump lies on this machine is nobody's business.
        source_url="local file" if info.source_url.startswith("file:") else info.source_url,
    )
    return json_response(told.model_dump())


_SAME_NAME = (
    *("publications", "authors", "built_at", "program_version", "md5"),
    *("aliases", "authorships", "person_pages", "by_type"),
)


@router.get("/pc-members", response={200: schemas.Members, 500: schemas.ProblemBody}, summary="The list of reviewers")
def pc_members(request: HttpRequest) -> HttpResponse:
    """Give the operator's list; where there is none, nobody."""
    members = [member._asdict() for member in reviewers(settings.PC_MEMBERS)]
    return json_response({"members": members, "count": len(members)})


@router.post(
    "/coauthors/pairs",
    response={200: schemas.PairsAnswer, **_ASKED},
    summary="Who has written with whom?",
)
@from_store
def coauthor_pairs(request: HttpRequest, question: bodies.PairsQuestion) -> HttpResponse:
    """Answer for every name of one group against every name of the other, with the publications behind each pair."""
    left, right = group(question.left), group(question.right)
    searches = 0 if question.exact_base_match else len(left) + len(right)
    with ExitStack() as place:
        many = len(left) * len(right) > _HEAVY_PAIRS or searches > _HEAVY_SEARCHES
        if many:
            place.enter_context(_heavy.taken())
        people = find_people(question, left, right)
        if not many and people.publications > _HEAVY_PUBLICATIONS:
            place.enter_context(_heavy.taken())
        told, found = find_pairs(question, people)
        return json_response(told, pair_pubs=map(rendering.pair_item, found))


@router.post(
    "/authors/resolve", response={200: schemas.NamesAnswer, **_ASKED}, summary="Whom do these names stand for?"
)
@from_store
def resolve_names(request: HttpRequest, question: bodies.NamesQuestion) -> HttpResponse:
    """Say of every name of a group whether it is one person, several or nobody: as `/coauthors/pairs` would take it."""
    entries = group(question.entries)
    with ExitStack() as place:
        if not question.exact_base_match and len(entries) > _HEAVY_SEARCHES:
            place.enter_context(_heavy.taken())
        found = find_names(question, entries)
        resolution = [rendering.resolved(found[entry], question.limit_per_entry) for entry in entries]
        return json_response({"resolution": resolution, "store": rendering.store_name(store.info())})


@router.get("/authors", response={200: schemas.People, **_CONDITIONAL}, summary="Find people")
@from_store
def authors(request: HttpRequest, q: Search, limit: Limit = 10, cursor: Cursor = None) -> HttpResponse:
    """Find people by words of a name as it is typed, by pid or by ORCID; the best known come first."""
    text = normalise(q)
    asked = Asked(fingerprint(store.info()), "authors", text)
    after, _ = read_cursor(cursor, asked) if cursor else (0, 0)
    identified = find_by_identifier(text)
    if identified:
        hits = [search.Hit(person, person.name) for person in identified if person.id > after]
    else:
        hits = search.people_beginning(text, after, limit + 1)
    shown = hits[:limit]
    rest = write_cursor(asked, shown[-1].person.id) if len(hits) > limit else None
    return json_response({"items": rendering.people(shown), "next": rest})


@router.get(
    "/authors/{int:id}",
    response={200: schemas.WholePerson, 404: schemas.ProblemBody, **_CONDITIONAL},
    summary="A person",
)
@from_store
def author(request: HttpRequest, id: Id) -> HttpResponse:  # noqa: A002 - the contract calls it so.
    """Give all that the store has of a person; ids hold for one store, pids for all."""
    found = Author.objects.filter(id=id).first()
    if found is None:
        raise Problem(404, f"There is no person with the id {id} in this store.")
    return json_response(rendering.whole_person(found))


@router.get("/publications", response={200: schemas.Titles, **_CONDITIONAL}, summary="Search titles")
@from_store
def publications(request: HttpRequest, q: Search, limit: Limit = 20, cursor: Cursor = None) -> HttpResponse:
    """Find publications by words and "phrases" of the title; a word may end in *."""
    text = normalise(q)
    asked = Asked(fingerprint(store.info()), "publications", text)
    after, offset = read_cursor(cursor, asked) if cursor else (0, 0)
    block = search.titles(text, after, _BLOCK + 1)
    matched = {hit.id: hit.matched for hit in block[:_BLOCK]}
    works = look_up(list(matched), Window())
    shown = works[offset : offset + limit]
    rest = None
    if offset + limit < len(works):
        rest = write_cursor(asked, after, offset + limit)
    elif len(block) > _BLOCK:
        rest = write_cursor(asked, block[_BLOCK - 1].id)
    return json_response({"items": rendering.titles(shown, matched), "next": rest})


@router.get(
    "/publications/{path:key}",
    response={200: schemas.WholePublication, 404: schemas.ProblemBody, **_CONDITIONAL},
    summary="A publication",
)
@from_store
def publication(request: HttpRequest, key: str) -> HttpResponse:
    """Give all that the store has of a publication, by dblp's key."""
    found = Publication.objects.filter(key=key).first()
    if found is None:
        raise Problem(404, f"There is no publication with the key {key} in this store.")
    return json_response(rendering.whole_publication(found))
