"""Searching people and titles in a real browser."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests import journeys
from tests.browser import CHROMIUM
from tests.journeys import field, fragment, people, search, suggestions, tally, titles

# The fixtures that the tests take by their names.
browser, open_page, page, port = journeys.browser, journeys.open_page, journeys.page, journeys.port
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")


def test_people_are_suggested_and_found_by_typing(page):
    page.goto("/search")
    expect(field(page)).to_be_focused()
    field(page).press_sequentially("mei la")
    options = suggestions(page)
    expect(options).to_have_count(3)
    expect(field(page)).to_have_attribute("aria-expanded", "true")
    expect(options.first).to_contain_text("pid 20/1-1")
    expect(options.filter(has_text="people not yet told apart")).to_have_count(1)
    field(page).press("Enter")
    expect(tally(page)).to_have_text("Found: 3 people.")
    expect(options).to_have_count(0)
    expect(field(page)).to_have_attribute("aria-expanded", "false")
    assert fragment(page) == "all=mei%20la"
    assert "?" not in page.url
    expect(page).to_have_title("“mei la” – search – pubmeta")
    expect(people(page)).to_have_count(3)
    expect(people(page).first).to_contain_text("2 publications · 2011–2012 · pid 20/1-1")
    expect(people(page).first.locator("mark")).to_have_text(["Mei", "Lan"])
    expect(titles(page)).to_have_count(0)
    people(page).first.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Mei Lan 0001")
    page.go_back()
    expect(field(page)).to_have_value("mei la")
    expect(people(page)).to_have_count(3)


def test_a_person_found_by_another_name_is_shown_with_it(page):
    page.goto("/search#people=" + quote("nevin-str"))
    expect(people(page)).to_contain_text("found by another name: Orla Nevin-Stroud")
    expect(people(page).locator("mark")).to_have_text(["Nevin", "Stroud"])
    expect(people(page).get_by_role("link")).to_have_text("Orla O'Nevin")


def test_by_keyboard_alone(page):
    page.goto("/search#titles=deep")
    expect(titles(page)).to_have_count(2)
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard")
    expect(dialog).to_contain_text("to the search field")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.keyboard.press("/")
    expect(field(page)).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type("shal")
    option = suggestions(page)
    expect(option).to_have_count(1)  # The last word may go on while it is typed.
    expect(option.locator("mark")).to_have_text("shallow")
    page.keyboard.press("Escape")
    expect(option).to_have_count(0)
    page.keyboard.press("Control+A")
    page.keyboard.type("shallow minds")
    page.keyboard.press("Enter")
    expect(tally(page)).to_have_text("Found: 1 title.")
    page.keyboard.press("Tab")
    expect(titles(page).get_by_role("link").first).to_be_focused()
    page.keyboard.press("/")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowUp")  # From titles to people, who are searched for at once.
    expect(tally(page)).to_contain_text("Nobody was found for “shallow minds”.")
    page.keyboard.press("/")
    page.keyboard.press("Control+A")
    page.keyboard.type("sarv")
    expect(option).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(field(page)).to_have_attribute("aria-activedescendant", "suggestions-0")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sarvindo")


def test_titles_by_words_phrases_and_beginnings(page):
    page.goto("/search")
    search(page, '"deep learning"', "Titles")
    expect(titles(page)).to_have_count(1)
    expect(titles(page).locator("mark")).to_have_text(["Deep learning"])
    search(page, "learn* deep", "Titles")
    expect(titles(page)).to_have_count(2)
    expect(titles(page).first).to_contain_text("2005")  # The newest first.
    search(page, "measured", "Titles")
    expect(titles(page)).to_have_count(1)
    expect(titles(page)).to_contain_text("and 430 more")
    search(page, "h2o", "Titles")
    expect(titles(page)).to_contain_text("means")
    expect(titles(page).get_by_role("link", name="document")).to_have_attribute("href", "https://a.example/1")
    search(page, "waves", "Titles")
    expect(titles(page)).to_contain_text("waves")
    expect(titles(page).locator("mark")).to_have_text(["waves"])  # Behind letters of two code units each.
    titles(page).get_by_role("link").first.click()
    expect(page).to_have_url(re.compile("/publication#t%2Fwide$"))


def test_show_more_goes_on_to_the_end(page):
    page.goto("/search")
    search(page, "counting number")
    expect(tally(page)).to_have_text("Found: the first 20 titles.")
    more = page.get_by_role("region", name="Titles").get_by_role("button", name="Show more")
    more.press("Enter")
    expect(titles(page)).to_have_count(25)
    expect(tally(page)).to_have_text("Found: 25 titles.")
    expect(titles(page).nth(20).get_by_role("link").first).to_be_focused()
    expect(more).to_be_hidden()
    search(page, "ofteam")
    expect(tally(page)).to_have_text("Found: the first 5 people.")
    page.get_by_role("region", name="People").get_by_role("button", name="Show more").click()
    expect(people(page)).to_have_count(25)
    expect(tally(page)).to_have_text("Found: the first 25 people.")


def test_back_and_forward_through_searches(page):
    page.goto("/search")
    search(page, "sarvindo")
    expect(people(page)).to_have_count(1)
    search(page, "minds", "Titles")
    expect(titles(page)).to_have_count(1)
    page.go_back()
    expect(people(page).get_by_role("link")).to_have_text("Sarvindo")
    expect(page.get_by_role("radio", name="People and titles")).to_be_checked()
    expect(field(page)).to_have_value("sarvindo")
    page.go_back()
    expect(tally(page)).to_be_empty()
    expect(field(page)).to_have_value("")
    page.go_forward()
    page.go_forward()
    expect(titles(page)).to_have_count(1)
    expect(page.get_by_role("radio", name="Titles", exact=True)).to_be_checked()
    page.reload()
    expect(titles(page)).to_have_count(1)


def test_what_cannot_be_found_is_said(page):
    page.goto("/search")
    search(page, " … ")
    expect(tally(page)).to_contain_text("there is nothing in the field to search for")
    search(page, "zzzz")
    expect(tally(page)).to_contain_text("Neither people nor titles were found for “zzzz”.")
    search(page, "zzzz", "Titles")
    expect(tally(page)).to_contain_text("No title was found")
    page.goto("/search#people=%E0%A4")
    expect(page.get_by_role("alert").filter(has_text="This address is damaged")).to_be_visible()


def test_a_search_that_is_refused_or_lost_says_so(page):
    page.complaints.provoked = ["status of 422", "ERR_FAILED"]
    page.goto("/search#people=" + "x" * 501)
    expect(page.locator("#trouble")).to_contain_text("500 characters")
    page.route("**/api/authors**", lambda route: route.abort())
    search(page, "sarvindo")
    expect(page.locator("#trouble")).to_contain_text("The service does not answer.")
    expect(people(page)).to_have_count(0)
    page.unroute("**/api/authors**")
    field(page).press("Enter")
    expect(people(page)).to_have_count(1)
    expect(page.locator("#trouble")).to_be_hidden()
