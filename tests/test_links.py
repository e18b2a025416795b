"""The links to the served store and the one before it: wanted stores have one at every instant, whatever happens."""

import shutil
import sqlite3
from contextlib import closing

import pytest

from pipeline import publish
from pipeline.layout import DataDir


class Crash(BaseException):
    """The process is gone: nobody handles this, and nothing is done after it."""


@pytest.fixture
def data(tmp_path):
    """A data directory that serves B and has A to go back to; they hold nothing but a table."""
    directory = DataDir(tmp_path / "data")
    directory.stores.mkdir(parents=True)
    for name in "AB":
        make_store(directory.stores / f"dblp-{name}.sqlite")
    directory.previous_link.symlink_to("stores/dblp-A.sqlite")
    directory.link.symlink_to("stores/dblp-B.sqlite")
    return directory


def make_store(path):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"CREATE TABLE {path.stem.replace('-', '_')} (n)")
    return path


def links(data):
    return [link.resolve(strict=True).stem[-1] for link in (data.link, data.previous_link)]


def stores(data):
    return sorted(path.stem[-1] for path in data.stores.glob("*.sqlite"))


def crash_after(patch, step):
    """Let the process die after that step: each is followed by waiting for the disk."""
    sync, done = publish._sync, []

    def counting(path):
        sync(path)
        done.append(path)
        if len(done) == step:
            raise Crash

    patch.setattr(publish, "_sync", counting)
    return done


def copy_of(data, root):
    return DataDir(shutil.copytree(data.root, root, symlinks=True))


def publish_c(data):
    publish.publish(make_store(data.root / "staged.sqlite"), data, "dblp-C.sqlite")


def go_back(data):
    publish.go_back(data, publish.previous_store(data))


@pytest.mark.parametrize(
    ("change", "before", "after"),
    [(publish_c, ["B", "A"], ["C", "B"]), (go_back, ["B", "A"], ["A", "B"])],
    ids=["publish", "go back"],
)
def test_a_crash_after_any_step_keeps_both_stores_that_are_wanted(data, monkeypatch, tmp_path, change, before, after):
    with monkeypatch.context() as patch:
        steps = crash_after(patch, 0)
        copy = copy_of(data, tmp_path / "copy")
        change(copy)
    assert links(copy) == after
    seen = set()
    for step in range(1, len(steps) + 1):
        copy = copy_of(data, tmp_path / f"crash-{step}")
        with monkeypatch.context() as patch, pytest.raises(Crash):
            crash_after(patch, step)
            change(copy)
        publish.settle(copy)
        publish.remove_unlinked(copy)
        assert links(copy) in (before, after)
        assert stores(copy) == sorted(links(copy))
        assert not [path for path in copy.root.iterdir() if path.name.startswith(".")]
        seen.add(links(copy)[0])
    assert len(seen) == 2  # Some crashes came before the change, some after it.


def test_files_of_others_are_left_alone(data):
    others = [data.root / ".notes.new", data.stores / "backup.sqlite"]
    for path in others:
        path.write_text("precious")
    publish.settle(data)
    publish.remove_unlinked(data)
    assert [path.read_text() for path in others] == ["precious", "precious"]
    assert links(data) == ["B", "A"]


def test_a_data_directory_that_is_a_link_itself(data, tmp_path):
    (tmp_path / "deep" / "er").mkdir(parents=True)
    elsewhere = tmp_path / "deep" / "er" / "data"
    elsewhere.symlink_to(data.root)
    publish_c(DataDir(elsewhere))
    assert links(data) == ["C", "B"]
    go_back(DataDir(elsewhere))
    assert links(data) == ["B", "C"]


def test_a_loop_of_links_is_no_store(data):
    data.link.unlink()
    data.link.symlink_to(data.link.name)
    assert publish.served_store(data) is None


def test_a_file_in_the_place_of_the_link_is_moved_aside_with_its_companions(data):
    data.link.unlink()
    with closing(sqlite3.connect(data.link)) as theirs:
        theirs.execute("PRAGMA journal_mode=WAL")
        theirs.execute("CREATE TABLE precious AS SELECT 1 AS n")
        assert publish.served_store(data) is None
        aside = publish.move_aside(data, "dblp-moved-aside-1.sqlite")
    publish_c(data)
    assert aside == data.root / "dblp-moved-aside-1.sqlite"
    with closing(sqlite3.connect(aside)) as connection:
        assert connection.execute("SELECT n FROM precious").fetchone() == (1,)
    assert links(data) == ["C", "A"]
    assert publish.move_aside(data, "dblp-moved-aside-2.sqlite") is None
