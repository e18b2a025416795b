"""The pages."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from bibliography import store
from bibliography.api import data_date


@require_safe
@never_cache
def bootstrap(request: HttpRequest) -> HttpResponse:
    """Show whether there is a store, and what is in it."""
    try:
        info = store.info()
    except store.StoreNotReady as error:
        return render(request, "bootstrap.html", {"reason": str(error)})
    return render(request, "bootstrap.html", {"info": info, "data_date": data_date(info)})
