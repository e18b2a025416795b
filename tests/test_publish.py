"""Publishing, going back, and removing what nobody needs."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.db import OperationalError, connections

from bibliography.models import Publication
from pipeline.build import BuildOptions, build
from pipeline.errors import BuildStopped
from tests.conftest import SAMPLE, publication


def keys_of(path):
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return [key for (key,) in connection.execute("SELECT key FROM publications ORDER BY key")]


def test_the_next_request_sees_the_new_store(build_from, make_dump, data):
    build_from(make_dump(publication("a/1", "Ada Test")))
    assert list(Publication.objects.values_list("key", flat=True)) == ["a/1"]
    build_from(make_dump(publication("a/1", "Ada Test"), publication("a/2", "Ada Test")))
    # Within one connection, which is one request, the store stays the same.
    assert list(Publication.objects.values_list("key", flat=True)) == ["a/1"]
    connections["store"].close()
    assert sorted(Publication.objects.values_list("key", flat=True)) == ["a/1", "a/2"]


def test_names_of_stores_are_never_used_twice(build_from, make_dump, data):
    dump = make_dump(publication("a/1", "Ada Test"))
    names = {build_from(dump).store.name for _ in range(3)}
    assert len(names) == 3


def test_the_previous_store_is_kept_and_older_ones_removed(build_from, make_dump, data):
    first, second, third = (build_from(make_dump(publication(f"a/{n}", "Ada Test"))).store for n in range(3))
    assert not first.exists()
    assert data.previous_link.resolve() == second
    assert data.link.resolve() == third
    assert sorted(path.name for path in data.stores.glob("*.sqlite")) == sorted([second.name, third.name])


def test_a_published_store_cannot_be_written(served_sample):
    with pytest.raises(OperationalError, match="readonly"):
        Publication.objects.all().delete()


def test_a_published_store_is_in_wal_mode_and_whole(served_sample):
    with closing(sqlite3.connect(f"file:{served_sample.link}?mode=ro", uri=True)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("PRAGMA foreign_key_check").fetchone() is None
    for table in ("title_fts", "author_fts", "author_trigram"):
        with closing(sqlite3.connect(served_sample.link)) as connection:
            # With rank 1 FTS5 also compares the index with the text of the table that it belongs to.
            connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)")


def test_a_crash_while_a_store_is_removed_leaves_nothing_for_ever(build_from, make_dump, data, monkeypatch):
    oldest, _ = (build_from(make_dump(publication(f"a/{n}", "Ada Test"))).store for n in range(2))
    dump = make_dump(publication("a/3", "Ada Test"))
    unlink = Path.unlink

    def unlinked(path, missing_ok=False):
        unlink(path, missing_ok=missing_ok)
        if path.name.startswith(oldest.name):
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", unlinked)
        with pytest.raises(KeyboardInterrupt):
            build_from(dump)
    build_from(dump)
    assert list(data.stores.glob(f"{oldest.name}*")) == []


def test_an_unchanged_dump_is_not_built_again(build_from, make_dump, data):
    dump = make_dump(publication("a/1", "Ada Test"))
    build_from(dump)
    served = data.link.resolve()
    assert build_from(dump, if_changed=True).store is None
    assert data.link.resolve() == served


def test_a_stop_leaves_nothing_behind(data, client_of, report, served_sample):
    calls = []

    def check():
        calls.append(1)
        if len(calls) > 5:
            raise BuildStopped("stopped")

    served = data.link.resolve()
    with pytest.raises(BuildStopped):
        build(BuildOptions(file=SAMPLE), data, client_of(), report, check)
    assert data.link.resolve() == served
    assert not data.staging.exists()
