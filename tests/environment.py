"""Loaded before Django's settings: tests have a data directory of their own, and none of the caller's settings."""

import os
import shutil
import signal
import tempfile
from pathlib import Path

for name in [name for name in os.environ if name.startswith("PUBMETA_")]:
    del os.environ[name]
DATA_DIR = Path(tempfile.mkdtemp(prefix="pubmeta-tests-"))
os.environ["PUBMETA_DATA_DIR"] = str(DATA_DIR)
# Under nohup it is ignored, also by all processes that tests start.
signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_unconfigure(config):
    shutil.rmtree(DATA_DIR, ignore_errors=True)
