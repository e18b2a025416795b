"""A dump as a file: unpacked as a stream, its head checked, cut into chunks of whole records.

The unpacked XML is never on disk: unpacking runs at some 500 MB/s, eight times faster than XML is parsed, so a
reader that comes along unpacks for itself, and the disk is spared 5 GB.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np
import numpy.typing as npt
from isal import igzip, isal_zlib

from pipeline.errors import BadArchive, BadDtd, MalformedDump

# Chunks of this size keep a small document, and the tree made of it, in the processor's caches.
CHUNK_BYTES = 32 * 1024
# dblp packs 5 : 1, DEFLATE at most 1032 : 1. A file beyond this, once it is large, is a bomb.
MAX_RATIO = 100
_RATIO_COUNTS_FROM = 64 * 1024 * 1024
# Twelve times the dump of 2026: what unpacks to more is no bibliography.
MAX_UNPACKED = 64 * 1024**3
# A record is a few hundred bytes; one without an end for so long is none.
_MAX_RECORD = 16 * 1024 * 1024

RECORD_TYPES = (
    *("article", "inproceedings", "proceedings", "book", "incollection"),
    *("phdthesis", "mastersthesis", "www", "data"),
)
_RECORD_END = re.compile(f"</(?:{'|'.join(RECORD_TYPES)})>".encode())
_WINDOW = 8 * 1024  # Most often the last record ends in the last few kilobytes.
# One that has no end yet reaches to the end of what is there.
_MARKUP = re.compile(
    rb"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)"
    rb"|<(?:[^<>\"']|\"[^\"]*\"|'[^']*')*+(?:>|\Z)",
    re.DOTALL,
)
# Possessive (``*+``): given back one by one, comments and white space before what is not dblp would take for ever.
_HEAD = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*+(?:<\?xml\b(?P<declaration>[^>]*)\?>)?(?:\s|<!--.*?-->)*+"
    rb"(?:<!DOCTYPE\s+dblp\s+SYSTEM\s*[\"'](?P<dtd>[^\"']*)[\"']\s*(?P<subset>\[)?[^>]*>)?(?:\s|<!--.*?-->)*+<dblp\b[^>]*>",
    re.DOTALL,
)
_ENCODING = re.compile(rb"encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_ENCODINGS = {"iso-8859-1": "latin-1", "latin-1": "latin-1", "us-ascii": "ascii", "ascii": "ascii", "utf-8": "utf-8"}
_TAIL = re.compile(rb"</dblp\s*>(?:\s|<!--.*?-->)*+\Z", re.DOTALL)
_DTD_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\.dtd")


class Head(NamedTuple):
    """What a dump says of itself before its first record."""

    dtd_name: str
    encoding: str
    length: int  # Bytes of the head, the root's start tag included.


class Chunk(NamedTuple):
    """Some whole records, in UTF-8 (entities still named).

    ``line`` is the line of the dump that they begin on, ``offset`` how many bytes of the file were read so far.
    """

    xml: bytes
    line: int
    offset: int


class DumpStream:
    """The XML of a dump, unpacked as it is read."""

    def __init__(self, raw: IO[bytes], packed: bool, name: str) -> None:
        self._raw = raw
        self._name = name
        self._file: IO[bytes] = igzip.IGzipFile(fileobj=raw, mode="rb") if packed else raw
        self._unpacked = 0

    @property
    def offset(self) -> int:
        """How many bytes of the file were read so far."""
        return self._raw.tell()

    def read(self, size: int) -> bytes:
        """Give the next bytes of XML, none at the end; raises ``BadArchive`` at a bomb."""
        data: bytes = self._file.read(size)
        self._unpacked += len(data)
        if self._unpacked > MAX_UNPACKED:
            raise BadArchive(f"{self._name} unpacks to more than {MAX_UNPACKED >> 30} GiB: not a dump of dblp")
        if self._unpacked > _RATIO_COUNTS_FROM and self._unpacked > MAX_RATIO * self.offset:
            raise BadArchive(f"{self._name} unpacks to over {MAX_RATIO} times its size: not a dump of dblp")
        return data


@contextmanager
def open_dump(path: Path) -> Iterator[DumpStream]:
    """Open a dump, packed or not, told by its first bytes.

    Raises ``BadArchive``, also for what is found wrong while the caller reads.
    """
    try:
        with path.open("rb") as raw:
            start = raw.read(40)
            if not start:
                raise BadArchive(f"{path} is empty")
            raw.seek(0)
            packed = start.startswith(b"\x1f\x8b")
            if path.suffix == ".gz" and not packed:
                raise BadArchive(f"{path.name} is not gzip: it begins with {start!r}")
            yield DumpStream(raw, packed, path.name)
    except EOFError as error:
        raise BadArchive(f"{path.name} is cut off: the archive ends before its end mark") from error
    except (isal_zlib.error, gzip.BadGzipFile) as error:
        raise BadArchive(f"{path.name} is damaged: {error}") from error
    except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
        raise BadArchive(f"{path} cannot be read: {error.strerror}") from error


def read_head(start: bytes, name: str) -> Head:
    """Read the head of the dump of that name, or address, from its first bytes (64 KiB are plenty).

    Raises ``MalformedDump`` for what is not dblp and ``BadDtd`` where the DOCTYPE names no plain DTD or declares
    entities of its own.
    """
    head = _HEAD.match(start)
    if head is None:
        if b"[" in start[:4096] and b"<!DOCTYPE" in start[:4096]:
            raise BadDtd(f"{name}: the DOCTYPE has declarations of its own, which no dump of dblp has")
        raise MalformedDump(f"{name} is not a dump of dblp: it begins with {start[:60]!r}")
    if head["subset"]:
        raise BadDtd(f"{name}: the DOCTYPE has declarations of its own, which no dump of dblp has")
    if head["dtd"] is None:
        raise BadDtd(f"{name} names no DTD: without it every accented letter would be lost")
    dtd_name = head["dtd"].decode("latin-1").rpartition("/")[2]
    if not _DTD_NAME.fullmatch(dtd_name):
        raise BadDtd(f"{name} names the DTD {dtd_name!r}, which is not the name of a DTD")
    declared = _ENCODING.search(head["declaration"] or b"")
    encoding = declared[1].decode().lower() if declared else "utf-8"
    if encoding not in _ENCODINGS:
        raise MalformedDump(f"{name} is written in {encoding}, which is not read here")
    return Head(dtd_name, _ENCODINGS[encoding], head.end())


def read_chunks(stream: DumpStream, head: Head) -> Iterator[Chunk]:
    """Cut a dump that stands at its first byte into chunks that end with a record, of whatever type.

    Raises ``MalformedDump`` where the dump does not end with its root's end tag.
    """
    rest = stream.read(max(CHUNK_BYTES, head.length))
    line = 1 + rest.count(b"\n", 0, head.length)
    rest = rest[head.length :]
    # Of a record without an end twice as much is looked at each time, lest all of it be looked at again and again.
    while data := stream.read(max(CHUNK_BYTES, len(rest))):
        buffer = rest + data
        cut = _last_record_end(buffer)
        rest = buffer[cut:]
        if cut:
            yield Chunk(_to_utf8(buffer[:cut], head.encoding, line), line, stream.offset)
            line += _count(np.frombuffer(buffer, np.uint8, cut) == ord("\n"))  # Twice as fast as that of bytes.
        elif len(rest) > _MAX_RECORD:
            raise MalformedDump(f"line {line}: no record ends within {_MAX_RECORD >> 20} MiB")
    tail = _TAIL.search(rest)
    if tail is None:
        line += rest.rstrip().count(b"\n")
        raise MalformedDump(f"line {line}: the dump breaks off before </dblp>, it ends with {rest[-60:]!r}")
    # The last record needs no end tag.
    if last := rest[: tail.start()].rstrip():
        yield Chunk(_to_utf8(last, head.encoding, line), line, stream.offset)


def _last_record_end(buffer: bytes) -> int:
    """Give the offset behind the last record that ends in the buffer, 0 where none does."""
    end = 0
    for found in _RECORD_END.finditer(buffer, max(0, len(buffer) - _WINDOW)):
        end = found.end()
    return end if end and _is_even(buffer[:end]) else _last_end_outside(buffer)


def _is_even(xml: bytes) -> bool:
    """Tell whether every element that begins also ends, at a glance; no may also mean that it is hard to say.

    So an end tag is known to be a record's and not that of an element within one, which may be named like a record.
    With NumPy that costs a hundredth of what parsing does.
    """
    signs = np.frombuffer(xml, dtype=np.uint8)
    begins, follows = (signs == ord("<"))[:-1], signs[1:]
    ends = _count(begins & (follows == ord("/")))
    # Names begin with a letter. Comments and the like do not, and may hold tags that are none.
    no_names = _count(begins & (follows < ord("A")))
    return no_names == ends and _count(begins) == 2 * ends


def _count(where: npt.NDArray[np.bool_]) -> int:
    return int(np.count_nonzero(where))


def _last_end_outside(buffer: bytes) -> int:
    """Give the offset behind the last element that ends outside all others, tag by tag; 0 where none does."""
    end = depth = 0
    for found in _MARKUP.finditer(buffer):
        tag = found[0]
        if tag[1:2] in (b"!", b"?") or not tag.endswith(b">"):
            continue
        depth += -1 if tag.startswith(b"</") else not tag.endswith(b"/>")
        if depth < 0:
            break  # The end of the root.
        if depth == 0:
            end = found.end()
    return end


def _to_utf8(xml: bytes, encoding: str, line: int) -> bytes:
    """Give the bytes in UTF-8; dblp's are ASCII, for which nothing is to be done."""
    if xml.isascii():
        return xml
    try:
        return xml.decode(encoding).encode()
    except UnicodeDecodeError as error:
        at = line + xml.count(b"\n", 0, error.start)
        raise MalformedDump(f"line {at}: a byte that is not {encoding}: {xml[error.start : error.end]!r}") from None
