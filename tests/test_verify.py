"""A store that does not say the same in all its parts, or lacks one, or is of no day, is not published."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import fields

import pytest

from bibliography.models import StoreInfo
from pipeline.assemble import Contents
from pipeline.errors import BuildStopped, VerificationFailed
from pipeline.verify import verify, verify_info
from tests.conftest import SAMPLE, publication


@pytest.fixture
def staged(sample_stores, tmp_path):
    """A copy of a store that is right; gives its path and a function that changes it."""
    path = tmp_path / "store.sqlite"
    shutil.copy(sample_stores.link.resolve(), path)

    def change(sql):
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(sql)

    change("PRAGMA journal_mode=DELETE")  # As a store is before it is published.
    return path, change


def contents_of(path):
    names = [field.name for field in fields(Contents)]
    with closing(sqlite3.connect(path)) as connection:
        return Contents(*connection.execute(f"SELECT {', '.join(names)} FROM store_info").fetchone())


def test_a_store_that_is_right(staged):
    path, _ = staged
    verify(path, contents_of(path), lambda: None)
    verify_info(path)


LAST = "(SELECT max(id) FROM publications)"
DAMAGES = {
    "emptied author_fts": ("INSERT INTO author_fts (author_fts) VALUES ('delete-all')", "author_fts is of 0 rows"),
    "emptied author_trigram": (
        "INSERT INTO author_trigram (author_trigram) VALUES ('delete-all')",
        "the full-text index author_trigram does not fit its table",
    ),
    "titles shifted by a row": (
        f"UPDATE publications SET title = (SELECT title FROM publications AS next WHERE next.id ="
        f" publications.id % {LAST} + 1)",
        "the full-text index title_fts does not fit its table",
    ),
    "one other title": ("UPDATE publications SET title = 'Quixotic.' WHERE id = 7", "title_fts does not fit"),
    "changed names": (
        "UPDATE authors SET name = name || 'x' WHERE id < 9",
        "author_(fts|trigram) does not fit its table",
    ),
    "other names gone": ("UPDATE authors SET other_names = NULL", "author_(fts|trigram) does not fit its table"),
    "an index of one title less": ("DELETE FROM title_fts_docsize WHERE id = 3", r"title_fts is of \d+ rows"),
    "a dropped index": ("DROP INDEX authors_folded", "lacks the index authors_folded"),
    "a dropped full-text table": ("DROP TABLE author_trigram", "lacks the table author_trigram"),
    "a column too few": ("ALTER TABLE authors DROP COLUMN affiliation", "lacks the table authors"),
    "a publication gone": ("DELETE FROM publications WHERE id = 5", r"publications: \d+ were loaded, but"),
    "a link to nobody": (
        "UPDATE pub_authors SET author_id = 10000000 WHERE pub_id = 1 AND position = 1",
        "author_id points to",
    ),
    "a former pid of nobody": (
        "INSERT INTO former_pids VALUES ('x/Gone', 10000000)",
        "former_pids.author_id points to",
    ),
}


@pytest.mark.parametrize(("sql", "message"), DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_store_is_refused(staged, sql, message):
    path, change = staged
    contents = contents_of(path)
    change(sql)
    with pytest.raises(VerificationFailed, match=message) as caught:
        verify(path, contents, lambda: None)
    assert "\n" not in str(caught.value)


def test_what_is_no_database_is_refused(staged):
    path, _ = staged
    contents = contents_of(path)
    path.write_bytes(b"no database" * 100)
    with pytest.raises(VerificationFailed, match="the new store is damaged: file is not a database"):
        verify(path, contents, lambda: None)


def test_a_stop_does_not_wait_for_the_indexes(staged):
    path, _ = staged
    contents = contents_of(path)

    def stop():
        raise BuildStopped("stopped")

    with pytest.raises(BuildStopped):
        verify(path, contents, stop)


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("UPDATE store_info SET data_date = 'unknown'", "store_info.data_date is 'unknown', which is no day"),
        ("UPDATE store_info SET data_date = ''", "store_info.data_date is '', which is no day"),
        ("UPDATE store_info SET release = '2026-02-30'", "store_info.release is '2026-02-30', which is no day"),
    ],
)
def test_a_day_that_never_was_is_refused(staged, sql, message):
    path, change = staged
    change(sql)
    with pytest.raises(VerificationFailed, match=message):
        verify_info(path)


def of_day(number, mdate):
    return publication(f"a/{number}", "Ada Test").replace("2024-01-01", mdate)


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (["2023-05-06", "unknown", "2024-02-30", "9999-12-31", "2024-2-9", "20240209", ""], "2023-05-06"),
        (["2023-05-06", "2024-02-29"], "2024-02-29"),
    ],
    ids=["odd ones", "a leap day"],
)
def test_data_is_of_the_day_of_its_newest_record(build_from, make_dump, client, days, expected):
    build_from(make_dump(*(of_day(number, day) for number, day in enumerate(days)), name="dblp-2026-02-30.xml.gz"))
    info = StoreInfo.objects.get()
    assert (info.release, info.data_date) == (None, expected)
    assert client.get("/api/health").json()["data_date"] == expected


def test_data_whose_records_tell_no_day_is_of_today(build_from, make_dump, client):
    build_from(make_dump(of_day(1, "unknown"), of_day(2, "now")))
    assert client.get("/api/health").status_code == client.get("/api/stats").status_code == 200


def test_the_release_is_told_by_the_name_of_the_file(build_from, data, tmp_path):
    shutil.copytree(SAMPLE.parent, tmp_path / "sample")
    dump = (tmp_path / "sample" / SAMPLE.name).rename(tmp_path / "sample" / "dblp-2026-10-03.xml.gz")
    build_from(dump)
    info = StoreInfo.objects.get()
    assert (info.release, info.data_date) == ("2026-10-03", "2026-10-03")
