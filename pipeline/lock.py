"""One build at a time for a data directory, across threads, web workers, the command and cron."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.errors import BuildLocked


@contextmanager
def build_lock(path: Path, holder: str) -> Iterator[None]:
    """Hold the lock while the block runs; ``holder`` is what others are told.

    The lock belongs to the open file: the kernel releases it when the process dies, however that happens. The
    file itself stays, so that nobody can lock one that another has just removed. Child processes do not inherit
    the descriptor (PEP 446), so none outlives the build with the lock in hand.

    Raises ``BuildLocked`` at once where another process, or another thread of this one, holds it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BuildLocked(os.read(descriptor, 500).decode(errors="replace").strip() or "unknown") from None
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{holder}\n".encode())
        yield
    finally:
        os.close(descriptor)


def is_locked(path: Path) -> bool:
    """Tell whether a build is running."""
    try:
        with build_lock(path, "a look at the lock"):
            return False
    except BuildLocked:
        return True
