"""Where everything lies below the data directory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class DataDir:
    """The paths below one data directory.

    ``stores`` holds published stores under names that are never used twice, ``dblp.sqlite`` is a link to the one
    that is served and ``dblp-previous.sqlite`` to the one before it. All that a build writes until it publishes
    is in ``staging``; what lies there without a running build is rubbish. ``downloads`` holds the newest dump.
    """

    root: Path

    @property
    def link(self) -> Path:
        """The link that everybody opens."""
        return self.root / "dblp.sqlite"

    @property
    def previous_link(self) -> Path:
        """The link to the store to go back to."""
        return self.root / "dblp-previous.sqlite"

    @property
    def stores(self) -> Path:
        """Where published stores lie."""
        return self.root / "stores"

    @property
    def staging(self) -> Path:
        """Where a build writes."""
        return self.root / "staging"

    @property
    def downloads(self) -> Path:
        """Where dumps, and parts of them, lie."""
        return self.root / "downloads"

    @property
    def lock(self) -> Path:
        """The file whose lock says that a build is running."""
        return self.root / "build.lock"
