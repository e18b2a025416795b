"""Security headers on every answer, whichever part of the program gives it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.middleware.security import SecurityMiddleware

_PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"


class HeadersMiddleware(SecurityMiddleware):
    """Adds Django's security headers, and Permissions-Policy, from outside of everything that replaces an answer.

    Django's own middleware redirects to https; it has to be inside, where a Host header that is refused then
    becomes a problem like any other.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Let every request through."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Add the headers that are not there yet."""
        response.headers.setdefault("Permissions-Policy", _PERMISSIONS)
        return super().process_response(request, response)
