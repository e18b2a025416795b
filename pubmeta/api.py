"""The one API object: its routes, its errors, how it reads JSON, its description."""

from __future__ import annotations

from typing import Any

import orjson
from csp.constants import SELF
from csp.decorators import csp_update
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema
from ninja.parser import Parser

import pubmeta
from bibliography.api import router as bibliography
from bibliography.limits import DeadlineExceeded, TooBusy, TooMuch
from bibliography.paging import BadCursor
from bibliography.reviewers import ReviewersUnreadable
from bibliography.store import StoreNotReady
from pipeline.api import router as pipeline
from pubmeta import problems
from pubmeta.problems import Problem


class JsonParser(Parser):
    """Reads bodies as JSON and nothing else; raises ``Problem``."""

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        """Read the body."""
        if request.content_type != "application/json":
            raise Problem(415, f"The body must be JSON (Content-Type: application/json), not {request.content_type!r}.")
        try:
            body: dict[str, Any] = orjson.loads(request.body)
        except orjson.JSONDecodeError as error:
            raise Problem(400, f"The body is not valid JSON: {error}.") from error
        return body


class Api(NinjaAPI):
    """Describes errors as what they are: the framework takes all answers for plain JSON."""

    def get_openapi_schema(self, **options: Any) -> OpenAPISchema:
        """Describe the API."""
        described = super().get_openapi_schema(**options)
        for methods in described["paths"].values():
            for operation in methods.values():
                for status, response in operation["responses"].items():
                    if status >= 400:
                        response["content"] = {problems.CONTENT_TYPE: response["content"]["application/json"]}
        return described


api = Api(
    title="pubmeta",
    version=pubmeta.__version__,
    description="dblp as one local store: who has written with whom. Every error is application/problem+json.",
    openapi_url="/openapi.json",
    docs_url="/docs",
    # The style sheet of Swagger UI has its arrows in itself, as addresses of images.
    docs_decorator=csp_update({"img-src": [SELF, "data:"]}),
    parser=JsonParser(),
)


def _too_much(error: Any) -> Problem:
    return Problem(400, str(error), errors=[{"pointer": f"/{field}", "detail": error.reason} for field in error.fields])


_SOON, _LATER = {"Retry-After": "2"}, {"Retry-After": "60"}  # Seconds; a build takes some minutes.
# What the inner rooms raise, as it is told to clients.
problems.install(
    api,
    {
        StoreNotReady: lambda error: Problem(503, str(error), headers=_LATER),
        DeadlineExceeded: lambda error: Problem(
            503, "The question took longer than it may; ask for fewer names, or exact ones.", headers=_SOON
        ),
        TooBusy: lambda error: Problem(
            429, "As many large questions as may be are being answered; ask again in a moment.", headers=_SOON
        ),
        TooMuch: _too_much,
        BadCursor: lambda error: Problem(400, str(error), errors=[{"pointer": "/cursor", "detail": str(error)}]),
        ReviewersUnreadable: lambda error: Problem(500, f"The list of reviewers cannot be read. {error}."),
        RequestDataTooBig: lambda error: Problem(413, "The body is larger than 4 MB."),
    },
)
api.add_router("", bibliography)
api.add_router("", pipeline)
