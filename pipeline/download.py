"""One large file over an unreliable line: to a part file, resumed after a cut, accepted only if it is whole."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import requests

from pipeline.errors import NoSpace, NotTheDump
from pipeline.http import Client, Interrupted, refuse_html

_BLOCK = 256 * 1024
_GZIP = b"\x1f\x8b"
_RANGE = re.compile(r"bytes (?:(\d+)-\d+|\*)/(\d+)")
_RESERVE = 64 * 1024 * 1024  # Bytes left free: other programs, and our own database, need the disk too.


@dataclass
class _Origin:
    """Which file a part is a part of."""

    url: str
    validator: str | None  # A strong ETag, else Last-Modified: asks "the same file still?" (RFC 9110, If-Range).
    total: int | None


class PartFile:
    """The part of a file that has arrived, with a note of what it is a part of."""

    def __init__(self, target: Path) -> None:
        self.path = target.with_name(target.name + ".part")
        self._note = target.with_name(target.name + ".part.json")

    def origin(self, url: str) -> _Origin | None:
        """Give what the part belongs to, None where it cannot be continued from this address."""
        try:
            origin = _Origin(**json.loads(self._note.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None
        return origin if origin.url == url and origin.validator and self.path.exists() else None

    def begin(self, origin: _Origin) -> None:
        """Start a new part."""
        self.path.unlink(missing_ok=True)
        self._note.write_text(json.dumps(asdict(origin)), encoding="utf-8")

    def size(self) -> int:
        """Give how many bytes have arrived."""
        return self.path.stat().st_size if self.path.exists() else 0

    def discard(self) -> None:
        """Throw the part away."""
        self.path.unlink(missing_ok=True)
        self._note.unlink(missing_ok=True)

    def accept(self, target: Path) -> None:
        """Make the part the file."""
        os.replace(self.path, target)
        self._note.unlink(missing_ok=True)


def download(
    client: Client,
    url: str,
    target: Path,
    md5: str | None,
    progress: Callable[[int, int | None], None],
    log: Callable[[str], None],
) -> str | None:
    """Download a gzip file to ``target`` and return the server's ETag; ``progress`` is told (bytes, total).

    Raises ``NotTheDump`` for HTML, for what is not gzip, and for a wrong length or md5; ``NoSpace`` before the
    disk is full; ``DownloadFailed`` when tries are used up; ``UntrustedSource`` for a redirect elsewhere.
    """
    part = PartFile(target)
    resumed = part.origin(url) is not None

    def attempt() -> str | None:
        return _continue(client, url, part, progress)

    etag = client.retry(attempt, log)
    wrong = _wrong_md5(part.path, md5)
    if wrong and resumed:
        # The part of an earlier day and the rest of today do not make one file: once more, from the start.
        log(f"{wrong}; downloading from the start")
        part.discard()
        etag = client.retry(attempt, log)
        wrong = _wrong_md5(part.path, md5)
    if wrong:
        part.discard()
        raise NotTheDump(f"{url}: {wrong}; the file is damaged or not the one that was announced, try again later")
    part.accept(target)
    return etag


def _wrong_md5(path: Path, md5: str | None) -> str | None:
    if md5 is None:
        return None
    with path.open("rb") as file:
        found = hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()
    return None if found == md5 else f"the md5 is {found} where {md5} was announced"


def _continue(client: Client, url: str, part: PartFile, progress: Callable[[int, int | None], None]) -> str | None:
    """Fetch what is still missing."""
    origin = part.origin(url)
    headers = {}
    if origin is not None and part.size():
        headers = {"Range": f"bytes={part.size()}-", "If-Range": str(origin.validator)}
    with client.get(url, headers) as response:
        refuse_html(url, response)
        if response.status_code == 416:
            if origin is not None and _RANGE.fullmatch(response.headers.get("Content-Range", "")) is not None:
                return _whole(url, part, origin, response)
            part.discard()
            raise Interrupted(f"{url}: the server has no more of this file", pause=0)
        if response.status_code != 206:
            origin = _begin(url, part, response)
        elif origin is None or _start_of(response) != part.size():
            part.discard()
            raise Interrupted(f"{url}: the server sent another part than the one asked for", pause=0)
        _check_space(part, origin)
        _receive(client, response, url, part, origin, progress)
        _check_length(url, part, origin)
        return response.headers.get("ETag")


def _whole(url: str, part: PartFile, origin: _Origin, response: requests.Response) -> str | None:
    """416 to a resume means that nothing is missing, if the length is right."""
    found = _RANGE.fullmatch(response.headers["Content-Range"])
    if found is not None and int(found[2]) == part.size():
        return response.headers.get("ETag") or origin.validator
    part.discard()
    raise Interrupted(f"{url}: the file has another length than before", pause=0)


def _begin(url: str, part: PartFile, response: requests.Response) -> _Origin:
    length = response.headers.get("Content-Length")
    etag = response.headers.get("ETag", "")
    strong = etag if etag and not etag.startswith("W/") else None
    origin = _Origin(url, strong or response.headers.get("Last-Modified"), int(length) if length else None)
    part.begin(origin)
    return origin


def _start_of(response: requests.Response) -> int:
    found = _RANGE.fullmatch(response.headers.get("Content-Range", ""))
    return int(found[1]) if found and found[1] else -1


def _check_space(part: PartFile, origin: _Origin) -> None:
    if origin.total is not None:
        check_space(part.path.parent, origin.total - part.size(), "the download")


def check_space(directory: Path, needed: int, what: str) -> None:
    """Raise ``NoSpace`` where so many bytes would not fit on the disk of the directory."""
    free = shutil.disk_usage(directory).free - _RESERVE
    if needed > free:
        raise NoSpace(
            f"no space for {what}: it needs {needed / 1e9:.2f} GB, and {max(0, free) / 1e9:.2f} GB can be used in {directory}"
        )


def _receive(
    client: Client,
    response: requests.Response,
    url: str,
    part: PartFile,
    origin: _Origin,
    progress: Callable[[int, int | None], None],
) -> None:
    """Append the body to the part; a first block that is not gzip is refused at once."""
    received = part.size()
    with part.path.open("ab") as file:
        for chunk in client.chunks(response, _BLOCK):
            if received == 0 and not chunk.startswith(_GZIP):
                raise NotTheDump(f"{url}: what came is not a gzip file, it begins with {chunk[:40]!r}")
            file.write(chunk)
            received += len(chunk)
            progress(received, origin.total)


def _check_length(url: str, part: PartFile, origin: _Origin) -> None:
    size = part.size()
    if size == 0:
        raise NotTheDump(f"{url}: an empty file came")
    if origin.total is not None and size < origin.total:
        raise Interrupted(f"{url}: {size:,} bytes came where {origin.total:,} were promised")
    if origin.total is not None and size > origin.total:
        part.discard()
        raise NotTheDump(f"{url}: {size:,} bytes came where {origin.total:,} were promised")
