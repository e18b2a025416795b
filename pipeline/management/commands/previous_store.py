"""``manage.py previous_store``: serve the store that was published before this one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from bibliography import store
from pipeline.errors import BuildLocked
from pipeline.layout import DataDir
from pipeline.lock import BuildLock, this_process
from pipeline.publish import go_back, lost_stores, previous_store, settle, way_back


class Command(BaseCommand):
    """Go back to the previous store; once more goes forward again."""

    help = "Serve the store that was published before this one; the present one is kept."

    def handle(self, **_: Any) -> None:
        """Exchange the two."""
        data = DataDir(settings.DATA_DIR)
        try:
            with BuildLock.take(data.lock, f"previous_store, {this_process()}"):
                served = _go_back(data)
        except BuildLocked as error:
            raise CommandError(str(error), returncode=75) from None
        except OSError as error:
            raise CommandError(f"the links cannot be changed: {error}") from error
        self.stdout.write(f"{served.name} is served now")


def _go_back(data: DataDir) -> Path:
    """Serve the previous store; raises ``CommandError``, with the links as they were, where that cannot be."""
    settle(data)
    if lost := lost_stores(data):
        raise CommandError(way_back(data, lost))
    previous = previous_store(data)
    if previous is None:
        raise CommandError("there is no previous store")
    try:
        store.info_of(previous)
    except store.StoreNotReady as error:
        raise CommandError(f"the previous store, {previous.name}, cannot be served: {error}") from error
    go_back(data, previous)
    return previous
