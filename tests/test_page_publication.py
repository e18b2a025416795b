"""The page of a publication, and what all pages of this kind share, in a real browser."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from pipeline.layout import DataDir
from tests import journeys
from tests.browser import AXE, CHROMIUM
from tests.conftest import process_environment
from tests.journeys import collect, field, fragment, suggestions, tally
from tests.service import serving

# The fixtures that the tests take by their names.
browser, open_page, page, port = journeys.browser, journeys.open_page, journeys.page, journeys.port
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")


def test_a_publication(page):
    page.goto("/publication#w/withdrawn")
    expect(page.get_by_role("heading", level=1)).to_have_text("Taken Back.")
    expect(page).to_have_title("Taken Back. – pubmeta")
    expect(page.get_by_text("This publication has been withdrawn.")).to_be_visible()
    authors = page.get_by_role("region", name="Authors (2)").get_by_role("listitem")
    expect(authors).to_have_text(["Sarvindo", "Orla O'Nevin"])
    expect(page.get_by_role("region", name="Editor").get_by_role("listitem")).to_have_text(["Dana (Jing) Tarn"])
    facts = page.locator("#facts")
    for text in ("2020", "J. Made", "journal article · informal, such as a preprint · withdrawn"):
        expect(facts).to_contain_text(text)
    for link in ("https://a.example/back", "https://dblp.org/rec/w/withdrawn"):
        expect(facts.get_by_role("link", name=link)).to_have_attribute("href", link)
    authors.get_by_role("link").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sarvindo")


def test_bibtex_and_the_raw_record_can_be_taken_along(page):
    page.goto("/publication#" + quote("conf/x/y/z-1", safe=""))
    bibtex = page.get_by_role("region", name="BibTeX")
    expect(bibtex).to_contain_text("@article{DBLP:conf/x/y/z-1,")
    page.keyboard.press("c")
    expect(page.get_by_role("status").filter(has_text="Copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == bibtex.text_content()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save (.bib)").click()
    assert download.value.suggested_filename == "conf-x-y-z-1.bib"
    assert download.value.path().read_text(encoding="utf-8") == bibtex.text_content()
    page.get_by_text("Raw record", exact=True).click()
    expect(page.locator("#raw")).to_contain_text('<article mdate="2024-01-01" key="conf/x/y/z-1">')
    page.get_by_role("button", name="Copy the raw record").click()
    expect(page.get_by_role("status").filter(has_text="Copied.")).to_have_count(2)
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("#raw").text_content()


def test_without_https_the_text_is_copied_all_the_same_or_else_marked(page):
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.goto("/publication#w/withdrawn")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_role("status").filter(has_text="Copied.")).to_be_visible()
    page.evaluate("document.execCommand = () => false")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_role("status").filter(has_text="The text is marked")).to_be_visible()
    assert page.evaluate("String(getSelection())").strip() == page.locator("#bibtex").text_content().strip()


def test_an_unknown_key(page):
    page.complaints.provoked = ["status of 404"]
    page.goto("/publication#no/such%3Fkey%25")
    expect(tally(page)).to_have_text("There is no publication with this key in the store.")
    expect(page.get_by_role("heading", level=1)).to_have_text("no/such?key%")
    page.get_by_role("link", name="Search for titles").click()
    expect(page).to_have_url(re.compile("/search$"))


def test_the_link_past_the_head_leaves_the_address_alone(page):
    page.goto("/person#pid:01/1")
    expect(page.get_by_role("heading", level=1)).to_have_text("Orla O'Nevin")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    assert fragment(page) == "pid:01/1"
    expect(page.get_by_role("heading", level=1)).to_have_text("Orla O'Nevin")


def test_without_a_store(open_page, tmp_path):
    data = DataDir(tmp_path / "empty")
    process_environment(data)
    collect(data)
    with serving(data) as port:
        page = open_page(port)
        for path, name in {"/search#all=x": "Search", "/person#x": "Person", "/publication#x": "Publication"}.items():
            page.goto(path)
            expect(page.get_by_role("heading", level=1)).to_have_text(name)
            expect(page.get_by_text("There is no store yet")).to_be_visible()
            expect(page.get_by_role("link", name="To the build")).to_have_attribute("href", "/bootstrap")


STATES = {
    "/search": "#sought",
    "/search#all=o": "#results li",
    "/search#titles=learn*": "#results mark",
    "/search#people=zzzz": "#tally:not(:empty)",
    "/search#people=%E0%A4": "#trouble:not([hidden])",
    "/person#pid:01/1": "#years rect",
    "/person#Mei%20Lan": "#several li",
    "/person#pid:20/1": "#apart:not([hidden])",
    "/person#Nobody%20Atall": "#search-instead:not([hidden])",
    "/publication#w/withdrawn": "#withdrawn:not([hidden])",
    "/publication": "#search-instead:not([hidden])",
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_to_blame(page, scheme):
    page.emulate_media(color_scheme=scheme)
    for path, ready in STATES.items():
        page.goto("about:blank")
        page.goto(path)
        expect(page.locator(ready).first).to_be_visible()
        if path.startswith("/publication#"):
            page.get_by_text("Raw record", exact=True).click()
        assert violations(page) == [], path
    page.goto("/search")
    field(page).press_sequentially("or")
    expect(suggestions(page).first).to_be_visible()
    field(page).press("ArrowDown")
    assert violations(page) == []


def violations(page):
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")["violations"]
    return [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]
