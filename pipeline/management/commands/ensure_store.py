"""``manage.py ensure_store FILE``: a store to begin with, for a first start without a network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from bibliography import store
from pipeline.layout import DataDir
from pipeline.management.commands.rebuild_store import LOCKED
from pipeline.publish import lost_stores, way_back


class Command(BaseCommand):
    """Build a store from a local dump where there is none that can be served."""

    help = "Build a store from a local dump, unless there is one already."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the file."""
        parser.add_argument("file", type=Path, help="the dump, its DTD beside it")

    def handle(self, *, file: Path, verbosity: int, **_: Any) -> None:
        """Build, or say what there is."""
        data = DataDir(settings.DATA_DIR)
        if lost := lost_stores(data):
            self.stdout.write(self.style.WARNING(f"== {way_back(data, lost)}"))
        elif store.published() is None:
            self._build(file, verbosity)
        else:
            self._describe()

    def _build(self, file: Path, verbosity: int) -> None:
        self.stdout.write(f"== There is no store yet: building one from {file}")
        try:
            call_command("rebuild_store", from_file=file, verbosity=verbosity)
        except CommandError as error:
            if error.returncode != LOCKED:
                raise
            self.stdout.write("== A build is running already; there is no store until it ends")

    def _describe(self) -> None:
        try:
            info = store.info()
        except store.StoreNotReady as error:
            # A store of another version may be the only copy of hours of downloads; the operator decides.
            self.stdout.write(self.style.WARNING(f"== {error}"))
            return
        self.stdout.write(f"== The store holds {info.publications:,} publications of {info.data_date}")
