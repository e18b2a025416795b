"""Answers as plain dictionaries in the shapes of ``schemas.py``; not validated again, there may be a million."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bibliography import bibtex, profiles
from bibliography.coauthors import Pair, Work
from bibliography.models import Author, Publication, StoreInfo
from bibliography.resolve import Resolution
from bibliography.search import Hit, Person

Json = dict[str, Any]
_SHOWN = 20  # People of an entry, names on a publication in a list.


def matrix(
    left: Sequence[str], right: Sequence[str], counts: Iterable[tuple[str, str, int]], *, sparse: bool
) -> dict[str, dict[str, int]]:
    """Give the counts by left and right entry, zeros included unless ``sparse``."""
    # Rows without a count are one and the same object: a million zeros cost no memory until they are written.
    zeros: dict[str, int] = {} if sparse else dict.fromkeys(right, 0)
    rows = dict.fromkeys(left, zeros)
    for one, other, count in counts:
        if rows[one] is zeros:
            rows[one] = zeros.copy()
        rows[one][other] = count
    return rows


def pair_item(found: Pair) -> Json:
    """Give a pair with its publications."""
    return {
        "left": found.left,
        "right": found.right,
        "count": found.total,
        "verdict": found.verdict,
        "same_person": found.same_person,
        "items": [item(work) for work in found.works],
    }


def store_name(info: StoreInfo) -> Json:
    """Give which store answered."""
    return {"release": info.release, "built_at": info.built_at}


def resolved(resolution: Resolution, listed: int = _SHOWN) -> Json:
    """Give what an entry turned out to be, with so many of its people."""
    return {
        "entry": resolution.entry,
        "status": resolution.status,
        "method": resolution.method,
        "authors": [person._asdict() for person in resolution.people[:listed]],
        "total": len(resolution.people),
        "truncated": resolution.truncated,
        "similar": [person._asdict() for person in resolution.similar],
    }


def item(work: Work) -> Json:
    """Give a publication as it is listed."""
    return {
        "title": work.title,
        "year": work.year,
        "venue": work.venue,
        "pub_type": work.pub_type,
        "key": work.key,
        "url": _link(work.ee, work.key),
    }


def _link(ee: str | None, key: str) -> str:
    """Give the document's address; some are relative to a place that is long gone, and then it is the record's."""
    return ee if ee and ee.startswith(("https://", "http://")) else f"https://dblp.org/rec/{key}"


def people(hits: Sequence[Hit]) -> list[Json]:
    """Give people as they are listed, with what tells them apart."""
    ids = [hit.person.id for hit in hits]
    about = profiles.details(ids)
    venues = profiles.usual_venues({hit.person.id: hit.person.publications for hit in hits})
    aliases = profiles.other_names(ids)
    return [
        {
            **hit.person._asdict(),
            "matched": hit.matched,
            **_about(about[hit.person.id], aliases.get(hit.person.id, []), venues[hit.person.id]),
        }
        for hit in hits
    ]


def _about(author: Author | profiles.Details, aliases: list[str], venues: list[str]) -> Json:
    return {
        "orcid": author.orcid,
        "affiliation": author.affiliation,
        "aliases": aliases,
        "first_year": author.first_year,
        "last_year": author.last_year,
        "venues": venues,
    }


def _person(author: Author) -> Json:
    return Person(author.id, author.name, author.pid, author.kind, author.publications)._asdict()


def whole_person(author: Author) -> Json:
    """Give all of a person."""
    aliases, venues = profiles.other_names([author.id]), profiles.usual_venues({author.id: author.publications})
    return {
        **_person(author),
        "url": f"https://dblp.org/pid/{author.pid}" if author.pid else None,
        **_about(author, aliases.get(author.id, []), venues[author.id]),
        "homonyms": [_person(other) for other in profiles.homonyms(author)],
        "coauthors": [{**_person(other), "count": count} for other, count in profiles.most_frequent_coauthors(author)],
        "items": [{**item(work), "role": role, "position": place} for work, role, place in profiles.works_of(author)],
    }


def titles(works: Sequence[Work], matched: dict[int, list[tuple[int, int]]]) -> list[Json]:
    """Give publications that were found."""
    names = profiles.signatures(work.id for work in works)
    return [
        {
            **item(work),
            "matched": matched[work.id],
            "authors": [name._asdict() for name in names[work.id][:_SHOWN]],
            "author_count": len(names[work.id]),
        }
        for work in works
    ]


def whole_publication(publication: Publication) -> Json:
    """Give all of a publication."""
    work = Work._make(getattr(publication, field) for field in Work._fields)
    return {
        **item(work),
        "publtype": publication.publtype,
        "ee": publication.ee,
        "mdate": publication.mdate,
        "dblp_url": f"https://dblp.org/rec/{publication.key}",
        "authors": [name._asdict() for name in profiles.signatures([publication.id])[publication.id]],
        "bibtex": bibtex.entry(publication.raw_xml),
        "raw_xml": publication.raw_xml,
    }
