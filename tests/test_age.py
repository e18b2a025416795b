"""``/api/health`` tells how old the data is, and goes on being healthy when that is too much."""

import datetime

import pytest
from django.test import Client, override_settings

from pubmeta.environment import Environment

NOW = datetime.datetime(2026, 12, 1, 0, 30, tzinfo=datetime.UTC)


@pytest.mark.parametrize(
    ("day", "longest", "age", "stale"),
    [
        ("2026-12-01", "45", 0, False),
        ("2026-10-17", "", 45, False),
        ("2026-10-16", "", 46, True),
        ("2026-10-16", "60", 46, False),
        ("2026-11-29", "1", 2, True),
    ],
)
def test_health_tells_the_age(served_sample, monkeypatch, day, longest, age, stale):
    monkeypatch.setenv("PUBMETA_DATA_DATE", day)
    monkeypatch.setenv("PUBMETA_MAX_AGE_DAYS", longest)
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOW)
    with override_settings(ENVIRONMENT=Environment.load()):
        response = Client().get("/api/health")
    assert response.status_code == 200
    told = response.json()
    assert (told["age_days"], told["stale"]) == (age, stale)
    assert (told["status"], told["data_date"]) == ("ok", day)
