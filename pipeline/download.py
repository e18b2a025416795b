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
from typing import NamedTuple

import requests

from pipeline.errors import DownloadFailed, NoSpace, NotTheDump
from pipeline.http import Client, Interrupted, Refused, refuse_html

Progress = Callable[[int, int | None], None]
_BLOCK = 256 * 1024
_GZIP = b"\x1f\x8b"
_RANGE = re.compile(r"bytes (?:(\d{1,18})-\d{1,18}|\*)/(\d{1,18})")
_RESERVE = 64 * 1024 * 1024  # Bytes left free: other programs, and our own database, need the disk too.
_WORTHWHILE = 1024 * 1024  # Bytes; a series of tries that brought so many may be followed by another.
_SHOWN = 40  # Bytes of what came instead, enough to recognise it.
_ANSWERS = frozenset({200, 206, 416})


@dataclass
class _Origin:
    """Which file a part is a part of."""

    url: str
    validator: str | None  # A strong ETag, else Last-Modified: asks "the same file still?" (RFC 9110, If-Range).
    total: int | None


class _Fetched(NamedTuple):
    """How a file came to be whole; one that was resumed may be of two states of the server's file."""

    etag: str | None
    resumed: bool


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

    def start(self) -> bytes:
        """Give the first bytes, none where nothing has arrived."""
        if not self.path.exists():
            return b""
        with self.path.open("rb") as file:
            return file.read(len(_GZIP))

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
    progress: Progress,
    log: Callable[[str], None],
) -> str | None:
    """Download a gzip file to ``target`` and return the server's ETag; ``progress`` is told (bytes, total).

    Raises ``NotTheDump`` for HTML, for what is not gzip, and for a wrong length or md5; ``NoSpace`` before the
    disk is full; ``DownloadFailed`` when tries are used up; ``UntrustedSource`` for a redirect elsewhere.
    """
    part = PartFile(target)
    fetched = _fetch(client, url, part, progress, log)
    wrong = _wrong_md5(part.path, md5)
    if wrong and fetched.resumed:
        # The part of an earlier day and the rest of today do not make one file: once more, from the start.
        log(f"{wrong}; downloading from the start")
        part.discard()
        fetched = _fetch(client, url, part, progress, log)
        wrong = _wrong_md5(part.path, md5)
    if wrong:
        part.discard()
        raise NotTheDump(f"{url}: {wrong}; the file is damaged or not the one that was announced, try again later")
    part.accept(target)
    return fetched.etag


def _wrong_md5(path: Path, md5: str | None) -> str | None:
    if md5 is None:
        return None
    with path.open("rb") as file:
        found = hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()
    return None if found == md5 else f"the md5 is {found} where {md5} was announced"


def _fetch(client: Client, url: str, part: PartFile, progress: Progress, log: Callable[[str], None]) -> _Fetched:
    """Fetch until the part is whole; tries are counted anew as long as they bring it on."""
    while True:
        before = part.size()
        try:
            return client.retry(lambda: _continue(client, url, part, progress), log)
        except Refused:
            raise
        except (NoSpace, OSError):
            if part.origin(url) is None:
                part.discard()  # It cannot be gone on with, and the disk has none to spare.
            raise
        except DownloadFailed as error:
            if part.size() < before + _WORTHWHILE:
                raise
            log(f"{error}; going on, as {part.size() - before:,} bytes more have come")


def _continue(client: Client, url: str, part: PartFile, progress: Progress) -> _Fetched:
    """Fetch what is still missing."""
    origin = part.origin(url)
    resume = origin is not None and part.size() > 0
    headers = {"Range": f"bytes={part.size()}-", "If-Range": str(origin.validator)} if origin and resume else {}
    with client.get(url, headers, accepted=_ANSWERS) as response:
        if response.status_code == 200:
            refuse_html(url, response)
            origin = _begin(url, part, response)
        elif origin is None or not resume:
            raise DownloadFailed(
                f"{url}: the server answers {response.status_code} though the whole file was asked for"
            )
        else:
            changed = _why_not_the_rest(part, origin, response)
            if changed:
                part.discard()
                raise Interrupted(f"{url}: {changed}", pause=0)
        etag = response.headers.get("ETag") or (origin.validator if str(origin.validator).startswith('"') else None)
        if response.status_code != 416:
            if origin.total is not None:
                check_space(part.path.parent, origin.total - part.size(), "the download")
            _receive(client, response, url, part, origin, progress)
            _check_length(url, part, origin)
        return _Fetched(etag, response.status_code != 200)


def _why_not_the_rest(part: PartFile, origin: _Origin, response: requests.Response) -> str | None:
    """Say why an answer to a resume does not complete the part, None where it does.

    A server that knows no If-Range sends the rest of whatever it has now, and 416 means that nothing is missing
    only if the length is right.
    """
    validator = _validator(response)
    if validator is not None and validator != origin.validator:
        return "the file is another one than before"
    found = _RANGE.fullmatch(response.headers.get("Content-Range", ""))
    total = int(found[2]) if found else origin.total
    if origin.total not in (None, total):
        return "the file has another length than before"
    if response.status_code == 416:
        return None if total == part.size() else "the server has no more of this file"
    start = int(found[1]) if found and found[1] else None
    return None if start == part.size() else "the server sent another part than the one asked for"


def _begin(url: str, part: PartFile, response: requests.Response) -> _Origin:
    length = response.headers.get("Content-Length", "")
    total = int(length) if length.isdecimal() and len(length) <= 18 else None
    origin = _Origin(url, _validator(response), total)
    part.begin(origin)
    return origin


def _validator(response: requests.Response) -> str | None:
    """Give what tells this state of the file from others: a strong ETag, else the date of its change."""
    etag = response.headers.get("ETag", "")
    return etag if etag.startswith('"') else response.headers.get("Last-Modified")


def check_space(directory: Path, needed: int, what: str) -> None:
    """Raise ``NoSpace`` where so many bytes would not fit on the disk of the directory."""
    free = shutil.disk_usage(directory).free - _RESERVE
    if needed > free:
        usable = f"{_in_words(max(0, free))} can be used in {directory}"
        raise NoSpace(f"no space for {what}: it needs {_in_words(needed)}, and {usable}")


def _in_words(size: float) -> str:
    """Give so many bytes in the largest unit of which there is one."""
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:,.1f} GB"


def _receive(
    client: Client, response: requests.Response, url: str, part: PartFile, origin: _Origin, progress: Progress
) -> None:
    """Append the body to the part; what does not begin like gzip is refused at once."""
    received = part.size()
    start = part.start()
    with part.path.open("ab") as file:
        for chunk in client.chunks(response, _BLOCK):
            if len(start) < len(_GZIP):  # The first packet may hold a single byte.
                start += chunk[:_SHOWN]
                if not start.startswith(_GZIP[: len(start)]):
                    raise NotTheDump(f"{url}: what came is not a gzip file, it begins with {start!r}")
            # Not every server says how much it will send, and other programs use the disk too.
            check_space(part.path.parent, len(chunk), "the download")
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
