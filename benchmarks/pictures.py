"""Take the pictures of the README: the real pages, in a real browser, with a store of the bundled sample.

make pictures
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from playwright.sync_api import Page, ViewportSize, sync_playwright

from benchmarks.build import ROOT
from benchmarks.queries import server

SIZE: ViewportSize = {"width": 1280, "height": 800}
_PICTURES = ROOT / "docs"
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


def build_sample(data: Path) -> None:
    """Build the store of the sample."""
    environment = {**os.environ, "PUBMETA_DATA_DIR": str(data)}
    for command in (["migrate", "--verbosity", "0"], ["ensure_store", "sample/dblp-sample.xml.gz"]):
        subprocess.run([sys.executable, str(ROOT / "manage.py"), *command], cwd=ROOT, env=environment, check=True)


def _groups(store: Path) -> tuple[list[str], list[str]]:
    """Choose two groups of people who have written little, so that there are zeros, and two who cannot be told."""
    with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM authors WHERE id % 7 = 3 ORDER BY id")]
        (mixed,) = connection.execute("SELECT name FROM authors WHERE kind = 'disambiguation' LIMIT 1").fetchone()
    return [mixed, "Nobody Atall", *names[:14]], names[10:34]


def _ask(page: Page, address: str, groups: tuple[list[str], list[str]]) -> None:
    page.goto(address)
    for box, names in zip(("#left", "#right"), groups, strict=True):
        page.fill(box, "\n".join(names))
    page.click("#compare")
    page.wait_for_selector("#matrix td.coauthors")
    page.wait_for_load_state("networkidle")


def main() -> None:
    """Serve the sample, ask, and take both pictures."""
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        data = Path(directory)
        build_sample(data)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        with server(data) as (api, _):
            page = browser.new_page(viewport=SIZE, locale="en-GB", reduced_motion="reduce")
            _ask(page, api.removesuffix("api"), _groups(data / "dblp.sqlite"))
            page.screenshot(path=_PICTURES / "matrix.png")
            page.click("#matrix td.heat-2")
            page.wait_for_selector("#pair-papers > li")
            page.wait_for_load_state("networkidle")
            page.screenshot(path=_PICTURES / "pair.png")
        browser.close()


if __name__ == "__main__":
    main()
