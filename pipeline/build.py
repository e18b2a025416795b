"""The one build behind the command and the button: where the stages meet.

    obtain (sources) → assemble → verify → publish

Until the link is replaced in the last step, nothing that is served has been touched; before that everything
lies in one directory that the next build removes.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

import apsw
from django.conf import settings
from django.utils import timezone

import pubmeta
from bibliography import store
from bibliography.models import StoreInfo
from pipeline.assemble import Contents, Effort, assemble
from pipeline.errors import BuildStopped
from pipeline.http import Client
from pipeline.layout import DataDir
from pipeline.load import watch
from pipeline.parsing import check_unchanged
from pipeline.progress import Check, Report
from pipeline.publish import publish, remove_leftovers, remove_served
from pipeline.sources import LATEST, Dump, Known, Remote, Unchanged, check_staging_space, from_file
from pipeline.verify import check_not_shrunk, verify, verify_info

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
    raised, the published store is as it was.
    """
    remove_leftovers(data)
    before = _served_info()
    try:
        dump = _obtain(options, data, client, report, check, _known(before) if options.if_changed else None)
    except Unchanged:
        return Result(None, None)
    if options.rebuild:
        remove_served(data)
        report.log("the old store was removed")
    data.staging.mkdir()
    check_staging_space(data.staging, dump.path)
    try:
        # SQLite sorts in files without a name; they belong on the disk whose space was looked at.
        os.environ["SQLITE_TMPDIR"] = str(data.staging)
        staged = data.staging / "store.sqlite"
        effort = Effort(settings.ENVIRONMENT.workers, options.batch_size, options.progress_every)
        contents = assemble(dump.path, dump.dtd, staged, effort, report, check)
        report.phase("verify")
        if not options.allow_shrink:
            check_not_shrunk(_contents_of(before), contents)
        verify(staged, contents, check)
        _complete(staged, dump, contents, check)
        report.phase("publish")
        check()
        published = publish(staged, data, f"dblp-{_build_name()}.sqlite")
    finally:
        remove_leftovers(data)
    return Result(published, contents)


def _obtain(
    options: BuildOptions, data: DataDir, client: Client, report: Report, check: Check, known: Known | None
) -> Dump:
    if options.file is not None:
        return from_file(options.file, options.dtd_file, known, report, check)
    remote = Remote(client, data.downloads, report, check)
    return remote.obtain(options.xml_gz_url, options.dtd_url, settings.ENVIRONMENT.releases_origin, known)


def _served_info() -> StoreInfo | None:
    """Give what is in the published store, None where none could be served by this version."""
    try:
        return store.info()
    except store.StoreNotReady:
        return None


def _known(info: StoreInfo | None) -> Known | None:
    return Known(info.release, info.source_url, info.md5, info.etag) if info is not None else None


def _contents_of(info: StoreInfo | None) -> Contents | None:
    if info is None:
        return None
    return Contents(**{name: getattr(info, name) for name in Contents.__dataclass_fields__})


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


def _build_name() -> str:
    """Give a name that was never used before and sorts by time."""
    return f"{timezone.now():%Y%m%dT%H%M%S}-{secrets.token_hex(3)}"


def stopper(should_stop: Callable[[], bool], heartbeat: Callable[[], None]) -> Check:
    """Give the function that a build calls often: it keeps the row alive and ends the build when asked to."""

    def check() -> None:
        heartbeat()
        if should_stop():
            raise BuildStopped("stopped on request")

    return check
