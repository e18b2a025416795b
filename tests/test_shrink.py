"""A store that lost a tenth is not published in place of a larger one, unless somebody says so or none is left."""

import shutil
import sqlite3
from collections import namedtuple
from contextlib import closing

import pytest

from benchmarks.dtd import DTD_NAME
from pipeline.errors import BadArchive, BadDtd, MalformedDump, NoSpace, VerificationFailed
from pipeline.publish import linked_size
from tests.conftest import person, publication
from tests.test_publish import keys_of

WHOLE = [publication(f"a/{n}", f"Ada Test{n}") for n in range(50)]


def change(store, statement):
    with closing(sqlite3.connect(store, isolation_level=None)) as connection:
        connection.execute(statement)


def test_a_dump_with_a_tenth_of_the_records_is_refused(build_from, make_dump, data):
    build_from(make_dump(*WHOLE))
    with pytest.raises(VerificationFailed, match=r"publications fell from 50 to 5, .* --allow-shrink"):
        build_from(make_dump(*WHOLE[:5]))
    assert len(keys_of(data.link)) == 50
    assert not data.staging.exists()
    build_from(make_dump(*WHOLE[:5]), allow_shrink=True)
    assert len(keys_of(data.link)) == 5


def test_losing_less_than_a_tenth_is_no_reason_to_stop(build_from, make_dump, data):
    build_from(make_dump(*WHOLE))
    build_from(make_dump(*WHOLE[:46]))
    assert len(keys_of(data.link)) == 46


@pytest.mark.parametrize(
    ("page", "lost"),
    [
        (person("a/1", "Ada Test1", "A. Test1"), "aliases fell from 1 to 0"),
        (person("a/1", "Ada Test1"), "person_pages fell from 1 to 0"),
    ],
    ids=["aliases", "person pages"],
)
def test_aliases_and_person_pages_may_not_get_lost_either(build_from, make_dump, data, page, lost):
    build_from(make_dump(*WHOLE, page))
    with pytest.raises(VerificationFailed, match=lost):
        build_from(make_dump(*WHOLE))


def test_a_dump_without_publications_is_refused(build_from, make_dump, data):
    with pytest.raises(VerificationFailed, match="no publication at all"):
        build_from(make_dump())
    assert not data.link.exists()


def test_a_store_of_another_version_is_compared_with_too(build_from, make_dump, data):
    change(build_from(make_dump(*WHOLE)).store, "DROP INDEX authors_pid")
    with pytest.raises(VerificationFailed, match="publications fell from 50 to 5"):
        build_from(make_dump(*WHOLE[:5]))
    build_from(make_dump(*WHOLE[:46]))
    assert len(keys_of(data.link)) == 46


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ("DROP TABLE store_info", r"cannot be read \(no such table: store_info\): .* add --allow-shrink"),
        ("DELETE FROM store_info", r"does not say what is in it: .* add --allow-shrink"),
        (None, r"cannot be read \(file is not a database\): .* add --allow-shrink"),
    ],
    ids=["no table", "no row", "garbage"],
)
def test_where_the_counts_cannot_be_read_nothing_is_built(build_from, make_dump, data, report, damage, message):
    dump = make_dump(*WHOLE)
    store = build_from(dump).store
    if damage:
        change(store, damage)
    else:
        store.write_bytes(b"garbage" * 1000)
    report.phases.clear()
    with pytest.raises(VerificationFailed, match=message):
        build_from(dump)
    assert report.phases == []
    assert data.link.resolve() == store
    build_from(dump, allow_shrink=True)
    assert len(keys_of(data.link)) == 50


def test_rebuild_removes_the_old_stores_before_the_new_one_is_built(build_from, make_dump, data, report):
    olds = [build_from(make_dump(*WHOLE, publication("b/1", f"Bo{n} Test"))).store for n in range(2)]
    left = {}
    report.phase = lambda name: left.update({name: [old for old in olds if old.exists()]})
    build_from(make_dump(*WHOLE), rebuild=True)
    assert left["decompress_xml"] == []
    assert report.lines.count("the old store was removed") == 1
    assert not data.previous_link.is_symlink()
    assert len(keys_of(data.link)) == 50


def test_rebuild_does_not_say_that_it_removed_what_was_not_there(build_from, make_dump, data, report):
    build_from(make_dump(*WHOLE), rebuild=True)
    assert report.lines == []


@pytest.mark.parametrize("damage", [None, "DROP TABLE store_info"])
def test_rebuild_publishes_a_smaller_store_since_there_is_no_other(build_from, make_dump, data, report, damage):
    store = build_from(make_dump(*WHOLE)).store
    if damage:
        change(store, damage)
    build_from(make_dump(*WHOLE[:5]), rebuild=True)
    assert len(keys_of(data.link)) == 5
    warning = "warning: publications fell from 50 to 5, more than 10%; it is published all the same"
    assert any(line.startswith(warning) for line in report.lines) == (damage is None)


def cut(path):
    path.write_bytes(path.read_bytes()[:-20])


def garble(path):
    path.write_bytes(b"\x1f\x8b" + b"garbage" * 100)


def remove_dtd(path):
    (path.parent / DTD_NAME).unlink()


@pytest.mark.parametrize(
    ("damage", "error"),
    [(cut, BadArchive), (garble, BadArchive), (remove_dtd, BadDtd)],
    ids=["cut off", "garbage", "no DTD"],
)
def test_rebuild_removes_nothing_for_a_dump_that_cannot_be_read(build_from, make_dump, data, damage, error):
    store = build_from(make_dump(*WHOLE)).store
    dump = make_dump(*WHOLE)
    damage(dump)
    with pytest.raises(error):
        build_from(dump, rebuild=True)
    assert data.link.resolve() == store
    assert len(keys_of(store)) == 50


def test_rebuild_removes_nothing_for_a_dump_that_breaks_off(build_from, make_dump, data):
    build_from(make_dump(*WHOLE))
    with pytest.raises(MalformedDump, match="breaks off"):
        build_from(make_dump(*WHOLE, tail=""), rebuild=True)
    assert len(keys_of(data.link)) == 50


@pytest.mark.parametrize("missing", [0, 1])
def test_rebuild_counts_on_the_room_of_the_old_store(build_from, make_dump, data, monkeypatch, missing):
    store = build_from(make_dump(*WHOLE)).store
    dump = make_dump(*WHOLE)
    needed = 64 * 1024 * 1024 + 10 * dump.stat().st_size
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(10**9, 0, needed - linked_size(data) - missing))
    with pytest.raises(NoSpace, match="no space for the new store: "):
        build_from(dump)
    if missing:
        with pytest.raises(NoSpace, match="no space for the new store besides the room of the old one: "):
            build_from(dump, rebuild=True)
        assert store.exists()
    else:
        build_from(dump, rebuild=True)
        assert not store.exists()
    assert not data.staging.exists()
