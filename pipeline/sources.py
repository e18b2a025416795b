"""Getting a dump and its DTD: the newest release, an address, or a local file."""

from __future__ import annotations

import re
import threading
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from urllib.parse import urldefrag, urlsplit

from pipeline.archive import Head, open_dump, read_head
from pipeline.download import check_space, download
from pipeline.dtd import read_entities
from pipeline.errors import BadDtd, BuildStopped, MalformedDump, NotTheDump, SourceError
from pipeline.http import Client, Refused, refuse_html
from pipeline.parsing import State, fingerprint
from pipeline.progress import Check, Pace, Report
from pipeline.releases import collection_url, dtd_url, md5_url, newest_release, read_md5, release_of, release_url

LATEST = "latest"
_HEAD_BYTES = 64 * 1024  # Of a dump are enough to read which DTD it names.
# What a build writes for each byte of a packed dump, at its fullest: the store, the indexes beside it, and the
# files that SQLite sorts in. Measured: 6.7 for the store alone.
_STAGING_PER_BYTE = 10
_SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_WAIT_SECONDS = 0.2
_GRACE_SECONDS = 1.0  # For a thread that is told to end; only one that waits for a first answer needs longer.
T = TypeVar("T")


@dataclass(frozen=True)
class Dump:
    """A dump that is here, checked as far as that goes without unpacking it."""

    path: Path
    dtd: Path
    url: str
    release: str | None
    md5: str
    sha256: str
    state: State
    etag: str | None


@dataclass(frozen=True)
class Known:
    """What the published store was built from, for ``--if-changed``."""

    url: str
    md5: str
    etag: str | None


class Unchanged(Exception):
    """The published store was built from this very dump."""


def from_file(path: Path, dtd: Path | None, known: Known | None, report: Report, check: Check) -> Dump:
    """Take a local dump, with the DTD that it names beside it unless another is given.

    Raises ``Unchanged``, ``DumpError`` or ``SourceError``.
    """
    dtd = dtd or path.with_name(_head_of(path).dtd_name)
    read_entities(dtd)
    found = fingerprint(path, check)
    announced = path.with_name(path.name + ".md5")
    if announced.exists():
        expected = read_md5(announced.read_text(encoding="ascii", errors="replace"), str(announced))
        if expected != found.md5:
            raise NotTheDump(f"{path}: the md5 is {found.md5} where {announced.name} says {expected}")
    if known is not None and known.md5 == found.md5:
        raise Unchanged
    return Dump(path, dtd, path.absolute().as_uri(), release_of(path.name), *found, None)


def _head_of(path: Path) -> Head:
    with open_dump(path) as stream:
        return read_head(stream.read(_HEAD_BYTES), path.name)


class Remote:
    """Gets a dump from a server: where it is, its md5, its DTD, itself."""

    def __init__(self, client: Client, downloads: Path, report: Report, check: Check) -> None:
        self._client = client
        self._downloads = downloads
        self._report = report
        self._check = check

    def obtain(self, xml_gz: str, dtd: str, releases_origin: str, known: Known | None) -> Dump:
        """Get the dump of an address, or the newest release, and its DTD.

        With ``known`` no more is asked for than shows that nothing has changed. Raises ``Unchanged`` then, and
        ``SourceError`` for all that can go wrong.
        """
        try:
            return self._obtain(xml_gz, dtd, releases_origin, known)
        finally:
            self._client.close()  # Hours of building follow, in which nothing is asked for.

    def _obtain(self, xml_gz: str, dtd: str, releases_origin: str, known: Known | None) -> Dump:
        self._report.phase("download_dtd")
        for address in (xml_gz, dtd):
            if address != LATEST:
                self._client.trusted.check(address)
        self._downloads.mkdir(parents=True, exist_ok=True)
        url = self._newest(releases_origin) if xml_gz == LATEST else urldefrag(xml_gz).url
        name = urlsplit(url).path.rpartition("/")[2]
        if not _SAFE_NAME.fullmatch(name):
            raise SourceError(f"{url}: the address does not end with the name of a file")
        md5 = self._md5(url)
        if known is not None and self._is_known(url, md5, known):
            raise Unchanged
        target = self._downloads / name
        found = fingerprint(target, self._check) if md5 is not None and target.exists() else None
        here = found is not None and found.md5 == md5
        head = _head_of(target) if here else self._in_thread(lambda: self._head(url))
        dtd_path = self._dtd(url, dtd, head)
        self._report.phase("download_xml_gz")
        etag = None
        if found is None or not here:
            etag = self._in_thread(lambda: self._download(url, target, md5))
            found = fingerprint(target, self._check)
            # A server that tells no checksum and no ETag lets this be seen only now.
            if known is not None and found.md5 == known.md5:
                raise Unchanged
        self._remove_older(target, dtd_path)
        return Dump(target, dtd_path, url, release_of(url), *found, etag)

    def _newest(self, origin: str) -> str:
        page = collection_url(origin)
        text = self._small(page, page=True).decode("utf-8", errors="replace")
        date = newest_release(text, page)
        self._report.log(f"the newest release is of {date}")
        return release_url(origin, date)

    def _md5(self, url: str) -> str | None:
        """Fetch the checksum beside the file; None where there is none."""
        address = md5_url(url)
        try:
            text = self._small(address).decode("utf-8", errors="replace")
        except Refused as error:
            if error.status in (404, 410):
                self._report.log(f"{address} does not exist: the download is checked by its length alone")
                return None
            raise
        return read_md5(text, address)

    def _small(self, url: str, page: bool = False) -> bytes:
        return self._in_thread(lambda: self._client.small(url, self._report.log, page))

    def _is_known(self, url: str, md5: str | None, known: Known) -> bool:
        if md5 is not None:
            return md5 == known.md5
        if known.etag is None or known.url != url:
            return False

        headers = {"If-None-Match": known.etag}

        def ask() -> bool:
            with self._client.get(url, headers, method="HEAD", accepted=frozenset({200, 304})) as response:
                return response.status_code == 304 or response.headers.get("ETag") == known.etag

        try:
            return self._in_thread(lambda: self._client.retry(ask, self._report.log))
        except Refused:
            return False  # Not every server answers HEAD; what is wrong otherwise, the download will say.

    def _head(self, url: str) -> Head:
        """Read the head of a dump from its first bytes on the server."""

        def fetch() -> bytes:
            start = bytearray()
            wanted = {"Range": f"bytes=0-{_HEAD_BYTES - 1}"}
            with self._client.get(url, wanted, accepted=frozenset({200, 206})) as response:
                refuse_html(url, response)
                for chunk in self._client.chunks(response):
                    start += chunk
                    if len(start) >= _HEAD_BYTES:
                        break
            return bytes(start)

        start = self._client.retry(fetch, self._report.log)
        if not start.startswith(b"\x1f\x8b"):
            raise NotTheDump(f"{url}: what came is not a gzip file, it begins with {start[:40]!r}")
        try:
            return read_head(zlib.decompressobj(wbits=31).decompress(start, _HEAD_BYTES), url)
        except zlib.error as error:
            raise NotTheDump(f"{url}: the archive is damaged: {error}") from error
        except MalformedDump as error:
            raise NotTheDump(str(error)) from error

    def _dtd(self, dump_url: str, dtd: str, head: Head) -> Path:
        """Get the DTD that the dump names and keep it under that name."""
        content = self._small(dtd_url(dump_url, head.dtd_name) if dtd == LATEST else dtd)
        path = self._downloads / head.dtd_name
        path.write_bytes(content)
        try:
            read_entities(path)
        except BadDtd:
            path.unlink()
            raise
        return path

    def _download(self, url: str, target: Path, md5: str | None) -> str | None:
        pace: list[Pace] = []

        def progress(received: int, total: int | None) -> None:
            if not pace:
                pace.append(Pace(total or 0, received))  # A part of it may have been here before.
            totals = {"total_bytes": total} if total else {}
            self._report.progress(downloaded_bytes=received, **totals, **pace[0].at(received))

        return download(self._client, url, target, md5, progress, self._report.log)

    def _remove_older(self, *kept: Path) -> None:
        """Remove dumps and DTDs of earlier builds, and parts of files that nobody will ask for again."""
        for path in self._downloads.iterdir():
            if path not in kept and not path.is_dir():  # A directory is none of ours.
                path.unlink()

    def _in_thread(self, work: Callable[[], T]) -> T:
        """Do work that waits for a server in a thread, so that a stop need not wait for it."""
        results: list[T] = []
        errors: list[BaseException] = []

        def run() -> None:
            try:
                results.append(work())
            except BaseException as error:  # Raised again below, in the thread that asked for the work.
                errors.append(error)

        thread = threading.Thread(target=run, name="download", daemon=True)
        thread.start()
        while thread.is_alive():
            thread.join(_WAIT_SECONDS)
            try:
                self._check()
            except BuildStopped:
                self._client.cancel()
                thread.join(_GRACE_SECONDS)  # It closes its file and its connection.
                raise
        if errors:
            raise errors[0]
        return results[0]


def check_staging_space(directory: Path, dump: Path, freed: int = 0) -> None:
    """Raise ``NoSpace`` where a store of the dump, and what its build needs beside it, would not fit.

    ``freed`` are the bytes of stores that are removed before it is built.
    """
    packed = dump.stat().st_size // (1 if dump.suffix == ".gz" else 5)
    besides = " besides the room of the old one" if freed else ""
    check_space(directory, packed * _STAGING_PER_BYTE - freed, f"the new store{besides}")
