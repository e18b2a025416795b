"""What all answers from the store share: the store they are from, a deadline, a tag for caches, fast JSON."""

from __future__ import annotations

import functools
import hashlib
import inspect
import io
from collections.abc import Callable, Iterable
from http import HTTPStatus
from itertools import islice
from typing import Any

import orjson
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import parse_etags

import pubmeta
from bibliography import store
from bibliography.limits import deadline
from bibliography.models import StoreInfo

_AT_ONCE = 1_000  # Rows of a long list.


def from_store(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let a view answer from the published store, within the time that a question may take.

    The tag names the store, the program, its limits and the whole question, so an answer is unchanged exactly as
    long as all four are. Only good answers have one: a client that has it is spared the work, and any other
    condition is judged when the answer is there (RFC 9110, 13.2.1).
    """

    @functools.wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        info = store.info()
        tag = _tag(info, request)
        response = get_conditional_response(request, etag=tag) if _is_known(tag, request) else None
        if response is None:
            with deadline(settings.ENVIRONMENT.query_timeout):
                response = view(request, *args, **kwargs)
            response = get_conditional_response(request, etag=tag, response=response) or response
        if response.status_code in (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED):
            response["ETag"] = tag
        response["Cache-Control"] = "no-cache"  # Keep it, but ask whether it still holds.
        return response

    # The framework looks names of types up where a function was written, which for the inner one is here.
    answer.__signature__ = inspect.signature(view, eval_str=True)  # type: ignore[attr-defined]
    return answer


def _tag(info: StoreInfo, request: HttpRequest) -> str:
    set_ = settings.ENVIRONMENT
    limits = f"{set_.max_entries_per_side} {set_.max_author_resolve} {set_.max_pair_results}"
    asked = f"{pubmeta.__version__}\n{limits}\n{request.method}\n{request.get_full_path()}\n".encode()
    return f'"{hashlib.sha256(fingerprint(info) + asked + request.body).hexdigest()[:32]}"'


def _is_known(tag: str, request: HttpRequest) -> bool:
    """Say whether the client lists the tag in If-None-Match; compression makes it a weak one."""
    return tag in {one.removeprefix("W/") for one in parse_etags(request.headers.get("If-None-Match", ""))}


def fingerprint(info: StoreInfo) -> bytes:
    """Give eight bytes that no other store has."""
    return hashlib.sha256(f"{info.sha256} {info.built_at.isoformat()}".encode()).digest()[:8]


def json_response(body: dict[str, Any], **long: Iterable[Any]) -> HttpResponse:
    """Write an answer as JSON; what it is made of is not validated again.

    Of a ``long`` list only a part is in memory at a time, besides the JSON.
    """
    written = io.BytesIO()
    written.write(_dumps(body)[:-1])
    for name, values in long.items():
        written.write(b",%b:[" % _dumps(name))
        separator, rest = b"", iter(values)
        while some := list(islice(rest, _AT_ONCE)):
            written.write(separator + _dumps(some)[1:-1])
            separator = b","
        written.write(b"]")
    written.write(b"}")
    return HttpResponse(written.getvalue(), content_type="application/json")


def _dumps(value: Any) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_UTC_Z)
