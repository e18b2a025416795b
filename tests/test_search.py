"""People as they are typed, titles by words and phrases, page after page; one person, one publication, whole."""

import base64
from urllib.parse import quote

import pytest
from django.db import connections

from bibliography import api
from tests.made_up import RECORDS, TEAM, pointers, problem_of

LAN = ["Mei Lan 0001", "Mei Lan", "Mei Lan 0003"]


def found(client, kind, q, **query):
    response = client.get(f"/api/{kind}", {"q": q, **query})
    assert response.status_code == 200, response.content
    return response.json()


def names(client, q):
    return [item["name"] for item in found(client, "authors", q, limit=100)["items"]]


def keys(client, q):
    return [item["key"] for item in found(client, "publications", q, limit=100)["items"]]


def all_pages(client, kind, q, limit):
    """Follow the cursors to the end; gives the items of each page."""
    pages, cursor = [], {}
    while not pages or cursor:
        body = found(client, kind, q, limit=limit, **cursor)
        pages.append(body["items"])
        cursor = {"cursor": body["next"]} if body["next"] else {}
    return pages


@pytest.mark.parametrize(
    ("q", "people"),
    [
        ("mei", LAN),
        ("mei la", LAN),
        ("Mei Lan", LAN),
        ("lan mei", LAN),
        ("Lan, Mei", LAN),
        ("M. Lan", LAN),
        ("lan m", LAN),
        ("mei lan 0003", ["Mei Lan 0003"]),
        ("mei l 3", []),
        ("me lan", []),  # Only the last word may be unfinished.
        ("o'nev", ["Orla O'Nevin"]),
        ("O’Nevin, O", ["Orla O'Nevin"]),
        ("weiss", ["Jürgen Weiß-Möller"]),
        ("weiß-mö", ["Jürgen Weiß-Möller"]),
        ("aero", ["Søren Ærøskøb"]),
        ("ærø", ["Søren Ærøskøb"]),
        ("kadın", ["Łukasz Đurić-Kadın"]),
        ("dupo", ["René Dupond", "Rene Dupond"]),
        ("王小", ["王小明"]),
        ("stroud", ["Orla O'Nevin"]),
        *(
            (q, [])
            for q in ("", " ", "%", "*", '"', "'", "🙂", "\0", "zzz", "C++ AND", "NEAR(", "-", "a" * 500, "x " * 250)
        ),
    ],
)
def test_people_as_they_are_typed(made_up, client, q, people):
    assert names(client, q) == people


@pytest.mark.parametrize("q", ["pid:01/1", "https://dblp.org/pid/01/1.html", "0000-0001-2345-678x"])
def test_people_by_identifier(made_up, client, q):
    assert names(client, q) == ["Orla O'Nevin"]


def test_a_person_found_says_why_and_who_it_is(made_up, client):
    (item,) = found(client, "authors", "nevin-str")["items"]
    assert item == {
        "id": item["id"],
        "name": "Orla O'Nevin",
        "matched": "Orla Nevin-Stroud",
        "pid": "01/1",
        "kind": "person",
        "publications": 7,
        "orcid": "0000-0001-2345-678X",
        "affiliation": None,
        "aliases": item["aliases"],
        "first_year": 2010,
        "last_year": 2020,
        "venues": ["J. Made"],
    }
    assert sorted(item["aliases"]) == ["O. O'Nevin", "Orla Nevin-Stroud"]
    assert found(client, "authors", "orla")["items"][0]["matched"] == "Orla O'Nevin"


def test_the_best_known_come_first(made_up, client):
    for q in ("o", "m", "l", "a"):
        publications = [item["publications"] for item in found(client, "authors", q, limit=100)["items"]]
        assert publications == sorted(publications, reverse=True)


@pytest.mark.parametrize("limit", [1, 7, 90, 100])
def test_pages_of_people_hold_everybody_once_and_in_order(made_up, client, limit):
    pages = all_pages(client, "authors", "ofte", limit)
    assert [item["name"] for page in pages for item in page] == TEAM
    assert all(len(page) == limit for page in pages[:-1])
    assert pages[-1]


@pytest.mark.parametrize(
    ("q", "matching"),
    [
        ("deep learning", ["t/words", "t/phrase"]),
        ("LEARNING deep", ["t/words", "t/phrase"]),
        ('"deep learning"', ["t/phrase"]),
        ('"deep learning', ["t/phrase"]),
        ('minds "deep learning"', ["t/phrase"]),
        ('"learning deep"', []),
        ("shal", []),
        ("shal*", ["t/phrase"]),
        ("shal* lea*", ["t/phrase"]),
        ("*hallow", []),
        ("grosse cafe", []),  # ß stays a letter of its own in titles.
        ("größe cafe creme", ["t/accent"]),
        ("GRÖẞE", ["t/accent"]),
        ("uber", ["t/accent"]),
        ("k-means", ["t/markup"]),
        ("k means h2o", ["t/markup"]),
        ("c++ and other near languages or not", ["t/cpp"]),
        ("C++ AND", ["t/cpp"]),
        ("NOT", ["t/cpp"]),
        ("near", ["t/cpp"]),
        ("title:learning", []),
        ("^deep", ["t/words", "t/phrase"]),
        ("deep - learning", ["t/words", "t/phrase"]),
        ("𝓈𝓉", ["t/wide"]),
        *(
            (q, [])
            for q in (
                "",
                " ",
                '"',
                '""',
                '"" ""',
                "*",
                "(",
                ")",
                "'",
                "-",
                "+",
                ":",
                "%",
                "_",
                "🙂",
                "\0",
                "\\",
                "{a b}:",
            )
        ),
        *((q, []) for q in ("x " * 250, "x* " * 166, '"x" ' * 125, "(" * 500, '"' * 500, "z" * 500)),
    ],
)
def test_titles(made_up, client, q, matching):
    assert keys(client, q) == matching


@pytest.mark.parametrize(
    ("q", "words"),
    [
        ("uber cafe", ["Über", "Café"]),
        ('"cafe creme"', ["Café Crème"]),
        ("means h2*", ["means", "H2O"]),
        ("waves spectra", ["waves", "spectra"]),
        ("counting 24", ["Counting", "24"]),
    ],
)
def test_what_matched_is_marked(made_up, client, q, words):
    (item,) = found(client, "publications", q)["items"]
    assert [item["title"][begin:end] for begin, end in item["matched"]] == words


def test_a_publication_found_says_who_wrote_it(made_up, client):
    (item,) = found(client, "publications", "measured many")["items"]
    assert item["author_count"] == 450
    assert [one["name"] for one in item["authors"]] == TEAM[:20]
    assert [one["position"] for one in item["authors"]] == list(range(1, 21))
    (item,) = found(client, "publications", "written edited")["items"]
    assert [(one["name"], one["role"]) for one in item["authors"]] == [
        ("Sarvindo", "author"),
        ("Dana (Jing) Tarn", "editor"),
    ]


@pytest.mark.parametrize("block", [1, 4, 10, 25, 1000])
@pytest.mark.parametrize("limit", [1, 3, 10, 100])
def test_pages_of_titles_hold_everything_once_the_newest_of_a_block_first(made_up, client, monkeypatch, block, limit):
    monkeypatch.setattr(api, "_BLOCK", block)
    items = [item for page in all_pages(client, "publications", "counting", limit) for item in page]
    everything = sorted(f"t/many{n:02d}" for n in range(25))
    assert sorted(item["key"] for item in items) == everything
    for start in range(0, 25, block):
        years = [(-item["year"], item["title"]) for item in items[start : start + block]]
        assert years == sorted(years)


@pytest.mark.parametrize("kind", ["authors", "publications"])
@pytest.mark.parametrize(
    "cursor",
    ["x", "ünsinn", "A" * 22, "A" * 21 + "B", "=" * 4, "-" * 100, "\0", "AAAAAAAAAAAAAAAAAAAAAA=="],
)
def test_a_cursor_that_nobody_gave_is_400(made_up, client, kind, cursor):
    response = client.get(f"/api/{kind}", {"q": "a", "cursor": cursor})
    assert pointers(response, 400) == ["/cursor"]


@pytest.mark.parametrize("kind", ["authors", "publications"])
def test_a_cursor_of_another_store_is_400_and_says_so(made_up, client, make_dump, build_from, kind):
    cursor = found(client, kind, "o" if kind == "authors" else "counting", limit=1)["next"]
    build_from(make_dump(*RECORDS))
    connections["store"].close()  # As a server does after each request.
    response = client.get(f"/api/{kind}", {"q": "a", "cursor": cursor})
    assert pointers(response, 400) == ["/cursor"]
    assert "new store" in response.json()["detail"]


@pytest.mark.parametrize("kind", ["authors", "publications"])
def test_a_cursor_beyond_the_end_finds_nothing(made_up, client, kind):
    cursor = found(client, kind, "o" if kind == "authors" else "counting", limit=1)["next"]
    raw = base64.urlsafe_b64decode(cursor + "==")
    beyond = base64.urlsafe_b64encode(raw[:16] + b"\xff" * 8).decode().rstrip("=")
    assert found(client, kind, "o" if kind == "authors" else "counting", cursor=beyond) == {"items": [], "next": None}


def test_a_whole_person(made_up, client):
    (item,) = found(client, "authors", "Wu Li 0002")["items"]
    whole = client.get(f"/api/authors/{item['id']}").json()
    assert whole["url"] == "https://dblp.org/pid/21/1-2"
    assert whole["aliases"] == ["Wu L. Li"]
    assert [(one["name"], one["publications"]) for one in whole["homonyms"]] == [("Wu Li 0001", 5), ("Wu Li", 1)]
    assert [(one["key"], one["role"], one["position"]) for one in whole["items"]] == [
        (f"a/li2-{n}", "author", 1) for n in range(3)
    ]


def test_a_person_without_a_page_and_one_who_edits(made_up, client):
    (item,) = found(client, "authors", "no page")["items"]
    assert client.get(f"/api/authors/{item['id']}").json()["url"] is None
    (item,) = found(client, "authors", "dana")["items"]
    whole = client.get(f"/api/authors/{item['id']}").json()
    assert {(one["key"], one["role"]) for one in whole["items"]} == {
        ("a/roe", "author"),
        ("a/book", "editor"),
        ("a/proc", "editor"),
    }


def test_a_whole_publication(made_up, client):
    whole = client.get("/api/publications/t/markup").json()
    assert whole["title"] == "k-means on H2O."
    assert whole["url"] == whole["ee"] == "https://a.example/1"
    assert whole["dblp_url"] == "https://dblp.org/rec/t/markup"
    assert "<i>k</i>-means on H<sub>2</sub>O." in whole["raw_xml"]


@pytest.mark.parametrize("path", ["conf/x/y/z-1", "conf%2Fx%2Fy%2Fz-1"])
def test_a_key_with_slashes(made_up, client, path):
    assert client.get(f"/api/publications/{path}").json()["key"] == "conf/x/y/z-1"


@pytest.mark.parametrize(
    "path",
    [
        *("authors/1000000", "authors/2147483647", "authors/x", "authors/-1", "authors/1.5", "authors/" + "9" * 5000),
        *("authors/", "publications/", "publications/t", "publications/T/MARKUP", "publications/t/markup/"),
        *(f"publications/{quote(key)}" for key in ("%", "a\0b", "' OR 1=1 --", "🙂", "a/" * 500)),
        "publications/%ff%fe",
    ],
)
def test_who_and_what_is_not_there_is_404(made_up, client, path):
    problem_of(client.get(f"/api/{path}"), 404)


@pytest.mark.parametrize("number", [0, 2**31, 10**30])
def test_an_id_that_nobody_can_have_is_422(made_up, client, number):
    assert pointers(client.get(f"/api/authors/{number}"), 422) == ["/id"]


def test_half_a_surrogate_pair_in_an_address_finds_nothing(made_up, client):
    assert client.get("/api/authors?q=%ED%A0%80").json()["items"] == []
    assert client.get("/api/publications?q=%ED%A0%80").json()["items"] == []
