"""Measure a build against the floor: one plain pass of lxml over the same file, in the same run.

    make bench PUBLICATIONS=2000000

The dump is generated once a size and kept in the directory for temporary files, with the store of the last run.
Ratios hold on any machine; seconds do not, so quote the ratio, and the seconds with the machine that they are from.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import psutil
from isal import igzip
from lxml import etree

from benchmarks.dump import write_files
from pipeline.archive import RECORD_TYPES

ROOT = Path(__file__).resolve().parent.parent
_SAMPLE_SECONDS = 0.5  # Reading what a process shares takes the kernel milliseconds a gigabyte.


def floor(dump: Path) -> float:
    """Give the seconds of a plain pass that parses every record and forgets it.

    It is a fair floor and a low one: unpacked by the fastest library, only records looked at, memory kept flat.
    """
    started = time.perf_counter()
    # lxml looks for the DTD beside a file that it opens itself; of a stream it knows no place.
    before = Path.cwd()
    os.chdir(dump.parent)
    try:
        with igzip.open(dump, "rb") as stream:
            options = {"load_dtd": True, "resolve_entities": True, "huge_tree": True}
            for _, record in etree.iterparse(stream, tag=RECORD_TYPES, **options):
                record.clear()
                while record.getprevious() is not None:
                    del record.getparent()[0]
    finally:
        os.chdir(before)
    return time.perf_counter() - started


@dataclass(frozen=True)
class Measured:
    """A build: seconds from start to end of its process, bytes of memory at the peak of all processes together."""

    seconds: float
    peak: int
    phases: dict[str, float]
    store_bytes: int


def build(dump: Path, data: Path) -> Measured:
    """Run the real command on an empty data directory and measure it from outside."""
    environment = {**os.environ, "PUBMETA_DATA_DIR": str(data)}
    manage = [sys.executable, str(ROOT / "manage.py")]
    subprocess.run([*manage, "migrate", "--verbosity", "0"], env=environment, check=True)
    started = time.perf_counter()
    process = psutil.Popen([*manage, "rebuild_store", "--from-file", str(dump), "--verbosity", "0"], env=environment)
    peak = [0]
    watcher = threading.Thread(target=_watch, args=(process, peak))
    watcher.start()
    status = process.wait()
    seconds = time.perf_counter() - started
    watcher.join()
    if status:
        sys.exit(f"the build ended with status {status}")
    result = subprocess.run(
        [*manage, "shell", "-v", "0", "-c", _PRINT_PHASES], env=environment, check=True, capture_output=True
    )
    return Measured(seconds, peak[0], json.loads(result.stdout), (data / "dblp.sqlite").stat().st_size)


_PRINT_PHASES = (
    "import json; from pipeline.models import BuildRun;"
    "print(json.dumps(BuildRun.objects.first().progress['phase_seconds']))"
)


def _watch(process: psutil.Process, peak: list[int]) -> None:
    """Note the most memory that the process and its children have at one time, shared pages counted once (PSS)."""
    while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
        together = 0
        try:
            for one in (process, *process.children(recursive=True)):
                together += one.memory_full_info().pss
        except (psutil.Error, OSError):
            continue  # One of them has just ended; the next look will tell.
        peak[0] = max(peak[0], together)
        time.sleep(_SAMPLE_SECONDS)


def generated(publications: int) -> Path:
    """Give a generated dump of that many publications; the first call writes it."""
    dump = Path(tempfile.gettempdir()) / f"pubmeta-bench-{publications}" / "dblp.xml.gz"
    if not dump.exists():
        print(f"generating {publications:,} publications …", flush=True)
        dump.parent.mkdir(exist_ok=True)
        part = dump.with_name("part.xml.gz")
        write_files(part, publications, seed=1)
        part.rename(dump)
    return dump


def store_of(dump: Path) -> Path:
    """Give the data directory in which the store of a generated dump is kept for the other benchmarks."""
    return dump.parent / "data"


def main() -> None:
    """Generate, measure and print."""
    parser = argparse.ArgumentParser(description="Measure a build against a plain pass of lxml over the same dump.")
    parser.add_argument("--publications", type=int, default=300_000)
    parser.add_argument("--runs", type=int, default=1, help="how often to measure both (the best counts)")
    given = parser.parse_args()
    dump = generated(given.publications)
    data = store_of(dump)
    for _ in range(given.runs):
        lowest = floor(dump)
        shutil.rmtree(data, ignore_errors=True)
        _print(given.publications, dump, lowest, build(dump, data))


def _print(publications: int, dump: Path, lowest: float, measured: Measured) -> None:
    packed = dump.stat().st_size
    print(f"publications      {publications:>12,}   dump {packed / 1e6:,.0f} MB packed, {os.cpu_count()} processors")
    print(f"floor             {lowest:>12.1f} s")
    print(f"build             {measured.seconds:>12.1f} s")
    print(f"ratio             {measured.seconds / lowest:>12.2f}")
    for phase, seconds in measured.phases.items():
        print(f"  {phase:15} {seconds:>12.1f} s")
    print(f"peak memory       {measured.peak / 1e6:>12,.0f} MB")
    print(f"store             {measured.store_bytes / 1e6:>12,.0f} MB")
    print(f"disk free         {shutil.disk_usage(dump.parent).free / 1e9:>12,.0f} GB", flush=True)


if __name__ == "__main__":
    main()
