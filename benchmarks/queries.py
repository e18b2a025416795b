"""Measure queries over HTTP against the real server, on a store of a generated dump.

    make bench PUBLICATIONS=2000000

The store is that of the benchmark of builds. Medians are of a client on the same
machine that keeps its connection; names are drawn with a fixed seed.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import socket
import sqlite3
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import psutil
import requests

from benchmarks.build import ROOT, build, generated, store_of

_PATIENCE = 60  # Seconds until the server must have come up, or an answer come.
Json = dict[str, object]


def built_store(publications: int) -> Path:
    """Give a data directory with a store of a generated dump; the first call builds it."""
    dump = generated(publications)
    data = store_of(dump)
    if not (data / "dblp.sqlite").exists():
        build(dump, data)
    return data


@contextmanager
def server(data: Path, ready: str = "health", **settings: str) -> Iterator[tuple[str, psutil.Process]]:
    """Serve a data directory with gunicorn as users do; gives the address of the API and the process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    environment = {**os.environ, "PUBMETA_DATA_DIR": str(data), "PUBMETA_BIND": address, **settings}
    manage = [sys.executable, str(ROOT / "manage.py")]
    subprocess.run([*manage, "collectstatic", "--noinput", "--verbosity", "0"], env=environment, check=True)
    process = psutil.Popen(
        [sys.executable, "-m", "gunicorn", "--log-level", "warning"], env=environment, cwd=ROOT, stdout=sys.stderr
    )
    try:
        api = f"http://{address}/api"
        _wait_for(f"{api}/{ready}")
        yield api, process
    finally:
        process.terminate()
        process.wait(_PATIENCE)


def _wait_for(url: str) -> None:
    ends = time.monotonic() + _PATIENCE
    while time.monotonic() < ends:
        try:
            if requests.get(url, timeout=5).ok:
                return
        except requests.RequestException:
            time.sleep(0.1)
    sys.exit(f"{url} did not answer")


class Names:
    """Names of people of a store, drawn with a fixed seed."""

    def __init__(self, store: Path) -> None:
        self._draw = random.Random(1)
        self._store = store
        with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as connection:
            (self.people,) = connection.execute("SELECT max(id) FROM authors").fetchone()

    def draw(self, number: int) -> list[str]:
        """Give names of people, each as likely as any other."""
        ids = self._draw.sample(range(1, self.people + 1), number)
        with closing(sqlite3.connect(f"file:{self._store}?mode=ro", uri=True)) as connection:
            query = "SELECT name FROM authors WHERE id = ?"
            return [connection.execute(query, (person,)).fetchone()[0] for person in ids]


def misspelt(name: str) -> str:
    """Give a name with two letters in the middle exchanged for others."""
    middle = len(name) // 2
    return f"{name[:middle]}qx{name[middle + 2 :]}"


class Client:
    """Asks over one connection; requests would compute as long as the server does for a small question."""

    def __init__(self, api: str) -> None:
        parts = urlsplit(api)
        self._root = parts.path
        self._connection = http.client.HTTPConnection(parts.netloc, timeout=_PATIENCE)

    def post(self, path: str, question: Json) -> bytes:
        """Give the answer to a body; raises ``RuntimeError`` for an error."""
        return self._ask("POST", path, json.dumps(question), {"Content-Type": "application/json"})

    def get(self, path: str, **query: str) -> bytes:
        """Give the answer to a query; raises ``RuntimeError`` for an error."""
        return self._ask("GET", f"{path}?{urlencode(query)}", None, {})

    def _ask(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> bytes:
        self._connection.request(method, self._root + path, body, headers)
        response = self._connection.getresponse()
        answer = response.read()
        if response.status != HTTPStatus.OK:
            raise RuntimeError(f"{response.status}: {answer[:300]!r}")
        return answer

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def timed(ask: Callable[[int], bytes], runs: int) -> tuple[float, float]:
    """Give the median and the largest time of some runs in milliseconds; the first is not counted."""
    times = []
    for run in range(runs + 1):
        started = time.perf_counter()
        ask(run)
        times.append((time.perf_counter() - started) * 1000)
    return statistics.median(times[1:]), max(times[1:])


def measure(api: str, names: Names, runs: int) -> None:
    """Print the medians of the questions that people ask."""
    with closing(Client(api)) as client:

        def asking(questions: list[Json]) -> Callable[[int], bytes]:
            return lambda run: client.post("/coauthors/pairs", questions[run])

        def pairs(left: int, right: int, **options: object) -> Callable[[int], bytes]:
            return asking([{"left": names.draw(left), "right": names.draw(right), **options} for _ in range(runs + 1)])

        def wrong(left: int, right: int) -> Callable[[int], bytes]:
            sizes = (("left", left), ("right", right))
            questions: list[Json] = [
                {side: list(map(misspelt, names.draw(size))) for side, size in sizes} for _ in range(runs + 1)
            ]
            return asking([{**question, "exact_base_match": False} for question in questions])

        few = max(3, runs // 5)
        _print("pairs 1 × 1", *timed(pairs(1, 1), runs))
        _print("pairs 50 × 50", *timed(pairs(50, 50), runs))
        _print("pairs 1000 × 1000, sparse", *timed(pairs(1000, 1000, sparse=True), few))
        _print("pairs 1000 × 1000, every zero", *timed(pairs(1000, 1000), few))
        _print("pairs 10 × 10 with full text", *timed(pairs(10, 10, exact_base_match=False), runs))
        _print("pairs 10 × 10 misspelt, all fallbacks", *timed(wrong(10, 10), runs))
        _print("pairs 1 × 1 misspelt, all fallbacks", *timed(wrong(1, 1), runs))
        typed = [name[: end + 1] for name in names.draw(10) for end in range(len(name))]
        median, most = timed(lambda run: client.get("/authors", q=typed[run]), len(typed) - 1)
        _print(f"autocomplete, {len(typed)} keystrokes", median, most)


def load(api: str, names: Names, clients: int, seconds: float) -> None:
    """Print what some clients get that ask for 5 × 50 names without pause."""
    questions: list[Json] = [{"left": names.draw(5), "right": names.draw(50)} for _ in range(200)]
    times: list[float] = []
    errors: list[str] = []
    ends = time.monotonic() + seconds

    def ask(number: int) -> None:
        with closing(Client(api)) as client:
            while time.monotonic() < ends:
                started = time.perf_counter()
                try:
                    client.post("/coauthors/pairs", questions[number % 200])
                except RuntimeError as error:
                    errors.append(str(error))
                times.append((time.perf_counter() - started) * 1000)
                number += clients

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    middle, late = (sorted(times)[len(times) * percent // 100] for percent in (50, 99))
    print(f"{clients} clients for {seconds:.0f} s, 5 × 50 names: {len(times) / seconds:.0f} requests/s", end=", ")
    print(f"p50 {middle:.1f} ms, p99 {late:.1f} ms, {len(errors)} errors", flush=True)


def memory(api: str, names: Names, process: psutil.Process, queries: int) -> None:
    """Print what the server's processes hold before and after many mixed queries."""
    draw = random.Random(2)
    pool = names.draw(400)
    before = _resident(process)
    with closing(Client(api)) as client:
        for number in range(queries):
            if number % 3 == 0:
                client.get("/authors", q=draw.choice(pool)[:6])
            elif number % 3 == 1:
                client.get("/publications", q=draw.choice(pool)[:5])
            else:
                client.post("/coauthors/pairs", {"left": draw.sample(pool, 5), "right": draw.sample(pool, 50)})
            if number == queries // 10:
                warm = _resident(process)
    after = _resident(process)
    print(f"memory of the server, MB   before {before}, after {queries // 10} queries {warm}, after {queries} {after}")


def _resident(process: psutil.Process) -> list[int]:
    return sorted(child.memory_full_info().uss // 2**20 for child in process.children())


def _print(what: str, median: float, most: float) -> None:
    print(f"{what:40} median {median:>8.1f} ms   largest {most:>8.1f} ms", flush=True)


def main() -> None:
    """Build where needed, serve, measure and print."""
    parser = argparse.ArgumentParser(description="Measure queries over HTTP against the real server.")
    parser.add_argument("--publications", type=int, default=300_000)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=60, help="of load; 0 leaves load and memory out")
    given = parser.parse_args()
    data = built_store(given.publications)
    names = Names(data / "dblp.sqlite")
    print(json.dumps({"publications": given.publications, "people": names.people, "processors": os.cpu_count()}))
    with server(data) as (api, process):
        measure(api, names, given.runs)
        if given.seconds:
            load(api, names, 8, given.seconds)
            memory(api, names, process, 10_000)


if __name__ == "__main__":
    main()
