"""How the page of the build follows what goes on, in a real browser: lost connections, keys, the log, polling."""

import os
import re
import signal
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from tests import browser, test_page_build
from tests.browser import CHROMIUM, check_accessibility
from tests.console import TOKEN, until_state
from tests.test_page_build import SOON, headline, open_page, step

browser_page, provoked = browser.browser_page, browser.provoked
empty_service, service, gate = test_page_build.empty_service, test_page_build.service, test_page_build.gate
pytestmark = [
    pytest.mark.usefixtures("uncounted"),
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here"),
]


@contextmanager
def ended(service):
    """End the service for a while, as a crash does, on the same port."""
    service.end()
    yield
    service.environment["PUBMETA_BIND"] = f"127.0.0.1:{service.port}"
    service.begin()


@contextmanager
def hanging(service):
    """Let the service hang for a while: connections are made, but nothing is answered."""
    os.killpg(service.process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.killpg(service.process.pid, signal.SIGCONT)


@pytest.mark.parametrize("trouble", [ended, hanging])
def test_a_lost_connection_is_shown_and_recovers_by_itself(service, gate, browser_page, provoked, trouble):
    provoked.append(r"Failed to load resource: net::ERR_")
    page = open_page(browser_page, service)
    service.start()  # By somebody else.
    expect(headline(page)).to_have_text("Step 2 of 7: Download the dump", timeout=SOON)
    expect(page.get_by_role("log")).to_contain_text("download_xml_gz")
    lost = page.get_by_role("alert").filter(has_text="The connection is lost since")
    with trouble(service):
        expect(lost).to_be_visible(timeout=SOON)
        expect(page.get_by_role("button", name="Stop", exact=True)).to_be_disabled()
        expect(page.get_by_role("log")).to_contain_text("download_xml_gz")
        expect(headline(page)).to_have_text("Step 2 of 7: Download the dump")
        check_accessibility(page)
    expect(lost).to_be_hidden(timeout=SOON)
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_enabled()
    gate.set()
    expect(headline(page)).to_have_text("The last build is completed.", timeout=SOON)
    until_state(service, 5, "completed")


def test_a_build_by_keyboard_alone(service, gate, browser_page):
    page = open_page(browser_page, service, token=False)
    expect(headline(page)).to_have_text("No build is running.")
    page.keyboard.press("t")
    expect(page.get_by_label("Control token")).to_be_focused()
    page.keyboard.type(TOKEN)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="The build")).to_be_focused()
    expect(step(page, "download_xml_gz")).to_contain_text("now", timeout=SOON)
    page.keyboard.press("x")
    expect(page.get_by_role("dialog").get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(headline(page)).to_have_text("The last build was stopped.", timeout=SOON)
    page.keyboard.press("l")
    expect(page.get_by_role("log")).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("starts a build")
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_enabled()
    gate.set()
    expect(headline(page)).to_have_text("The last build is completed.", timeout=SOON)


def told(page, run, count, kept=500, step="build_db", **progress):
    """Let the page be told of a build with so many lines in its log, of which the service has kept the last ones."""

    def answer(route):
        after = int(re.search(r"logs_after=(\d+)", route.request.url)[1])
        after = after if after <= count else 0
        first = max(after, count - kept)
        state = {"run": run, "status": "running", "step": step, "message": "", "may_control": False, "options": {}}
        state |= {"started_at": "2026-01-01T00:00:00Z", "finished_at": None, "progress": progress}
        route.fulfill(json=state | {"logs": [f"line {n}" for n in range(first + 1, count + 1)], "logs_after": count})

    page.unroute_all()
    page.route("**/api/state*", answer)


@pytest.mark.parametrize(
    ("step", "progress", "shown"),
    [
        (
            "download_xml_gz",
            {"downloaded_bytes": 250_000_000, "total_bytes": 1_000_000_000, "percent": 25.0, "eta_seconds": 75},
            ["25.0%", "10 MB a second", "1 min 15 sec"],
        ),
        (
            "build_db",
            {"processed_records": 4_000_000, "records_per_sec": 61_234, "percent": 50.0, "eta_seconds": 3_720},
            ["50.0%", "61,234 records a second", "1 hr 2 min"],
        ),
        ("verify", {"processed_records": 8_000_000}, ["–", "–", "–"]),
    ],
)
def test_rate_and_time_left_are_shown_as_far_as_they_are_known(service, browser_page, step, progress, shown):
    page = browser_page
    told(page, 7, 3, step=step, **progress)
    open_page(page, service, token=False)
    for name, text in zip(("percent", "rate", "left"), shown, strict=True):
        expect(page.locator(f"#progress [data-text={name}]")).to_have_text(text)
    expect(page.locator("#progress [data-text=elapsed]")).to_contain_text("hr")
    expect(page.locator("#bar:indeterminate")).to_have_count(int(step == "verify"))


def test_the_log_follows_its_end_unless_the_reader_scrolls_up(service, browser_page):
    page = browser_page
    told(page, 7, 700)
    open_page(page, service, token=False)
    log, end = page.get_by_role("log"), page.get_by_role("button", name="Back to the end")
    at_end = "log => log.scrollHeight - log.scrollTop - log.clientHeight < 8"
    expect(log.locator("div")).to_have_count(501)
    expect(log.locator("div").first).to_have_text("(200 lines are not kept)")
    assert log.evaluate(at_end)
    told(page, 7, 710)
    expect(log.locator("div").last).to_have_text("line 710")
    expect(log.locator("div")).to_have_count(511)
    assert log.evaluate(at_end)
    log.evaluate("log => log.scrollTop = 100")
    expect(end).to_be_visible()
    told(page, 7, 720)
    expect(log.locator("div").last).to_have_text("line 720")
    assert log.evaluate("log => log.scrollTop") == 100
    end.click()
    expect(end).to_be_hidden()
    expect(log).to_be_focused()
    assert log.evaluate(at_end)
    told(page, 8, 730, kept=729)  # Another build, which has logged more by now than the one before.
    expect(log.locator("div").last).to_have_text("line 730")
    expect(log.locator("div")).to_have_count(730)
    assert log.evaluate(at_end)


HIDE = """() => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
SHOW = """() => {
  delete document.hidden;
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_it_asks_less_often_when_idle_and_not_at_all_when_hidden(service, browser_page):
    page, asked = browser_page, []
    page.clock.install()
    page.on("requestfinished", lambda request: "/api/state" in request.url and asked.append(request.url))
    open_page(page, service, token=False)
    expect(headline(page)).to_have_text("No build is running.")

    def asks(milliseconds):
        asked.clear()
        with page.expect_response("**/api/state*"):
            page.clock.run_for(milliseconds)
        return page

    asks(5_000)
    told(page, 7, 3)
    asks(5_000)
    expect(headline(page)).to_have_text("Step 4 of 7: Read the records")
    asks(1_000)
    expect(page.get_by_role("log")).to_contain_text("line 3")
    page.evaluate(HIDE)
    asked.clear()
    page.clock.run_for(60_000)
    assert asked == []
    with page.expect_response("**/api/state*"):
        page.evaluate(SHOW)
