"""The store's file: which one is published, what its schema should be, is it ready, what is in it."""

from __future__ import annotations

import functools
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor

from bibliography.models import StoreInfo
from pubmeta.routers import STAGING, STORE

APP = "bibliography"
SchemaObject = tuple[str, str, str]
"""Type, name and SQL of a table or index, as SQLite keeps them."""


class StoreNotReady(Exception):
    """There is no store that queries could be answered from; says why, in words for people."""


@contextmanager
def staging(path: Path | str) -> Iterator[BaseDatabaseWrapper]:
    """Open a file that is no published store yet as Django's database ``staging``."""
    wrapper = connections[STORE].copy(STAGING)
    wrapper.settings_dict = {**wrapper.settings_dict, "NAME": str(path), "OPTIONS": {}}
    connections[STAGING] = wrapper
    try:
        yield wrapper
    finally:
        wrapper.close()
        del connections[STAGING]


def create_tables(path: Path) -> None:
    """Make a new file with the store's tables, by its first migration."""
    first = _migration_names()[:1]
    with staging(path) as connection:
        MigrationExecutor(connection).migrate(first)


@functools.cache
def _migration_names() -> tuple[tuple[str, str], ...]:
    with staging(":memory:") as connection:
        executor = MigrationExecutor(connection)
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes(APP))
    return tuple((APP, migration.name) for migration, _ in plan)


@functools.cache
def later_migrations() -> dict[str, str]:
    """Give the SQL of the migrations after the first, by name, in their order.

    It is run on full tables by whoever loads them: Django itself would check each foreign key of 30 million rows
    after every migration (``DatabaseSchemaEditor.__exit__`` of its SQLite backend).
    """
    with staging(":memory:") as connection:
        executor = MigrationExecutor(connection)
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes(APP))
        collected = {}
        for step in plan:
            collected[step[0].name] = "\n".join(executor.loader.collect_sql([step]))
    return dict(list(collected.items())[1:])


@functools.cache
def _expected_schema() -> frozenset[SchemaObject]:
    """Give every table and index that the code of now would create."""
    everything = _migration_names()
    with staging(":memory:") as connection:
        MigrationExecutor(connection).migrate(everything)
        return _schema(connection.connection)


def _schema(connection: sqlite3.Connection) -> frozenset[SchemaObject]:
    """Give the tables and indexes of a file; those in which FTS5 keeps its data are its own affair."""
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    virtual = tuple(f"{name}_" for _, name, sql in rows if sql.startswith("CREATE VIRTUAL"))
    return frozenset(row for row in rows if not row[1].startswith(virtual)) if virtual else frozenset(rows)


def missing(connection: sqlite3.Connection) -> list[SchemaObject]:
    """Give what the file of a connection lacks of the schema that the code of now would create."""
    return sorted(_expected_schema() - _schema(connection))


def published() -> Path | None:
    """Give the file that the link points to now, None where there is none."""
    try:
        return Path(settings.STORE_LINK).resolve(strict=True)
    except OSError:
        return None


def info() -> StoreInfo:
    """Give what is in the store that this thread's connection reads.

    Raises ``StoreNotReady`` where there is none, where it was never finished, or where its schema is not the one
    of this program.
    """
    if not Path(settings.STORE_LINK).is_symlink():
        raise StoreNotReady("There is no store. Build one: manage.py rebuild_store")
    try:
        with connections[STORE].cursor() as cursor:
            # The link may lead elsewhere by now; the connection stays with the file that it opened.
            cursor.execute("PRAGMA database_list")
            (file,) = (row[2] for row in cursor.fetchall() if row[1] == "main")
            return _info(file)
    except (DatabaseError, sqlite3.DatabaseError) as error:
        raise StoreNotReady(f"The store cannot be read: {error}. Build a new one, or go back.") from error


def info_of(path: Path) -> StoreInfo:
    """Give what is in a store whether it is served or not, by a connection of its own; raises as ``info`` does."""
    _expected_schema()  # Made in a database that is called ``staging`` too, so not while this one is open.
    try:
        with staging(f"{path.as_uri()}?mode=ro") as connection:
            connection.ensure_connection()
            return _info(str(path), STAGING)
    except (DatabaseError, sqlite3.DatabaseError) as error:
        raise StoreNotReady(f"The store cannot be read: {error}.") from error


@functools.lru_cache(maxsize=8)
def _info(file: str, alias: str = STORE) -> StoreInfo:
    """Look at a store once: it never changes, and no other file ever has its name."""
    if lacking := missing(connections[alias].connection):
        kind, name, _ = lacking[0]
        raise StoreNotReady(f"The store lacks the {kind} {name} of this version of pubmeta. Build a new one.")
    try:
        return StoreInfo.objects.using(alias).get(completed=True)
    except StoreInfo.DoesNotExist:
        raise StoreNotReady("The store was never finished. Build a new one.") from None
