"""Requests made up from the API's own description: none fails, none is answered in a way that is not described.

Thirty of each kind an endpoint; ``FUZZ_EXAMPLES=2000 pytest tests/test_openapi_requests.py`` makes more.
"""

import os

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import positive_data_acceptance

from pubmeta.api import api

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "30"))
OPERATIONS = [
    (path, method, mode)
    for path, methods in api.get_openapi_schema(path_prefix="/api/")["paths"].items()
    for method, operation in methods.items()
    for mode in GenerationMode
    if "queries" in operation["tags"]
    # Where nothing can be wrong, nothing wrong can be made up: any text may be a key.
    if mode is GenerationMode.POSITIVE
    or "requestBody" in operation
    or (operation["parameters"] and "{key}" not in path)
]
# Requests that find something, for answers with everything in them.
FINDING = [
    ("/api/stats", "get", {}),
    ("/api/authors", "get", {"query": {"q": "o", "limit": 100}}),
    ("/api/authors/{id}", "get", {"path_parameters": {"id": 1}}),
    ("/api/publications", "get", {"query": {"q": "by", "limit": 1}}),
    ("/api/publications/{key}", "get", {"path_parameters": {"key": "a/proc"}}),
    (
        "/api/coauthors/pairs",
        "post",
        {"body": {"left": ["Wu Li", "Mei Lan"], "right": ["Sarvindo", "No One", "Mei Lan"]}},
    ),
]
OPTIONS = {
    "headers": {"Accept-Encoding": "identity"},
    # What is well-formed may still be refused: a side of blanks, a cursor that nobody gave, years exchanged.
    "excluded_checks": [positive_data_acceptance],
}


def operation_of(path, method):
    return schemathesis.openapi.from_wsgi("/api/openapi.json", WSGIHandler())[path][method]


@pytest.mark.parametrize(("path", "method", "mode"), OPERATIONS)
def test_any_request(made_up, path, method, mode):
    operation = operation_of(path, method)

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode))
    def answered_as_described(case):
        case.call_and_validate(**OPTIONS)

    answered_as_described()


@pytest.mark.parametrize(("path", "method", "request_"), FINDING)
def test_answers_with_something_in_them(made_up, path, method, request_):
    media_type = {"media_type": "application/json"} if "body" in request_ else {}
    response = operation_of(path, method).Case(**request_, **media_type).call_and_validate(**OPTIONS)
    assert response.status_code == 200


@pytest.mark.parametrize(("path", "method", "request_"), FINDING)
def test_without_a_store(data, path, method, request_):
    media_type = {"media_type": "application/json"} if "body" in request_ else {}
    response = (
        operation_of(path, method)
        .Case(**request_, **media_type)
        .call_and_validate(**OPTIONS | {"excluded_checks": [positive_data_acceptance, not_a_server_error]})
    )
    assert response.status_code == 503
