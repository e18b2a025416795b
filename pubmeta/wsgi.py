"""The entry of WSGI servers."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pubmeta.settings")
application = get_wsgi_application()
# Otherwise the first visitor would wait until all routes and what is behind them are imported.
_ = get_resolver().url_patterns
