"""Settings come from the environment; a bad value stops the start and names itself."""

import os
import re
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.exceptions import ImproperlyConfigured

from pubmeta.environment import Environment, kept_secret
from tests.conftest import ROOT


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PUBMETA_WORKERS", "0"),
        ("PUBMETA_WORKERS", "many"),
        ("PUBMETA_BATCH_SIZE", "99"),
        ("PUBMETA_PROGRESS_EVERY", "999"),
        ("PUBMETA_DATA_DATE", "yesterday"),
        ("PUBMETA_DEBUG", "perhaps"),
        ("PUBMETA_STALL_TIMEOUT", "0"),
        ("PUBMETA_TRUSTED_HOSTS", "dblp.org/xml"),
    ],
)
def test_a_bad_value_names_itself(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured, match=re.escape(f"{name}='{value}'")):
        Environment.load()


def test_all_bad_values_are_named_at_once(monkeypatch):
    monkeypatch.setenv("PUBMETA_WORKERS", "0")
    monkeypatch.setenv("PUBMETA_BATCH_SIZE", "1")
    with pytest.raises(ImproperlyConfigured, match=r"(?s)WORKERS.*BATCH_SIZE|BATCH_SIZE.*WORKERS"):
        Environment.load()


def test_a_bad_value_stops_the_start_with_one_clear_line():
    process = subprocess.run(
        [sys.executable, ROOT / "manage.py", "check"],
        env={**os.environ, "PUBMETA_WORKERS": "none"},
        capture_output=True,
        text=True,
    )
    assert process.returncode == 1
    said = "Input should be a valid integer, unable to parse string as an integer"
    assert process.stderr == f"bad settings in the environment:\nPUBMETA_WORKERS='none': {said}\n"


def test_an_unknown_setting_is_named(monkeypatch):
    monkeypatch.setenv("PUBMETA_WORKRES", "2")
    with pytest.raises(ImproperlyConfigured, match="PUBMETA_WORKRES"):
        Environment.load()


def test_lists_are_separated_by_commas(monkeypatch):
    monkeypatch.setenv("PUBMETA_TRUSTED_HOSTS", " dblp.org , http://127.0.0.1:9000,")
    assert Environment.load().trusted_hosts == ("dblp.org", "http://127.0.0.1:9000")


def test_an_empty_value_means_the_default(monkeypatch):
    monkeypatch.setenv("PUBMETA_WORKERS", "")
    assert Environment.load().workers >= 1


def test_every_setting_is_documented():
    documented = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    for name in Environment.model_fields:
        assert f"`PUBMETA_{name.upper()}`" in documented


def test_a_secret_is_made_once_and_readable_by_its_owner_only(tmp_path):
    path = tmp_path / "secret"
    secret = kept_secret(path)
    assert len(secret) >= 50
    assert kept_secret(path) == secret
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_processes_that_start_at_once_have_one_secret(tmp_path):
    for round_ in range(100):
        with ThreadPoolExecutor(8) as pool:  # To the kernel, threads that open a file are like processes.
            found = set(pool.map(kept_secret, [tmp_path / str(round_)] * 8))
        assert len(found) == 1
        assert len(found.pop()) >= 50


@pytest.mark.parametrize("left", ["", "\n"])
def test_a_secret_that_was_never_written_is_made(tmp_path, left):
    path = tmp_path / "secret"
    path.write_text(left)
    secret = kept_secret(path)
    assert len(secret) >= 50
    assert kept_secret(path) == secret
