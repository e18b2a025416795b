"""What the log and the metrics are told of each request."""

from __future__ import annotations

import functools
import logging
import time
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponse, HttpResponseBase

from pubmeta.logs import Asked
from pubmeta.metrics import IN_PROGRESS, SECONDS

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_OTHER = "other"  # Anybody can make up methods and addresses, and each would be a series of its own.
_log = logging.getLogger(__name__)
# Looking a series up costs more than counting in it.
_in_progress = functools.cache(IN_PROGRESS.labels)
_seconds = functools.cache(SECONDS.labels)


class ObserveMiddleware:
    """Measures a request and writes its line; first of all, so that nothing is left out."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        started = time.perf_counter()
        method = request.method if request.method in _METHODS else _OTHER
        in_progress = _in_progress(method)
        in_progress.inc()
        with Asked(request) as asked:
            response = self._get_response(request)
            in_progress.dec()
            seconds = time.perf_counter() - started
            route = _route(request, response)
            _seconds(method, route, response.status_code).observe(seconds)
            told = {
                "method": method,
                "path": asked.path,
                "route": route,
                "status": response.status_code,
                "duration_ms": round(seconds * 1000, 2),
                "bytes": _length(response),
            }
            _log.info("%(method)s %(path)s %(status)d in %(duration_ms).1f ms", told, extra=told)
        response.headers["X-Request-ID"] = asked.id
        return response


def _route(request: HttpRequest, response: HttpResponseBase) -> str:
    """Give the pattern of the address; files are served before it is looked for."""
    if request.resolver_match is not None:
        return f"/{request.resolver_match.route}"
    if response.status_code < 400 and request.path.startswith(settings.STATIC_URL):
        return f"{settings.STATIC_URL}<path>"
    return _OTHER


def _length(response: HttpResponseBase) -> int | None:
    """Give the bytes of the body, None where nobody knows."""
    if isinstance(response, HttpResponse):
        return len(response.content)
    length = response.headers.get("Content-Length")
    return int(length) if length is not None else None
