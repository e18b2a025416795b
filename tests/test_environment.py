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
from tests.conftest import ROOT, process_environment

GUNICORN = ("-m", "gunicorn")


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
        ("PUBMETA_STALL_TIMEOUT", "inf"),
        ("PUBMETA_QUERY_TIMEOUT", "nan"),
        ("PUBMETA_RETRY_PAUSE", "1e300"),
        ("PUBMETA_DATA_DATE", "0"),
        ("PUBMETA_DATA_DATE", "2026-02-30"),
        ("PUBMETA_TRUSTED_HOSTS", "dblp.org/xml"),
        ("PUBMETA_TRUSTED_HOSTS", ","),
        ("PUBMETA_XML_GZ_URL", "foo"),
        ("PUBMETA_XML_GZ_URL", "ftp://dblp.org/xml/dblp.xml.gz"),
        ("PUBMETA_DTD_URL", "https:///dblp.dtd"),
        ("PUBMETA_RELEASES_ORIGIN", "foo"),
        ("PUBMETA_RELEASES_ORIGIN", "latest"),
        ("PUBMETA_ALLOWED_HOSTS", "http://x"),
        ("PUBMETA_ALLOWED_HOSTS", "x:80"),
        ("PUBMETA_ALLOWED_HOSTS", "x y"),
        ("PUBMETA_ALLOWED_HOSTS", "=,"),
        ("PUBMETA_CORS_ORIGINS", "https://front.example/"),
        ("PUBMETA_PC_MEMBERS", "~nobody-of-that-name/x.csv"),
    ],
)
def test_a_bad_value_names_itself(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured, match=re.escape(f"{name}='{value}'")):
        Environment.load()


GOOD = {
    "PUBMETA_XML_GZ_URL": "https://dblp.org/xml/dblp.xml.gz",
    "PUBMETA_DTD_URL": "http://127.0.0.1:9000/dblp.dtd",
    "PUBMETA_RELEASES_ORIGIN": "https://mirror.example.org:8443/dblp",
    "PUBMETA_ALLOWED_HOSTS": "dblp.example.org, .example.org,192.0.2.1,[2001:db8::1],*",
    "PUBMETA_DATA_DATE": "2026-10-03",
    "PUBMETA_SECRET_KEY": "0123456789abcdef" * 2,
}


def test_good_values(monkeypatch):
    for name, value in GOOD.items():
        monkeypatch.setenv(name, value)
    assert len(Environment.load().allowed_hosts) == 5


def test_a_secret_that_is_too_short_is_refused_and_not_repeated(monkeypatch):
    monkeypatch.setenv("PUBMETA_SECRET_KEY", "too-short")
    with pytest.raises(ImproperlyConfigured, match="PUBMETA_SECRET_KEY: String should have at least 32") as caught:
        Environment.load()
    assert "too-short" not in str(caught.value)


def test_a_token_that_no_header_can_carry_is_refused(monkeypatch):
    monkeypatch.setenv("PUBMETA_CONTROL_TOKEN", "sixteen-and-more-ümlauts")
    with pytest.raises(ImproperlyConfigured, match="PUBMETA_CONTROL_TOKEN: String should match") as caught:
        Environment.load()
    assert "ümlauts" not in str(caught.value)


def test_a_name_in_small_letters_is_named(monkeypatch):
    monkeypatch.setenv("pubmeta_workers", "abc")
    with pytest.raises(ImproperlyConfigured, match="unknown settings in the environment: pubmeta_workers"):
        Environment.load()


def test_names_of_this_machine_are_always_allowed(served_sample):
    hosts = ("localhost:8091", "127.0.0.1", "[::1]:8091", "dblp.example.org", "other.org")
    script = (
        "import django, sys; django.setup();"
        "from django.test import Client;"
        "print(*(Client().get('/api/health', headers={'host': host}).status_code for host in sys.argv[1:]))"
    )
    process = subprocess.run(
        [sys.executable, "-c", script, *hosts],
        env=process_environment(
            served_sample, PUBMETA_ALLOWED_HOSTS="dblp.example.org", DJANGO_SETTINGS_MODULE="pubmeta.settings"
        ),
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert process.stdout.split() == ["200", "200", "200", "200", "400"], process.stderr


def test_the_data_directory_lies_beside_the_command_wherever_that_is_called(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PUBMETA_DATA_DIR")
    assert Environment.load().data_dir == ROOT / "data"


def test_all_bad_values_are_named_at_once(monkeypatch):
    monkeypatch.setenv("PUBMETA_WORKERS", "0")
    monkeypatch.setenv("PUBMETA_BATCH_SIZE", "1")
    with pytest.raises(ImproperlyConfigured, match=r"(?s)WORKERS.*BATCH_SIZE|BATCH_SIZE.*WORKERS"):
        Environment.load()


@pytest.mark.parametrize(
    "command",
    [("manage.py", "check"), ("manage.py", "coauthors", "a.txt", "b.txt"), ("manage.py", "rebuild_store"), GUNICORN],
)
def test_a_bad_value_stops_the_start_with_one_clear_line_and_the_status_for_it(command):
    process = subprocess.run(
        [sys.executable, *command],
        env={**os.environ, "PUBMETA_WORKERS": "none", "PUBMETA_BIND": "127.0.0.1:0"},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert process.returncode == 78
    said = "Input should be a valid integer, unable to parse string as an integer"
    lines = [line for line in process.stderr.splitlines() if "Starting gunicorn" not in line]
    assert lines == ["bad settings in the environment:", f"PUBMETA_WORKERS='none': {said}"]


def test_an_unknown_setting_is_named(monkeypatch):
    monkeypatch.setenv("PUBMETA_WORKRES", "2")
    with pytest.raises(ImproperlyConfigured, match="PUBMETA_WORKRES"):
        Environment.load()


def test_lists_are_separated_by_commas(monkeypatch):
    monkeypatch.setenv("PUBMETA_TRUSTED_HOSTS", " dblp.org , http://127.0.0.1:9000,")
    assert Environment.load().trusted_hosts == ("dblp.org", "http://127.0.0.1:9000")


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ("HTTPS://Front.Example", "https://front.example"),
        ("https://front.example:443", "https://front.example"),
        ("http://Front.example:80", "http://front.example"),
        ("https://front.example:80", "https://front.example:80"),
        ("http://front.example:443", "http://front.example:443"),
        ("http://front.example:8080", "http://front.example:8080"),
        ("https://[2001:DB8::1]:443", "https://[2001:db8::1]"),
        ("http://[2001:db8::80]", "http://[2001:db8::80]"),
    ],
)
def test_origins_are_kept_as_browsers_send_them(monkeypatch, given, sent):
    monkeypatch.setenv("PUBMETA_CORS_ORIGINS", given)
    assert Environment.load().cors_origins == (sent,)


def test_the_list_of_reviewers_may_lie_in_a_home_directory(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PUBMETA_PC_MEMBERS", "~/x.csv")
    assert Environment.load().pc_members == tmp_path / "x.csv"


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
