"""What is said of how far a piece of work is, and how long it will take."""

import pytest

from pipeline import progress
from pipeline.download import check_space
from pipeline.errors import NoSpace
from pipeline.progress import Pace


@pytest.fixture
def clock(monkeypatch):
    """A clock that goes only when told to."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return lambda seconds: now.__setitem__(0, now[0] + seconds)


def test_work_from_the_beginning(clock):
    pace = Pace(1000)
    clock(10)
    assert pace.at(250) == {"percent": 25.0, "eta_seconds": 30.0}
    assert pace.at(1000) == {"percent": 100.0, "eta_seconds": 0.0}
    assert pace.at(2000) == {"percent": 100.0, "eta_seconds": 0.0}


def test_what_was_done_before_tells_nothing_of_the_pace(clock):
    pace = Pace(1000, 890)
    assert pace.at(890) == {"percent": 89.0}
    clock(10)
    assert pace.at(900) == {"percent": 90.0, "eta_seconds": 100.0}


def test_work_that_begins_anew(clock):
    pace = Pace(1000, 890)
    clock(10)
    assert pace.at(0) == {"percent": 0.0}
    clock(10)
    assert pace.at(100) == {"percent": 10.0, "eta_seconds": 90.0}


def test_work_of_an_unknown_size():
    assert Pace(0).at(10) == {}


@pytest.mark.parametrize(
    ("size", "words"),
    [(10**15 + 7, "1,000,000.0 GB"), (4_300 * 10**12, "4,300,000.0 GB")],
)
def test_what_does_not_fit_is_told_in_a_unit_that_fits(tmp_path, size, words):
    with pytest.raises(NoSpace, match=f"no space for the store: it needs {words}, and .* can be used in"):
        check_space(tmp_path, size, "the store")


@pytest.mark.parametrize(
    ("free", "words"),
    [(0, "0 bytes"), (999, "999 bytes"), (4_100, "4.1 kB"), (5_250_000, "5.25 MB"), (2 * 10**9, "2.0 GB")],
)
def test_what_is_free_is_told_in_a_unit_that_fits(monkeypatch, tmp_path, free, words):
    usage = type("usage", (), {"free": free + 64 * 1024 * 1024})
    monkeypatch.setattr("pipeline.download.shutil.disk_usage", lambda path: usage)
    with pytest.raises(NoSpace, match=f"and {words} can be used in"):
        check_space(tmp_path, 10**12, "the store")
