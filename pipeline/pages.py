"""What person pages say: names, and what tells people apart who have the same; knows no SQL."""

from __future__ import annotations

import re
from typing import NamedTuple
from xml.etree.ElementTree import Element

#: Keys of person pages begin so; the rest is the pid.
PAGE_KEY = "homepages/"
_ORCID = re.compile(r"(?:^|orcid\.org/)(\d{4}-\d{4}-\d{4}-\d{3}[\dX])/?$")
# White space that is to be folded, as it is found in names with a bar between them.
_LOOSE = ("  ", " |", "| ", *(sign for sign in map(chr, range(0x3001)) if sign.isspace() and sign != " "))


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

    def add(self, record: Element, pid: str, authors: list[str]) -> None:
        """Take in a page; ``authors`` are the names on it, primary first."""
        names = folded_names(authors)
        target = (record.findtext("crossref") or "").strip()
        if target:
            self.redirects.append((pid, target.removeprefix(PAGE_KEY), names))
        elif names:  # A page without a name is nobody that could be found.
            self.names.append(names[0])
            self.aliases += [(len(self.people), name) for name in dict.fromkeys(names) if name != names[0]]
            # Four in five: a name and "Home Page".
            plain = len(record) == 2 and record[1].tag == "title" and not record.get("publtype")
            self.people.append((pid, None, None, "person") if plain else _person(record, pid))


def _person(record: Element, pid: str) -> PersonRow:
    """Read what a person page says besides names."""
    orcids = (_ORCID.search((url.text or "").strip()) for url in record.iterfind("url"))
    orcid = next((found[1] for found in orcids if found), None)
    notes = [note for note in record.iterfind("note") if note.get("type") == "affiliation"]
    notes = [note for note in notes if note.text and not note.text.isspace()]
    # A label says "PhD 2018" or "former": the first affiliation without one is the present one.
    notes.sort(key=lambda note: note.get("label") is not None)
    affiliation = " ".join((notes[0].text or "").split()) if notes else None
    words = (record.get("publtype") or "").split()
    kind = next((word for word in ("disambiguation", "group") if word in words), "person")
    return pid, orcid, affiliation, kind


def folded_names(names: list[str]) -> list[str]:
    """Fold white space in names, should any have more of it than one space between words."""
    together = f"|{'|'.join(names)}|"
    if any(map(together.__contains__, _LOOSE)):
        return [" ".join(name.split()) for name in names]
    return names
