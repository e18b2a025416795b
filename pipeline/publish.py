"""Making a finished store the one that is served, going back, and removing what nobody needs."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from pipeline.layout import DataDir

_OURS = "dblp-*.sqlite"  # Names of stores; whatever else lies among them belongs to somebody else.


def publish(staged: Path, data: DataDir, name: str, keep_previous: bool = False) -> Path:
    """Publish a complete store: at any instant the link points to the old one or to the new one, both whole.

    The file is on disk before it has its name, and its name before the link points to it: after a loss of power
    the link does not point to a file with holes. With ``keep_previous`` the store to go back to stays the same.
    """
    _sync(staged)
    data.stores.mkdir(exist_ok=True)
    target = data.stores / name
    os.rename(staged, target)
    _read_once(target)
    _sync(data.stores)
    _serve(data, target, keep_previous)
    return target


def _read_once(store: Path) -> None:
    """Let SQLite put ``-wal`` and ``-shm`` beside a store, for readers who may not write there.

    Any reader makes them where they are missing, and one that opened the file read-only leaves them when it closes
    (https://www.sqlite.org/wal.html#read_only_databases). On a full disk they could not be made any more either.
    """
    with closing(sqlite3.connect(f"{store.as_uri()}?mode=ro", uri=True)) as connection:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()


def go_back(data: DataDir, previous: Path) -> None:
    """Serve the previous store again, and keep the present one as previous."""
    _serve(data, previous, keep_previous=False)


def _serve(data: DataDir, target: Path, keep_previous: bool) -> None:
    """Let the link point to the target, and that of the previous store to what was served until now.

    The latter is prepared before the first link changes and takes its place after that, so at no instant is a
    store that is still wanted without a link; ``settle`` does the rest of a change that was interrupted.
    """
    served = served_store(data)
    if served is not None and not keep_previous:
        _prepare(data.previous_link, served)
    _prepare(data.link, target)
    _accept(data.link)
    if served is not None and not keep_previous:
        _accept(data.previous_link)


def settle(data: DataDir) -> None:
    """Finish a change of the links that was interrupted; only for who holds the lock."""
    was_served = _target(_new(data.previous_link))
    if was_served is not None and was_served != served_store(data):
        _accept(data.previous_link)
    for link in (data.link, data.previous_link):
        _new(link).unlink(missing_ok=True)


def served_store(data: DataDir) -> Path | None:
    """Give the file that the link points to, None where there is none."""
    return _target(data.link)


def previous_store(data: DataDir) -> Path | None:
    """Give the store to go back to, None where there is none but the one that is served."""
    previous = _target(data.previous_link)
    return None if previous == served_store(data) else previous


def lost_stores(data: DataDir) -> list[Path]:
    """Give the stores there are, the newest last, where the link to the served one is lost."""
    return [] if served_store(data) is not None else sorted(data.stores.glob(_OURS))


def way_back(data: DataDir, lost: list[Path]) -> str:
    """Say in one line how to serve a store whose link is lost."""
    in_the_way = data.link.exists() and not data.link.is_symlink()
    first = f"move {data.link} away, then " if in_the_way else ""
    newest = os.path.relpath(lost[-1], data.root)
    return f"{data.link} leads to no store, but there is {newest}; to serve it: {first}ln -sfn {newest} {data.link}"


def move_aside(data: DataDir, name: str) -> Path | None:
    """Rename a file that has the name of the link, so that it is not replaced; None where there is none."""
    if data.link.is_symlink() or not data.link.exists():
        return None
    target = data.root / name
    for found, kept in zip(_with_companions(data.link), _with_companions(target), strict=True):
        if found.exists():
            os.rename(found, kept)
    _sync(data.root)
    return target


def remove_unlinked(data: DataDir) -> None:
    """Remove stores that no link points to; only for who holds the lock.

    Whoever still reads such a store goes on doing so: an open file stays until it is closed.
    """
    kept = {_target(data.link), _target(data.previous_link)}
    for store in data.stores.glob(_OURS):
        if store.resolve() not in kept:
            remove_store(store)


def remove_staging(data: DataDir) -> None:
    """Remove what a build has left behind; only for who holds the lock."""
    shutil.rmtree(data.staging, ignore_errors=True)


def remove_store(store: Path) -> None:
    """Remove a store with what SQLite keeps beside it."""
    for path in _with_companions(store):
        path.unlink(missing_ok=True)


def linked_size(data: DataDir) -> int:
    """Give how many bytes ``remove_linked`` would free."""
    files = [path for store in _linked(data) for path in _with_companions(store)]
    return sum(path.stat().st_size for path in files if path.exists())


def remove_linked(data: DataDir) -> bool:
    """Remove the served store and the previous one, for a disk that cannot hold two; tell whether there were any.

    Files go before their links: if this is interrupted, no store is left that no link points to.
    """
    removed = _linked(data)
    for store in removed:
        remove_store(store)
    for link in (data.link, data.previous_link):
        if link.is_symlink():
            link.unlink()
    return bool(removed)


def _linked(data: DataDir) -> set[Path]:
    return {store for link in (data.link, data.previous_link) if (store := _target(link)) is not None}


def _with_companions(store: Path) -> Iterator[Path]:
    """Give the files of a store, itself last: as long as it is there, the next build knows what to look for."""
    for suffix in ("-wal", "-shm", "-journal"):
        yield store.with_name(store.name + suffix)
    yield store


def _target(link: Path) -> Path | None:
    """Give the file that a link points to; None also where a plain file has its name."""
    try:
        return Path(os.path.realpath(link, strict=True)) if link.is_symlink() else None
    except OSError:
        return None


def _new(link: Path) -> Path:
    """Give the name under which a link waits to take its place."""
    return link.with_name(f".{link.name}.new")


def _prepare(link: Path, target: Path) -> None:
    new = _new(link)
    new.unlink(missing_ok=True)
    # Relative, for the data directory may be moved; and between real paths, for it may be a link itself.
    new.symlink_to(os.path.relpath(target.resolve(), link.parent.resolve()))
    _sync(link.parent)


def _accept(link: Path) -> None:
    os.replace(_new(link), link)
    _sync(link.parent)


def _sync(path: Path) -> None:
    """Wait until a file, or the names in a directory, are on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
