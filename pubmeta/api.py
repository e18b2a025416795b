"""The one API object: its routes, its errors, its description."""

from __future__ import annotations

from ninja import NinjaAPI

import pubmeta
from bibliography.api import router as bibliography
from pubmeta import problems

api = NinjaAPI(
    title="pubmeta",
    version=pubmeta.__version__,
    description="dblp as one local store: who has written with whom. Every error is application/problem+json.",
    openapi_url="/openapi.json",
    docs_url="/docs",
)
problems.install(api)
api.add_router("", bibliography)
