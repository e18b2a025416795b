"""A made-up store that holds every kind of name that somebody may ask for, and how to ask."""

import json

from tests.conftest import person, publication

PAIRS = "/api/coauthors/pairs"
TEAM = [f"Member{number:03d} Ofteam" for number in range(1, 451)]

PEOPLE = [
    person(
        "01/1",
        *("Orla O'Nevin", "O. O'Nevin", "Orla Nevin-Stroud"),
        extra="<url>https://orcid.org/0000-0001-2345-678X</url>\n",
    ),
    # Two spellings of one name that belong to two people.
    person("10/1", "René Dupond"),
    person("10/2", "Rene Dupond"),
    person("11/1", "Jürgen Weiß-Möller", "Jurgen W. Moeller"),
    person("12/1", "Søren Ærøskøb"),
    person("12/2", "&#321;ukasz &#272;urić-Kad&#305;n".replace("ć", "&#263;")),
    # Homonyms: with a page of people not told apart, with an ordinary bare name, and with numbers alone.
    person("20/1", "Mei Lan", publtype="disambiguation"),
    person("20/1-1", "Mei Lan 0001"),
    person("20/1-3", "Mei Lan 0003"),
    person("21/1", "Wu Li"),
    person("21/1-1", "Wu Li 0001"),
    person("21/1-2", "Wu Li 0002", "Wu L. Li"),
    person("22/1-1", "Kim Roe 0001"),
    person("30/1", "The Made Up Collaboration", publtype="group"),
    person("31/1", "Dana (Jing) Tarn"),
    person("31/2", "Gus L. Stone Jr."),
    person("31/3", "Sarvindo"),
    person("31/4", "&#29579;&#23567;&#26126;"),
    person("31/5", "Per%cent Under_score"),
    person("31/6", "Ann-Marie D'Arc"),
    # A given name of one letter, and somebody whose initials are those of others.
    person("t/TeeTee", "T. Tee"),
]
PAPERS = [
    publication("a/both", "Orla O'Nevin", "Jürgen Weiß-Möller", year="2020", extra="<journal>J. Made</journal>\n"),
    publication("a/alias", "O. O'Nevin", "Jurgen W. Moeller", year="2018", title="By Other Names."),
    publication("a/self", "Orla Nevin-Stroud", "Orla O'Nevin", year="2019", title="Signed Twice."),
    publication("a/undated", "Orla O'Nevin", "Jürgen Weiß-Möller", year=None, title="Without a Year."),
    publication("a/same-year", "Orla O'Nevin", "Jürgen Weiß-Möller", year="2020", title="A Before."),
    publication("a/lan", "Mei Lan", "Orla O'Nevin", year="2010", title="By Somebody of That Name."),
    publication("a/lan1", "Mei Lan 0001", "Sarvindo", year="2011", title="By the First."),
    publication("a/lan2", "Mei Lan 0001", "Mei Lan 0003", year="2012", title="Two of One Name."),
    publication("a/li", "Wu Li", "Sarvindo", year="2013", title="By the Bare One."),
    *(publication(f"a/li1-{n}", "Wu Li 0001", "Gus L. Stone Jr.", title=f"Series {n}.") for n in range(5)),
    *(publication(f"a/li2-{n}", "Wu L. Li", title=f"Alone {n}.") for n in range(3)),
    publication("a/roe", "Kim Roe 0001", "Dana (Jing) Tarn", title="One Number Only."),
    publication("a/dupond", "René Dupond", "Sarvindo", title="With an Accent."),
    publication("a/dupond2", "Rene Dupond", title="Without an Accent."),
    publication("a/soren", "Søren Ærøskøb", "&#321;ukasz &#272;uri&#263;-Kad&#305;n", title="Letters of the North."),
    publication("a/wang", "&#29579;&#23567;&#26126;", "Per%cent Under_score", title="Signs."),
    publication("a/group", "The Made Up Collaboration", "Ann-Marie D'Arc", title="Together."),
    publication("a/team", *TEAM, title="Measured by Many."),
    publication("a/tee", "T. Tee", "No Page", title="Initials."),
    publication("a/book", "Sarvindo", kind="book", editors=("Dana (Jing) Tarn",), title="Written, and Edited."),
    publication("a/proc", kind="proceedings", editors=("Orla O'Nevin", "Dana (Jing) Tarn"), title="Edited by Two."),
]
TITLES = [
    publication(
        "t/markup", title="<i>k</i>-means on H<sub>2</sub>O.", year="2001", extra="<ee>https://a.example/1</ee>\n"
    ),
    publication("t/accent", title="Über die Größe des Café Crème.", year="2002"),
    publication("t/cpp", title="C++ AND Other NEAR Languages OR NOT.", year="2003"),
    publication("t/phrase", title="Deep learning for shallow minds.", year="2004"),
    publication("t/words", title="Learning to be deep.", year="2005"),
    publication("t/wide", title="&#120008;&#120009; waves and spectra.", year="2006"),
    publication("conf/x/y/z-1", title="A Key of Many Parts.", year="2007"),
    *(publication(f"t/many{n:02d}", title=f"Counting number {n}.", year=str(1990 + n % 7)) for n in range(25)),
]
RECORDS = [*PEOPLE, *PAPERS, *TITLES]


def ask(client, left, right, **options):
    """Ask who of the left has written with whom of the right; give the answer."""
    response = post(client, {"left": left, "right": right, **options})
    assert response.status_code == 200, response.content
    return response.json()


def post(client, question, **headers):
    """Send a question as it is; give the response."""
    body = question if isinstance(question, bytes) else json.dumps(question)
    return client.post(PAIRS, data=body, content_type="application/json", headers=headers)


def problem_of(response, status):
    """Check that the response is an error of that status in the one shape; give its body."""
    assert response.status_code == status, response.content
    assert response.headers["Content-Type"] == "application/problem+json"
    body = response.json()
    assert body["status"] == status
    assert body["type"]
    assert body["title"]
    assert isinstance(body["detail"], str)
    assert len(body["detail"]) > 10
    return body


def pointers(response, status):
    """Give the pointers to the bad values of a response."""
    return [bad["pointer"] for bad in problem_of(response, status)["errors"]]
