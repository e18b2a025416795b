"""XML to frozen records; knows no SQL.

The parser is the standard library's: what it makes of an element is a plain object, so going through the fields
costs a third of what it costs with lxml, whose own parsing is faster (together 2.2 s against 2.8 s for 80 MB).
It opens no file, and knows no entities: they are replaced beforehand.

One chunk of whole records is parsed as a small document of its own, with every entity already replaced by its
letter (``dtd.py``), and becomes one ``Batch``. A batch is made of plain tuples, because that is what goes from
process to process at a quarter of the cost of pickled objects; ``Publication`` and ``pages.Person`` name their
fields.
"""

from __future__ import annotations

import marshal
import re
from array import array
from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element
from xml.parsers import expat

from pipeline.archive import RECORD_TYPES, Chunk
from pipeline.dtd import Entities, replace_entities
from pipeline.errors import MalformedDump
from pipeline.pages import PAGE_KEY, Pages, folded_names

_KNOWN = frozenset(RECORD_TYPES)
# How a record may begin, and its end tag. Without what follows the name, <book would also begin <booktitle>.
_TAGS = {record: (tuple(f"<{record}{sign}" for sign in " \n\t\r>"), f"</{record}>".encode()) for record in RECORD_TYPES}
_KEY = re.compile(rf"""<(?:{"|".join(RECORD_TYPES)})\s[^<>]*?\bkey\s*=\s*["']([^"'<>]*)["']""")
_YEARS = {str(year): year for year in range(1900, 2101)}
_FOUR_DIGITS = re.compile(r"(?<!\d)\d{4}(?!\d)")
_MARSHAL_VERSION = 2  # Later versions look for shared strings, and there are none.
_PLACEHOLDER = "..."  # Stands in ``cite`` and ``ee`` for what is not known.


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


class Batch(NamedTuple):
    """What one chunk holds.

    ``signatures`` are the names on all publications, one after the other, authors before editors; publication
    ``i`` has ``author_counts[i]`` and then ``editor_counts[i]`` of them (arrays of C ints, as bytes).

    ``page_names`` are the primary names of the person pages and ``pages`` the marshalled ``Person`` rows beside
    them, which nobody unpacks until they are written. ``aliases`` are (index of the page, name). A page that only
    leads to another one is in ``redirects`` instead: (pid, pid that it leads to, names).

    ``passed_over`` counts records of unknown types. ``xml_bytes`` is the length of the chunk, ``offset`` how many
    bytes of the file were read up to it.
    """

    publications: list[PublicationRow]
    signatures: list[str]
    author_counts: bytes
    editor_counts: bytes
    page_names: list[str]
    pages: bytes
    aliases: list[tuple[int, str]]
    redirects: list[tuple[str, str, list[str]]]
    passed_over: dict[str, int]
    xml_bytes: int
    offset: int

    def pack(self) -> bytes:
        """Write the batch as bytes for another process."""
        return marshal.dumps(tuple(self), _MARSHAL_VERSION)

    @classmethod
    def unpack(cls, packed: bytes) -> Batch:
        """Read what ``pack`` wrote."""
        return cls._make(marshal.loads(packed))


def parse_chunk(chunk: Chunk, entities: Entities) -> Batch:
    """Make a batch of the records of a chunk.

    Raises ``MalformedDump`` with the line, the record's key where known, and what is wrong.
    """
    xml = replace_entities(chunk.xml, entities)
    records = list(_parse(xml, chunk))
    passed_over: dict[str, int] = {}
    for record in records:
        if record.tag not in _KNOWN:
            passed_over[record.tag] = passed_over.get(record.tag, 0) + 1
    # An element that closes itself could make up for one that is named like the record it stands in.
    odd = passed_over or b"/>" in xml or (b"!" in xml and b"<!" in xml)
    raw = None if odd else _slices(xml, [record.tag for record in records])
    if raw is None:
        records = [record for record in records if record.tag in _KNOWN]
        raw = [_serialise(record) for record in records]
    return _read_records(records, raw, xml, chunk)._replace(passed_over=passed_over)


def _parse(xml: bytes, chunk: Chunk) -> Element:
    try:
        return ElementTree.fromstring(b"<dblp>" + xml + b"</dblp>")
    except ElementTree.ParseError as error:
        row, column = error.position
        lines = ("<dblp>" + xml.decode()).split("\n")[:row]
        keys = _KEY.findall("\n".join([*lines[:-1], lines[-1][:column]]))
        raise _malformed(chunk, row, keys[-1] if keys else None, expat.ErrorString(error.code)) from None


def _malformed(chunk: Chunk, row: int, key: str | None, reason: str) -> MalformedDump:
    return MalformedDump(f"line {chunk.line + row - 1}" + (f", record {key}" if key else "") + f": {reason}")


def _slices(xml: bytes, types: list[str]) -> list[str] | None:
    """Cut the text of each record out of the chunk, by its end tag; None where that does not come out even.

    It does not where a record holds an element named like itself, or where text stands between records.
    """
    slices, start, find = [], 0, xml.find
    for record_type in types:
        start_tags, end_tag = _TAGS[record_type]
        end = find(end_tag, start) + len(end_tag)
        if end < start + len(end_tag):
            return None
        text = xml[start:end].decode()
        if not text.startswith(start_tags):
            text = text.lstrip()
            if not text.startswith(start_tags):
                return None
        slices.append(text)
        start = end
    return slices if start == len(xml) or xml[start:].isspace() else None


def _serialise(record: Element) -> str:
    """Write a record anew, without what follows it."""
    record.tail = None
    return ElementTree.tostring(record, encoding="unicode")


def _read_records(records: list[Element], raw: list[str], xml: bytes, chunk: Chunk) -> Batch:
    """Read the fields of all records; children come in any order and any number."""
    publications: list[PublicationRow] = []
    signatures: list[str] = []
    author_counts, editor_counts = array("i"), array("i")
    pages = Pages()
    for record, text in zip(records, raw, strict=True):
        authors: list[str] = []
        editors: list[str] = []
        fields: dict[str, str | None] = {}
        for child in record:
            tag = child.tag
            content = "".join(child.itertext()) if len(child) else child.text
            if tag == "author":
                if content and not content.isspace():
                    authors.append(content)
            elif tag == "editor":
                if content and not content.isspace():
                    editors.append(content)
            elif tag not in fields:  # The first of several counts.
                fields[tag] = content
        key = record.get("key")
        if not key:
            raise _malformed(chunk, _line_without_key(xml), None, f"a {record.tag} without a key")
        if record.tag != "www":
            publications.append(_publication(record, key, fields, text))
            signatures += authors
            signatures += editors
            author_counts.append(len(authors))
            editor_counts.append(len(editors))
        elif key.startswith(PAGE_KEY):
            pages.add(record, key[len(PAGE_KEY) :], authors)
    return Batch(
        publications=publications,
        signatures=folded_names(signatures),
        author_counts=author_counts.tobytes(),
        editor_counts=editor_counts.tobytes(),
        page_names=pages.names,
        pages=marshal.dumps(pages.people, _MARSHAL_VERSION),
        aliases=pages.aliases,
        redirects=pages.redirects,
        passed_over={},
        xml_bytes=len(chunk.xml),
        offset=chunk.offset,
    )


def _line_without_key(xml: bytes) -> int:
    """Give the line of a chunk, from 1, that its first record without a key begins on."""
    lines: list[int] = []
    path: list[str] = []
    parser = expat.ParserCreate()

    def begin(tag: str, attributes: dict[str, str]) -> None:
        if len(path) == 1 and tag in _KNOWN and not attributes.get("key"):
            lines.append(parser.CurrentLineNumber)
        path.append(tag)

    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda tag: path.pop()
    parser.Parse(b"<dblp>" + xml + b"</dblp>", True)
    return lines[0]


def _publication(record: Element, key: str, fields: dict[str, str | None], raw: str) -> PublicationRow:
    """Make the row of a publication of its fields."""
    get = fields.get
    title, year, link = get("title") or "", get("year"), get("ee")
    venue = get("journal") or get("booktitle") or get("school")
    if venue and (venue.isspace() or not venue.isprintable() or "  " in venue):
        venue = _venue(fields)
    if "ee" in fields and (not link or link == _PLACEHOLDER or " " in link or not link.isprintable()):
        link = _first_link(record)
    return (
        key,
        record.tag,
        # White space other than a space is not printable.
        title.strip() if title.isprintable() and "  " not in title else " ".join(title.split()),
        (_YEARS.get(year) or _odd_year(year)) if year else None,
        venue.strip() if venue else None,
        record.get("publtype"),
        link,
        record.get("mdate"),
        raw,
    )


def _venue(fields: dict[str, str | None]) -> str | None:
    """Give the venue with its white space folded; the fields of a record may hold nothing else."""
    venues = (" ".join((fields.get(field) or "").split()) for field in ("journal", "booktitle", "school"))
    return next(filter(None, venues), None)


def _odd_year(text: str) -> int | None:
    """Read a year that is not four digits alone, such as ``1999/2000``; None where it holds none."""
    found = _FOUR_DIGITS.search(text)
    return int(found[0]) if found else None


def _first_link(record: Element) -> str | None:
    """Give the first link that is neither empty nor a placeholder, without white space around it."""
    links = (" ".join("".join(link.itertext()).split()) for link in record.iterfind("ee"))
    return next((link for link in links if link not in ("", _PLACEHOLDER)), None)
