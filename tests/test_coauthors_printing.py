"""What the command ``coauthors`` prints: a table that can be read wherever it goes, and CSV."""

import csv
import io

import pytest

from tests.conftest import person, publication

LONG_LEFT, LONG_RIGHT = "Maximiliane-Theodora von der Hohenfels", "Bartholomaeus Quintus Langenfeld-Okonjo"
USUAL = "Bartholomaeus Langenfeld"
RECORDS = (
    person("1/1", "Al Alpha", "A. Alpha"),
    person("2/2", "Bo Béta"),
    person("3/3-1", "Cy Gamma 0001"),
    person("3/3-2", "Cy Gamma 0002"),
    person("4/4", "Dí Delta", publtype="disambiguation"),
    person("5/5", "Eve Silent"),
    publication("a/1", "Al Alpha", "Bo Béta", title="First.", year="2001"),
    publication("a/2", "Al Alpha", "Bo Béta", "Cy Gamma 0001", title="A :bug: in [bold]text[/].", year="2002"),
    publication("a/3", LONG_LEFT, LONG_RIGHT, title="Long " * 30, year="2003"),
    publication("a/4", "Al Alpha", USUAL, title="Long " * 30, year="2003"),
)


@pytest.fixture
def ask(make_dump, build_from, ask_lists, monkeypatch):
    """Run the command on two lists of names, as in a pipe."""
    monkeypatch.delenv("COLUMNS", raising=False)
    build_from(make_dump(*RECORDS))
    return ask_lists


def test_the_table_shows_pairs_and_what_cannot_be_told(ask):
    ended = ask("Al Alpha\n# a comment\n\nNobody Atall\nDi Delta", "Bo Béta\nCy Gamma")
    for text in (
        *("coauthors", "possible", "2 of 6 pairs", "nobody in dblp", "not all told apart"),
        "2 people: Cy Gamma 0001, Cy Gamma 0002 (the name)",
    ):
        assert text in ended.stdout, text
    assert ended.stderr == ""


def test_titles_are_shown_as_they_are(ask):
    assert "2002 A :bug: in [bold]text[/]." in ask("Al Alpha", "Bo Béta").stdout


@pytest.mark.parametrize("columns", [None, 80, 100])
def test_beside_long_titles_names_stay_readable(ask, monkeypatch, columns):
    if columns:
        monkeypatch.setenv("COLUMNS", str(columns))
    printed = ask("Al Alpha", f"Bo Béta\n{USUAL}").stdout.splitlines()
    assert max(map(len, printed)) == (columns or 80)
    (line,) = (line for line in printed if USUAL in line)
    assert line.startswith("Al Alpha  ")
    assert "1       coauthors  2003 Long " in line
    assert line.endswith("…")


@pytest.mark.parametrize("columns", [None, 100])
def test_names_that_are_too_long_are_broken_into_lines_and_never_cut(ask, monkeypatch, columns):
    if columns:
        monkeypatch.setenv("COLUMNS", str(columns))
    printed = ask(LONG_LEFT, LONG_RIGHT).stdout
    assert max(map(len, printed.splitlines())) <= (columns or 80)
    shown = "".join(printed.split())
    for part in (*LONG_LEFT.split(), *LONG_RIGHT.split(), "coauthors", "2003"):
        assert part in shown
    assert printed.count("…") == 1


@pytest.mark.parametrize(
    ("left", "told"),
    [
        ("Alpha", "left  Alpha  Al Alpha (full text)"),
        ("l Alph", "Al Alpha (text inside)"),
        ("A. Alpha", "Al Alpha (another name)"),
        ("al alpha", "Al Alpha (another spelling)"),
        ("pid:1/1", "Al Alpha (identifier)"),
        ("Gamma", "2 people: Cy Gamma 0001, Cy Gamma 0002 (full text)"),
        ("Eve Silent", "Eve Silent (the name), a page without publications"),
    ],
)
def test_it_is_told_whom_a_name_was_taken_for(ask, left, told):
    assert told in ask(left, "Bo Béta", "--inexact").stdout


def test_of_names_that_are_the_very_names_nothing_is_told(ask):
    assert "taken for" not in ask("Al Alpha\nCy Gamma 0001", "Bo Béta").stdout


def rows(ended):
    return list(csv.DictReader(io.StringIO(ended.stdout)))


def test_csv_has_all_pairs_but_those_with_certainly_nothing(ask):
    ended = ask("Eve Silent\nAl Alpha\nNobody Atall", "Bo Béta\nCy Gamma 0002\nNo One", "--format", "csv")
    assert [tuple(row.values())[:6] for row in rows(ended)] == [
        ("Eve Silent", "No One", "0", "unknown", "False", ""),
        ("Al Alpha", "Bo Béta", "2", "coauthors", "False", "a/2 a/1"),
        ("Al Alpha", "No One", "0", "unknown", "False", ""),
        ("Nobody Atall", "Bo Béta", "0", "unknown", "False", ""),
        ("Nobody Atall", "Cy Gamma 0002", "0", "unknown", "False", ""),
        ("Nobody Atall", "No One", "0", "unknown", "False", ""),
    ]


def test_csv_has_whom_names_were_taken_for(ask):
    told = rows(ask("Alpha\nNobody Atall", "bo beta\nGamma", "--inexact", "--format", "csv"))
    taken = [
        [row[f"{side}_{column}"] for side in ("left", "right") for column in ("person", "pid", "method")]
        for row in told
    ]
    alpha, beta, nobody, several = (
        ["Al Alpha", "1/1", "fulltext"],
        ["Bo Béta", "2/2", "folded"],
        [""] * 3,
        ["", "", "fulltext"],
    )
    assert taken == [alpha + beta, alpha + several, nobody + beta, nobody + several]
