"""The files below the data directory that an operator looks for: what is there, how large, where."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pipeline.layout import DataDir


class Found(NamedTuple):
    """A file, or where it would be; ``size`` is None where there is none."""

    path: Path
    size: int | None


def find(data: DataDir) -> dict[str, Found]:
    """Look for the dump, its DTD, the served store and what a build is writing.

    A dump that is still arriving is the part of it that has arrived.
    """
    dump = _newest(data.downloads, ".xml.gz", ".xml.gz.part") or data.downloads / "dblp.xml.gz"
    dtd = _newest(data.downloads, ".dtd") or data.downloads / "dblp.dtd"
    unpacked = data.downloads / f"{dump.name.partition('.xml')[0]}.xml"
    db = Path(os.path.realpath(data.link))
    beside = {f"db_{suffix}": db.with_name(f"{db.name}-{suffix}") for suffix in ("wal", "shm")}
    files = {"xml_gz": dump, "xml": unpacked, "dtd": dtd, "db": db, **beside}
    return {name: Found(path, _size(path)) for name, path in files.items()} | {"staging": _staging(data)}


def _newest(directory: Path, *endings: str) -> Path | None:
    """Give the file that was changed last of those that end so."""
    changed = {path: _changed(path) for path in _listed(directory) if path.name.endswith(endings)}
    return max(changed, key=changed.__getitem__, default=None)


def _listed(directory: Path) -> Iterator[Path]:
    try:
        yield from directory.iterdir()
    except OSError:
        return


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # Gone meanwhile.
        return 0.0


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


def _staging(data: DataDir) -> Found:
    sizes = [size for path in _listed(data.staging) if (size := _size(path)) is not None]
    return Found(data.staging, sum(sizes) if data.staging.is_dir() else None)
