"""Control of the build over HTTP; thin."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from bibliography.answers import json_response
from bibliography.schemas import ProblemBody
from pipeline import files, schemas
from pipeline.build import BuildOptions
from pipeline.errors import BuildLocked, UntrustedSource
from pipeline.layout import DataDir
from pipeline.manager import Manager, manager_of
from pipeline.models import BuildRun
from pipeline.snapshot import Snapshot
from pipeline.sources import LATEST
from pipeline.trust import TrustedHosts
from pubmeta.control import Control, may_control
from pubmeta.problems import BadValue, Problem

router = Router(tags=["control"])
_MAY = {401: ProblemBody, 403: ProblemBody, 429: ProblemBody, 503: ProblemBody}
_control = Control()
_log = logging.getLogger(__name__)


@router.get("/config", response=schemas.Config, summary="What may a build be told?")
def config(request: HttpRequest) -> HttpResponse:
    """Give the defaults of what ``start`` takes, and what it may be."""
    wanted, allowed = schemas.Wanted(), may_control(request)
    environment = settings.ENVIRONMENT
    ranges = {"batch_size": schemas.BATCH_SIZE, "progress_every": schemas.PROGRESS_EVERY}
    return _answer(
        {f"default_{name}": value for name, value in wanted.dict().items()}
        | {
            "data_dir": _shown(settings.DATA_DIR, allowed),
            "ranges": {name: {"min": low, "max": high} for name, (low, high) in ranges.items()},
            "trusted_hosts": environment.trusted_hosts,
            "control_auth": environment.control_auth,
            "may_control": allowed,
        }
    )


LogsAfter = Annotated[int, Query(ge=0, le=2**53, description="the line after which the log is wanted")]


@router.get("/state", response={200: schemas.State, 503: ProblemBody}, summary="What is the build doing?")
def state(request: HttpRequest, logs_after: LogsAfter = 0) -> HttpResponse:
    """Give the newest build, whoever started it: this service, the command or cron."""
    with _told():
        seen = _manager().snapshot()
        if logs_after > seen.log_length:  # Another process of the service may have seen more, a moment ago.
            seen = _manager().refresh()
        return _state(request, seen, logs_after)


@router.get("/runs", response={200: schemas.Runs, 503: ProblemBody}, summary="How did builds end?")
def runs(request: HttpRequest, limit: Annotated[int, Query(ge=1, le=100)] = 20) -> HttpResponse:
    """List builds, newest first; what each has logged is for the admin."""
    allowed, lock = may_control(request), DataDir(settings.DATA_DIR).lock
    with _told():
        found = BuildRun.objects.defer("log")[:limit]
        return _answer({"items": [{**_run(run, allowed), "status": run.status_now(lock)} for run in found]})


@router.get("/files", response=schemas.Files, summary="Where are the files?")
def file_list(request: HttpRequest) -> HttpResponse:
    """Tell which files there are and how large they have become."""
    allowed = may_control(request)
    found = files.find(DataDir(settings.DATA_DIR))
    listed = {
        name: {"exists": size is not None, "size": size, "path": _shown(path, allowed)}
        for name, (path, size) in found.items()
    }
    return _answer({"data_dir": _shown(settings.DATA_DIR, allowed), "files": listed})


@router.post(
    "/start",
    response={200: schemas.State, **dict.fromkeys((400, 409, 413, 415, 422), ProblemBody), **_MAY},
    auth=_control,
    summary="Start a build",
)
def start(request: HttpRequest, wanted: schemas.Wanted | None = None) -> HttpResponse:
    """Start a build in a process of its own; the old store is served until the new one is published."""
    wanted = wanted or schemas.Wanted()
    _check_hosts(wanted)
    with _told():
        return _done(request, "started", _manager().start(BuildOptions(**wanted.dict())))


@router.post("/stop", response={200: schemas.State, **_MAY}, auth=_control, summary="Stop the build")
def stop(request: HttpRequest) -> HttpResponse:
    """Ask the running build to stop, which takes five seconds at most; without one nothing changes."""
    with _told():
        seen = _manager().stop()
        return _done(request, "asked to stop" if seen.active else "not running when asked to stop", seen)


@router.post(
    "/reset", response={200: schemas.State, 409: ProblemBody, **_MAY}, auth=_control, summary="Forget the last build"
)
def reset(request: HttpRequest) -> HttpResponse:
    """Be idle again, with an empty log; the store is not touched."""
    with _told():
        return _done(request, "reset", _manager().reset())


def _manager() -> Manager:
    return manager_of(Path(settings.DATA_DIR))


@contextmanager
def _told() -> Iterator[None]:
    """Tell of what the manager raises."""
    try:
        yield
    except BuildLocked as error:
        raise Problem(409, f"A build is running ({error.holder}); stop it first, or wait.") from error
    except DatabaseError as error:
        reason = f"The database of builds cannot be used: {error}."
        raise Problem(503, reason, headers={"Retry-After": "5"}) from error
    except OSError as error:
        reason = f"No build can be started: {error.strerror or error}."
        raise Problem(503, reason, headers={"Retry-After": "60"}) from error


def _check_hosts(wanted: schemas.Wanted) -> None:
    """Raise ``Problem`` with every address that is not trusted."""
    trusted, bad = TrustedHosts(settings.ENVIRONMENT.trusted_hosts), list[BadValue]()
    for name in ("xml_gz_url", "dtd_url"):
        url = getattr(wanted, name)
        try:
            if url != LATEST:
                trusted.check(url)
        except UntrustedSource as error:
            bad.append({"pointer": f"/{name}", "detail": str(error)})
    if bad:
        raise Problem(400, "; ".join(one["detail"] for one in bad) + ".", errors=bad)


def _done(request: HttpRequest, done: str, seen: Snapshot) -> HttpResponse:
    """Answer with what there is now, and log who did it: by the token, or under which name."""
    who = request.auth  # type: ignore[attr-defined]  # What Control has returned.
    _log.info("the build was %s by %s", done, who, extra={"run": seen.run, "by": who})
    return _state(request, seen)


def _run(seen: Snapshot | BuildRun, allowed: bool) -> dict[str, Any]:
    """Give what is told of a build, everywhere; without where things are on the disk, unless that is allowed."""
    return {
        "run": seen.run if isinstance(seen, Snapshot) else seen.pk,
        "status": seen.status,
        "step": seen.step,
        "message": _without_paths(seen.message, allowed),
        "started_at": seen.started_at,
        "finished_at": seen.finished_at,
        "progress": seen.progress,
        "options": {name: value for name, value in seen.options.items() if allowed or name not in _PATHS},
    }


def _state(request: HttpRequest, seen: Snapshot, logs_after: int = 0) -> HttpResponse:
    allowed = may_control(request)
    first = seen.log_length - len(seen.log)  # Lines before those that were kept.
    # Who asks for what follows a line that is not there yet has seen another build's log.
    logs = seen.log[max(0, logs_after - first) :] if logs_after <= seen.log_length else seen.log
    return _answer(
        {
            **_run(seen, allowed),
            "logs": [_without_paths(line, allowed) for line in logs],
            "logs_after": seen.log_length,
            "may_control": allowed,
        }
    )


# All but the last part of an absolute path; not of an address, in which something stands before the first slash.
_DIRECTORIES = re.compile(r"(?<![\w:/.])/(?:[^\s/:'\"]+/)*")
_PATHS = ("file", "dtd_file")


def _answer(body: dict[str, Any]) -> HttpResponse:
    response = json_response(body)
    response["Cache-Control"] = "no-store"  # It depends on who asks, and is old in a moment.
    return response


def _shown(path: Path, allowed: bool) -> str:
    """Give a path below the data directory: whole to those who may control, else from there."""
    # The served store is known by where its link leads, and the data directory may be a link too.
    return str(path) if allowed else os.path.relpath(os.path.realpath(path), os.path.realpath(settings.DATA_DIR))


def _without_paths(line: str, allowed: bool) -> str:
    """Give a line of the log; where things are on the server's disk is for those who may control."""
    return line if allowed else _DIRECTORIES.sub("", line)
