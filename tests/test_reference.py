"""A published store holds exactly what an independent, plain reading of the same dump finds."""

import sqlite3
import xml.etree.ElementTree as ElementTree
from contextlib import closing

import pytest

from tests import reference
from tests.conftest import REAL, SAMPLE, person, publication


def contents_of(path):
    """Read a store into the form of the reference."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        rows = connection.execute("SELECT key, pub_type, title, year, venue, publtype, ee, mdate FROM publications")
        publications = {row[0]: tuple(row[1:]) for row in rows}
        rows = connection.execute("SELECT name, pid, orcid, affiliation, kind, publications FROM authors")
        people = {row[0]: tuple(row[1:]) for row in rows}
        aliases = dict(
            connection.execute(
                "SELECT author_aliases.name, authors.name FROM author_aliases JOIN authors ON authors.id = author_id"
            )
        )
        authorships = set(
            connection.execute(
                "SELECT publications.key, authors.name, role, position FROM pub_authors"
                " JOIN publications ON publications.id = pub_id JOIN authors ON authors.id = author_id"
            )
        )
    return {"publications": publications, "people": people, "aliases": aliases, "authorships": authorships}


def assert_same(found, expected):
    for name in ("publications", "people", "aliases", "authorships"):
        # Sets of the differences: a whole dump is too much to read in a failure.
        if isinstance(expected[name], dict):
            assert dict(found[name].items() - expected[name].items()) == {}, name
            assert dict(expected[name].items() - found[name].items()) == {}, name
        else:
            assert found[name] - expected[name] == set(), name
            assert expected[name] - found[name] == set(), name
        assert len(found[name]) == len(expected[name])


@pytest.mark.skipif(not REAL.exists(), reason="the real records of dblp are not beside the project")
def test_the_real_records_of_dblp(build_from, data):
    build_from(REAL)
    assert_same(contents_of(data.link), reference.read(REAL))


def test_the_sample(served_sample):
    assert_same(contents_of(served_sample.link), reference.read(SAMPLE))


def test_every_raw_record_is_well_formed_by_itself(served_sample):
    with closing(sqlite3.connect(f"file:{served_sample.link}?mode=ro", uri=True)) as connection:
        rows = connection.execute("SELECT key, pub_type, title, raw_xml FROM publications").fetchall()
    for key, pub_type, title, raw in rows:
        record = ElementTree.fromstring(raw)
        assert (record.get("key"), record.tag) == (key, pub_type)
        found = record.find("title")
        assert " ".join("".join(found.itertext()).split() if found is not None else []) == title


CONFLICTS = {
    "an alias that is the primary name of somebody else": [
        person("1/1", "Ann Alpha", "Bob Beta"),
        person("2/2", "Bob Beta"),
        publication("a/1", "Bob Beta", "Ann Alpha"),
    ],
    "an alias that two pages claim": [
        person("1/1", "Ann Alpha", "A. Shared"),
        person("2/2", "Bob Beta", "A. Shared"),
        publication("a/1", "A. Shared"),
    ],
    "two pages with one primary name": [
        person("1/1", "Ann Alpha", "A. One"),
        person("2/2", "Ann Alpha", "A. Two"),
        publication("a/1", "A. One", "A. Two"),
    ],
    "a page after the papers": [publication("a/1", "A. Late", "Bob Beta"), person("1/1", "Ann Alpha", "A. Late")],
    "a redirect over a redirect": [
        person("1/1", "Ann Alpha"),
        person("1/2", "Ann Old", extra="<crossref>homepages/1/3</crossref>\n"),
        person("1/3", "Ann Older", extra="<crossref>homepages/1/1</crossref>\n"),
        publication("a/1", "Ann Old", "Ann Older", "Ann Alpha"),
    ],
    "redirects in a circle": [
        person("1/2", "Ann Old", extra="<crossref>homepages/1/3</crossref>\n"),
        person("1/3", "Ann Older", extra="<crossref>homepages/1/2</crossref>\n"),
        publication("a/1", "Ann Old", "Ann Older"),
    ],
    "a redirect to a page that is not there": [
        person("1/2", "Ann Old", extra="<crossref>homepages/9/9</crossref>\n"),
        publication("a/1", "Ann Old"),
    ],
    "a redirect page without a name": [
        person("1/1", "Ann Alpha"),
        person("1/2", extra="<crossref>homepages/1/1</crossref>\n"),
        publication("a/1", "Ann Alpha"),
    ],
    "a redirect page whose name is somebody's": [
        person("1/1", "Ann Alpha"),
        person("2/2", "Bob Beta"),
        person("1/2", "Bob Beta", extra="<crossref>homepages/1/1</crossref>\n"),
        publication("a/1", "Bob Beta"),
    ],
    "a page without a name": [person("1/1"), publication("a/1", "Ann Alpha")],
    "author and editor of one book": [publication("a/1", "Ann Alpha", kind="book", editors=("Ann Alpha", "Bob Beta"))],
    "signed three times": [
        person("1/1", "Ann Alpha", "A. Alpha"),
        publication("a/1", "A. Alpha", "Bob", "Ann Alpha", "Bob"),
    ],
    "homonyms, one bare": [
        person("1/1", "Wu Li", publtype="disambiguation"),
        person("1/1-1", "Wu Li 0001"),
        publication("a/1", "Wu Li", "Wu Li 0001", "Wu Li 0009"),
    ],
    "nothing but people": [person("1/1", "Ann Alpha"), publication("a/1")],
}


@pytest.mark.parametrize("records", CONFLICTS.values(), ids=CONFLICTS.keys())
def test_names_that_contradict_each_other(build_from, make_dump, data, records):
    dump = make_dump(*records)
    build_from(dump)
    assert_same(contents_of(data.link), reference.read(dump))


def test_ids_do_not_depend_on_how_many_processes_parse(build_from, data, settings):
    stores = []
    for workers in (1, 2, 3):
        settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"workers": workers})
        build_from(SAMPLE)
        with closing(sqlite3.connect(f"file:{data.link}?mode=ro", uri=True)) as connection:
            stores.append(
                [
                    connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2, 3").fetchall()
                    for table in ("publications", "authors", "pub_authors")
                ]
                + [connection.execute("SELECT * FROM author_aliases ORDER BY name").fetchall()]
            )
    assert stores[0] == stores[1] == stores[2]
