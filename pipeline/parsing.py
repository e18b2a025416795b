"""The processes that parse: each unpacks the whole dump and parses every n-th chunk of it.

Unpacking is a twentieth of the work, so doing it in each process is cheaper than handing 5 GB of chunks around,
and the processes need nothing of each other. Batches are taken in turn, so ids do not depend on who was faster.
"""

from __future__ import annotations

import gc
import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from pipeline.archive import CHUNK_BYTES, Chunk, open_dump, read_chunks, read_head
from pipeline.dtd import read_entities
from pipeline.errors import BadArchive
from pipeline.processes import Child
from pipeline.records import Batch, parse_chunk


def parse(path: Path, dtd: Path, share: int, shares: int, send: Callable[[bytes], None]) -> None:
    """Send the batch of every chunk whose number leaves the remainder ``share``; the body of a process."""
    gc.disable()  # Millions of small objects and no cycles: the collector would only look at them again and again.
    entities = read_entities(dtd)
    for chunk in _shared(path, share, shares):
        send(parse_chunk(chunk, entities).pack())


def _shared(path: Path, share: int, shares: int) -> Iterator[Chunk]:
    with open_dump(path) as stream:
        head = read_head(stream.read(CHUNK_BYTES), path.name)
    with open_dump(path) as stream:
        for number, chunk in enumerate(read_chunks(stream, head)):
            if number % shares == share:
                yield chunk


def batches(parsers: list[Child], check: Callable[[], None]) -> Iterator[Batch]:
    """Yield the batches of all parsers in the order of the dump."""
    while True:
        for parser in parsers:
            message = parser.receive(check)
            if not message:
                # The others have no chunk after this one either, but one may yet have found the dump cut off.
                for other in parsers:
                    if other is not parser:
                        other.finish(check)
                return
            yield Batch.unpack(message)


State = tuple[int, int, int, int]
"""Device, inode, length and time of change of an open file: another file of the name has others."""


class Fingerprint(NamedTuple):
    """What a file is told by: by what is in it, and by where it was when it was read."""

    md5: str
    sha256: str
    state: State


def fingerprint(path: Path, check: Callable[[], None]) -> Fingerprint:
    """Compute both hashes in one pass (about 450 MB/s)."""
    md5, sha256 = hashlib.md5(usedforsecurity=False), hashlib.sha256()
    with path.open("rb") as file:
        state = _state(os.fstat(file.fileno()))
        while block := file.read(8 * CHUNK_BYTES):
            md5.update(block)
            sha256.update(block)
            check()
    return Fingerprint(md5.hexdigest(), sha256.hexdigest(), state)


def check_unchanged(path: Path, state: State) -> None:
    """Raise ``BadArchive`` where the file of that name is no longer the one whose fingerprint was taken.

    Every process of a build opens the dump by its name.
    """
    if not path.exists() or _state(path.stat()) != state:
        raise BadArchive(f"{path} was changed or replaced while it was read: build again once it is whole")


def _state(status: os.stat_result) -> State:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
