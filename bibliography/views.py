"""The pages; what they show of the store they ask the API for."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from bibliography import store
from bibliography.api import data_date


def _page(request: HttpRequest, template: str) -> HttpResponse:
    """Show a page; without a store it says so."""
    try:
        info = store.info()
    except store.StoreNotReady as error:
        return render(request, template, {"reason": str(error)})
    return render(request, template, {"info": info, "data_date": data_date(info)})


@require_safe
@never_cache
def ask(request: HttpRequest) -> HttpResponse:
    """Show the page on which two groups of people are compared."""
    return _page(request, "ask.html")


@require_safe
@never_cache
def search(request: HttpRequest) -> HttpResponse:
    """Show the page on which people and titles are searched for."""
    return _page(request, "search.html")


@require_safe
@never_cache
def person(request: HttpRequest) -> HttpResponse:
    """Show a person; whom, stands behind the ``#`` of the address, which browsers keep to themselves."""
    return _page(request, "person.html")


@require_safe
@never_cache
def publication(request: HttpRequest) -> HttpResponse:
    """Show a publication; which, stands behind the ``#`` of the address, which browsers keep to themselves."""
    return _page(request, "publication.html")


@require_safe
@never_cache
def bootstrap(request: HttpRequest) -> HttpResponse:
    """Show whether there is a store, what is in it, and how it is built."""
    return _page(request, "bootstrap.html")
