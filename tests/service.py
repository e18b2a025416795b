"""The production server on a free port, somebody who asks it all the time whether it is well, and what it serves."""

import hashlib
import http.client
import json
import re
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing, contextmanager

from tests.conftest import ROOT, process_environment


@contextmanager
def serving(data, *prefix, log=None):
    """Serve a data directory with two processes, started by that prefix of a command; gives the port.

    All lines of the log go into that list.
    """
    process = subprocess.Popen(
        [*prefix, sys.executable, "-m", "gunicorn"],
        cwd=ROOT,
        env=process_environment(data, PUBMETA_BIND="127.0.0.1:0", PYTHONUNBUFFERED="1"),
        stderr=subprocess.PIPE,
        text=True,
    )
    lines = _kept(process.stderr, [] if log is None else log)
    port = next(int(found[1]) for line in lines if (found := re.search(r"http://127\.0\.0\.1:(\d+)", line)))
    drain = threading.Thread(target=lambda: [None for _ in lines])
    drain.start()
    try:
        yield port
    finally:
        process.terminate()
        process.wait(timeout=20)
        drain.join()
        process.stderr.close()


def _kept(lines, log):
    for line in lines:
        log.append(line)
        yield line


def ask(port, path="/api/health"):
    """Give the status and the body of an answer."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request("GET", path, headers={"Connection": "close"})
        response = connection.getresponse()
        return response.status, json.loads(response.read())


@contextmanager
def watching(port):
    """Ask for the health again and again; gives the list of what came, statuses or errors."""
    done, answers = threading.Event(), []

    def watch():
        while not done.wait(0.01):
            try:
                answers.append(ask(port)[0])
            except (OSError, http.client.HTTPException) as error:
                answers.append(error)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield answers
    finally:
        done.set()
        thread.join()


@contextmanager
def guarding(data, port, answers):
    """Give a check for a build that failed or was killed: what was served before is as it was, and still served.

    At the end, whatever was done, no question of those who watch was left without a good answer.
    """
    answers.clear()
    served, before = data.link.resolve(), digest(data.link)

    def check(publications=()):
        """Those are how many there are in a store that may have been published all the same."""
        if data.link.resolve() == served:
            assert digest(served) == before
        else:
            assert count(data) in publications
        assert ask(port)[0] == 200

    yield check
    assert set(answers) == {200}


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def count(data):
    """Count the publications that are served, in a store that is whole."""
    with closing(sqlite3.connect(f"file:{data.link}?mode=ro", uri=True)) as connection:
        assert connection.execute("PRAGMA quick_check").fetchone() == ("ok",)
        return connection.execute("SELECT count(*) FROM publications").fetchone()[0]


def succeeds(process, data, publications):
    """See that a build succeeds and removes what those before it left behind."""
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, ""), errors
    assert count(data) == publications
    assert not data.staging.exists()
    assert len(list(data.stores.glob("*.sqlite"))) <= 2
    assert not [path for path in data.root.iterdir() if path.name.endswith(".new")]
