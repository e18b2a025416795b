"""The page of a person in a real browser."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests import journeys
from tests.browser import CHROMIUM
from tests.journeys import field, people, tally

# The fixtures that the tests take by their names.
browser, open_page, page, port = journeys.browser, journeys.open_page, journeys.page, journeys.port
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")


def test_who_a_person_is(page):
    page.goto("/person#pid:01/1")
    expect(page.get_by_role("heading", level=1)).to_have_text("Orla O'Nevin")
    expect(page).to_have_title("Orla O'Nevin – pubmeta")
    facts = page.locator("#facts")
    expect(facts).to_contain_text("O. O'Nevin")
    expect(facts).to_contain_text("Orla Nevin-Stroud")
    expect(facts.get_by_role("link", name="01/1", exact=True)).to_have_attribute("href", "https://dblp.org/pid/01/1")
    orcid = facts.get_by_role("link", name="0000-0001-2345-678X")
    expect(orcid).to_have_attribute("href", "https://orcid.org/0000-0001-2345-678X")
    expect(page.get_by_role("img", name="Publications a year, 2000 to 2022")).to_be_visible()
    expect(page.locator("#years rect")).not_to_have_count(0)
    coauthors = page.get_by_role("region", name="Most frequent coauthors").get_by_role("listitem")
    expect(coauthors.first).to_contain_text("Ida Manywrite 23 together")
    edited = page.get_by_role("region", name="Publications").get_by_role("listitem").filter(has_text="Edited by Two.")
    expect(edited).to_contain_text("as editor")
    coauthors.filter(has_text="Jürgen").get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Jürgen Weiß-Möller")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Orla O'Nevin")
    page.go_forward()
    expect(page.get_by_role("heading", level=1)).to_have_text("Jürgen Weiß-Möller")


def test_publications_in_portions_and_by_words(page):
    page.goto("/person#pid:40/1")
    works = page.get_by_role("region", name="Publications")
    listed, status = works.get_by_role("listitem"), works.get_by_role("status")
    expect(listed).to_have_count(100)
    expect(listed.first).to_contain_text("2022")
    expect(status).to_have_text("100 of 230 shown, newest first")
    expect(page.locator("#facts")).to_contain_text("University of Much")
    more = works.get_by_role("button", name="Show more")
    more.press("Enter")
    expect(listed).to_have_count(200)
    expect(listed.nth(100).get_by_role("link").first).to_be_focused()
    more.click()
    expect(listed).to_have_count(230)
    expect(more).to_be_hidden()
    page.keyboard.press("/")
    expect(page.get_by_label("Only those with")).to_be_focused()
    page.keyboard.type("groSSen 2011")  # Blind to case and accents, but ß is ß: it has no other form without them.
    expect(status).to_have_text("None has these words.")
    page.get_by_label("Only those with").fill("größ 2011")
    expect(status).to_have_text("None has these words.")  # Only the last word may be unfinished.
    page.get_by_label("Only those with").fill("2011 GRO")
    expect(status).to_have_text("2 of 230 have these words; 2 shown")
    expect(listed).to_have_count(2)
    page.get_by_label("Only those with").fill("1 much")
    expect(status).to_contain_text("115 of 230")
    listed.first.get_by_role("link", name="record").click()
    expect(page).to_have_url(re.compile("/publication#m%2F"))


def test_people_not_told_apart_and_those_of_a_name(page):
    page.goto("/person#" + quote("Mei Lan"))
    expect(tally(page)).to_contain_text("“Mei Lan” may be any of 3 in dblp, one of them a page of")
    choices = page.get_by_role("region", name="People to choose from").get_by_role("listitem")
    expect(choices).to_have_count(3)
    expect(choices.filter(has_text="Mei Lan 0001")).to_contain_text("2011–2012")
    choices.filter(has_text="people not yet told apart").get_by_role("link").click()
    expect(page).to_have_url(re.compile(f"#{quote('pid:20/1', safe='')}$"))
    expect(page.locator("#apart")).to_be_visible()
    others = page.get_by_role("region", name="Others of this name").get_by_role("listitem")
    expect(others).to_have_count(2)
    others.filter(has_text="0003").get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Mei Lan 0003")
    expect(page.locator("#apart")).to_be_hidden()
    page.goto("/person#pid:30/1")
    expect(page.get_by_text("This is a group")).to_be_visible()


def test_somebody_without_a_pid_among_others_of_the_name(page):
    page.goto("/search#people=jo%20bare")
    people(page).get_by_role("link", name="Jo Bare", exact=True).click()
    expect(page.get_by_role("region", name="Publications").get_by_role("listitem")).to_contain_text("without a Page")
    expect(page.get_by_role("region", name="Others of this name")).to_contain_text("Jo Bare 0001")
    page.get_by_role("link", name="Compare with …").click()
    expect(page.locator("#left")).to_have_value("name:Jo Bare")


def test_compare_a_person(page):
    page.goto("/person#pid:01/1")
    expect(page.get_by_role("link", name="Compare with …")).to_have_attribute("href", re.compile("#q="))
    page.keyboard.press("c")
    expect(page.locator("#left")).to_have_value("Orla O'Nevin (pid:01/1)")
    expect(page.locator("#right")).to_have_value("")


def test_nobody_and_no_address(page):
    page.goto("/person#" + quote("Nobody Atall"))
    expect(tally(page)).to_have_text("Nobody in dblp is “Nobody Atall”.")
    expect(page).to_have_title("Nobody Atall – pubmeta")
    page.get_by_role("link", name="Search for people").click()
    expect(field(page)).to_have_value("Nobody Atall")
    page.goto("/person#pid:99/99")
    expect(tally(page)).to_have_text("Nobody in dblp is “pid:99/99”.")
    page.goto("/person")
    expect(tally(page)).to_have_text("This address names nobody.")
    page.goto("/publication")
    expect(tally(page)).to_have_text("This address names no publication.")
    page.goto("/person#%E0%A4")
    expect(page.locator("#trouble")).to_contain_text("This address is damaged")
