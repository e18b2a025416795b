"""How gunicorn serves pubmeta; ``make serve`` uses it."""

from __future__ import annotations

import logging
import os
import shutil
import sys
import tempfile
from typing import Any

import django
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from gunicorn.glogging import Logger

from pubmeta.logs import configuration

wsgi_app = "pubmeta.wsgi"
bind = os.environ.get("PUBMETA_BIND", "127.0.0.1:8091")
# Two processes, so that a question that computes does not hold up the next one; threads for those that wait.
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
worker_class = "gthread"
threads = 8
keepalive = 15  # Seconds: who asks for the state every second or every five keeps the connection.
timeout = 60
graceful_timeout = 10
control_socket_disable = True
# The most that gunicorn allows: the 500 characters that may be searched for are up to 6,000 bytes of an address.
limit_request_line = 8190
logconfig_dict = configuration()
logging.captureWarnings(True)  # They are lines of the log then, too.


class _Log(Logger):
    """Leaves the lines of requests to ``pubmeta.observe``; with a ``logconfig_dict`` gunicorn would make its own."""

    def access(self, resp: Any, req: Any, environ: Any, request_time: Any) -> None:
        """Say nothing, and spare the work for it."""


logger_class = _Log


def on_starting(server: Any) -> None:
    """Say who may control builds; refuse a bad setting, before any process is started that would fail over it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pubmeta.settings")
    try:
        django.setup()
    except ImproperlyConfigured as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(os.EX_CONFIG)
    # Each process counts into files of its own there, and each can tell the sum of all. Where this is not set before
    # prometheus_client is imported, each counts for itself.
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="pubmeta-metrics-")
    _tell_of_control(server.log)


def post_worker_init(worker: Any) -> None:
    """Follow builds from the start, lest one that died meanwhile is shown as running until somebody asks."""
    from django.db import DatabaseError, connections

    from pipeline.manager import manager_of

    try:
        manager_of(settings.DATA_DIR).follow()
    except DatabaseError as error:  # It goes on looking.
        worker.log.warning("the builds cannot be looked after: %s", error)
    finally:
        connections.close_all()  # This thread answers nothing; it would keep the database open for ever.


def child_exit(server: Any, worker: Any) -> None:
    """Forget what a process that has ended was in the middle of; what it counted stays."""
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def on_exit(server: Any) -> None:
    """Remove the files of the metrics."""
    shutil.rmtree(os.environ["PROMETHEUS_MULTIPROC_DIR"], ignore_errors=True)


def _tell_of_control(log: Any) -> None:
    """Tell where the token is, never what it is; without a place to keep it the service goes on."""
    from pubmeta import control

    if settings.ENVIRONMENT.control_auth == control.OPEN:
        log.warning("PUBMETA_CONTROL_AUTH=open: anybody who reaches this service may start, stop and reset builds")
    elif settings.ENVIRONMENT.control_token:
        log.info("The control token is that of PUBMETA_CONTROL_TOKEN")
    else:
        try:
            control.token()
            log.info("The control token is kept in %s", control.token_file())
        except ImproperlyConfigured as error:
            log.warning("There is no control token, so none lets anybody control builds: %s", error)
