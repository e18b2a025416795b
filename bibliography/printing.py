"""An answer about two groups as text: a table for people, CSV and JSON for programs."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

import orjson
from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.table import Column, Table

from bibliography.coauthors import Verdict
from bibliography.resolve import Method, Status

Json = dict[str, Any]
SIDES = ("left", "right")
_COLUMNS = ("left", "right", "count", "verdict", "same_person")
_TAKEN = ("person", "pid", "method")
_HEADINGS = ("left", "right", "papers", "verdict", "latest")
_GAP = 2  # Between the columns of a table.
_LEAST_LATEST = 16  # A year and a word or two; narrower than that, names are broken into lines instead.
_METHODS = {
    Method.IDENTIFIER: "identifier",
    Method.EXACT: "the name",
    Method.ALIAS: "another name",
    Method.FOLDED: "another spelling",
    Method.FULLTEXT: "full text",
    Method.SUBSTRING: "text inside",
}


def unclear(told: Json) -> Iterator[tuple[str, Json]]:
    """Yield the entries that are not a single person, with their sides."""
    for side in SIDES:
        for entry in told["resolution"][side]:
            if entry["status"] != Status.ONE:
                yield side, entry


def write_table(told: Json, out: TextIO) -> None:
    """Write the pairs that have something together, and what is to be known about the names."""
    # Titles hold brackets, and colons around words; neither means anything here.
    console = Console(file=out, highlight=False, markup=False, emoji=False)
    with console.capture() as printed:  # Rich would end the program by itself where the pipe is closed.
        if told["pair_pubs"]:
            console.print(_pairs(told["pair_pubs"], console.width))
        console.print(f"{len(told['pair_pubs'])} of {told['pair_count']:,} pairs have something together.")
        _print_names(console, "Of these names it cannot be told:", unclear(told))
        _print_names(console, "These names were taken for:", _remarkable(told))
    out.write(printed.get())


def _pairs(pairs: Iterable[Json], width: int) -> Table:
    """Make the table of pairs; where it is too wide, titles are cut first, and names are never."""
    rows = [_HEADINGS, *map(_row, pairs)]
    *others, longest = (max(map(cell_len, column)) for column in zip(*rows, strict=True))
    room = width - sum(others) - len(others) * _GAP
    table = _table(
        *("left", "right"),
        *(Column(heading, no_wrap=True) for heading in ("papers", "verdict")),
        Column("latest", width=min(longest, max(room, _LEAST_LATEST)), no_wrap=True, overflow="ellipsis"),
    )
    for row in rows[1:]:
        table.add_row(*row)
    return table


def _row(pair: Json) -> tuple[str, ...]:
    latest = next((f"{item['year'] or ''} {item['title']}" for item in pair["items"]), "")
    verdict = "same person" if pair["same_person"] else pair["verdict"]
    return pair["left"], pair["right"], str(pair["count"]), str(verdict), latest


def _table(*columns: str | Column) -> Table:
    return Table(*columns, box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, _GAP - 1, 0, 0))


def _print_names(console: Console, title: str, entries: Iterable[tuple[str, Json]]) -> None:
    table = _table(Column("side", no_wrap=True), "name", "stands for")
    for side, entry in entries:
        table.add_row(side, entry["entry"], _meaning(entry))
    if table.rows:
        console.print("", title, table, sep="\n")


def _remarkable(told: Json) -> Iterator[tuple[str, Json]]:
    """Yield the entries of a single person who is called otherwise, or has published nothing."""
    for side in SIDES:
        for entry in told["resolution"][side]:
            if entry["status"] == Status.ONE:
                (person,) = entry["authors"]
                if person["name"] != entry["entry"] or not person["publications"]:
                    yield side, entry


def _meaning(entry: Json) -> str:
    """Say whom an entry stands for, and which way they were found."""
    if entry["status"] == Status.NONE:
        return "nobody in dblp"
    some = ", ".join(person["name"] for person in entry["authors"][:3])
    more = f" and {entry['total'] - 3} more" if entry["total"] > 3 else ""
    found = f"{some}{more} ({_METHODS[entry['method']]})"
    if entry["status"] == Status.ONE:
        return found if entry["authors"][0]["publications"] else f"{found}, a page without publications"
    kind = "people, not all told apart by dblp" if entry["status"] == Status.DISAMBIGUATION else "people"
    return f"{entry['total']} {kind}: {found}"


def write_csv(told: Json, out: TextIO) -> None:
    """Write every pair of which there is something to say: all but those that have certainly nothing together.

    The person of an entry is given where it is a single one's, the way that people were found where any were.
    """
    writer = csv.writer(out)
    writer.writerow([*_COLUMNS, "keys", *(f"{side}_{column}" for side in SIDES for column in _TAKEN)])
    listed = {(pair["left"], pair["right"]): pair for pair in told["pair_pubs"]}
    doubtful = {side: {entry["entry"] for at, entry in unclear(told) if at == side} for side in SIDES}
    taken = {side: {entry["entry"]: _taken(entry) for entry in told["resolution"][side]} for side in SIDES}
    for left in told["left_authors"]:
        for right in told["right_authors"]:
            pair = listed.get((left, right))
            if pair:
                said = [*(pair[column] for column in _COLUMNS), " ".join(item["key"] for item in pair["items"])]
            elif left in doubtful["left"] or right in doubtful["right"]:
                said = [left, right, 0, Verdict.UNKNOWN, False, ""]
            else:
                continue
            writer.writerow([*said, *taken["left"][left], *taken["right"][right]])


def _taken(entry: Json) -> tuple[str | None, ...]:
    person = entry["authors"][0] if entry["status"] == Status.ONE else {"name": None, "pid": None}
    return person["name"], person["pid"], entry["method"]


def write_json(told: Json, out: TextIO) -> None:
    """Write the whole answer, as the API gives it."""
    options = orjson.OPT_INDENT_2 | orjson.OPT_UTC_Z | orjson.OPT_APPEND_NEWLINE
    out.write(orjson.dumps(told, option=options).decode())
