"""Which address leads where; no path of the contract ends with a slash."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.views import LogoutView
from django.urls import path
from django.views.i18n import set_language

from bibliography.views import page
from pubmeta.accounts import SignIn
from pubmeta.api import api
from pubmeta.languages import words
from pubmeta.metrics import metrics

urlpatterns = [
    path("", page("ask.html"), name="home"),
    path("search", page("search.html"), name="search"),
    path("person", page("person.html"), name="person"),
    path("publication", page("publication.html"), name="publication"),
    path("bootstrap", page("bootstrap.html"), name="bootstrap"),
    path("words.js", words, name="words"),
    path("language", set_language, name="set_language"),
    path("api/", api.urls),
    path("sign-in", SignIn.as_view(), name="sign-in"),
    path("sign-out", LogoutView.as_view(), name="sign-out"),
    path("admin/login/", SignIn.as_view()),
    path("metrics", metrics, name="metrics"),
    path("admin/", admin.site.urls),
]
handler400 = "pubmeta.problems.bad_request"
handler404 = "pubmeta.problems.not_found"
