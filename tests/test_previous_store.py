"""Going back to the previous store, and what is done where the link to the served one is lost."""

import shutil
import sqlite3
import subprocess
from contextlib import closing

import pytest

from tests.conftest import SAMPLE, publication
from tests.test_publish import keys_of


@pytest.fixture
def two(data, build_from, make_dump):
    """Two stores, the second one served; gives both."""
    first = build_from(make_dump(publication("a/1", "Ada Test"))).store
    second = build_from(make_dump(publication("a/1", "Ada Test"), publication("a/2", "Ada Test"))).store
    return first, second


def run(process):
    output, errors = process.communicate(timeout=60)
    return process.returncode, output, errors


def test_going_back_and_forth(two, data, manage):
    for expected in two:
        assert run(manage("previous_store")) == (0, f"{expected.name} is served now\n", "")
        assert data.link.resolve() == expected


def test_going_back_without_a_previous_store_is_an_error(data, manage):
    assert run(manage("previous_store")) == (1, "", "CommandError: there is no previous store\n")


def test_two_links_to_one_store_are_no_previous_store(two, data, manage):
    data.previous_link.unlink()
    data.previous_link.symlink_to(data.link.readlink())
    assert run(manage("previous_store")) == (1, "", "CommandError: there is no previous store\n")


def test_a_change_that_was_interrupted_is_finished_first(two, data, manage):
    first, second = two
    # As a kill leaves it in the middle of going back.
    data.link.unlink()
    data.link.symlink_to(data.previous_link.readlink())
    (data.root / ".dblp-previous.sqlite.new").symlink_to(f"stores/{second.name}")
    assert run(manage("previous_store")) == (0, f"{second.name} is served now\n", "")
    assert data.previous_link.resolve() == first


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (
            "DROP INDEX authors_pid",
            "The store lacks the index authors_pid of this version of pubmeta. Build a new one.",
        ),
        ("UPDATE store_info SET completed = 0", "The store was never finished. Build a new one."),
        (None, "The store cannot be read: file is not a database."),
    ],
    ids=["another schema", "unfinished", "garbage"],
)
def test_a_previous_store_that_could_not_be_served_is_refused(two, data, manage, damage, message):
    first, second = two
    if damage is None:
        first.write_bytes(b"garbage" * 1000)
    else:
        with closing(sqlite3.connect(first, isolation_level=None)) as connection:
            connection.execute(damage)
    expected = f"CommandError: the previous store, {first.name}, cannot be served: {message}\n"
    assert run(manage("previous_store")) == (1, "", expected)
    assert data.link.resolve() == second


@pytest.mark.parametrize("link", ["missing", "dangling"])
def test_where_the_link_is_lost_no_store_is_removed_and_none_is_built_over_it(two, data, manage, link):
    first, second = two
    data.link.unlink()
    if link == "dangling":
        data.link.symlink_to("stores/dblp-gone.sqlite")
    way = (
        f"{data.link} leads to no store, but there is stores/{second.name}; "
        f"to serve it: ln -sfn stores/{second.name} {data.link}"
    )
    assert run(manage("ensure_store", SAMPLE)) == (0, f"== {way}\n", "")
    assert run(manage("previous_store")) == (1, "", f"CommandError: {way}\n")
    status, output, _ = run(manage("rebuild_store", "--from-file", SAMPLE))
    assert (status, f" no store is removed: {way}\n" in output) == (0, True)
    assert first.exists()
    assert second.exists()
    # What the line says works, also after a new store was published.
    subprocess.run(["/bin/sh", "-c", way.rpartition("to serve it: ")[2]], cwd=data.root, check=True)
    assert keys_of(data.link) == ["a/1", "a/2"]


def test_a_store_of_somebody_else_is_moved_aside(data, manage, sample_stores):
    shutil.copy(sample_stores.link, data.link)
    before = data.link.read_bytes()
    status, output, errors = run(manage("rebuild_store", "--from-file", SAMPLE))
    (aside,) = data.root.glob("dblp-moved-aside-*.sqlite")
    assert (status, errors) == (0, "")
    assert f" {data.link} was a file, not a link to a store; it is {aside} now\n" in output
    assert aside.read_bytes() == before
    assert data.link.is_symlink()
    run(manage("rebuild_store", "--from-file", SAMPLE))
    assert aside.exists()


def test_a_build_of_what_is_served_already_keeps_the_store_before_that(two, data, build_from, tmp_path):
    first, second = two
    again = build_from(tmp_path / "dump.xml.gz").store
    assert (data.link.resolve(), data.previous_link.resolve()) == (again, first)
    assert not second.exists()


def test_a_build_of_the_same_dump_by_another_version_is_another_store(two, data, build_from, tmp_path):
    _, second = two
    with closing(sqlite3.connect(second, isolation_level=None)) as connection:
        connection.execute("UPDATE store_info SET program_version = '0.0'")
    build_from(tmp_path / "dump.xml.gz")
    assert data.previous_link.resolve() == second
