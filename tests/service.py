"""The production server on a free port, and somebody who asks it all the time whether it is well."""

import http.client
import json
import re
import subprocess
import sys
import threading
from contextlib import closing, contextmanager

from tests.conftest import ROOT, process_environment


@contextmanager
def serving(data, *prefix):
    """Serve a data directory with two processes, started by that prefix of a command; gives the port."""
    process = subprocess.Popen(
        [*prefix, sys.executable, "-m", "gunicorn"],
        cwd=ROOT,
        env=process_environment(data, PUBMETA_BIND="127.0.0.1:0", PYTHONUNBUFFERED="1"),
        stderr=subprocess.PIPE,
        text=True,
    )
    lines = iter(process.stderr)
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
