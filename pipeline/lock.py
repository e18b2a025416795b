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
    with _opened(path, os.O_RDWR | os.O_CREAT) as lock, _opened(_sign(path), os.O_RDWR | os.O_CREAT) as sign:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BuildLocked(os.read(lock, 500).decode(errors="replace").strip() or "unknown") from None
        fcntl.flock(sign, fcntl.LOCK_EX)  # Waits for those who look just now, for as long as a look takes.
        os.ftruncate(lock, 0)
        os.write(lock, f"{holder}\n".encode())
        yield


def is_locked(path: Path) -> bool:
    """Tell whether somebody holds the lock; harmless, for who looks touches another file than who locks."""
    try:
        with _opened(_sign(path), os.O_RDONLY) as sign:
            fcntl.flock(sign, fcntl.LOCK_SH | fcntl.LOCK_NB)  # Shared: those who look do not see each other.
            return False
    except FileNotFoundError:
        return False
    except (BlockingIOError, PermissionError):  # Who may not look has to believe what the row of the build says.
        return True


def _sign(path: Path) -> Path:
    """Give the file that the holder locks besides, only to be seen."""
    return path.with_name(f"{path.name}.held")


@contextmanager
def _opened(path: Path, flags: int) -> Iterator[int]:
    descriptor = os.open(path, flags, 0o644)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
