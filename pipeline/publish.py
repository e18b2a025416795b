"""Making a finished store the one that is served, going back, and removing what nobody needs."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from pipeline.layout import DataDir


def publish(staged: Path, data: DataDir, name: str) -> Path:
    """Publish a complete store: at any instant the link points to the old one or to the new one, both whole.

    The file is on disk before it has its name, and its name before the link points to it: after a loss of power
    the link does not point to a file with holes.
    """
    _sync(staged)
    data.stores.mkdir(exist_ok=True)
    target = data.stores / name
    os.rename(staged, target)
    _read_once(target)
    _sync(data.stores)
    if (served := served_store(data)) is not None:
        _point(data.previous_link, served)
    _point(data.link, target)
    return target


def _read_once(store: Path) -> None:
    """Let SQLite put ``-wal`` and ``-shm`` beside a store, for readers who may not write there.

    Any reader makes them where they are missing, and one that opened the file read-only leaves them when it closes
    (https://www.sqlite.org/wal.html#read_only_databases). On a full disk they could not be made any more either.
    """
    with closing(sqlite3.connect(f"{store.as_uri()}?mode=ro", uri=True)) as connection:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()


def go_back(data: DataDir) -> Path | None:
    """Serve the previous store again, and keep the present one as previous; None where there is none."""
    previous, served = _target(data.previous_link), served_store(data)
    if previous is None:
        return None
    _point(data.link, previous)
    if served is not None:
        _point(data.previous_link, served)
    return previous


def served_store(data: DataDir) -> Path | None:
    """Give the file that the link points to, None where there is none."""
    return _target(data.link)


def remove_leftovers(data: DataDir) -> None:
    """Remove what builds left behind and stores that no link points to; only for who holds the lock.

    Whoever still reads such a store goes on doing so: an open file stays until it is closed.
    """
    shutil.rmtree(data.staging, ignore_errors=True)
    kept = {_target(data.link), _target(data.previous_link)}
    for store in data.stores.glob("*.sqlite"):
        if store.resolve() not in kept:
            remove_store(store)
    for link in data.root.glob(".*.new"):
        link.unlink()


def remove_store(store: Path) -> None:
    """Remove a store with what SQLite keeps beside it."""
    for path in _with_companions(store):
        path.unlink(missing_ok=True)


def remove_served(data: DataDir) -> None:
    """Remove all stores before the next one is built, where the disk cannot hold two."""
    for link in (data.link, data.previous_link):
        target = _target(link)
        link.unlink(missing_ok=True)
        if target is not None:
            remove_store(target)


def _with_companions(store: Path) -> Iterator[Path]:
    """Give the files of a store, itself last: as long as it is there, the next build knows what to look for."""
    for suffix in ("-wal", "-shm", "-journal"):
        yield store.with_name(store.name + suffix)
    yield store


def _target(link: Path) -> Path | None:
    try:
        return link.resolve(strict=True)
    except OSError:
        return None


def _point(link: Path, target: Path) -> None:
    """Let the link point to the target, in one step."""
    new = link.with_name(f".{link.name}.new")
    new.unlink(missing_ok=True)
    new.symlink_to(os.path.relpath(target, link.parent))  # Relative: the data directory may be moved.
    os.replace(new, link)
    _sync(link.parent)


def _sync(path: Path) -> None:
    """Wait until a file, or the names in a directory, are on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
