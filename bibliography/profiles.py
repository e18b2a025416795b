"""What tells people apart whose names do not: years, usual venues, other names, homonyms; and whole records."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from django.db import connections, models

from bibliography.coauthors import Work, newest_first
from bibliography.models import Author, Authorship, Role
from bibliography.names import split_number
from bibliography.rows import rows
from pubmeta.routers import STORE

# Publications that the usual venues are counted from: as many as are looked up for ten people in a millisecond or two.
_VENUES_FROM = 30
_USUAL = 3
_FREQUENT = 20
# Ids have nothing to do with venues, so every n-th is as good as drawing lots.
_SAMPLE = """
    WITH people (id, step) AS (VALUES {people})
    SELECT people.id, publications.venue
    FROM people
    JOIN pub_authors ON pub_authors.author_id = people.id AND pub_authors.pub_id %% people.step = 0
    JOIN publications ON publications.id = pub_authors.pub_id
    WHERE publications.venue IS NOT NULL
"""


_ALIASES = "SELECT author_id, name FROM author_aliases WHERE author_id IN ({values})"


class Details(NamedTuple):
    """What helps to tell a person from others: columns of ``authors``."""

    orcid: str | None
    affiliation: str | None
    first_year: int | None
    last_year: int | None


_DETAILS = f"SELECT id, {', '.join(Details._fields)} FROM authors WHERE id IN ({{values}})"


class Signature(NamedTuple):
    """One name on a publication."""

    id: int
    name: str
    pid: str | None
    role: str
    position: int


def usual_venues(publications: Mapping[int, int]) -> dict[int, list[str]]:
    """Give where each person publishes most, by a sample; how many publications people have is known, by id."""
    if not publications:
        return {}
    steps = [value for person, count in publications.items() for value in (person, max(1, count // _VENUES_FROM))]
    with connections[STORE].cursor() as cursor:
        cursor.execute(_SAMPLE.format(people=", ".join(["(%s, %s)"] * len(publications))), steps)
        venues: dict[int, Counter[str]] = {person: Counter() for person in publications}
        for person, venue in cursor.fetchall():
            venues[person][venue] += 1
    return {person: [venue for venue, _ in counted.most_common(_USUAL)] for person, counted in venues.items()}


def details(people: Sequence[int]) -> dict[int, Details]:
    """Give what is known of each person besides the name."""
    return {person: Details._make(known) for person, *known in rows(_DETAILS, people)}


def other_names(people: Sequence[int]) -> dict[int, list[str]]:
    """Give the aliases of each person."""
    names: dict[int, list[str]] = defaultdict(list)
    for person, name in rows(_ALIASES, people):
        names[person].append(name)
    return names


def homonyms(author: Author) -> list[Author]:
    """Give the other people of the same name but for the number."""
    base, _ = split_number(author.name)
    people = Author.objects.filter(folded=author.folded).exclude(id=author.id).order_by("id")
    return [other for other in people if split_number(other.name)[0] == base]


def works_of(author: Author) -> list[tuple[Work, str, int]]:
    """Give all that a person signed, newest first, with role and position."""
    signed = Authorship.objects.filter(author_id=author.id, role__in=list(Role)).values_list(
        *(f"publication__{field}" for field in Work._fields), "role", "position"
    )
    works = [(Work._make(row[:-2]), row[-2], row[-1]) for row in signed]
    return sorted(works, key=lambda signed: newest_first(signed[0]))


def most_frequent_coauthors(author: Author) -> list[tuple[Author, int]]:
    """Give who has signed most with a person, both as authors, and how often."""
    theirs = Authorship.objects.filter(author_id=author.id, role=Role.AUTHOR).values("publication_id")
    together = (
        Authorship.objects.filter(publication_id__in=theirs, role=Role.AUTHOR)
        .exclude(author_id=author.id)
        .values_list("author_id")
        .annotate(count=models.Count("*"))
        .order_by("-count", "author_id")[:_FREQUENT]
    )
    counts = dict(together)
    people = Author.objects.in_bulk(list(counts))
    return [(people[person], count) for person, count in counts.items()]


def signatures(publications: Iterable[int]) -> dict[int, list[Signature]]:
    """Give who signed each publication, authors before editors, in order."""
    signed: dict[int, list[Signature]] = defaultdict(list)
    found = Authorship.objects.filter(publication_id__in=list(publications)).order_by(
        "publication_id", "role", "position"
    )
    for publication, *rest in found.values_list(
        "publication_id", "author_id", "author__name", "author__pid", "role", "position"
    ):
        signed[publication].append(Signature._make(rest))
    return signed
