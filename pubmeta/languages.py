"""In which language a page is, and the phrases of its scripts; the API speaks English alone."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition
from django.views.i18n import JavaScriptCatalog

import pubmeta


class PagesLocaleMiddleware(LocaleMiddleware):
    """Chooses by the cookie of the switch, else by what the browser asks for; leaves all but pages as they are.

    Answers of the API would otherwise differ by language in the eyes of caches, and errors in the eyes of programs.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Choose; the thread may still have the language of the page before."""
        if _is_for_programs(request):
            translation.activate(settings.LANGUAGE_CODE)
        else:
            super().process_request(request)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Say what was chosen."""
        return response if _is_for_programs(request) else super().process_response(request, response)


def _is_for_programs(request: HttpRequest) -> bool:
    return request.path.startswith(("/api/", "/metrics"))


@cache_control(no_cache=True)
@condition(etag_func=lambda request: f'"{pubmeta.__version__}-{request.LANGUAGE_CODE}"')
def words(request: HttpRequest) -> HttpResponseBase:
    """Give the phrases of scripts in the language of the page, with ``gettext`` and ``interpolate``."""
    return JavaScriptCatalog.as_view(packages=[])(request)
