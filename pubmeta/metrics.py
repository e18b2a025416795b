"""What Prometheus is told: requests of all processes of the service, the build, the store."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterator

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from bibliography import store
from bibliography.api import data_date
from pipeline.layout import DataDir
from pipeline.manager import manager_of
from pipeline.models import Status
from pubmeta.control import Control
from pubmeta.problems import Problem, problem

# In no registry: where there are several processes, all are read from the files that they keep, see gunicorn.conf.py.
SECONDS = Histogram(
    "pubmeta_request_duration_seconds",
    "How long requests took.",
    ["method", "route", "status"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25),
    registry=None,
)
IN_PROGRESS = Gauge(
    "pubmeta_requests_in_progress",
    "Requests that are being answered.",
    ["method"],
    multiprocess_mode="livesum",
    registry=None,
)
_control = Control()


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Give all of it to who may control the build, in the format that is asked for."""
    try:
        _control(request)
    except Problem as refused:
        return problem(refused.status, refused.detail, headers=refused.headers)
    encode, content_type = choose_encoder(request.headers.get("Accept", ""))
    return HttpResponse(encode(_registry()), content_type=content_type)


def _registry() -> CollectorRegistry:
    registry = CollectorRegistry()
    registry.register(_Now())
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    else:
        registry.register(SECONDS)
        registry.register(IN_PROGRESS)
    return registry


class _Now(Collector):
    """Tells of the build and the store what every process knows of them."""

    def collect(self) -> Iterator[Metric]:
        """Look now; what cannot be known now is left out."""
        yield from _build()
        yield from _store()


def _build() -> Iterator[Metric]:
    try:
        seen = manager_of(DataDir(settings.DATA_DIR).root).snapshot()
    except DatabaseError:
        return
    states = GaugeMetricFamily("pubmeta_build_state", "1 for the state of the newest build.", labels=["state"])
    for state in Status.values:
        states.add_metric([state], seen.status == state)
    yield states
    percent = GaugeMetricFamily(
        "pubmeta_build_progress_percent", "How far the phase of the running build is.", labels=["phase"]
    )
    if seen.active and "percent" in seen.progress:
        percent.add_metric([seen.step], seen.progress["percent"])
    yield percent


def _store() -> Iterator[Metric]:
    try:
        info = store.info()
    except store.StoreNotReady:
        yield GaugeMetricFamily("pubmeta_store_ready", "Whether there is a store that answers.", 0)
        return
    now = timezone.now()
    day = datetime.datetime.combine(data_date(info), datetime.time(), datetime.UTC)
    for name, meaning, value in (
        ("ready", "Whether there is a store that answers.", 1),
        ("age_seconds", "Since the store was built.", (now - info.built_at).total_seconds()),
        ("data_age_seconds", "Since the day that the data is of.", (now - day).total_seconds()),
        ("publications", "Publications in the store.", info.publications),
        ("people", "People in the store.", info.authors),
    ):
        yield GaugeMetricFamily(f"pubmeta_store_{name}", meaning, value)
