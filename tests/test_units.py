"""The units for systemd: whole, known to systemd, and of this program."""

import configparser
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

UNITS = sorted((ROOT / "deploy").iterdir())
SERVICES = [path for path in UNITS if path.suffix == ".service"]
HARDENED = {
    "NoNewPrivileges": "yes",
    "ProtectSystem": "strict",
    "ReadWritePaths": "/opt/pubmeta/data",
    "ProtectHome": "yes",
    "PrivateTmp": "yes",
    "User": "pubmeta",
}


def read(path):
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str
    parser.read_string(path.read_text(encoding="utf-8"))
    return parser


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_finds_nothing_wrong_with_them(tmp_path):
    (tmp_path / ".venv").symlink_to(Path(sys.prefix))
    units = tmp_path / "units"
    units.mkdir()
    for path in UNITS:
        (units / path.name).write_text(path.read_text(encoding="utf-8").replace("/opt/pubmeta", str(tmp_path)))
    command = ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", *map(str, units.iterdir())]
    process = subprocess.run(command, capture_output=True, text=True)
    assert (process.returncode, process.stdout + process.stderr) == (0, "")


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.name)
def test_a_service_may_write_nothing_but_the_data(path):
    service = read(path)["Service"]
    assert {name: service[name] for name in HARDENED} == HARDENED


def test_a_build_that_the_web_service_started_goes_on_over_its_restart():
    service = read(ROOT / "deploy" / "pubmeta.service")["Service"]
    assert service["KillMode"] == "process"
    assert service["OOMPolicy"] == "continue"


def test_the_timer_catches_up_and_does_not_ask_at_the_minute_of_everybody_else():
    timer = read(ROOT / "deploy" / "pubmeta-build.timer")["Timer"]
    assert timer["Persistent"] == "true"
    assert timer["RandomizedDelaySec"]
    assert (ROOT / "deploy" / "pubmeta-build.service").exists()


def test_the_service_of_the_timer_builds_only_what_is_new():
    service = read(ROOT / "deploy" / "pubmeta-build.service")["Service"]
    assert service["ExecStart"].endswith("manage.py rebuild_store --if-changed")
    assert service["SuccessExitStatus"] == "75"
