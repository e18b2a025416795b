"""Control through the API alone: defaults, bad values, a whole build as a client sees it, what is left of it."""

import datetime
import hashlib
import sqlite3
import threading
from contextlib import closing

import pytest

from benchmarks.dtd import DTD_NAME
from pipeline.models import BuildRun
from pipeline.progress import PHASES
from tests.conftest import REAL, SAMPLE, copy_store
from tests.console import BEARER, services, until, until_state
from tests.server import Answer
from tests.test_sources import DUMP, RELEASE, put_release

pytestmark = pytest.mark.usefixtures("uncounted")
FILE = "/mirror/dblp.xml.gz"


@pytest.fixture
def service(data, sample_stores, server):
    copy_store(sample_stores, data)
    put_release(server)
    with services(data, server.origin, 1, workers=2) as (started,):
        yield started


def put_dump(server, dump):
    """Put a dump with its md5 and the DTDs beside it into the server; gives its address."""
    for dtd in dump.parent.glob("*.dtd"):
        server.put(f"/mirror/{dtd.name}", dtd.read_bytes())
    content = dump.read_bytes()
    server.put(f"{FILE}.md5", hashlib.md5(content).hexdigest().encode())
    return server.put(FILE, Answer(content, headers={"ETag": '"one"'}))


def test_from_start_to_completed_as_a_client_sees_it(service, server):
    url = put_dump(server, REAL if REAL.exists() else SAMPLE)
    before = service.ask("GET", "stats")[1]
    # Compared with the sample, they have few aliases.
    status, state = service.start(xml_gz_url=url, progress_every=1000, batch_size=500, allow_shrink=True)
    assert (status, state["status"], state["step"]) == (200, "running", "starting")
    assert state["options"]["xml_gz_url"] == url
    seen, log, after = [state], [], 0
    while seen[-1]["status"] == "running":
        status, state = service.ask("GET", f"state?logs_after={after}")
        assert status == 200
        seen.append(state)
        log += state["logs"]
        after = state["logs_after"]
    assert state["status"] == state["step"] == "completed", state
    assert [line for line in log if line in PHASES] == list(PHASES)
    assert state["message"].startswith("published dblp-")
    progress = state["progress"]
    assert progress["downloaded_bytes"] == progress["total_bytes"] == len(server.files[FILE][0].body)
    assert progress["processed_records"] > progress["publications"] > 0
    assert progress["elapsed_seconds"] > 0
    started, finished = (datetime.datetime.fromisoformat(state[name]) for name in ("started_at", "finished_at"))
    assert started < finished
    assert state["started_at"].endswith("Z")
    stats = service.ask("GET", "stats")[1]
    assert stats["publications"] == progress["publications"]
    assert stats["built_at"] != before["built_at"]
    assert (stats["publications"] != before["publications"]) == REAL.exists()


def test_a_failure_is_told_and_start_works_again(service, server, data):
    url = server.put(
        "/mirror/dblp.xml.gz", Answer(b"<html>Are you a robot?</html>", headers={"Content-Type": "text/html"})
    )
    service.start(xml_gz_url=url)
    state = until_state(service, 20, "error")
    assert "a web page" in state["message"]
    assert state["logs"][-1] == state["message"]
    assert service.start(xml_gz_url="latest")[0] == 200
    assert until_state(service, 60, "completed")["run"] == state["run"] + 1
    assert service.reset()[0] == 200
    runs = service.ask("GET", "runs")[1]["items"]
    assert [(run["run"], run["status"]) for run in runs] == [(state["run"] + 1, "completed"), (state["run"], "error")]
    assert runs[1]["message"] == state["message"]
    assert runs[0]["progress"]["publications"] > 0
    assert len(service.ask("GET", "runs?limit=1")[1]["items"]) == 1


def test_a_build_whose_process_died_is_no_running_one_among_the_past(data, client):
    BuildRun.objects.create(pid=1)
    (run,) = client.get("/api/runs").json()["items"]
    assert run["status"] == "error"


def test_the_part_of_a_dump_that_has_arrived_is_among_the_files(service, server):
    server.put(
        RELEASE,
        Answer(DUMP[: 64 * 1024], headers={"ETag": '"r"'}),
        Answer(DUMP, headers={"ETag": '"r"'}, stall_after=50_000),
    )
    service.start()
    part = until(lambda: (file := service.ask("GET", "files")[1]["files"]["xml_gz"])["size"] == 50_000 and file, 20)
    assert part["path"].endswith("/downloads/dblp-2026-10-03.xml.gz.part")
    files = service.ask("GET", "files", headers={})[1]["files"]
    assert files["xml_gz"] == {"exists": True, "size": 50_000, "path": "downloads/dblp-2026-10-03.xml.gz.part"}
    assert files["dtd"]["path"] == f"downloads/{DTD_NAME}"
    assert files["db"]["exists"]
    assert files["xml"] == {"exists": False, "size": None, "path": "downloads/dblp-2026-10-03.xml"}
    until(lambda: service.state()["progress"].get("downloaded_bytes") == 50_000, 5)
    service.stop()
    until_state(service, 5, "stopped")


def test_reset_forgets_the_build_but_not_the_store(service, server, data):
    gate = threading.Event()
    server.put(RELEASE, Answer(DUMP, headers={"ETag": '"r"'}, gate=gate))
    service.start()
    status, problem = service.reset()
    assert (status, problem["title"]) == (409, "Conflict")
    assert "A build is running (process " in problem["detail"]
    gate.set()
    until_state(service, 60, "completed")
    store = data.link.resolve()
    status, state = service.reset()
    assert (status, state["status"], state["step"], state["logs"], state["run"]) == (200, "idle", "idle", [], None)
    assert until_state(service, 1, "idle")["progress"] == {}
    assert data.link.resolve() == store
    assert service.stop()[1]["status"] == "idle"


EVIL = {"xml_gz_url": "https://evil.example/x.xml.gz", "dtd_url": "file:///etc/passwd"}
NUMBERS = {"batch_size": 99, "progress_every": 999, "rebuild": "maybe"}


@pytest.mark.parametrize(
    ("sent", "status", "pointers"),
    [
        (EVIL, 400, {"/xml_gz_url", "/dtd_url"}),
        ({"xml_gz_url": "https://user:secret@dblp.org/x.xml.gz"}, 400, {"/xml_gz_url"}),
        ({"xml_gz_url": ""}, 422, {"/xml_gz_url"}),
        (NUMBERS, 422, {"/batch_size", "/progress_every", "/rebuild"}),
        ({"batch_size": 10**30, "progress_every": 1.5}, 422, {"/batch_size", "/progress_every"}),
        ({"batch_sise": 500}, 422, {"/batch_sise"}),
        ([], 422, {""}),
    ],
)
def test_bad_values_are_all_named_and_nothing_starts(service, sent, status, pointers):
    answered, problem = service.ask("POST", "start", sent)
    assert answered == status
    assert {error["pointer"] for error in problem["errors"]} == pointers
    assert "secret" not in str(problem)
    assert service.state()["status"] == "idle"


def test_config_has_the_default_of_all_that_start_takes(service):
    config = service.ask("GET", "config")[1]
    taken = service.ask("GET", "openapi.json")[1]["components"]["schemas"]["Wanted"]["properties"]
    assert {name.removeprefix("default_") for name in config if name.startswith("default_")} == set(taken)
    for name, limits in config["ranges"].items():
        assert (taken[name]["minimum"], taken[name]["maximum"]) == (limits["min"], limits["max"])
    assert config["ranges"]["batch_size"]["min"] == 100
    assert config["ranges"]["progress_every"]["min"] == 1000
    assert config["trusted_hosts"] == [service.environment["PUBMETA_TRUSTED_HOSTS"]]
    assert (config["may_control"], service.ask("GET", "config", headers={})[1]["may_control"]) == (True, False)


@pytest.mark.parametrize("trouble", ["locked", "without tables"])
def test_a_database_that_cannot_be_used_is_told(service, data, trouble):
    assert service.state()["status"] == "idle"
    with closing(sqlite3.connect(data.root / "pubmeta.sqlite3", isolation_level=None)) as database:
        if trouble == "locked":
            database.execute("BEGIN IMMEDIATE")
        else:
            database.execute("ALTER TABLE pipeline_buildrun RENAME TO elsewhere")
        status, problem = service.ask("POST", "start", headers=BEARER)
        assert (status, problem["title"]) == (503, "Service Unavailable")
        assert problem["detail"].startswith("The database of builds cannot be used: ")
        assert service.ask("GET", "health")[0] == 200
        assert service.ask("GET", "state")[0] in (200, 503)  # What was seen last, by a process that has seen anything.
        database.execute("ROLLBACK" if trouble == "locked" else "ALTER TABLE elsewhere RENAME TO pipeline_buildrun")
    assert service.start()[0] == 200
    until_state(service, 60, "completed")
