"""The one build behind the command and the button: where the stages meet.

    obtain (sources) → assemble → verify → publish

Until the link is replaced in the last step, nothing that is served has been touched; before that everything
lies in one directory that the next build removes.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

import apsw
from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone

import pubmeta
from bibliography import store
from bibliography.models import StoreInfo
from pipeline.archive import CHUNK_BYTES, open_dump, read_chunks, read_head
from pipeline.assemble import Contents, Effort, assemble
from pipeline.dtd import read_entities
from pipeline.errors import BuildStopped, LoadError, VerificationFailed
from pipeline.http import Client
from pipeline.layout import DataDir
from pipeline.load import watch
from pipeline.parsing import check_unchanged
from pipeline.progress import Check, Report
from pipeline.publish import (
    linked_size,
    lost_stores,
    move_aside,
    publish,
    remove_linked,
    remove_staging,
    remove_unlinked,
    served_store,
    settle,
    way_back,
)
from pipeline.sources import LATEST, Dump, Known, Remote, Unchanged, check_staging_space, from_file
from pipeline.verify import read_counts, shrinkage, verify, verify_info

_NEWEST_CHANGE = "SELECT max(mdate) FROM publications WHERE date(mdate) = mdate AND mdate BETWEEN '1970-01-01' AND ?"


@dataclass(frozen=True)
class BuildOptions:
    """All that a build can be told; a local ``file`` goes before ``xml_gz_url``."""

    file: Path | None = None
    dtd_file: Path | None = None
    xml_gz_url: str = LATEST
    dtd_url: str = LATEST
    rebuild: bool = False
    if_changed: bool = False
    allow_shrink: bool = False
    batch_size: int = 1_000
    progress_every: int = 50_000


@dataclass(frozen=True)
class Result:
    """What a build came to; ``contents`` is None where nothing had changed."""

    store: Path | None
    contents: Contents | None


def build(options: BuildOptions, data: DataDir, client: Client, report: Report, check: Check) -> Result:
    """Build a store and publish it; only for who holds the lock.

    ``check`` is called often and raises ``BuildStopped`` to end the build. Raises ``PipelineError``; whatever is
    raised, the published store is as it was, unless ``rebuild`` has had it removed.
    """
    settle(data)
    remove_staging(data)
    if lost := lost_stores(data):
        report.log(f"no store is removed: {way_back(data, lost)}")
    else:
        remove_unlinked(data)
    served = served_store(data)
    before, counts = _info_of(served), _counts_of(served, options)
    try:
        _make_directories(data)
        dump = _obtain(options, data, client, report, check, _known(before) if options.if_changed else None)
        check_staging_space(data.staging, dump.path, linked_size(data) if options.rebuild and not lost else 0)
        if options.rebuild and not lost:
            _make_room(dump, data, report, check)
        staged, contents = _stage(dump, data, options, counts, report, check)
        same = before is not None and (before.sha256, before.program_version) == (dump.sha256, pubmeta.__version__)
        return Result(_publish(staged, data, same, report, check), contents)
    except Unchanged:
        return Result(None, None)
    except (DatabaseError, sqlite3.Error, apsw.Error) as error:
        raise LoadError(f"the store could not be written: {error}") from error
    finally:
        remove_staging(data)
        if not lost:
            remove_unlinked(data)


def _make_directories(data: DataDir) -> None:
    """Make what a build writes to; raises ``OSError`` now, not after hours, where a store could not be moved there."""
    data.staging.mkdir()
    data.stores.mkdir(exist_ok=True)
    probe = data.staging / "probe"
    probe.touch()
    moved = data.stores / ".probe"
    os.rename(probe, moved)
    moved.unlink()


def _make_room(dump: Dump, data: DataDir, report: Report, check: Check) -> None:
    """Remove the old store, once the dump has been read through: one that is cut off will make no new store."""
    read_entities(dump.dtd)
    with open_dump(dump.path) as stream:
        head = read_head(stream.read(CHUNK_BYTES), dump.path.name)
    with open_dump(dump.path) as stream:
        for _ in read_chunks(stream, head):
            check()
    if remove_linked(data):
        report.log("the old store was removed")


def _stage(
    dump: Dump, data: DataDir, options: BuildOptions, before: dict[str, int], report: Report, check: Check
) -> tuple[Path, Contents]:
    """Make a complete store that is fit to be published; ``before`` are the counts that it is compared with."""
    # SQLite sorts in files without a name; they belong on the disk whose space was looked at.
    os.environ["SQLITE_TMPDIR"] = str(data.staging)
    staged = data.staging / "store.sqlite"
    effort = Effort(settings.ENVIRONMENT.workers, options.batch_size, options.progress_every)
    contents = assemble(dump.path, dump.dtd, staged, effort, report, check)
    report.phase("verify")
    if contents.publications == 0 and not options.allow_shrink:
        raise VerificationFailed("the dump holds no publication at all")
    if less := shrinkage(before, contents):
        if served_store(data) is not None:
            raise VerificationFailed(f"{less}: nothing was published; if that is right, build with --allow-shrink")
        report.log(f"warning: {less}; it is published all the same, because the old store is gone")
    verify(staged, contents, check)
    _complete(staged, dump, contents, check)
    return staged, contents


def _publish(staged: Path, data: DataDir, same: bool, report: Report, check: Check) -> Path:
    """Publish; where the served store is the ``same``, going back would lead to nothing else than it."""
    report.phase("publish")
    check()
    name = f"{timezone.now():%Y%m%dT%H%M%S}-{secrets.token_hex(3)}.sqlite"  # Never used before; sorts by time.
    if (aside := move_aside(data, f"dblp-moved-aside-{name}")) is not None:
        report.log(f"{data.link} was a file, not a link to a store; it is {aside} now")
    return publish(staged, data, f"dblp-{name}", keep_previous=same)


def _obtain(
    options: BuildOptions, data: DataDir, client: Client, report: Report, check: Check, known: Known | None
) -> Dump:
    if options.file is not None:
        return from_file(options.file, options.dtd_file, known, report, check)
    remote = Remote(client, data.downloads, report, check)
    return remote.obtain(options.xml_gz_url, options.dtd_url, settings.ENVIRONMENT.releases_origin, known)


def _info_of(served: Path | None) -> StoreInfo | None:
    """Give what is in the published store, None where there is none that this version could serve."""
    try:
        return store.info_of(served) if served is not None else None
    except store.StoreNotReady:
        return None


def _counts_of(served: Path | None, options: BuildOptions) -> dict[str, int]:
    """Give the counts that the new store is compared with, none where it need not be.

    Raises ``VerificationFailed`` where they cannot be read; but a store that is removed anyway need not say them.
    """
    if served is None or options.allow_shrink:
        return {}
    try:
        return read_counts(served)
    except VerificationFailed:
        if options.rebuild:
            return {}
        raise


def _known(info: StoreInfo | None) -> Known | None:
    return Known(info.source_url, info.md5, info.etag) if info is not None else None


def _complete(staged: Path, dump: Dump, contents: Contents, check: Check) -> None:
    """Write ``store_info`` and make the file one that many may read."""
    check_unchanged(dump.path, dump.state)
    data_date = dump.release or _newest_change(staged, check)
    with store.staging(staged) as staging:
        StoreInfo(
            release=dump.release,
            source_url=dump.url,
            md5=dump.md5,
            sha256=dump.sha256,
            etag=dump.etag,
            data_date=data_date,
            built_at=timezone.now(),
            program_version=pubmeta.__version__,
            completed=True,
            **asdict(contents),
        ).save(using=staging.alias, force_insert=True)
        with staging.cursor() as cursor:
            cursor.execute("PRAGMA journal_mode=WAL")
    verify_info(staged)


def _newest_change(staged: Path, check: Check) -> str:
    """Give the day of the newest record, for a dump whose name does not tell of which day it is.

    What is no day, or a day to come, is nobody's change.
    """
    today = timezone.now().date().isoformat()
    with closing(apsw.Connection(str(staged))) as connection:
        watch(connection, check)
        newest: str | None = connection.execute(_NEWEST_CHANGE, (today,)).get
    return newest or today


def stopper(should_stop: Callable[[], bool], heartbeat: Callable[[], None]) -> Check:
    """Give the function that a build calls often: it keeps the row alive and ends the build when asked to."""

    def check() -> None:
        heartbeat()
        if should_stop():
            raise BuildStopped("stopped on request")

    return check
