"""While a build runs and while stores are swapped, whoever asks sees no error and no mixture of two stores."""

import http.client
import json
import os
import subprocess
import sys
import threading

import pytest
import sqlite_utils

from benchmarks.dump import write_files
from tests.service import serving

pytestmark = pytest.mark.usefixtures("uncounted")
CLIENTS = 4


@pytest.fixture
def service(served_sample):
    """The production server on a free port, two processes; gives the port."""
    with serving(served_sample) as port:
        yield port


def ask_until(done, port, answers, problems):
    """Ask for health and stats without a pause."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    while not done.is_set():
        for path in ("/api/health", "/api/stats"):
            try:
                connection.request("GET", path)
                response = connection.getresponse()
                body = json.loads(response.read())
            except (OSError, http.client.HTTPException) as error:
                problems.append(error)
                connection.close()
                continue
            if response.status != 200:
                problems.append((path, response.status, body))
            elif path == "/api/stats":
                answers.add((body["publications"], body["authors"], body["authorships"], body["built_at"]))
    connection.close()


def test_four_clients_see_whole_stores_only_through_builds_and_swaps(served_sample, service, manage, tmp_path):
    dumps = []
    for number in range(3):
        dumps.append(tmp_path / f"dblp-2026-0{number + 1}-01.xml.gz")
        write_files(dumps[-1], 2_500 + 500 * number, seed=number)
    done, answers, problems = threading.Event(), set(), []
    clients = [threading.Thread(target=ask_until, args=(done, service, answers, problems)) for _ in range(CLIENTS)]
    for client in clients:
        client.start()
    expected = {1996}
    try:
        for number, dump in enumerate(dumps):
            process = manage("rebuild_store", "--from-file", dump, "--allow-shrink")
            _, errors = process.communicate(timeout=60)
            assert (process.returncode, errors) == (0, "")
            expected.add(2_500 + 500 * number)
    finally:
        done.set()
        for client in clients:
            client.join()
    assert problems == []
    assert {publications for publications, *_ in answers} <= expected
    # Each number of publications came with one set of other numbers: never those of two stores at once.
    assert len(answers) == len({publications for publications, *_ in answers}) >= 2


def test_outside_tools_open_the_store_and_find_its_full_text(served_sample):
    database = sqlite_utils.Database(served_sample.link)
    try:
        assert database["publications"].detect_fts() == "title_fts"
        assert database["authors"].detect_fts() == "author_fts"
        assert [row["name"] for row in database["authors"].search("orla")] == ["Orla O'Nevin"]
        assert [row["title"] for row in database["publications"].search("signed twice")] == ["Signed Twice."]
    finally:
        database.close()


def test_an_outside_reader_does_not_change_the_store(served_sample):
    before = served_sample.link.read_bytes()
    count = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM authors')"
    shell = subprocess.run([sys.executable, "-c", count, os.fspath(served_sample.link)], check=True)
    assert shell.returncode == 0
    assert served_sample.link.read_bytes() == before
