"""HEAD for every address that answers GET."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase


class HeadMiddleware:
    """Answers HEAD as GET without the body (RFC 9110, 9.3.2); monitors ask so whether a service is well."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        if request.method != "HEAD":
            return self._get_response(request)
        request.method = "GET"
        response = self._get_response(request)
        request.method = "HEAD"
        if isinstance(response, HttpResponse):
            response.headers.setdefault("Content-Length", str(len(response.content)))
            response.content = b""
        elif isinstance(response, StreamingHttpResponse):  # A static file; its headers have its length.
            response.streaming_content = ()
        return response
