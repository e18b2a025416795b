"""Journeys through the pages of people and publications: what is served, and the browser that goes there."""

import subprocess
import sys

import pytest
from playwright.sync_api import sync_playwright

from benchmarks.dtd import DTD_NAME, dtd_text
from tests.browser import CHROMIUM
from tests.conftest import ROOT, person, process_environment, publication
from tests.made_up import RECORDS
from tests.service import serving

CLIPBOARD = ["clipboard-read", "clipboard-write"]

EXTRA = [
    person(
        "40/1",
        "Ida Manywrite",
        extra='<note type="affiliation">University of Much</note>\n',
    ),
    *(
        publication(
            f"m/{n:03d}",
            *("Ida Manywrite", *(["Orla O'Nevin"] if n % 10 == 0 else [])),
            title=f"Work {n} on {'graphs' if n % 5 else 'Größen'}.",
            year=str(2000 + n // 10),
            extra=f"<journal>J. Much {n % 2}</journal>\n",
        )
        for n in range(230)
    ),
    # Somebody without a person page whose name another one has with a number.
    person("41/1-1", "Jo Bare 0001"),
    publication("b/bare", "Jo Bare", title="By One without a Page."),
    publication("b/bare1", "Jo Bare 0001", title="By One with a Page."),
    publication(
        "w/withdrawn",
        *("Sarvindo", "Orla O'Nevin"),
        editors=("Dana (Jing) Tarn",),
        title="Taken <i>Back</i>.",
        extra="<journal>J. Made</journal>\n<ee>https://a.example/back</ee>\n",
    ).replace(" key=", ' publtype="informal withdrawn" key='),
]


@pytest.fixture(scope="module")
def port(stores_of, tmp_path_factory):
    """Serve the made-up people, and some with much to show."""
    path = tmp_path_factory.mktemp("pages") / "dump.xml"
    path.with_name(DTD_NAME).write_text(dtd_text(), encoding="ascii")
    head = f'<?xml version="1.0" encoding="ISO-8859-1"?>\n<!DOCTYPE dblp SYSTEM "{DTD_NAME}">\n<dblp>\n'
    body = "".join([*RECORDS, *EXTRA]).replace("ö", "&ouml;").replace("ß", "&szlig;")
    path.write_bytes((head + body + "\n</dblp>\n").encode("latin-1"))
    data = stores_of(path)
    collect(data)
    with serving(data) as port:
        yield port


def collect(data):
    command = [sys.executable, str(ROOT / "manage.py"), "collectstatic", "--noinput", "--verbosity=0"]
    subprocess.run(command, env=process_environment(data), check=True)


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


class Complaints:
    """What went wrong in a page, but for what a test provokes (parts of messages)."""

    def __init__(self, page, origin):
        self.said, self.elsewhere, self.provoked = [], [], []
        page.on("console", lambda message: message.type in ("error", "warning") and self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on(
            "request", lambda request: request.url.startswith((origin, "blob:")) or self.elsewhere.append(request.url)
        )

    def check(self):
        assert self.elsewhere == []
        unexpected = [text for text in self.said if not any(part in text for part in self.provoked)]
        assert unexpected == []
        assert all(any(part in text for text in self.said) for part in self.provoked)


@pytest.fixture
def open_page(browser):
    """Open pages of the service at a port; each journey ends without a complaint."""
    contexts = []

    def make(port):
        origin = f"http://127.0.0.1:{port}"
        context = browser.new_context(base_url=origin, locale="en-GB", permissions=CLIPBOARD)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.complaints = Complaints(page, origin)
        contexts.append((context, page.complaints))
        return page

    yield make
    for context, _ in contexts:
        context.close()
    for _, complaints in contexts:
        complaints.check()


@pytest.fixture
def page(open_page, port):
    return open_page(port)


def field(page):
    return page.get_by_role("combobox", name="A person, or words of a title")


def suggestions(page):
    return page.get_by_role("listbox", name="Suggestions").get_by_role("option")


def people(page):
    return page.get_by_role("region", name="People").get_by_role("listitem")


def titles(page):
    return page.get_by_role("region", name="Titles").get_by_role("listitem")


def tally(page):
    return page.locator("#tally")


def search(page, text, kind="People and titles"):
    field(page).fill("")  # With something in it, another kind is searched at once.
    page.get_by_role("radio", name=kind, exact=True).check()
    field(page).fill(text)
    field(page).press("Enter")


def fragment(page):
    return page.url.partition("#")[2]
