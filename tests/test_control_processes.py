"""Several processes of the service on one data directory: one build, seen and stoppable by all of them."""

import os
import re
import signal
import threading
from collections import Counter

import psutil
import pytest

from pipeline.lock import is_locked
from tests.conftest import copy_store
from tests.console import end_build, pid_of_build, services, until, until_state
from tests.server import Answer
from tests.test_sources import DUMP, RELEASE, put_release

pytestmark = pytest.mark.usefixtures("uncounted")


@pytest.fixture
def gate(server):
    """A release whose dump does not come before this is set."""
    gate = threading.Event()
    put_release(server)
    server.put(RELEASE, Answer(DUMP, headers={"ETag": '"r"'}, gate=gate))
    return gate


@pytest.fixture
def three(data, sample_stores, server, gate):
    copy_store(sample_stores, data)
    with services(data, server.origin, 3) as started:
        yield started


def test_of_200_starts_at_once_one_wins_and_every_process_sees_it_and_can_stop_it(data, three, gate):
    ready, answers = threading.Barrier(20), []

    def start(first):
        ready.wait()
        answers.extend(three[(first + i) % 3].start()[0] for i in range(10))

    threads = [threading.Thread(target=start, args=(i,)) for i in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Counter(answers) == {200: 1, 409: 199}
    started = psutil.process_iter(["cmdline"])
    builds = [process for process in started if "rebuild_store" in (process.info["cmdline"] or ())]
    assert len([build for build in builds if build.environ().get("PUBMETA_DATA_DIR") == str(data.root)]) == 1
    runs = {until_state(service, 1, "running")["run"] for service in three}
    assert len(runs) == 1
    assert three[0].stop()[1]["status"] == "stopping"
    assert {until_state(service, 5, "stopped")["message"] for service in three} == {"stopped; the store is as it was"}
    assert not data.staging.exists()


def test_a_build_outlives_the_process_that_started_it(data, three, gate):
    first, second, third = three
    assert first.start()[0] == 200
    until(lambda: second.state()["step"] == "download_xml_gz", 20)
    first.end()
    assert second.state()["status"] == "running"
    assert third.start()[0] == 409
    gate.set()
    done = until_state(third, 60, "completed")
    assert done["progress"]["publications"] == 1996
    first.begin()
    assert first.state() == third.state()


def test_a_build_whose_starter_was_killed_is_killed_by_others_if_it_does_not_stop(data, three, gate):
    first, second, third = three
    first.start()
    until(lambda: second.state()["step"] == "download_xml_gz", 20)
    first.end()
    os.kill(pid_of_build(data), signal.SIGSTOP)  # Now it can do nothing, so it cannot stop either.
    assert second.stop()[1]["status"] == "stopping"
    stopped = until_state(third, 5.5, "stopped")
    assert re.search(r"did not stop and was killed in download_xml_gz", stopped["message"])
    assert not is_locked(data.lock)
    assert third.start()[0] == 200


def test_the_machine_is_restarted_in_the_middle(data, three, gate, server):
    served = data.link.resolve()
    three[0].start()
    until(lambda: three[1].state()["step"] == "download_xml_gz", 20)
    for service in three:
        service.end()
    end_build(data)
    three[2].begin()
    state = three[2].state()
    assert (state["status"], state["step"]) == ("error", "error")
    assert state["message"].startswith("its process died in download_xml_gz")
    assert data.link.resolve() == served
    assert three[2].ask("GET", "health")[0] == 200
    gate.set()
    assert three[2].start()[0] == 200
    until_state(three[2], 60, "completed")


def test_how_a_build_died_is_told_by_who_started_it(data, three, gate):
    first = three[0]
    first.start()
    until(lambda: first.state()["step"] == "download_xml_gz", 20)
    os.kill(pid_of_build(data), signal.SIGKILL)
    messages = {until_state(service, 1.5, "error")["message"] for service in three}
    (message,) = messages
    assert re.fullmatch(
        r"its process died in download_xml_gz \(ended by SIGKILL, by somebody or for want of memory;"
        r" it had used \d+ MB of memory\)",
        message,
    )
