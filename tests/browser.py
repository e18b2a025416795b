"""A real Chromium, headless: every journey in it ends without a complaint of the browser and asks no other host.

Test files take the fixtures by their names: ``browser_page, provoked = browser.browser_page, browser.provoked``.
"""

import re
import shutil
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.conftest import ROOT

expect.set_options(timeout=30_000)  # Milliseconds: for a machine that has much else to do.
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
AXE = next((ROOT / "tests" / "vendor").glob("axe-core-*/axe.min.js"), None)


@pytest.fixture
def provoked():
    """What a journey provokes on purpose: patterns of complaints that are none; tests add to them."""
    return []


@pytest.fixture
def browser_page(provoked, monkeypatch):
    """Open an empty page, watched."""
    # Playwright runs a loop in this thread, in which Django would refuse to ask the database; nobody else does so now.
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
    with browsing(provoked) as page:
        yield page


@contextmanager
def browsing(provoked=(), **context):
    """Open a page in a browser of its own; at the end there was nothing to complain of but what was provoked."""
    complaints, hosts = [], set()

    def said(message):
        if message.type in ("error", "warning"):
            complaints.append(f"{message.type}: {message.text} ({message.location.get('url')})")

    def asked(request):
        if (address := urlsplit(request.url)).scheme not in ("data", "blob"):
            hosts.add(address.netloc)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            page = browser.new_context(**{"locale": "en-GB"} | context).new_page()
            page.on("console", said)
            page.on("pageerror", lambda error: complaints.append(f"error of a script: {error}"))
            page.on("request", asked)
            yield page
        finally:
            browser.close()
    assert [one for one in complaints if not any(re.search(pattern, one) for pattern in provoked)] == []
    assert len(hosts) <= 1, hosts


def check_accessibility(page):
    """See that axe-core finds nothing on the page as it is, in light and dark."""
    page.evaluate(AXE.read_text(encoding="utf-8"))  # Put in by the debugger: the policy lets no script in.
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found = page.evaluate("axe.run()")["violations"]
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == [], scheme
    page.emulate_media(color_scheme=None, reduced_motion=None)
