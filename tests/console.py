"""The production server whose builds download from a local server, and somebody who controls it from outside."""

import http.client
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager, suppress

from pipeline.lock import is_locked
from tests.conftest import ROOT, process_environment

TOKEN = "a-token-of-the-tests"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
ACTIVE = ("running", "stopping")


class Service:
    """One gunicorn with so many workers on a data directory; may be killed and begun again."""

    def __init__(self, data, origin, workers=1):
        self.data = data
        self.log, self._logs, self._drains = [], [], []
        self.environment = process_environment(
            data,
            PUBMETA_BIND="127.0.0.1:0",
            PUBMETA_CONTROL_TOKEN=TOKEN,
            PUBMETA_RELEASES_ORIGIN=origin,
            PUBMETA_TRUSTED_HOSTS=origin,
            PUBMETA_STALL_TIMEOUT="60",
            PUBMETA_RETRY_PAUSE="0.01",
            PYTHONUNBUFFERED="1",
            WEB_CONCURRENCY=str(workers),
        )
        self.begin()

    def begin(self):
        """Begin, or begin again after an end."""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn"],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self._logs.append(self.process.stderr)
        lines = iter(self.process.stderr)
        self.port = next(int(found[1]) for line in lines if (found := re.search(r"http://127\.0\.0\.1:(\d+)", line)))
        drain = threading.Thread(target=lambda: self.log.extend(lines))
        drain.start()
        self._drains.append(drain)

    def end(self, number=signal.SIGKILL):
        """End it as a crash does, or with that signal; builds are processes of their own and go on."""
        os.killpg(self.process.pid, number)
        self.process.wait(20)

    def close(self):
        """End it for good, once its builds have ended too, which write to the same log."""
        if self.process.poll() is None:
            self.end(signal.SIGTERM)
        for drain, log in zip(self._drains, self._logs, strict=True):
            drain.join(20)
            log.close()

    def ask(self, method, path, body=None, headers=BEARER):
        """Give status and JSON of an answer."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)) as connection:
            sent = None if body is None else json.dumps(body)
            typed = {} if body is None else {"Content-Type": "application/json"}
            connection.request(method, f"/api/{path}", sent, {"Connection": "close", **typed, **headers})
            response = connection.getresponse()
            return response.status, json.loads(response.read())

    def state(self):
        status, state = self.ask("GET", "state")
        assert status == 200
        return state

    def start(self, **options):
        return self.ask("POST", "start", options)

    def stop(self):
        return self.ask("POST", "stop")

    def reset(self):
        return self.ask("POST", "reset")


@contextmanager
def services(data, origin, count, workers=1):
    """Run so many of them on one data directory; builds that are left over are ended with them."""
    started = []
    try:
        for _ in range(count):
            started.append(Service(data, origin, workers))
        yield started
    finally:
        end_build(data)
        for service in started:
            service.close()


def pid_of_build(data):
    """Give the process of the newest build."""
    with closing(sqlite3.connect(data.root / "pubmeta.sqlite3", timeout=20)) as database:
        return until(lambda: database.execute("SELECT pid FROM pipeline_buildrun ORDER BY id DESC").fetchone()[0], 5)


def end_build(data):
    """Kill the process that builds, if one does, as the end of the machine would."""
    if is_locked(data.lock):
        with suppress(ProcessLookupError):
            os.kill(pid_of_build(data), signal.SIGKILL)
        until(lambda: not is_locked(data.lock), 10)


def until(happened, seconds):
    """Ask again and again until the answer is true, and give it; fails after so many seconds."""
    end = time.monotonic() + seconds
    while True:
        answer = happened()
        if answer:
            return answer
        assert time.monotonic() < end, f"not within {seconds} s"
        threading.Event().wait(0.02)


def until_state(service, seconds, *wanted):
    """Wait for one of those states; gives the snapshot."""

    def reached():
        state = service.state()
        return state if state["status"] in wanted else None

    return until(reached, seconds)
