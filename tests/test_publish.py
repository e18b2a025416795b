"""Publishing, going back, and removing what nobody needs."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.db import OperationalError, connections

from bibliography.models import Publication
from pipeline import publish
from pipeline.build import BuildOptions, build
from pipeline.errors import BuildLocked, BuildStopped, VerificationFailed
from pipeline.lock import build_lock, is_locked
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
    dump = make_dump(publication("a/1", "Ada Test"))
    first, second, third = (build_from(dump).store for _ in range(3))
    assert not first.exists()
    assert data.previous_link.resolve() == second
    assert data.link.resolve() == third
    assert sorted(path.name for path in data.stores.glob("*.sqlite")) == sorted([second.name, third.name])


def test_going_back_and_forth(build_from, make_dump, data, manage):
    first = build_from(make_dump(publication("a/1", "Ada Test"))).store
    second = build_from(make_dump(publication("a/1", "Ada Test"), publication("a/2", "Ada Test"))).store
    for expected in (first, second):
        process = manage("previous_store")
        output, _ = process.communicate(timeout=30)
        assert output == f"{expected.name} is served now\n"
        assert data.link.resolve() == expected


def test_going_back_without_a_previous_store_is_an_error(data, manage):
    process = manage("previous_store")
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert errors == "CommandError: there is no previous store\n"


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


@pytest.mark.parametrize(
    "crash", ["the file is renamed", "the previous link is set", "the new link is written", "the link is replaced"]
)
def test_a_crash_between_any_two_steps_leaves_one_whole_store(build_from, make_dump, data, monkeypatch, crash):
    old = build_from(make_dump(publication("a/1", "Ada Test"))).store
    dump = make_dump(publication("a/1", "Ada Test"), publication("a/2", "Ada Test"))
    with monkeypatch.context() as patch:
        _crash_after(patch, crash)
        with pytest.raises(KeyboardInterrupt):
            build_from(dump)
    expected = ["a/1", "a/2"] if crash == "the link is replaced" else ["a/1"]
    assert keys_of(data.link) == expected
    assert old.exists()
    build_from(dump)
    assert keys_of(data.link) == ["a/1", "a/2"]
    assert len(list(data.stores.glob("*.sqlite"))) == 2
    assert not [path for path in data.root.iterdir() if path.name.startswith(".")]


def _crash_after(patch, moment):
    """Let the process "die" at that moment: what is raised then is handled by nobody, like a kill."""
    rename, replace, calls = os.rename, os.replace, []
    patch.setattr(publish, "remove_leftovers", lambda data: None)

    def renamed(*paths):
        rename(*paths)
        if moment == "the file is renamed":
            raise KeyboardInterrupt

    def replaced(*paths):
        calls.append(paths)
        if moment == "the new link is written" and len(calls) == 2:
            raise KeyboardInterrupt
        replace(*paths)
        if (moment, len(calls)) in (("the previous link is set", 1), ("the link is replaced", 2)):
            raise KeyboardInterrupt

    patch.setattr(os, "rename", renamed)
    patch.setattr(os, "replace", replaced)


def test_a_crash_while_a_store_is_removed_leaves_nothing_for_ever(build_from, make_dump, data, monkeypatch):
    dump = make_dump(publication("a/1", "Ada Test"))
    oldest, _ = (build_from(dump).store for _ in range(2))
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


def test_a_dump_with_a_tenth_of_the_records_is_refused(build_from, make_dump, data):
    whole = [publication(f"a/{n}", f"Ada Test{n}") for n in range(50)]
    build_from(make_dump(*whole))
    with pytest.raises(VerificationFailed, match=r"publications fell from 50 to 5, .* --allow-shrink"):
        build_from(make_dump(*whole[:5]))
    assert len(keys_of(data.link)) == 50
    assert not data.staging.exists()
    build_from(make_dump(*whole[:5]), allow_shrink=True)
    assert len(keys_of(data.link)) == 5


def test_losing_less_than_a_tenth_is_no_reason_to_stop(build_from, make_dump, data):
    whole = [publication(f"a/{n}", f"Ada Test{n}") for n in range(50)]
    build_from(make_dump(*whole))
    build_from(make_dump(*whole[:46]))
    assert len(keys_of(data.link)) == 46


def test_a_dump_without_publications_is_refused(build_from, make_dump, data):
    with pytest.raises(VerificationFailed, match="no publication at all"):
        build_from(make_dump())
    assert not data.link.exists()


def test_rebuild_removes_the_old_store_before_the_new_one_is_built(build_from, make_dump, data, monkeypatch):
    dump = make_dump(publication("a/1", "Ada Test"))
    old = build_from(dump).store
    build_from(dump, rebuild=True)
    assert not old.exists()
    assert not data.previous_link.exists()
    assert keys_of(data.link) == ["a/1"]


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


def test_the_lock_keeps_out_others_and_goes_with_its_holder(tmp_path):
    path = tmp_path / "data" / "build.lock"
    assert not is_locked(path)
    with build_lock(path, "process 1"):
        assert is_locked(path)
        with pytest.raises(BuildLocked, match="process 1"), build_lock(path, "process 2"):
            pass
    assert not is_locked(path)
