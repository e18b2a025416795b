"""One shape for every error: ``application/problem+json`` (RFC 9457), with a ``detail`` that a person can act on."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, TypedDict

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.views.defaults import page_not_found
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

CONTENT_TYPE = "application/problem+json"
_API = "/api"
#: Type of an error of validation: nothing is wrong with the type of a value, but it breaks a rule of the service.
BROKEN_RULE = "broken_rule"
_RULES = {BROKEN_RULE, "too_long"}  # Which is of lists.
_TOLD = 10  # Bad values that are told in words too; all are listed.
_log = logging.getLogger(__name__)

# What to tell where the framework itself says no more than a number.
_DETAILS = {
    400: "The request could not be read.",
    404: "There is nothing at this address; /api/docs lists what there is.",
    405: "This address does not answer to that method; /api/docs tells to which it does.",
    411: "The body came in chunks; send it whole, with a Content-Length.",
    412: "The answer is the one that If-None-Match names, or it is not the one that If-Match names.",
    413: "The body is too large.",
    415: "The body must be JSON.",
    500: "The server failed; its log says why.",
}
_HOST = "The service is not known by the name in the Host header; PUBMETA_ALLOWED_HOSTS lists the names that it has."


class BadValue(TypedDict):
    """A bad value of a request: where (an RFC 6901 pointer) and why."""

    pointer: str
    detail: str


class Problem(Exception):
    """A request that cannot be answered: status, what to tell the person, which values are bad, more headers."""

    def __init__(
        self, status: int, detail: str, *, errors: Sequence[BadValue] = (), headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.errors = errors
        self.headers = headers or {}


def problem(
    status: int, detail: str, errors: Sequence[BadValue] = (), headers: dict[str, str] | None = None
) -> HttpResponse:
    """Make the response of an error."""
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
    }
    if errors:
        body["errors"] = list(errors)
    return HttpResponse(json.dumps(body), status=status, content_type=CONTENT_TYPE, headers=headers)


Telling = Mapping[type[Exception], Callable[[Exception], Problem]]
"""What is told of an exception of the inner rooms, which know no HTTP."""


def install(api: NinjaAPI, telling: Telling) -> None:
    """Let the API answer with problems whatever goes wrong in an endpoint."""

    def expected(request: HttpRequest, error: Any) -> HttpResponse:
        told = error if isinstance(error, Problem) else telling[type(error)](error)
        return problem(told.status, told.detail, told.errors, headers=told.headers)

    kinds: tuple[type[Exception], ...] = (Problem, *telling)
    for kind in kinds:
        api.add_exception_handler(kind, expected)

    @api.exception_handler(ValidationError)
    def invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
        errors = [_bad_value(entry) for entry in error.errors]
        told = [f"{bad['pointer'] or 'the body'}: {bad['detail']}" for bad in errors[:_TOLD]]
        if len(errors) > _TOLD:
            told.append(f"and {len(errors) - _TOLD:,} more")
        broken = any(entry["type"] in _RULES for entry in error.errors)
        return problem(400 if broken else 422, "; ".join(told), errors)

    @api.exception_handler(HttpError)
    def refused(request: HttpRequest, error: HttpError) -> HttpResponse:
        # The framework hides what reading the body raised behind an error of its own.
        if isinstance(error.__cause__, kinds):
            return expected(request, error.__cause__)
        return problem(error.status_code, str(error))

    @api.exception_handler(Exception)
    def failed(request: HttpRequest, error: Exception) -> HttpResponse:
        _log.exception("%s %s failed", request.method, request.path)
        return problem(500, _DETAILS[500])


def _bad_value(entry: dict[str, Any]) -> BadValue:
    """Turn what pydantic says of a value into a pointer from the root of the body or query."""
    where, *path = entry["loc"]
    if where == "body":  # There the first part is the name that the endpoint gives to the body.
        path = path[1:]
    pointer = "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in path)
    return {"pointer": pointer, "detail": entry["msg"]}


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer what the framework could not read: Django's ``handler400``."""
    detail = _HOST if isinstance(exception, DisallowedHost) else _DETAILS[400]
    if _is_api(request):
        return problem(400, detail)
    return HttpResponse(detail, status=400, content_type="text/plain; charset=utf-8")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer where nothing is at an address, programs without making a page for it: Django's ``handler404``."""
    return problem(404, _DETAILS[404]) if _is_api(request) else page_not_found(request, exception)


def _is_api(request: HttpRequest) -> bool:
    return f"{request.path_info}/".startswith(f"{_API}/")


class ProblemMiddleware:
    """Gives errors that never reach an endpoint (404, 405, a body in chunks, …) the same shape."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        if not _is_api(request):
            return self._get_response(request)
        if "Transfer-Encoding" in request.headers and not request.headers.get("Content-Length"):
            return problem(411, _DETAILS[411])  # To Django such a body is empty.
        response = self._get_response(request)
        if response.status_code < 400:
            return response
        if response.headers.get("Content-Type", "").startswith(CONTENT_TYPE):
            return response
        status = response.status_code
        kept = {name: response.headers[name] for name in ("Allow", "Retry-After") if name in response.headers}
        if settings.DEBUG and status >= 500:
            return response
        return problem(status, _DETAILS.get(status, HTTPStatus(status).phrase), headers=kept)
