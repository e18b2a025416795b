"""What clients rely on beside the answers themselves: cursors, times that compare, bodies in chunks, the example."""

import http.client
import json
from contextlib import closing

import pytest

from tests.conftest import SAMPLE, person, publication
from tests.made_up import PAIRS, ask, pointers
from tests.service import serving
from tests.test_resolve import resolved


@pytest.mark.parametrize(
    ("kind", "q"), [("publications", "o"), ("publications", "counting"), ("authors", "m"), ("authors", "counting")]
)
def test_a_cursor_is_for_the_search_that_gave_it(made_up, client, kind, q):
    cursor = client.get("/api/authors?q=o&limit=1").json()["next"]
    response = client.get(f"/api/{kind}", {"q": q, "cursor": cursor})
    assert pointers(response, 400) == ["/cursor"]
    assert "another search" in response.json()["detail"]
    assert client.get("/api/authors", {"q": " o ", "cursor": cursor}).status_code == 200


def test_when_the_store_was_built_is_written_alike_everywhere(made_up, client):
    times = {client.get(f"/api/{path}").json()["built_at"] for path in ("health", "stats")}
    times.add(ask(client, ["a"], ["b"])["store"]["built_at"])
    assert len(times) == 1


def test_a_body_in_chunks_is_411_and_says_what_to_do(made_up):
    with serving(made_up) as port, closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        headers = {"Content-Type": "application/json", "Connection": "close"}
        connection.request("POST", PAIRS, iter([b'{"left":["a"],', b'"right":["b"]}']), headers, encode_chunked=True)
        response = connection.getresponse()
        body = json.loads(response.read())
    assert (response.status, response.headers["Content-Type"]) == (411, "application/problem+json")
    assert "Content-Length" in body["detail"]


def test_the_example_of_the_description_finds_something_in_the_sample(serve, client):
    serve(SAMPLE)
    described = client.get("/api/openapi.json").json()["components"]["schemas"]
    assert ask(client, **described["PairsQuestion"]["example"])["pair_pubs"]
    about = described["PairsAnswer"]["properties"] | described["PairItem"]["properties"]
    assert all("none" in about[name]["description"] for name in ("matrix", "pair_pubs", "verdict"))


ORCID = "0000-0002-0000-0001"


@pytest.fixture
def shared(make_dump, build_from):
    """Serve three people of one ORCID."""
    pages = [person(f"1/{n}", f"Nami{n} Plo", extra=f"<url>https://orcid.org/{ORCID}</url>\n") for n in range(3)]
    signed = [publication(f"a/{n}", *(f"Nami{one} Plo" for one in range(3) if one >= n)) for n in range(3)]
    build_from(make_dump(*pages, *signed))


def test_all_people_of_an_identifier_are_found_the_best_known_first(shared, client):
    names = ["Nami2 Plo", "Nami1 Plo", "Nami0 Plo"]
    assert resolved(client, ORCID) == ("several", "identifier", names)
    everybody = client.get("/api/authors", {"q": ORCID, "limit": 2}).json()
    assert [one["name"] for one in everybody["items"]] == names[:2]
    rest = client.get("/api/authors", {"q": ORCID, "limit": 2, "cursor": everybody["next"]}).json()
    assert ([one["name"] for one in rest["items"]], rest["next"]) == (names[2:], None)


@pytest.mark.parametrize(
    ("link", "whole"),
    [("https://doi.example/1", True), ("http://doi.example/1", True), ("db/x.html", False), ("...", False)],
)
def test_a_link_is_that_of_the_document_where_it_is_whole(make_dump, build_from, client, link, whole):
    build_from(make_dump(publication("a/b", "A One", "B Two", extra=f"<ee>{link}</ee>\n")))
    (pair,) = ask(client, ["A One"], ["B Two"])["pair_pubs"]
    assert pair["items"][0]["url"] == (link if whole else "https://dblp.org/rec/a/b")


def test_as_many_publications_are_listed_as_the_setting_says(made_up, client, settings):
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"max_pair_results": 2})
    answer = ask(client, ["Orla O'Nevin"], ["Jürgen Weiß-Möller"])
    assert (answer["pair_pubs"][0]["count"], len(answer["pair_pubs"][0]["items"]), answer["listed_per_pair"]) == (
        4,
        2,
        2,
    )
