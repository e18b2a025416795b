"""Names as people paste them, read by the script of the page in a real browser."""

import pytest
from playwright.sync_api import sync_playwright

from tests.browser import CHROMIUM
from tests.conftest import ROOT

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")


@pytest.fixture(scope="module")
def page():
    """Open an empty page that has the script."""
    script = (ROOT / "static/js/names.js").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.evaluate(
            "text => import(URL.createObjectURL(new Blob([text], {type: 'text/javascript'})))"
            ".then(module => { globalThis.names = module; })",
            script,
        )
        yield page
        browser.close()


@pytest.fixture
def read(page):
    """Give the function that reads a text as entries."""
    return lambda text: page.evaluate("text => names.readNames(text).map(one => [one.sent, one.shown])", text)


@pytest.fixture
def replaced(page):
    """Give the function that puts PICK in the place of an entry."""
    return lambda text, sent: page.evaluate("([text, sent]) => names.replaceName(text, { sent }, 'PICK')", [text, sent])


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Jane Doe\nJohn Roe", ["Jane Doe", "John Roe"]),
        ("Jane Doe\r\nJohn Roe\rKim Poe\n\n", ["Jane Doe", "John Roe", "Kim Poe"]),
        ("  Jane   Doe\t\nJane Doe", ["Jane Doe"]),
        ("Doe, Jane", ["Jane Doe"]),
        ("van der Berg, Anna Maria", ["Anna Maria van der Berg"]),
        ("Doe, Jane; Roe, John", ["Jane Doe", "John Roe"]),
        ("Jane Doe, John Roe; Kim Poe", ["Jane Doe", "John Roe", "Kim Poe"]),
        ("Jane Doe, John Roe, and Kim Poe", ["Jane Doe", "John Roe", "Kim Poe"]),
        ("Doe, Jane and Roe, John", ["Jane Doe", "John Roe"]),
        ("Jane Doe & John Roe", ["Jane Doe", "John Roe"]),
        ("Jane Doe (University of X), John Roe (University of Y)", ["Jane Doe", "John Roe"]),
        ("Jane Doe <jane@univ-x.fr>, John Roe <j@univ-x.fr>", ["Jane Doe", "John Roe"]),
        ("Doe, Jane (University of X)", ["Jane Doe"]),
        ("Doe, Jane <jane@univ-x.fr>", ["Jane Doe"]),
        ("Jane Doe, John Roe, University of X", ["Jane Doe", "John Roe"]),
        ("Jane Doe, John Roe, jd@x.org", ["Jane Doe", "John Roe"]),
        ("Jane Doe, University of X, John Roe, University of Y", ["Jane Doe", "John Roe"]),
        ("Jane Doe, Lael Schooler, John Roe", ["Jane Doe", "Lael Schooler", "John Roe"]),
        ("Wei (David) Zhang", ["Wei (David) Zhang"]),
        ("Jane Doe, Jr.", ["Jane Doe Jr."]),
        ("Jane Doe (University of X)", ["Jane Doe"]),
        ("Jane Doe (University of X, Dept. of Y)\nJohn Roe", ["Jane Doe", "John Roe"]),
        ("Jane Doe <jane@example.org>, John Roe <john@example.org>", ["Jane Doe", "John Roe"]),
        ("Jane Doe,University of X,jane@example.org", ["Jane Doe"]),
        ("Jane,Doe,jane@example.org", ["Jane Doe"]),
        ("Jane Doe\tUniversity of X\tjane@example.org", ["Jane Doe"]),
        ("1. Jane Doe\n2) John Roe\n- Kim Poe\n• Lee Moe", ["Jane Doe", "John Roe", "Kim Poe", "Lee Moe"]),
        ('name,affiliation\nJane Doe,X\n"Roe, John",Y', ["Jane Doe", "John Roe"]),
        ("email;last name;first name\nj@x;Doe;Jane", ["Jane Doe"]),
        ("Orla O'Nevin", ["Orla O'Nevin"]),
        ("王小明、李四；张三", ["王小明", "李四", "张三"]),
        ("Wei Wang 0001", ["Wei Wang 0001"]),
        ("Jane Doe\u00a0", ["Jane Doe"]),
        ("Jane", ["Jane"]),
        ("Ada Corporand\nAda Corporand, Jane Univerdi", ["Ada Corporand", "Jane Univerdi"]),
        ("Jane Doe, Acme Corp., John Roe", ["Jane Doe", "John Roe"]),
        ("Research Team of X", ["Research Team of X"]),
        (" , ; \n", []),
        ("", []),
    ],
)
def test_names_are_read_from_what_is_pasted(read, text, names):
    assert [shown for _, shown in read(text)] == names


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("Jane Doe 0002 (pid:12/3456-2)", [["pid:12/3456-2", "Jane Doe 0002"]]),
        ("pid:12/3456", [["pid:12/3456", "pid:12/3456"]]),
        ("https://dblp.org/pid/12/3456.html", [["https://dblp.org/pid/12/3456.html"] * 2]),
        ("0000-0001-2345-678X", [["0000-0001-2345-678X"] * 2]),
        ("Jane Doe (pid:1/2), John Roe", [["pid:1/2", "Jane Doe"], ["John Roe", "John Roe"]]),
        ("Jane Doe, Mei Lan (pid:1/1)", [["Jane Doe", "Jane Doe"], ["pid:1/1", "Mei Lan"]]),
        ("name:Jane Doe", [["name:Jane Doe", "Jane Doe"]]),
        ("- name:A and  B, University of X; C", [["name:A and B, University of X; C", "A and B, University of X; C"]]),
        ("Name: Jane Doe", [["Jane Doe", "Jane Doe"]]),
        ("2. Jane Doe (pid:1/2)", [["pid:1/2", "Jane Doe"]]),
        ("pid:01/1, pid:01/2", [["pid:01/1", "pid:01/1"], ["pid:01/2", "pid:01/2"]]),
    ],
)
def test_a_person_who_was_picked_is_asked_for_by_pid(read, text, entries):
    assert read(text) == entries


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("Jane Doe\nJohn Roe\nJane Doe", "PICK\nJohn Roe\nPICK"),
        ("John Roe; Jane Doe\n\nKim Poe", "John Roe\nPICK\n\nKim Poe"),
        ("id;name;mail\n3;Jane Doe;x@y.org\n4;John Roe;z@y.org", "PICK\nJohn Roe"),
        ("name,affiliation\nJane Doe,MIT", "PICK"),
        ("Doe, Jane (University of X)", "PICK"),
    ],
)
def test_a_pick_takes_the_place_of_the_name_wherever_it_stands(read, replaced, text, after):
    assert replaced(text, read(text)[[shown for _, shown in read(text)].index("Jane Doe")][0]) == after
