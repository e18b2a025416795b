"""One build at a time for a data directory, across threads, web workers, the command and cron."""

from __future__ import annotations

import fcntl
import os
import socket
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from django.utils import timezone

from pipeline.errors import BuildLocked


class BuildLock:
    """The lock, in hand.

    It belongs to two open files: the lock itself, and a sign beside it for those who only look. The kernel lets go
    of both when the last process that has them open dies or closes them, however that happens. The files stay, so
    that nobody can lock one that another has just removed. Processes that are started do not inherit them (PEP 446)
    unless they are told to, so no part of a build outlives it with the lock in hand.
    """

    def __init__(self, path: Path, descriptors: Sequence[int]) -> None:
        self._path = path
        self.descriptors = tuple(descriptors)

    @classmethod
    def take(cls, path: Path, holder: str | None = None) -> BuildLock:
        """Take the lock; ``holder`` is what others are told of who has it.

        Raises ``BuildLocked`` at once where another process, or another thread of this one, has it.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = cls(path, [])
        try:
            for file in (path, _sign(path)):
                lock.descriptors += (os.open(file, os.O_RDWR | os.O_CREAT, 0o644),)
            lock._own(holder or this_process())
        except BlockingIOError:
            lock.close()
            raise BuildLocked(holder_of(path)) from None
        except OSError:
            lock.close()
            raise
        return lock

    @classmethod
    def adopt(cls, path: Path, descriptors: Sequence[int]) -> BuildLock:
        """Take over, in a process that was started for it, the lock that the starting one has taken.

        Raises ``BuildLocked`` where those descriptors are not the lock in hand.
        """
        lock = cls(path, descriptors)
        for descriptor, file in zip(descriptors, (path, _sign(path)), strict=True):
            if not os.path.samestat(os.fstat(descriptor), file.stat()):
                raise BuildLocked(holder_of(path))
            os.set_inheritable(descriptor, False)
        try:
            lock._own(this_process())  # For who has it already that is no more than a question.
        except BlockingIOError:
            raise BuildLocked(holder_of(path)) from None
        return lock

    def _own(self, holder: str) -> None:
        lock, sign = self.descriptors
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.flock(sign, fcntl.LOCK_EX)  # Waits for those who look just now, for as long as a look takes.
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{holder}\n".encode(), 0)

    def close(self) -> None:
        """Let go of it; a process that has adopted it goes on holding it."""
        for descriptor in self.descriptors:
            os.close(descriptor)

    def __enter__(self) -> BuildLock:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def is_locked(path: Path) -> bool:
    """Tell whether somebody holds the lock; harmless, for who looks touches another file than who locks."""
    try:
        with _sign(path).open("rb") as sign:
            fcntl.flock(sign, fcntl.LOCK_SH | fcntl.LOCK_NB)  # Shared: those who look do not see each other.
            return False
    except FileNotFoundError:
        return False
    except (BlockingIOError, PermissionError):  # Who may not look has to believe what the row of the build says.
        return True


def holder_of(path: Path) -> str:
    """Say who holds the lock, or held it last."""
    try:
        return path.read_text(errors="replace")[:500].strip() or "unknown"
    except OSError:
        return "unknown"


def this_process() -> str:
    """Give what others are told of a lock that this process holds."""
    return f"{process_name(os.getpid())}, started {timezone.now():%Y-%m-%d %H:%M:%S} UTC"


def process_name(pid: int) -> str:
    """Name a process; its number alone says nothing where another machine or container shares the directory."""
    return f"process {pid} on {socket.gethostname()}"


def _sign(path: Path) -> Path:
    """Give the file that the holder locks besides, only to be seen."""
    return path.with_name(f"{path.name}.held")
