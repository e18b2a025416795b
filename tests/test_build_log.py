"""What the log of the service tells of builds: their phases, how they end, and who asked."""

import json
import os
import signal

import pytest

from pipeline.progress import PHASES
from tests.console import pid_of_build, services, until, until_state
from tests.server import Answer
from tests.test_sources import RELEASE, put_release

pytestmark = pytest.mark.usefixtures("uncounted")


@pytest.fixture
def service(data, server):
    put_release(server)
    with services(data, server.origin, 1, workers=2) as (started,):
        yield started


def lines_of(service, logger):
    """Give the lines that somebody has written."""
    lines = [json.loads(line) for line in list(service.log)]
    return [line for line in lines if line["logger"] == logger]


def test_a_build_has_a_line_for_each_phase_and_one_for_its_end(service):
    service.start()
    run = until_state(service, 60, "completed")["run"]
    service.reset()
    service.stop()
    service.end(signal.SIGTERM)
    until(lambda: service.log and "Shutting down" in service.log[-1], 20)
    lines = lines_of(service, "pipeline.build")
    assert {(line["level"], line["run"]) for line in lines} == {("INFO", run)}
    ended = [line for line in lines if "phase" in line]
    assert [line["phase"] for line in ended] == list(PHASES)
    for line in ended:
        assert line["message"] == f"build {run}: {line['phase']} ended after {line['seconds']} s"
    assert lines[-1]["message"].startswith(f"build {run}: published dblp-")
    asked = [(line["message"], line["by"], line.get("run")) for line in lines_of(service, "pipeline.api")]
    assert asked == [
        ("the build was started by token", "token", run),
        ("the build was reset by token", "token", None),
        ("the build was not running when asked to stop by token", "token", None),
    ]
    assert all(line["request_id"] for line in lines_of(service, "pipeline.api"))


def test_a_build_that_fails_or_is_stopped_says_so_in_the_form_of_the_log(service, server):
    server.put(RELEASE, Answer(b"", 404))
    service.start()
    until_state(service, 60, "error")
    server.put(RELEASE, Answer(stall_first=True))
    service.start()
    assert server.stalled.wait(20)
    service.stop()
    until_state(service, 5, "stopped")
    until(lambda: len(ends(service)) == 2, 5)
    failed, stopped = ends(service)
    assert failed["level"] == "ERROR"
    assert "404 Not Found" in failed["message"]
    assert (stopped["level"], stopped["message"]) == ("INFO", "build 2: stopped; the store is as it was")


def ends(service):
    return [line for line in lines_of(service, "pipeline.build") if "404 Not" in str(line) or ": stopped" in str(line)]


def test_a_build_that_was_killed_is_told_once_by_the_service(service, server):
    server.put(RELEASE, Answer(stall_first=True))
    service.start()
    until(lambda: service.state()["step"] == "download_dtd", 20)
    os.kill(pid_of_build(service.data), signal.SIGKILL)
    until_state(service, 5, "error")
    (line,) = until(lambda: lines_of(service, "pipeline.manager"), 5)
    assert (line["level"], line["run"]) == ("WARNING", 1)
    assert "build 1: its process died in download_dtd" in line["message"]
