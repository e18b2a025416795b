"""A second reading of a dump, deliberately plain and slow, that shares nothing with the pipeline but the facts.

lxml reads the file as one document with its DTD; everything is held in dictionaries.
"""

import gzip
import re
from collections import defaultdict
from pathlib import Path

from lxml import etree

TYPES = {
    *("article", "inproceedings", "proceedings", "book", "incollection"),
    *("phdthesis", "mastersthesis", "www", "data"),
}
ORCID = re.compile(r"(?:^|orcid\.org/)(\d{4}-\d{4}-\d{4}-\d{3}[\dX])/?$")


class _Beside(etree.Resolver):
    """Serves the DTD that lies beside the dump."""

    def __init__(self, directory):
        self.directory = directory

    def resolve(self, system_url, public_id, context):
        return self.resolve_filename(str(self.directory / system_url.rpartition("/")[2]), context)


def read(path: Path) -> dict:
    """Give ``publications``, ``people``, ``aliases``, ``authorships`` of the dump; see the functions below."""
    parser = etree.XMLParser(
        load_dtd=True, resolve_entities=True, no_network=True, huge_tree=True, remove_comments=True
    )
    parser.resolvers.add(_Beside(path.parent))
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    root = etree.fromstring(content, parser, base_url=str(path))
    records = [record for record in root if record.tag in TYPES]
    pages = [record for record in records if record.tag == "www" and record.get("key").startswith("homepages/")]
    primary_of = _primary_names(pages)
    publications, authorships = {}, set()
    papers = defaultdict(set)
    for record in records:
        if record.tag != "www":
            publications[record.get("key")] = _publication(record)
            for role in ("author", "editor"):
                signed = {}
                for position, name in enumerate(_names(record, role), 1):
                    signed.setdefault(primary_of.get(name, name), position)
                for person, position in signed.items():
                    authorships.add((record.get("key"), person, role, position))
                    papers[person].add(record.get("key"))
    people = {person: (None, None, None, "person", len(keys)) for person, keys in papers.items()}
    for page in reversed(pages):  # Of two pages with one primary name the first counts.
        names = _names(page, "author")
        if names and page.find("crossref") is None:
            people[names[0]] = (*_page(page), len(papers[names[0]]))
    for page in pages:  # Names on a page that leads nowhere stand for themselves.
        for name in _names(page, "author"):
            if primary_of.get(name, name) == name:
                people.setdefault(name, (None, None, None, "person", len(papers[name])))
    aliases = {name: person for name, person in primary_of.items() if name != person}
    return {"publications": publications, "people": people, "aliases": aliases, "authorships": authorships}


def _text(element) -> str:
    return " ".join("".join(element.itertext()).split())


def _names(record, role) -> list[str]:
    return [name for name in (_text(element) for element in record.iterchildren(role)) if name]


def _first(record, tag) -> str | None:
    element = record.find(tag)
    return None if element is None else (_text(element) or None)


def _publication(record) -> tuple:
    """Give type, title, year, venue, publtype, first link and mdate."""
    year = re.search(r"\d{4}", _first(record, "year") or "")
    links = [link for link in map(_text, record.iterchildren("ee")) if link != "..."]
    return (
        record.tag,
        _first(record, "title") or "",
        int(year[0]) if year else None,
        _first(record, "journal") or _first(record, "booktitle") or _first(record, "school"),
        record.get("publtype"),
        links[0] if links else None,
        record.get("mdate"),
    )


def _page(page) -> tuple:
    """Give pid, ORCID, affiliation and kind."""
    orcids = [found[1] for url in page.iterchildren("url") if (found := ORCID.search(_text(url)))]
    notes = [note for note in page.iterchildren("note") if note.get("type") == "affiliation" and _text(note)]
    present = [note for note in notes if note.get("label") is None] or notes
    words = (page.get("publtype") or "").split()
    kinds = [kind for kind in ("disambiguation", "group") if kind in words]
    return (
        page.get("key").removeprefix("homepages/"),
        orcids[0] if orcids else None,
        _text(present[0]) if present else None,
        kinds[0] if kinds else "person",
    )


def _primary_names(pages) -> dict[str, str]:
    """Give the primary name of every name on a page: a name that is primary anywhere stands for itself."""
    leads_to = {
        page.get("key"): page.findtext("crossref").strip() for page in pages if page.find("crossref") is not None
    }
    main = {}
    for page in pages:
        if page.get("key") not in leads_to and (names := _names(page, "author")):
            main[page.get("key")] = names[0]
    primary_of = {name: name for name in main.values()}
    for page in pages:
        if page.get("key") in main:
            for name in _names(page, "author"):
                primary_of.setdefault(name, main[page.get("key")])
    for page in pages:
        target, seen = page.get("key"), set()
        while target in leads_to and target not in seen:
            seen.add(target)
            target = leads_to[target]
        if page.get("key") in leads_to and target in main:
            for name in _names(page, "author"):
                primary_of.setdefault(name, main[target])
    return primary_of
