"""The page of the build in a real browser, from signing in to the store that is served."""

import re
import threading

import pytest
from playwright.sync_api import expect

from tests import browser
from tests.browser import CHROMIUM, check_accessibility
from tests.conftest import copy_store
from tests.console import TOKEN, services
from tests.environment import DATA_DIR
from tests.server import Answer
from tests.test_sources import DUMP, RELEASE, put_release

browser_page, provoked = browser.browser_page, browser.provoked
pytestmark = [
    pytest.mark.usefixtures("uncounted"),
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here"),
]
PASSWORD = "only-for-this-test"
SOON = 60_000  # Milliseconds: for a build on a machine that has much else to do.


@pytest.fixture
def empty_service(data, server):
    """A service without a store, whose builds download the sample from here."""
    put_release(server)
    (data.root / "static").symlink_to(DATA_DIR / "static")  # Collected once for all tests.
    with services(data, server.origin, 1) as (started,):
        yield started


@pytest.fixture
def service(data, sample_stores, empty_service):
    copy_store(sample_stores, data)
    return empty_service


@pytest.fixture
def gate(server):
    """Hold the dump back until it is set."""
    event = threading.Event()
    server.put(RELEASE, Answer(DUMP, headers={"ETag": '"r"'}, gate=event))
    return event


def open_page(page, service, token=True):
    """Open the page of the build, and give it the token."""
    page.goto(f"http://127.0.0.1:{service.port}/bootstrap")
    if token:
        page.get_by_label("Control token").fill(TOKEN)
        page.get_by_role("button", name="Use it").click()
        expect(page.get_by_text("The control token is right")).to_be_visible()
    return page


def headline(page):
    return page.locator("#headline")


def step(page, phase):
    return page.locator(f"[data-phase={phase}]")


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def confirm(page, name):
    page.get_by_role("dialog").get_by_role("button", name=name).click()


def hold_back(server, *shares):
    """Let the dump arrive up to those shares of it; gives the events that let it go on."""
    gates = [(share * len(DUMP), threading.Event()) for share in shares]

    def sent(count):
        for limit, event in gates:
            while count >= limit and not event.wait(0.02) and not server.closing.is_set():
                pass

    server.on_sent = sent
    return [event for _, event in gates]


def test_a_build_from_sign_in_to_completed(service, server, manage, browser_page):
    made = manage("createsuperuser", "--noinput", "--username=staff", "--email=", DJANGO_SUPERUSER_PASSWORD=PASSWORD)
    assert made.wait(timeout=60) == 0
    first, second = hold_back(server, 0.3, 0.7)
    page = open_page(browser_page, service, token=False)
    expect(headline(page)).to_have_text("No build is running.")
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_disabled()
    page.locator("#control").get_by_role("link", name="Sign in").click()
    check_accessibility(page)
    page.get_by_label("Username").fill("staff")
    page.get_by_label("Password").fill(PASSWORD)
    press(page, "Sign in")
    expect(page.get_by_text("Signed in as staff")).to_be_visible()
    before = page.locator("#built-at").get_attribute("datetime")
    press(page, "Start")
    expect(headline(page)).to_have_text("Step 2 of 7: Download the dump", timeout=SOON)
    bar = page.get_by_role("progressbar")
    expect(page.locator("#progress [data-text=percent]")).to_have_text(re.compile(r"^(2\d|3\d)\.\d\s?%$"), timeout=SOON)
    low = bar.evaluate("bar => bar.value")
    check_accessibility(page)
    first.set()
    expect(page.locator("#progress [data-text=percent]")).to_have_text(re.compile(r"^(6\d|7\d)\.\d\s?%$"), timeout=SOON)
    assert 20 <= low < 50 <= bar.evaluate("bar => bar.value") < 80
    expect(step(page, "download_dtd")).to_contain_text("done")
    expect(step(page, "download_xml_gz")).to_have_attribute("aria-current", "step")
    expect(step(page, "publish")).to_contain_text("to come")
    second.set()
    expect(headline(page)).to_have_text("The last build is completed.", timeout=SOON)
    for one in page.locator("[data-phase]").all():
        expect(one).to_contain_text("done")
    expect(page.locator("#end")).to_contain_text("1,996 publications")
    expect(page.get_by_role("log")).to_contain_text("index_db")
    expect(page.locator("#runs tr")).to_have_count(1)
    expect(page.locator("#runs")).to_contain_text("✓ completed")
    expect(page.locator("[data-file=xml_gz]")).to_contain_text("dblp-2026-10-03.xml.gz")
    # What is said of the store has become right without a reload.
    expect(page.locator("#built-at")).not_to_have_attribute("datetime", before)
    expect(page.locator("#store")).to_contain_text("October 3, 2026")
    check_accessibility(page)
    press(page, "Sign out")
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_disabled()


def test_a_stop_and_a_reset_are_done_once_confirmed(service, gate, browser_page):
    page = open_page(browser_page, service)
    press(page, "Start")
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_enabled()
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_disabled()
    expect(step(page, "download_xml_gz")).to_contain_text("now", timeout=SOON)
    press(page, "Stop")
    expect(page.get_by_role("dialog")).to_contain_text("The store that is served now stays as it is")
    check_accessibility(page)
    confirm(page, "Cancel")
    assert service.state()["status"] == "running"
    press(page, "Stop")
    confirm(page, "Stop it")
    expect(headline(page)).to_have_text("The last build was stopped.", timeout=SOON)
    expect(step(page, "download_xml_gz")).to_contain_text("stopped here")
    expect(page.locator("#end")).to_contain_text("the store is as it was")
    expect(page.locator("#runs")).to_contain_text("■ stopped")
    expect(page.locator("#store")).to_contain_text("1,996")
    check_accessibility(page)
    press(page, "Reset")
    confirm(page, "Reset it")
    expect(headline(page)).to_have_text("No build is running.")
    expect(page.get_by_role("log")).to_be_empty()
    expect(page.locator("#end")).to_be_hidden()
    expect(page.get_by_role("button", name="Reset", exact=True)).to_be_disabled()
    expect(page.locator("#runs")).to_contain_text("■ stopped")


def test_a_failure_is_shown_with_what_to_do_next(service, server, browser_page):
    url = server.put("/m/dblp.xml.gz", Answer(b"<html>A robot?</html>", headers={"Content-Type": "text/html"}))
    page = open_page(browser_page, service)
    page.get_by_label("Address of the dump").fill(url)
    press(page, "Start")
    expect(headline(page)).to_have_text("The last build has failed.", timeout=SOON)
    expect(page.locator("#end")).to_contain_text("a web page came instead of the file")
    expect(page.locator("#end")).to_contain_text("Open the address in a browser.")
    expect(page.locator("[data-how=failed]")).to_have_count(1)
    expect(step(page, "publish")).to_contain_text("not reached")
    expect(page.locator("#runs")).to_contain_text("✕ failed")
    check_accessibility(page)
    press(page, "Back to the defaults")
    press(page, "Start")
    expect(headline(page)).to_have_text("The last build is completed.", timeout=SOON)
    expect(page.locator("#runs tr")).to_have_count(2)


def test_bad_values_are_shown_at_their_fields(service, browser_page, provoked):
    provoked += [r"status of 422.*/api/start", r"status of 400.*/api/start"]
    page = open_page(browser_page, service)
    size, every = page.get_by_label("Rows written at once"), page.get_by_label("Records between two reports")
    expect(size).to_have_value("1000")
    size.fill("5")
    every.fill("")
    press(page, "Start")
    trouble = page.locator("#trouble")
    expect(trouble).to_be_focused()
    expect(trouble.get_by_role("listitem")).to_have_count(2)
    for field in (size, every):
        expect(field).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#batch_size-bad")).to_contain_text("100")
    check_accessibility(page)
    trouble.get_by_role("link", name="Rows written at once").click()
    expect(size).to_be_focused()
    size.fill("100")
    expect(size).not_to_have_attribute("aria-invalid", "true")
    every.fill("1000")
    page.get_by_label("Address of the dump").fill("https://evil.example/x.xml.gz")
    press(page, "Start")
    expect(page.locator("#xml_gz_url-bad")).to_contain_text("not trusted")
    assert service.state()["status"] == "idle"


def test_the_token_goes_with_every_request_and_is_kept_nowhere(service, browser_page):
    sent = []
    page = open_page(browser_page, service, token=False)
    field = page.get_by_label("Control token")
    for wrong in ("not the token", "wrong-but-no-longer", "ключ"):
        field.fill(wrong)
        press(page, "Use it")
        expect(page.locator("#token-trouble")).to_contain_text("This is not the control token")
        expect(page.get_by_role("button", name="Start", exact=True)).to_be_disabled()
    expect(page.locator("[data-file=db]")).to_contain_text("stores/")
    expect(page.locator("#data-dir")).to_be_hidden()
    page.on("request", lambda request: sent.append(request.headers.get("authorization")))
    field.fill(TOKEN)
    press(page, "Use it")
    expect(page.locator("#data-dir")).to_contain_text(str(service.data.root))
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_focused()
    with page.expect_request("**/api/state*"):
        pass
    assert set(sent) == {f"Bearer {TOKEN}"}
    expect(field).to_have_value("")
    kept = "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, location.href])"
    assert TOKEN not in page.evaluate(kept)
    press(page, "Forget the token")
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_disabled()
    expect(page.locator("#data-dir")).to_be_hidden()
    page.reload()
    expect(headline(page)).to_have_text("No build is running.")
    expect(field).to_have_value("")


def test_without_a_store_the_page_leads_to_a_build_and_tells_of_its_store(empty_service, browser_page):
    page = open_page(browser_page, empty_service, token=False)
    expect(page.get_by_text("There is no store yet")).to_be_visible()
    expect(page.locator("#store").get_by_role("link", name="Sign in")).to_be_visible()
    check_accessibility(page)
    open_page(page, empty_service)
    page.get_by_label("Remove the old store first").check()  # There is none, so there is nothing to confirm.
    press(page, "Start")
    expect(headline(page)).to_have_text("The last build is completed.", timeout=SOON)
    expect(page.get_by_text("There is no store yet")).to_be_hidden()
    expect(page.locator("#store [data-text=publications]")).to_have_text("1,996")
    expect(page.locator("#by-type")).to_contain_text("inproceedings")


def test_removing_the_store_first_is_confirmed_and_told(service, server, browser_page):
    page = open_page(browser_page, service)
    page.get_by_label("Remove the old store first").check()
    press(page, "Start")
    expect(page.get_by_role("dialog")).to_contain_text("nothing can be asked until the build has succeeded")
    page.keyboard.press("Escape")
    assert service.state()["status"] == "idle"
    server.put(f"{RELEASE}.md5", b"0" * 32)
    press(page, "Start")
    confirm(page, "Remove it and start")
    expect(headline(page)).to_have_text("The last build has failed.", timeout=SOON)
    expect(page.locator("#store-some")).to_be_visible()  # It failed before it came to that.

    def without_store(route):
        answer = route.fetch().json()
        answer["files"]["db"] |= {"exists": False, "size": None}
        route.fulfill(json=answer)

    page.route("**/api/files", without_store)
    press(page, "Reset")
    confirm(page, "Reset it")
    expect(page.get_by_text("The store has been removed")).to_be_visible()
    expect(page.locator("#store-some")).to_be_hidden()
