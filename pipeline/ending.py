"""How the row of a build is ended whose process died before it could do so."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Mapping

from bibliography import store
from pipeline.models import FINISHED, BuildRun, InvalidTransition, Status
from pipeline.processes import signal_name

GONE = "the old store was removed before, and nothing is served until a build succeeds"
_SECONDS_TO_EXIT = 1.0  # A process that has let go of its lock is at its end; more would be strange.


def bury_abandoned(children: Mapping[int, subprocess.Popen[bytes]]) -> None:
    """End the rows of all builds that have not ended; only for who holds the lock, which none of them does then."""
    for run in BuildRun.objects.exclude(status__in=FINISHED):
        bury(run, children.get(run.pk))


def bury(run: BuildRun, child: subprocess.Popen[bytes] | None) -> str | None:
    """End the row of a build that is dead, with what is known of its end; ``child`` is its process, if it is ours.

    Gives what the row says then, None where somebody else was faster.
    """
    how = [_end_of(child)] if child is not None and not run.killed else []
    if memory := run.progress.get("memory_bytes"):
        how.append(f"it had used {memory / 1e6:,.0f} MB of memory")
    known = f" ({'; '.join(how)})" if how else ""
    if _has_published(run):
        end = Status.COMPLETED, f"published; its process died after that{known}"
    elif run.status == Status.STOPPING:
        did = "did not stop and was killed" if run.killed else "died while it was to stop"
        end = Status.STOPPED, f"stopped; its process {did} in {run.step}{known}"
    else:
        end = Status.ERROR, f"its process died in {run.step}{known}"
    if run.options.get("rebuild") and store.published() is None:
        end = end[0], f"{end[1]}; {GONE}"
    try:
        run.finish(*end)
    except InvalidTransition:
        return None
    return end[1]


def _end_of(child: subprocess.Popen[bytes]) -> str:
    """Say how a process ended."""
    try:
        status = child.wait(_SECONDS_TO_EXIT)
    except subprocess.TimeoutExpired:
        return "it does not build any more, but does not end either"
    if status >= 0:
        return f"exit status {status}; the log of the service may say why"
    hint = ", by somebody or for want of memory" if -status == signal.SIGKILL else ""
    return f"ended by {signal_name(-status)}{hint}"


def _has_published(run: BuildRun) -> bool:
    """Tell whether the store that is served is of this build: only one at a time makes any."""
    published = store.published()
    try:
        return published is not None and store.info_of(published).built_at >= run.started_at
    except store.StoreNotReady:
        return False
