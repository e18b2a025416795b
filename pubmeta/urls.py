"""Which address leads where; no path of the contract ends with a slash."""

from __future__ import annotations

from django.contrib import admin
from django.urls import path

from bibliography.views import bootstrap
from pubmeta.api import api

urlpatterns = [
    path("", bootstrap, name="home"),
    path("bootstrap", bootstrap, name="bootstrap"),
    path("api/", api.urls),
    path("admin/", admin.site.urls),
]
handler400 = "pubmeta.problems.bad_request"
