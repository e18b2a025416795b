"""Measure the page that asks, in a real browser: first paint, bytes, drawing and scrolling the matrix.

    python -m benchmarks.pages

The store is that of the sample, the server and the browser share this machine.
"""

from __future__ import annotations

import tempfile
from contextlib import closing
from pathlib import Path

from playwright.sync_api import Page, Request, sync_playwright

from benchmarks.pictures import CHROMIUM, SIZE, build_sample
from benchmarks.queries import Names, server

_DRAW = """async ([left, right]) => {
    const put = (id, names) => {
        const box = document.getElementById(id);
        box.value = names.join("\\n");
        box.dispatchEvent(new InputEvent("input", { bubbles: true }));
    };
    put("left", left);
    put("right", right);
    performance.clearMarks("answered");
    document.getElementById("compare").click();
    while (!performance.getEntriesByName("answered").length) await new Promise(requestAnimationFrame);
    // The frame after the next one shows what was drawn.
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    return performance.now() - performance.getEntriesByName("answered").at(-1).startTime;
}"""
_SCROLL = """async () => {
    const frame = document.getElementById("frame");
    const times = [];
    const ends = performance.now() + 3000;
    let before = performance.now();
    while (before < ends) {
        frame.scrollBy({ top: 40, left: 25, behavior: "instant" });
        const now = await new Promise(requestAnimationFrame);
        times.push(now - before);
        before = now;
    }
    times.sort((one, other) => one - other);
    return [times.length / 3, times[Math.floor(times.length * 0.99)]];
}"""


def first_view(page: Page, address: str) -> None:
    """Print when something is seen first, and how many bytes came over the wire for it."""
    sizes: list[int] = []

    def count(request: Request) -> None:
        size = request.sizes()
        sizes.append(size["responseBodySize"] + size["responseHeadersSize"])

    page.on("requestfinished", count)
    page.goto(address)
    page.wait_for_load_state("networkidle")
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    page.remove_listener("requestfinished", count)
    print(f"first contentful paint {paint:.0f} ms, {sum(sizes) / 1000:.0f} KB in {len(sizes)} answers", flush=True)


def matrix(page: Page, names: Names, size: int) -> None:
    """Print how long a matrix takes from the answer to the frame that shows it, and how smoothly it scrolls."""
    number = min(size, names.people)
    known, unknown = names.draw(number), [f"Nobody {n}" for n in range(size - number)]
    drawn = page.evaluate(_DRAW, [known + unknown, unknown + known])
    frames, slowest = page.evaluate(_SCROLL)
    print(f"{size} x {size}: drawn {drawn:.0f} ms after the answer,", end=" ")
    print(f"scrolled with {frames:.0f} frames a second, 99 % within {slowest:.0f} ms", flush=True)


def main() -> None:
    """Serve the sample, and measure."""
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        data = Path(directory)
        build_sample(data)
        with server(data) as (api, _):
            for state in ("has just started", "is warm"):
                with closing(playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])) as browser:
                    print(f"new browser {browser.version}, the server {state}; the second view is from its cache")
                    page = browser.new_page(viewport=SIZE)
                    for _ in range(2):
                        first_view(page, api.removesuffix("api"))
                    if state == "is warm":
                        for size in (50, 1000):
                            matrix(page, Names(data / "dblp.sqlite"), size)


if __name__ == "__main__":
    main()
