"""What a build tells while it runs, and to whom."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

PHASES = ("download_dtd", "download_xml_gz", "decompress_xml", "build_db", "index_db", "verify", "publish")
"""The phases of a build, in order."""

Check = Callable[[], None]
"""Is called often while work goes on; raises ``BuildStopped`` where the work is to end."""


class Report(Protocol):
    """One who is told how a build is getting on."""

    def phase(self, name: str) -> None:
        """A phase of ``PHASES`` begins."""

    def progress(self, **values: float) -> None:
        """Something has moved.

        Values are ``downloaded_bytes``, ``total_bytes``, ``written_bytes``, ``processed_records``,
        ``records_per_sec``, ``percent`` (0 to 100) and ``eta_seconds``, as far as they are known.
        """

    def log(self, line: str) -> None:
        """A line that is worth keeping."""


class Pace:
    """Tells percent and what is left of a piece of work whose size is known, ``before`` of which was done before."""

    def __init__(self, total: float, before: float = 0) -> None:
        self._total = total
        self._before = before
        self._started = time.monotonic()

    def at(self, done: float) -> dict[str, float]:
        """Give ``percent`` and ``eta_seconds`` for so much done; where that is less than before, it begins anew."""
        if not self._total:
            return {}
        if done < self._before:
            self._before, self._started = done, time.monotonic()
        left = max(0.0, self._total - done)
        new = done - self._before
        estimate = {"eta_seconds": round(self.elapsed() * left / new, 1)} if new else {}
        return {"percent": round(100 * min(1.0, done / self._total), 1), **estimate}

    def elapsed(self) -> float:
        """Give the seconds since the work began."""
        return time.monotonic() - self._started
