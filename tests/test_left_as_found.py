"""What answering a request leaves as it was: the request's method, the connection, the thread."""

import pytest
from django.db import connections

from bibliography import limits
from bibliography.limits import DeadlineExceeded, check_deadline, deadline


def count_to(number):
    with connections["store"].cursor() as cursor:
        cursor.execute(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %s) SELECT count(*) FROM n",
            (number,),
        )
        return cursor.fetchone()[0]


def test_head_stays_head_for_those_who_log_it(served_sample, client):
    assert client.head("/api/health").wsgi_request.method == "HEAD"


def test_a_deadline_ends_with_its_question(made_up):
    with pytest.raises(DeadlineExceeded), deadline(1e-9):
        check_deadline()
    check_deadline()
    assert count_to(100_000) == 100_000


def test_a_connection_is_not_watched_after_its_question(made_up, monkeypatch):
    with deadline(10):
        count_to(1)
    monkeypatch.setattr(limits._here, "ends", 0.0)
    assert count_to(100_000) == 100_000
