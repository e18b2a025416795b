"""HEAD of static files, as a server of WSGI sees the answer: nothing but headers."""

import io

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import RequestFactory


def answer(method, path, **headers):
    """Give status, headers and body of an answer as they are handed to the server."""
    from pubmeta.wsgi import application  # Which looks for the static files; the session has them by now.

    told = []
    environment = RequestFactory().generic(method, path, headers=headers).environ | {"wsgi.errors": io.StringIO()}
    response = application(
        environment, lambda status, headers: told.extend((status, dict(headers) | {"X-Request-ID": "its own"}))
    )
    body = b"".join(response)
    response.close()
    return *told, body


@pytest.mark.parametrize("accepted", ["identity", "gzip"])
@pytest.mark.parametrize("name", ["admin/css/base.css", "ninja/favicon.png"])
def test_of_a_static_file_there_are_the_headers_of_get_and_no_body(name, accepted):
    path = staticfiles_storage.url(name)
    *head, body = answer("HEAD", path, **{"accept-encoding": accepted})
    *got, content = answer("GET", path, **{"accept-encoding": accepted})
    assert head == got
    assert (body, bool(content)) == (b"", True)
