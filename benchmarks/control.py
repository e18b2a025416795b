"""Measure what it costs a build that it is watched: alone, and polled by many clients as a console polls.

    python -m benchmarks.control --publications 300000 --clients 50 --rounds 3

Builds are started through the API, from a server on this machine, with and without clients in turn.
"""

from __future__ import annotations

import argparse
import functools
import http.client
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import requests

from benchmarks.build import ROOT, generated
from benchmarks.queries import server

_EVERY = 1.0  # Seconds between two questions of a console.
_TOKEN = "the-token-of-the-benchmark"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # The library calls it so.
        """Say nothing."""


@contextmanager
def downloads(directory: Path) -> Iterator[str]:
    """Serve the files of a directory; gives the origin."""
    handler = functools.partial(_Quiet, directory=str(directory))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as files:
        thread = threading.Thread(target=files.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{files.server_address[1]}"
        finally:
            files.shutdown()
            thread.join()


def build(api: str, url: str) -> float:
    """Build through the API; gives the seconds from ``decompress_xml`` to the end, without the download."""
    control = {"Authorization": f"Bearer {_TOKEN}"}
    requests.post(f"{api}/start", json={"xml_gz_url": url}, headers=control, timeout=60).raise_for_status()
    while (state := requests.get(f"{api}/state", timeout=60).json())["status"] == "running":
        time.sleep(1)
    if state["status"] != "completed":
        sys.exit(state["message"])
    seconds: dict[str, float] = state["progress"]["phase_seconds"]
    return sum(seconds.values()) - seconds["download_dtd"] - seconds["download_xml_gz"]


@contextmanager
def polling(api: str, clients: int) -> Iterator[list[float]]:
    """Let clients ask for the state as consoles do; gives the milliseconds that it took."""
    done, times = threading.Event(), list[float]()

    def poll(first: float) -> None:
        # Not by requests: its clients compute longer than the server, and here they all share its processors.
        with closing(http.client.HTTPConnection(urlsplit(api).netloc, timeout=60)) as connection:
            wait = first
            while not done.wait(wait):
                started = time.perf_counter()
                connection.request("GET", f"{urlsplit(api).path}/state")
                response = connection.getresponse()
                response.read()
                times.append((time.perf_counter() - started) * 1000)
                if response.status != HTTPStatus.OK:
                    sys.exit(f"/api/state answers {response.status}")
                wait = _EVERY

    threads = [threading.Thread(target=poll, args=(_EVERY * client / clients,)) for client in range(clients)]
    for thread in threads:
        thread.start()
    try:
        yield times
    finally:
        done.set()
        for thread in threads:
            thread.join()


def main() -> None:
    """Build in turn with and without clients, and print."""
    parser = argparse.ArgumentParser(description="Measure what it costs a build that it is watched.")
    parser.add_argument("--publications", type=int, default=300_000)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    dump = generated(options.publications)
    with tempfile.TemporaryDirectory() as directory, downloads(dump.parent) as origin:
        settings = {"PUBMETA_CONTROL_TOKEN": _TOKEN, "PUBMETA_TRUSTED_HOSTS": origin}
        manage = [sys.executable, str(ROOT / "manage.py"), "migrate", "--verbosity", "0"]
        subprocess.run(manage, env={**os.environ, "PUBMETA_DATA_DIR": directory, **settings}, check=True)
        with server(Path(directory), "state", **settings) as (api, _):
            url = f"{origin}/{dump.name}"
            alone, watched, times = list[float](), list[float](), list[float]()
            for _ in range(options.rounds):
                alone.append(build(api, url))
                with polling(api, options.clients) as asked:
                    watched.append(build(api, url))
                times += asked
    print(f"alone {alone}, with {options.clients} clients {watched}")
    slower = statistics.median(watched) / statistics.median(alone) - 1
    late = sorted(times)[len(times) * 99 // 100]
    print(f"slower by {slower:.1%}; /api/state median {statistics.median(times):.1f} ms, p99 {late:.1f} ms")


if __name__ == "__main__":
    main()
