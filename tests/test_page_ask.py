"""The page that asks, in a real browser: from two pasted lists to what can be taken along."""

import csv
import io
import json
import random
import re

import pytest
from playwright.sync_api import expect

from tests import browser
from tests.browser import CHROMIUM, check_accessibility
from tests.conftest import copy_store
from tests.console import until
from tests.environment import DATA_DIR
from tests.service import serving

browser_page, provoked = browser.browser_page, browser.provoked
pytestmark = [
    pytest.mark.usefixtures("uncounted"),
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here"),
]
LEFT = "O'Nevin, Orla\nMei Lan (Some University); Nobody Atall\n"
RIGHT = "name,affiliation\nJürgen Weiß-Möller,A Lab\nSarvindo,B Lab\nMei Lan 0003,C Lab\nOrla Nevin-Stroud,D Lab\n"


@pytest.fixture(scope="module")
def address(made_up_dump, stores_of, tmp_path_factory):
    """Serve the made-up people and titles to all tests here, none of which changes anything."""
    from pipeline.layout import DataDir

    data = DataDir(tmp_path_factory.mktemp("asked"))
    copy_store(stores_of(made_up_dump), data)
    (data.root / "static").symlink_to(DATA_DIR / "static")
    (data.root / "pc-members.csv").write_text("reviewer,affiliation\nSarvindo,B Lab\nKim Roe,C Lab\n")
    with serving(data) as port:
        yield f"http://127.0.0.1:{port}/"


@pytest.fixture
def page(browser_page, address):
    browser_page.goto(address)
    return browser_page


def paste(page, group, text):
    """Put text into a box at once, as pasting does; Playwright's own way types it line by line, for half a minute."""
    put = "(box, text) => { box.value = text; box.dispatchEvent(new InputEvent('input', { bubbles: true })); }"
    page.get_by_label(group, exact=True).evaluate(put, text)


def compare(page, left=LEFT, right=RIGHT):
    """Ask, and wait for the answer."""
    paste(page, "One group", left)
    paste(page, "The other group", right)
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("#summary")).to_have_text(re.compile("."))
    return page


def cell(page, row, column):
    """Find the cell of a pair by its names."""
    names = page.locator("#matrix tbody th").all_inner_texts()
    heads = page.locator("#matrix thead th").all_inner_texts()
    return cell_at(page, names.index(row), heads.index(column))


def cell_at(page, row, column):
    """Find the cell of a place."""
    return page.locator(f"#matrix tr[aria-rowindex='{row + 2}'] td[aria-colindex='{column + 2}']")


def test_two_pasted_lists_become_a_matrix_a_pair_and_files(page):
    compare(page)
    expect(page.locator("#summary")).to_have_text(
        "1 of 12 pairs has written together; 3 more may have; 1 is one and the same person; 2 names could not be told."
    )
    for row, column, sign in (
        ("Orla O'Nevin", "Jürgen Weiß-Möller", "4"),
        ("Orla O'Nevin", "Sarvindo", "0"),
        ("Orla O'Nevin", "Orla Nevin-Stroud", "="),
        ("Mei Lan", "Sarvindo", "1?"),
        ("Nobody Atall", "Sarvindo", "?"),
    ):
        expect(cell(page, row, column)).to_have_text(sign)
    expect(page.locator("#doubts")).to_contain_text("2 names are in doubt")
    check_accessibility(page)
    cell(page, "Orla O'Nevin", "Jürgen Weiß-Möller").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("#pair-papers > li")).to_have_count(4)
    expect(dialog.locator("#pair-papers > li").first).to_contain_text("A Before.")
    expect(dialog.locator("#pair-years")).to_have_attribute("aria-label", re.compile("2018 to 2020, at most 2"))
    check_accessibility(page)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    with page.expect_download() as saved:
        page.get_by_role("button", name="CSV").click()
    rows = list(csv.DictReader(io.StringIO(saved.value.path().read_text("utf-8-sig"))))
    assert len({(row["left"], row["right"]) for row in rows}) == 12
    assert next(row["title"] for row in rows if row["count"] == "4") == "A Before."
    assert {(row["verdict"], row["count"]) for row in rows if row["left"] == "Nobody Atall"} == {("unknown", "")}
    assert {row["count"] for row in rows if row["verdict"] == "none"} == {"0"}
    with page.expect_download() as saved:
        page.get_by_role("button", name="JSON").click()
    assert json.loads(saved.value.path().read_text())["pair_count"] == 12


def test_the_address_holds_the_whole_question(page, address):
    page.get_by_label("Publications since").fill("2019")
    page.get_by_label("also similar").check()
    compare(page)
    first, summary = page.url, page.locator("#summary").inner_text()
    assert "#q=" in first
    compare(page, "Kim Roe", "Dana (Jing) Tarn")
    expect(page.locator("#summary")).to_have_text("1 of 1 pairs has written together.")
    page.go_back()
    expect(page.locator("#summary")).to_have_text(summary)
    expect(page.get_by_label("One group", exact=True)).to_have_value(LEFT)
    expect(page.get_by_label("Publications since")).to_have_value("2019")
    expect(page.get_by_label("also similar")).to_be_checked()
    page.go_forward()
    expect(page.locator("#summary")).to_have_text("1 of 1 pairs has written together.")
    page.goto("about:blank")
    page.goto(first)
    expect(page.locator("#summary")).to_have_text(summary)
    page.goto(address)
    expect(page.locator("#answer")).to_be_hidden()


def test_an_address_that_was_cut_off_says_so(page, address):
    page.goto(f"{address}#q=abc")
    expect(page.get_by_role("alert").filter(visible=True)).to_contain_text("This address is damaged")


def test_whom_a_name_stands_for_is_seen_and_picked(page):
    paste(page, "One group", "Wu Li\nMei Lan\nNobody Atall\nSarvindo")
    entries = page.locator("[data-side=left] .entries li")
    expect(entries).to_have_text(
        [
            re.compile(r"Wu Li 3 people"),
            re.compile(r"Mei Lan not told apart by dblp, 3 found"),
            re.compile(r"Nobody Atall nobody in dblp has this name"),
            re.compile(r"Sarvindo 4 publications"),
        ]
    )
    expect(page.locator("[data-side=left] .tally")).to_have_text(
        "4 names · 1 with several people · 1 not told apart · 1 not found"
    )
    check_accessibility(page)
    entries.first.get_by_role("button", name="Who is it?").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("listitem")).to_have_count(3)
    expect(dialog.get_by_role("listitem").nth(1)).to_contain_text("pid 21/1-1")
    check_accessibility(page)
    dialog.get_by_role("button", name="Wu Li 0001").click()
    expect(page.get_by_label("One group", exact=True)).to_have_value(
        "Wu Li 0001 (pid:21/1-1)\nMei Lan\nNobody Atall\nSarvindo"
    )
    expect(page.locator("[data-side=left] .tally")).to_have_text("4 names · 1 not told apart · 1 not found")
    compare(page, page.get_by_label("One group", exact=True).input_value(), "Gus L. Stone Jr.")
    expect(cell(page, "Wu Li 0001", "Gus L. Stone Jr.")).to_have_text("5")


def test_everybody_of_a_name_can_be_reached(page):
    page.get_by_label("also similar").check()
    paste(page, "One group", "Ofteam")
    page.locator("[data-side=left] .entries").get_by_role("button", name="Who is it?").click()
    dialog = page.get_by_role("dialog")
    names = dialog.locator(".candidates [data-text=name]")
    expect(names).to_have_count(20)
    expect(dialog).to_contain_text("and 430 more people")
    more = dialog.get_by_role("button", name="Show more")
    more.click()
    expect(names).to_have_count(40)
    expect(dialog.get_by_role("listitem").nth(20).get_by_role("button")).to_be_focused()
    for shown in range(60, 461, 20):
        more.click()
        expect(names).to_have_count(min(shown, 450))
    expect(more).to_be_hidden()
    assert len(set(names.all_text_contents())) == 450


def test_everything_by_keyboard_alone(page):
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("arrows")
    check_accessibility(page)
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    page.keyboard.type("jürg")
    expect(page.locator("#left-suggestions [role=option]")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(page.locator("#left-suggestions [role=option]")).to_have_attribute("aria-selected", "true")
    check_accessibility(page)
    page.keyboard.press("Enter")
    expect(page.get_by_label("One group", exact=True)).to_have_value("Jürgen Weiß-Möller (pid:11/1)\n")
    page.keyboard.type("Sarvindo")
    page.keyboard.press("Tab")
    page.get_by_label("The other group", exact=True).focus()
    page.keyboard.type("Orla O'Nevin")
    page.locator("#compare").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#summary")).to_be_focused()
    page.keyboard.press("m")
    expect(cell_at(page, 0, 0)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(cell_at(page, 1, 0)).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("Control+Home")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("4 publications together")
    page.keyboard.press("Escape")
    expect(cell_at(page, 0, 0)).to_be_focused()
    page.locator("#summary").focus()
    for key, panel in (("2", "list"), ("3", "network"), ("1", "matrix")):
        page.keyboard.press(key)
        expect(page.locator(f"[data-panel={panel}]")).to_be_visible()
        check_accessibility(page)


def test_the_reviewers_are_one_click_away(page):
    page.get_by_role("button", name="Use the list of reviewers (2)").click()
    expect(page.get_by_label("The other group", exact=True)).to_have_value("Sarvindo\nKim Roe")
    expect(page.locator("[data-side=right] .tally")).to_have_text("2 names")


def test_who_has_written_with_nobody_is_hidden_but_no_name_in_doubt(page):
    compare(page, "Orla O'Nevin\nT. Tee\nNobody Atall", "Sarvindo\nJürgen Weiß-Möller\nMei Lan")
    expect(page.locator("#matrix tbody th")).to_have_text(["Orla O'Nevin", "T. Tee", "Nobody Atall"])
    page.get_by_label("Hide rows and columns where nothing was found").check()
    expect(page.locator("#matrix tbody th")).to_have_text(["Orla O'Nevin", "Nobody Atall"])
    expect(page.locator("#matrix thead th")).to_have_text(["Jürgen Weiß-Möller", "Mei Lan"])
    page.get_by_label("Order").select_option("name")
    expect(page.locator("#matrix tbody th")).to_have_text(["Nobody Atall", "Orla O'Nevin"])


def test_heads_are_those_of_the_cells_also_after_all_were_hidden(page):
    compare(page, "T. Tee", "Sarvindo\nNobody Atall")
    page.get_by_label("Hide rows and columns where nothing was found").check()
    expect(page.locator("#frame")).to_be_hidden()
    compare(page, "Orla O'Nevin", "Kim Roe\nJürgen Weiß-Möller\nNo One Else")
    expect(page.locator("#matrix thead th")).to_have_text(["Jürgen Weiß-Möller", "No One Else"])
    page.get_by_label("Hide rows and columns where nothing was found").uncheck()
    expect(page.locator("#matrix thead th")).to_have_text(["Kim Roe", "Jürgen Weiß-Möller", "No One Else"])
    expect(page.locator("#matrix tbody th")).to_have_text("Orla O'Nevin")


def test_the_network_of_an_earlier_question_is_gone(page):
    compare(page)
    page.get_by_role("button", name="Network").click()
    expect(page.locator("#network text")).not_to_have_count(0)
    compare(page, "T. Tee", "Sarvindo")
    expect(page.locator("#network-note")).to_contain_text("no network")
    page.set_viewport_size({"width": 700, "height": 800})
    page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    expect(page.locator("#network > *")).to_have_count(0)


def test_a_link_is_no_draft(page, address):
    paste(page, "One group", "Wu Li")
    compare(page, "Kim Roe", "Sarvindo")
    link = page.url
    paste(page, "One group", "My Long List")
    for hash_ in (link.partition("#")[2], "q=abc"):
        page.goto(f"{address}search")
        page.goto(f"{address}#{hash_}")
        expect(page.locator("#summary, #trouble").filter(visible=True)).to_have_text(re.compile("."))
        page.get_by_role("link", name="Search").click()
        page.get_by_role("link", name="Ask").click()
        expect(page.get_by_label("One group", exact=True)).to_have_value("My Long List")


def test_a_misspelt_name_is_found_and_can_be_changed_again(page):
    paste(page, "One group", "Orla O'Nevni\nMember001 Ofteem\nXq Zzyzx\nOrla O'Nevni\n???\npid:9/99")
    entries = page.locator("[data-side=left] .entries li")
    tally = page.locator("[data-side=left] .tally")
    expect(tally).to_have_text("5 names · 5 not found · 1 repeat left out")
    expect(entries.nth(4).get_by_role("button")).to_have_count(0)  # A pid is not misspelt like a name.
    dialog = page.get_by_role("dialog")
    for unlike in (2, 3):
        entries.nth(unlike).get_by_role("button").click()
        expect(dialog.get_by_role("status").first).to_have_text("Nobody in dblp has this name or a similar one.")
        page.keyboard.press("Escape")
        expect(entries.nth(unlike).get_by_role("button")).to_be_focused()
    entries.first.get_by_role("button", name="Orla O'Nevni: Anybody similar?").click()
    expect(dialog).to_contain_text("Is it one of these")
    check_accessibility(page)
    dialog.get_by_role("button", name="Orla O'Nevin").click()
    entries.first.get_by_role("button", name="Anybody similar?").click()
    dialog.get_by_role("button", name="Member001 Ofteam").click()  # Who has no pid.
    field = page.get_by_label("One group", exact=True)
    expect(field).to_have_value(
        "Orla O'Nevin (pid:01/1)\nname:Member001 Ofteam\nXq Zzyzx\nOrla O'Nevin (pid:01/1)\n???\npid:9/99"
    )
    expect(tally).to_have_text("5 names · 3 not found · 1 repeat left out")
    page.get_by_role("button", name="Orla O'Nevin: Change").click()
    expect(field).to_have_value(re.compile("^Orla O'Nevin\nname:Member001 Ofteam\nXq Zzyzx\nOrla O'Nevin\n"))
    page.get_by_role("button", name="Member001 Ofteam: Change").click()
    expect(field).to_have_value(re.compile("^Orla O'Nevin\nMember001 Ofteam\nXq Zzyzx\n"))


def test_lists_survive_a_slip_and_a_look_at_another_page(page):
    paste(page, "One group", "Wu Li\nSarvindo")
    field = page.get_by_label("One group", exact=True)
    empty = page.locator("[data-side=left] .clear")
    empty.click()
    expect(field).to_have_value("")
    expect(empty).to_have_text("Bring it back")
    empty.click()
    expect(field).to_have_value("Wu Li\nSarvindo")
    until(lambda: "Sarvindo" in (page.evaluate("sessionStorage.getItem('pubmeta-draft')") or ""), 20)
    page.get_by_role("link", name="Search").click()
    page.goto(page.url.replace("/search", "/person#pid:31%2F3"))
    page.get_by_role("link", name="Compare with").click()
    expect(field).to_have_value("Sarvindo (pid:31/3)")
    page.get_by_role("link", name="Search").click()
    page.get_by_role("link", name="Ask").click()
    expect(field).to_have_value("Wu Li\nSarvindo")


def test_an_answer_to_another_question_says_so(page):
    compare(page, "Wu Li", "Gus L. Stone Jr.\nSarvindo")
    outdated = page.locator("#outdated")
    expect(outdated).to_be_hidden()
    page.get_by_label("Publications since").fill("2012")
    expect(outdated).to_be_visible()
    page.get_by_label("Publications since").fill("")
    expect(outdated).to_be_hidden()
    page.locator("#doubts summary").click()
    page.locator("#doubts-names").get_by_role("button", name="Wu Li: Who is it?").click()
    page.get_by_role("dialog").get_by_role("button", name="Wu Li 0001").click()
    expect(outdated).to_be_visible()
    check_accessibility(page)
    page.get_by_role("button", name="Compare").click()
    expect(outdated).to_be_hidden()
    expect(page.locator("#doubts")).to_be_hidden()


def test_a_pair_of_an_unsure_name_says_who_signed_each_publication(page):
    page.get_by_label("Publications since").fill("2000")
    compare(page, "Wu Li", "Gus L. Stone Jr.\nSarvindo\nOrla O'Nevin")
    cell(page, "Wu Li", "Sarvindo").click()
    verdict = page.locator("#pair-verdict")
    expect(verdict).to_have_text("1 publication together, but it is not sure whose, since 2000.")
    expect(page.locator("#pair-papers > li")).to_contain_text("by Wu Li and Sarvindo")
    page.keyboard.press("Escape")
    cell(page, "Wu Li", "Gus L. Stone Jr.").click()
    expect(page.locator("#pair-papers > li").first).to_contain_text("by Wu Li 0001 and Gus L. Stone Jr.")
    page.keyboard.press("Escape")
    cell(page, "Wu Li", "Orla O'Nevin").click()
    expect(verdict).to_have_text("Cannot tell, since 2000.")
    expect(page.locator("#pair-note")).to_contain_text("not sure that one of them is meant")


def test_a_pair_shows_nothing_of_the_one_before(page):
    compare(page)
    cell(page, "Orla O'Nevin", "Jürgen Weiß-Möller").click()
    expect(page.locator("#pair-years")).to_be_visible()
    page.keyboard.press("Escape")
    cell(page, "Nobody Atall", "Sarvindo").click()
    expect(page.locator("#pair-verdict")).to_have_text("Cannot tell.")
    expect(page.locator("#pair-years")).to_be_hidden()
    expect(page.locator("#pair-papers > li")).to_have_count(0)


def test_one_of_several_people_is_not_the_same_person_for_sure(page):
    page.get_by_label("Publications since").fill("2025")
    compare(page, "Mei Lan\nMei Lan 0003", "Mei Lan 0003\nMei Lan")
    expect(cell(page, "Mei Lan", "Mei Lan 0003")).to_have_text("?")
    expect(cell(page, "Mei Lan 0003", "Mei Lan 0003")).to_have_text("=")
    # A name in both groups is one name, to be picked in each.
    expect(page.locator("#summary")).to_contain_text("1 name could not be told")
    expect(page.locator("#doubts-names li")).to_contain_text(["(One group)", "(The other group)"])


def test_what_is_written_outlives_a_reload_and_the_reviewers_come_behind_it(page):
    paste(page, "The other group", "T. Tee")
    page.get_by_role("button", name="Use the list of reviewers").click()
    expect(page.get_by_label("The other group", exact=True)).to_have_value("T. Tee\nSarvindo\nKim Roe")
    until(lambda: page.evaluate("history.state?.draft?.right ?? ''").endswith("Roe"), 20)
    page.reload()
    expect(page.get_by_label("The other group", exact=True)).to_have_value("T. Tee\nSarvindo\nKim Roe")


def test_a_question_that_is_given_up_leaves_the_page_usable(page, address):
    compare(page, "Kim Roe", "Dana (Jing) Tarn")
    page.route("**/api/coauthors/pairs", lambda route: None)  # The answer never comes.
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("button", name="Compare")).to_be_disabled()
    page.go_back()
    expect(page.get_by_role("button", name="Compare")).to_be_enabled()


def test_empty_boxes_are_named(page):
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("alert").filter(visible=True)).to_contain_text("at least one name")
    expect(page.get_by_label("One group", exact=True)).to_be_focused()


def test_a_refused_question_says_why(page, provoked):
    provoked.append("status of 400")
    names = "\n".join(f"Somebody Number {n}" for n in range(1001))
    paste(page, "The other group", "Sarvindo")
    paste(page, "One group", names)
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("#trouble")).to_have_text("One group: has 1,001 names; at most 1,000 are answered at once")


def test_a_thousand_by_a_thousand_are_drawn_by_what_is_in_sight(page):
    names = [f"Member{n:03d} Ofteam" for n in range(1, 451)] + [f"Not Anybody {n}" for n in range(550)]
    compare(page, "\n".join(names), "\n".join(reversed(names)))
    expect(page.locator("#matrix")).to_have_attribute("aria-rowcount", "1001")
    assert page.locator("#matrix td").count() < 5000
    page.keyboard.press("m")
    page.keyboard.press("Control+End")
    last = cell_at(page, 999, 999)
    expect(last).to_be_focused()
    expect(last).to_be_in_viewport()
    expect(last).to_have_attribute("aria-colindex", "1001")
    expect(page.locator("#matrix tbody th").last).to_have_text("Not Anybody 549")


DRAWN = """async ([top, left]) => {
    const frame = document.getElementById("frame");
    frame.scrollTo({ top, left, behavior: "instant" });
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
    const place = (cell) => Number(cell.ariaColIndex) - 2;
    const heads = [...document.querySelectorAll("#matrix thead th")].map((th) => [place(th), th.textContent]);
    const rows = [...document.querySelectorAll("#matrix tbody tr")].map((tr) => {
        const cells = [...tr.querySelectorAll("td:not(.space)")].map((td) => [place(td), td.textContent]);
        return [Number(tr.ariaRowIndex) - 2, tr.querySelector("th").textContent, cells];
    });
    // The corners of the part in sight, less the heads.
    const box = frame.getBoundingClientRect();
    const corners = [[195, 172], [frame.clientWidth - 2, frame.clientHeight - 2]].map(([x, y]) => {
        const td = document.elementFromPoint(box.left + x, box.top + y);
        return [Number(td.parentElement.ariaRowIndex) - 2, place(td)];
    });
    const focusable = [...document.querySelectorAll("#matrix td[tabindex='0']")].length;
    return { heads, rows, corners, focusable };
}"""


def test_cells_that_are_used_again_say_what_is_theirs(page):
    names = [f"Member{n:03d} Ofteam" for n in range(1, 451)] + [f"Not Anybody {n}" for n in range(550)]
    others = names[::-1]

    def expected(row, column):
        if "Not" in names[row] + others[column]:
            return "?"
        return "=" if names[row] == others[column] else "1"

    compare(page, "\n".join(names), "\n".join(others))
    page.locator("#frame").scroll_into_view_if_needed()
    draw = random.Random(4)
    top, left = 13_000, 24_000  # In the middle, where pages are neither all known nor all unknown.
    for _ in range(60):
        far = draw.random() < 0.2
        top = draw.randrange(29_000) if far else min(max(0, top + draw.randrange(-400, 400)), 29_000)
        left = draw.randrange(42_000) if far else min(max(0, left + draw.randrange(-600, 600)), 42_000)
        drawn = page.evaluate(DRAWN, [top, left])
        columns = [column for column, _ in drawn["heads"]]
        assert columns == list(range(columns[0], columns[-1] + 1))
        assert [label for _, label in drawn["heads"]] == others[columns[0] : columns[-1] + 1]
        rows = [row for row, _, _ in drawn["rows"]]
        assert rows == list(range(rows[0], rows[-1] + 1))
        for row, label, cells in drawn["rows"]:
            assert label == names[row]
            assert cells == [[column, expected(row, column)] for column in columns]
        (first, before), (last, behind) = drawn["corners"]
        # Rows are 30 pixels high and columns 44 wide.
        assert (first, before) == ((top + 3) // 30, (left + 2) // 44)
        assert last - first > 10
        assert behind - before > 10
        assert drawn["focusable"] == 1


@pytest.mark.parametrize(("columns", "printed"), [(40, True), (41, False)])
def test_paper_has_the_whole_matrix_or_says_that_it_does_not(page, columns, printed):
    names = [f"Member{n:03d} Ofteam" for n in range(1, 60)]
    compare(page, "\n".join([*names, "Nobody Atall"]), "\n".join(names[:columns]))
    page.set_viewport_size({"width": 717, "height": 1000})  # A4 less the margins that browsers leave.
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("#frame")).to_be_visible(visible=printed)
    expect(page.locator("#not-printed")).to_be_visible(visible=not printed)
    if printed:
        expect(page.locator("#matrix tbody td:not(.space)")).to_have_count(60 * 40)
        assert page.locator("#matrix thead th").last.evaluate("head => head.getBoundingClientRect().right") <= 717
    expect(page.locator("#pairs tbody tr")).to_have_count(59 * columns)
    expect(page.locator("#doubts-names")).to_contain_text("Nobody Atall")
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator("#frame")).to_be_visible()


def test_the_theme_and_the_language_are_kept(page):
    compare(page, "Kim Roe", "Dana (Jing) Tarn")
    page.get_by_role("button", name="Theme").click()
    page.get_by_role("button", name="Theme").click()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 22, 29)"
    page.get_by_label("Language").select_option("zh-hans")
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans")
    expect(page.locator("#summary")).to_contain_text("1")
    check_accessibility(page)
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_without_a_store_the_page_leads_to_the_build(browser_page, data):
    (data.root / "static").symlink_to(DATA_DIR / "static")
    with serving(data) as port:
        browser_page.goto(f"http://127.0.0.1:{port}/")
        expect(browser_page.get_by_text("There is no store yet")).to_be_visible()
        check_accessibility(browser_page)
        browser_page.get_by_role("link", name="To the build").click()
        expect(browser_page).to_have_url(re.compile("/bootstrap$"))
        browser_page.goto("about:blank")  # It asks on and on, and would complain of a service that has ended.
