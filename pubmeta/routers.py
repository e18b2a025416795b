"""Which tables live in which database."""

from __future__ import annotations

from typing import Any

from django.db import models

#: The published store, read-only; and the one that a build is filling, known only to the building process.
STORE, STAGING = "store", "staging"
_STORE_APP = "bibliography"


class StoreRouter:
    """Sends what was built from dblp to the store and everything else to the default database."""

    def db_for_read(self, model: type[models.Model], **hints: Any) -> str | None:
        """Read publications and people from the published store."""
        return STORE if model._meta.app_label == _STORE_APP else None

    def db_for_write(self, model: type[models.Model], **hints: Any) -> str | None:
        """Send writes to the store too: it is opened read-only, so they fail loudly instead of going astray."""
        return STORE if model._meta.app_label == _STORE_APP else None

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        """Create the store's tables in a staging file only: a published store is never migrated."""
        return (app_label == _STORE_APP) == (db == STAGING) and db != STORE
