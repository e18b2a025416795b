"""The pages; what they show of the store they ask the API for."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from bibliography import store
from bibliography.api import data_date


def page(template: str) -> Callable[[HttpRequest], HttpResponse]:
    """Give the view of a page, which is told what is in the store, or why there is none.

    Whom or what a page shows stands behind the ``#`` of its address, which browsers keep to themselves.
    """

    @require_safe
    @never_cache
    def show(request: HttpRequest) -> HttpResponse:
        try:
            info = store.info()
        except store.StoreNotReady as error:
            return render(request, template, {"reason": str(error)})
        return render(request, template, {"info": info, "data_date": data_date(info)})

    return show
