"""What person pages say: names, and what tells people apart who have the same; knows no SQL."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple
from xml.etree.ElementTree import Element

from pipeline.publication import folded

#: Keys of person pages begin so; the rest is the pid.
PAGE_KEY = "homepages/"
_ORCID = re.compile(r"(?:^|orcid\.org/)(\d{4}-\d{4}-\d{4}-\d{3}[\dX])/?$")


class Person(NamedTuple):
    """What a person page says besides names; ``kind`` is ``person``, ``group`` or ``disambiguation``."""

    pid: str
    orcid: str | None
    affiliation: str | None
    kind: str


PersonRow = tuple[str, str | None, str | None, str]


class Pages:
    """Gathers the person pages of a chunk."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.people: list[PersonRow] = []
        self.aliases: list[tuple[int, str]] = []
        self.redirects: list[tuple[str, str, list[str]]] = []

    def add(self, person: PersonRow, target: str, names: list[str]) -> None:
        """Take in a page; ``names`` are those on it, primary first, ``target`` the pid that it leads to, if any."""
        if target:
            self.redirects.append((person[0], target, names))
        elif names:  # A page without a name is nobody that could be found.
            self.names.append(names[0])
            if len(names) > 1:
                self.aliases += [(len(self.people), name) for name in dict.fromkeys(names) if name != names[0]]
            self.people.append(person)


def target_of(page: Element) -> str:
    """Give the pid that a page leads to, empty where it leads nowhere."""
    return (page.findtext("crossref") or "").strip().removeprefix(PAGE_KEY)


def person_of(page: Element, pid: str) -> PersonRow:
    """Read what a page says besides names."""
    notes = [note for note in page.iterfind("note") if note.get("type") == "affiliation"]
    notes = [note for note in notes if note.text and not note.text.isspace()]
    # A label says "PhD 2018" or "former": the first affiliation without one is the present one.
    notes.sort(key=lambda note: note.get("label") is not None)
    words = (page.get("publtype") or "").split()
    kind = next((word for word in ("disambiguation", "group") if word in words), "person")
    orcid = orcid_of(url.text or "" for url in page.iterfind("url"))
    return pid, orcid, folded(notes[0].text or "") if notes else None, kind


def orcid_of(urls: Iterable[str]) -> str | None:
    """Give the first ORCID among addresses."""
    found = (_ORCID.search(url.strip()) for url in urls)
    return next((orcid[1] for orcid in found if orcid), None)
