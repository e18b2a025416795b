"""Random sequences of all that can happen to builds, against the state table of the contract.

``STATES=100`` makes so many sequences.
"""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.conftest import ROOT, copy_store
from tests.console import end_build, pid_of_build, services, until, until_state
from tests.server import Answer
from tests.test_sources import MD5, RELEASE, put_release

pytestmark = pytest.mark.usefixtures("uncounted")
SEQUENCES = int(os.environ.get("STATES", "4"))


class World:
    """Two processes of the service, builds from a shell, a server that goes on once the gate is open.

    It is that of the checksum, which each build asks for; a dump that is here already is not fetched again.
    """

    def __init__(self, data, server, started):
        self.data, self.server, self.services = data, server, started
        self.shell = None
        self.close_gate()

    def close_gate(self):
        self.gate = threading.Event()
        self.server.put(f"{RELEASE}.md5", Answer(MD5.encode(), gate=self.gate))

    def rows(self):
        with closing(sqlite3.connect(self.data.root / "pubmeta.sqlite3")) as database:
            return database.execute("SELECT id, pid, status, step, message FROM pipeline_buildrun").fetchall()

    def start_from_shell(self):
        self.end_shell()
        self.shell = subprocess.Popen(
            [sys.executable, ROOT / "manage.py", "rebuild_store"],
            env=self.services[0].environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        return self.shell

    def end_shell(self):
        if self.shell is not None:
            self.shell.wait(20)
            self.shell = None

    def clear(self):
        end_build(self.data)
        self.end_shell()
        for service in self.services:
            until_state(service, 2, "idle", "stopped", "completed", "error")
        assert self.services[0].reset()[0] == 200
        self.close_gate()


class Builds:
    """The model is one word: the status that everybody has to see. Each event is of one of the two services."""

    def __init__(self, world):
        self.world = world
        self.world.clear()
        self.status = "idle"

    @property
    def runs(self):
        return self.status == "running"

    def start(self, who):
        answered, body = self.world.services[who].start()
        assert answered == (409 if self.runs else 200)
        if not self.runs:
            assert (body["status"], body["step"], body["logs"]) == ("running", "starting", [])
            self.is_running()

    def start_from_shell(self, who):
        if self.runs:
            shell = self.world.shell
            self.world.shell = None
            assert self.world.start_from_shell().wait(20) == 75
            self.world.shell = shell
        else:
            self.world.start_from_shell()
            self.is_running()

    def is_running(self):
        """Wait until the build waits at the gate; before, a service may not have seen of it."""
        until(lambda: self.world.services[0].state()["step"] == "download_dtd", 20)
        self.status = "running"

    def stop(self, who):
        answered, body = self.world.services[who].stop()
        assert answered == 200
        if self.runs:
            assert body["status"] in ("stopping", "stopped")
            assert self.world.services[1 - who].start()[0] == 409 or self.status_of(who) == "stopped"
            until_state(self.world.services[1 - who], 5, "stopped")
            if self.world.shell is not None:
                assert self.world.shell.wait(5) == 130
                self.world.end_shell()
            self.status = "stopped"
        else:
            assert body["status"] == self.status

    def status_of(self, who):
        return self.world.services[who].state()["status"]

    def reset(self, who):
        answered, body = self.world.services[who].reset()
        assert answered == (409 if self.runs else 200)
        if not self.runs:
            assert (body["status"], body["logs"]) == ("idle", [])
            self.status = "idle"

    def crash(self, who):
        if self.runs:
            os.kill(pid_of_build(self.world.data), signal.SIGKILL)
            self.world.end_shell()
            self.status = "error"

    def complete(self, who):
        if self.runs:
            self.world.gate.set()
            until_state(self.world.services[who], 60, "completed")
            self.world.end_shell()
            self.world.close_gate()
            self.status = "completed"

    def restart(self, who):
        self.world.services[who].end()
        self.world.services[who].begin()

    def are_seen_the_same_by_everybody_within_a_second(self):
        for service in self.world.services:
            state = until_state(service, 1, self.status)
            assert (state["finished_at"] is None) == (self.status in ("idle", "running"))
            assert (state["started_at"] is None) == (self.status == "idle")
            assert service.ask("GET", "health")[0] == 200


EVENTS = ("start", "start_from_shell", "stop", "reset", "crash", "complete", "restart")


def test_any_sequence_of_events(data, sample_stores, server):
    copy_store(sample_stores, data)
    put_release(server)
    with services(data, server.origin, 2) as started:
        world = World(data, server, started)

        @settings(
            max_examples=SEQUENCES,
            deadline=None,
            database=None,
            phases=[Phase.generate],  # To make a sequence shorter would take minutes.
            suppress_health_check=list(HealthCheck),
        )
        @given(st.lists(st.tuples(st.sampled_from(EVENTS), st.sampled_from([0, 1])), min_size=6, max_size=14))
        def play(events):
            builds = Builds(world)
            for number, (event, who) in enumerate(events, 1):
                try:
                    getattr(builds, event)(who)
                    builds.are_seen_the_same_by_everybody_within_a_second()
                except Exception as error:
                    error.add_note(f"after {events[:number]}, rows {world.rows()}")
                    raise

        try:
            play()
        finally:
            end_build(data)
            world.end_shell()
