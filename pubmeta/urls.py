"""Which address leads where; no path of the contract ends with a slash."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.views import LogoutView
from django.urls import path

from bibliography.views import bootstrap
from pubmeta.accounts import SignIn
from pubmeta.api import api
from pubmeta.metrics import metrics

urlpatterns = [
    path("", bootstrap, name="home"),
    path("bootstrap", bootstrap, name="bootstrap"),
    path("api/", api.urls),
    path("sign-in", SignIn.as_view(), name="sign-in"),
    path("sign-out", LogoutView.as_view(), name="sign-out"),
    path("admin/login/", SignIn.as_view()),
    path("metrics", metrics, name="metrics"),
    path("admin/", admin.site.urls),
]
handler400 = "pubmeta.problems.bad_request"
