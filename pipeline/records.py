"""Chunks of XML to batches; knows no SQL.

One chunk of whole records is read with every entity already replaced by its letter (``dtd.py``): its plain records
from their text (``plain.py``), any other with ElementTree (``elements.py``). It becomes one ``Batch``. A batch is
made of plain tuples, because that is what goes from process to process at a quarter of the cost of pickled objects;
``Publication`` and ``pages.Person`` name their fields.
"""

from __future__ import annotations

import marshal
from array import array
from typing import NamedTuple

from pipeline import elements, plain
from pipeline.archive import Chunk
from pipeline.dtd import Entities, replace_entities
from pipeline.elements import Record
from pipeline.pages import PAGE_KEY, Pages
from pipeline.publication import PublicationRow

_MARSHAL_VERSION = 2  # Later versions look for shared strings, and there are none.


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
    passed_over: dict[str, int] = {}
    records = plain.read(xml)
    if records is None:
        records, passed_over = elements.read(xml, chunk)
    return _batch(records, passed_over, chunk)


def _batch(records: list[Record], passed_over: dict[str, int], chunk: Chunk) -> Batch:
    publications: list[PublicationRow] = []
    signatures: list[str] = []
    author_counts, editor_counts = array("i"), array("i")
    pages = Pages()
    for row, authors, editors, person, target in records:
        if person is None:
            publications.append(row)
            signatures += authors
            signatures += editors
            author_counts.append(len(authors))
            editor_counts.append(len(editors))
        elif row[0].startswith(PAGE_KEY):
            pages.add(person, target, authors)
    return Batch(
        publications=publications,
        signatures=signatures,
        author_counts=author_counts.tobytes(),
        editor_counts=editor_counts.tobytes(),
        page_names=pages.names,
        pages=marshal.dumps(pages.people, _MARSHAL_VERSION),
        aliases=pages.aliases,
        redirects=pages.redirects,
        passed_over=passed_over,
        xml_bytes=len(chunk.xml),
        offset=chunk.offset,
    )
