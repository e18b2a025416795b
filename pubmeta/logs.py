"""The log: lines of JSON on stderr, plain ones where that is a terminal; never what somebody asked for.

Names arrive in query strings, in bodies, and in the addresses that people make up; from there they get into messages
of exceptions, and into what Django and gunicorn write of requests that fail. Here is the one place that sees all
lines, whoever writes them, so here is where they are left out.
"""

from __future__ import annotations

import json
import logging
import secrets
import sys
import traceback
from collections.abc import Iterator
from contextvars import ContextVar
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

import orjson
from django.http import HttpRequest
from django.utils.encoding import escape_uri_path

# What a line may have besides; others add what they like: Django the request, with its query.
_MORE = (
    *("request_id", "method", "path", "route", "status", "duration_ms", "bytes"),
    *("run", "phase", "seconds", "by"),
)
_PARTS = 2  # Of an address that is none of ours: as many as tell what was meant, such as /api/authors.
_OURS = ("pubmeta", "bibliography", "pipeline")
_ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def configuration() -> dict[str, Any]:
    """Give what ``logging.config.dictConfig`` takes: for Django, and for gunicorn before Django is there."""
    plain = sys.stderr is not None and sys.stderr.isatty()
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"discreet": {"()": "pubmeta.logs.Discretion"}},
        "formatters": {"lines": {"()": f"pubmeta.logs.{'PlainLines' if plain else 'JsonLines'}"}},
        "handlers": {
            "stderr": {"class": "logging.StreamHandler", "filters": ["discreet"], "formatter": "lines"},
            "nowhere": {"class": "logging.NullHandler"},
        },
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            **{name: {"level": "INFO"} for name in _OURS},
            "django": {"handlers": [], "level": "INFO"},
            # What runserver writes of each request has its query.
            "django.server": {"handlers": ["nowhere"], "propagate": False},
            "gunicorn.error": {"handlers": [], "propagate": True},
        },
    }


class Asked:
    """The request that is being answered, as far as the log may know it; all lines of the block are about it."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request
        self.id = secrets.token_hex(8)

    def __enter__(self) -> Self:
        self._token = _asked.set(self)
        return self

    def __exit__(self, *_: object) -> None:
        _asked.reset(self._token)

    @property
    def has_words(self) -> bool:
        """Tell whether somebody's words came with it, in the query or the body."""
        meta = self._request.META
        return bool(meta.get("QUERY_STRING")) or meta.get("CONTENT_LENGTH") not in (None, "", "0")

    @property
    def path(self) -> str:
        """Give the path, without the query; of whom or what it names only the place, of one not ours the beginning."""
        path: str = escape_uri_path(self._request.path)
        if (match := self._request.resolver_match) is not None:
            return f"/{match.route}" if match.kwargs or match.args else path
        parts = path.split("/", _PARTS + 1)
        return path if len(parts) <= _PARTS + 1 else "/".join([*parts[:-1], "…"])


_asked: ContextVar[Asked | None] = ContextVar("asked", default=None)


class Discretion(logging.Filter):
    """Takes out of the lines of Django and gunicorn what somebody asked, and drops those that say nothing new."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether the line is to be written."""
        asked = _asked.get()
        if asked is not None:
            record.request_id = asked.id
        if record.name == "django.request":
            # Without a traceback it says only what the line of the request says too.
            record.msg, record.args = "the request failed", ()
            return record.levelno >= logging.ERROR and bool(record.exc_info)
        if record.name.startswith("django.security"):
            record.exc_info = None  # It leads to Django's own check; where a bad Host header came from is unknown.
            if asked is not None and asked.has_words:
                record.msg, record.args = "a request was refused: %s", (record.name.rpartition(".")[2],)
        elif record.name == "gunicorn.error":
            _shorten(record)
        return True


def _shorten(record: logging.LogRecord) -> None:
    """Leave out of gunicorn's lines which address was asked, and what it could not read.

    ``gunicorn.workers.base.Worker.handle_error`` writes both, the first with its query.
    """
    message = str(record.msg)
    if message.startswith("Error handling request"):
        record.msg, record.args = "Error handling request", ()
    elif message.startswith("Invalid request from "):
        kind = type(sys.exc_info()[1]).__name__
        record.msg, record.args = f"{message.partition(': ')[0]}: {kind}", ()


class _Discreet(logging.Formatter):
    """Writes exceptions, without their messages where they may repeat what somebody asked."""

    def formatException(self, ei: _ExcInfo) -> str:  # noqa: N802 - the name is given.
        """Write the traceback."""
        asked, error = _asked.get(), ei[1]
        if error is None or asked is None or not asked.has_words:
            return super().formatException(ei)
        return "".join(_without_messages(error)).rstrip()


def _without_messages(error: BaseException) -> Iterator[str]:
    """Give the lines of a traceback with the kinds of exceptions alone; SQLite's are told apart by their code."""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None:
        yield from _without_messages(cause)
        yield "\nwhich led to\n\n"
    yield "Traceback (most recent call last):\n"
    yield from traceback.format_tb(error.__traceback__)
    code = getattr(error, "sqlite_errorname", None)
    yield f"{type(error).__module__}.{type(error).__qualname__}{f' ({code})' if code else ''}\n"


class JsonLines(_Discreet):
    """Writes a line as JSON, with what it may have and nothing else."""

    def format(self, record: logging.LogRecord) -> str:
        """Write the line."""
        has = record.__dict__
        line = {
            "timestamp": datetime.fromtimestamp(record.created, UTC),
            "level": record.levelname,
            "logger": record.name,
            "pid": record.process,
            "message": record.getMessage(),
        } | {name: has[name] for name in _MORE if name in has}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        try:
            return orjson.dumps(line, option=orjson.OPT_UTC_Z).decode()
        except orjson.JSONEncodeError:  # Names of files may be no UTF-8.
            return json.dumps(line, default=str)


class PlainLines(_Discreet):
    """Writes a line for people."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s", "%Y-%m-%d %H:%M:%S")
