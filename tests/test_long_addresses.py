"""What a browser may send in an address reaches the service, which then says itself what is too much."""

from urllib.parse import quote

import pytest

from bibliography.schemas import MAX_QUERY
from tests.service import ask, serving


@pytest.fixture(scope="module")
def port(sample_stores):
    with serving(sample_stores) as port:
        yield port


@pytest.mark.parametrize("letter", ["x", "王", "🙂"])
@pytest.mark.parametrize("path", ["authors", "publications"])
def test_as_many_characters_as_may_be_searched_for_are_not_too_long_an_address(port, path, letter):
    assert ask(port, f"/api/{path}?q={quote(letter * MAX_QUERY)}")[0] == 200


def test_one_more_is_an_error_of_the_service(port):
    status, problem = ask(port, f"/api/authors?q={quote('🙂' * (MAX_QUERY + 1))}")
    assert (status, problem["errors"][0]["pointer"]) == (422, "/q")
