"""Processes of a build: how they start, speak, fail and end with the one that started them."""

from __future__ import annotations

import fcntl
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import connection, get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any

from pipeline import errors
from pipeline.errors import PipelineError, WorkerDied

# Spawned, not forked: a child then has neither the parent's lock nor its database connections in hand.
_CONTEXT = get_context("spawn")
# The most that Linux gives without privileges. With the usual 64 KB a process that sends a batch of 200 KB waits
# until the other one takes it, and the two take turns instead of working side by side.
_PIPE_BYTES = 1024 * 1024
_F_SETPIPE_SZ = getattr(fcntl, "F_SETPIPE_SZ", None)
_FAILURE = b"\0"  # Begins a message that tells of an error; no batch begins so.
_POLL_SECONDS = 0.2  # How often one who waits asks whether to stop.
# Ctrl-C, systemd and timeout send these to all processes of a build; the one that started the others decides.
_STOPS = frozenset({signal.SIGINT, signal.SIGTERM})


def pipe() -> tuple[Connection, Connection]:
    """Make a bounded pipe: (reading end, writing end)."""
    reading, writing = _CONTEXT.Pipe(duplex=False)
    if _F_SETPIPE_SZ is not None:
        with suppress(OSError):  # The limit may be lower; then it is slower, no more.
            fcntl.fcntl(writing.fileno(), _F_SETPIPE_SZ, _PIPE_BYTES)
    return reading, writing


class Child:
    """A process of the build and the pipe that it reports through: batches, then an empty message, or an error."""

    def __init__(self, name: str, work: Callable[..., None], *args: Any) -> None:
        """Start ``work(*args, send)`` in a process of its own."""
        self.name = name
        self._results, results = pipe()
        self._process: SpawnProcess = _CONTEXT.Process(target=_run, args=(work, args, results), name=name, daemon=True)
        with _stops_blocked():
            self._process.start()
        results.close()
        for argument in args:
            if isinstance(argument, Connection):
                argument.close()  # Its end is the child's now, so that each sees when the other is gone.

    def receive(self, check: Callable[[], None]) -> bytes:
        """Give the next message, empty at the end; ``check`` is called while waiting and may raise.

        Raises the error that the process met, or ``WorkerDied`` where it ended without a word.
        """
        while not self._results.poll(_POLL_SECONDS):
            check()
        try:
            message = self._results.recv_bytes()
        except (EOFError, OSError):  # Its end, or an end in the middle of a message.
            check()  # Whoever ended it may have told this process to stop, too.
            self._process.join()
            raise WorkerDied(f"the process {self.name} {_end_of(self._process.exitcode)}") from None
        if message.startswith(_FAILURE):
            kind, _, text = message[1:].decode().partition("\n")
            raise getattr(errors, kind, WorkerDied)(text)
        return message

    def finish(self, check: Callable[[], None]) -> None:
        """Wait for the end; raises what went wrong."""
        while self.receive(check):
            pass
        self._process.join()

    def sender(self, rows: Connection, check: Callable[[], None]) -> Callable[[bytes], None]:
        """Give a function that sends messages to the process; it raises what the process died of."""

        def send(message: bytes) -> None:
            try:
                rows.send_bytes(message)
            except BrokenPipeError:
                self.finish(check)

        return send

    def end(self) -> None:
        """End the process now, whatever it does."""
        self._process.kill()
        self._process.join()
        self._results.close()


@contextmanager
def _stops_blocked() -> Iterator[None]:
    """Let signals wait; a process that is started meanwhile does not hear them until it has said what to do then."""
    resource_tracker.ensure_running()  # Started with the first process, it would end the blocking.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def signal_name(number: int) -> str:
    """Name a signal; those of realtime have only numbers."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _end_of(exitcode: int | None) -> str:
    if exitcode == -signal.SIGKILL:
        return "was killed (out of memory?)"
    if exitcode is not None and exitcode < 0:
        return f"was ended by {signal_name(-exitcode)}"
    return f"ended with status {exitcode}"


@contextmanager
def children() -> Iterator[Callable[..., Child]]:
    """Give a function that starts a ``Child``; at the end of the block none is left running."""
    started: list[Child] = []

    def start(name: str, work: Callable[..., None], *args: Any) -> Child:
        child = Child(name, work, *args)
        started.append(child)
        return child

    try:
        yield start
    finally:
        for child in started:
            child.end()


def _run(work: Callable[..., None], args: tuple[Any, ...], results: Connection) -> None:
    """Be the process: do the work, tell its end or its error, never outlive the parent."""
    for number in _STOPS:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(BrokenPipeError, EOFError):  # The parent is gone, and nobody would hear more of it.
        try:
            work(*args, results.send_bytes)
            results.send_bytes(b"")
        except (BrokenPipeError, EOFError):
            raise
        except PipelineError as error:
            results.send_bytes(_FAILURE + f"{type(error).__name__}\n{error}".encode())
        except Exception as error:  # At the edge of the process: the parent must hear of anything.
            text = f"{type(error).__name__}: {error}"
            results.send_bytes(_FAILURE + f"WorkerDied\n{text}".encode(errors="replace"))


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
