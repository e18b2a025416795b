"""The command that asks who has written with whom, from a shell or a script."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError, CommandParser
from pydantic import ValidationError
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Column, Table

from bibliography.coauthors import Verdict
from bibliography.questions import answer, group
from bibliography.resolve import Status
from bibliography.schemas import PairsQuestion
from bibliography.store import StoreNotReady

NONE_FOUND, FOUND, CANNOT_TELL, FAILED = range(4)
_COLUMNS = ("left", "right", "count", "verdict", "same_person")
Json = dict[str, Any]


class Command(BaseCommand):
    """Reads two lists of names and tells who of the one has written with whom of the other.

    Exit status: 0 nobody has, 1 somebody has (or stands on both lists), 2 nobody has for all that is known, but
    some names are nobody's or several people's, 3 the question could not be answered.
    """

    help = (
        "Tell who of two lists of names has written with whom. Exit status: 0 nobody, 1 somebody, "
        "2 nobody for all that can be told, but some names are not clear, 3 an error."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the two lists and the options of the question."""
        for side in ("left", "right"):
            parser.add_argument(side, metavar=side.upper(), help="file with a name a line, or - for standard input")
        parser.add_argument(
            "--inexact", action="store_true", help="look for names by words and parts where no exact one is found"
        )
        for option, unit, text in (
            ("--year-min", "YEAR", "count publications from this year on"),
            ("--year-max", "YEAR", "count publications up to this year"),
            ("--limit-per-pair", "N", "publications listed a pair"),
            ("--author-limit", "N", "people that a name may stand for"),
        ):
            parser.add_argument(option, type=int, metavar=unit, help=text)
        parser.add_argument("--include-editors", action="store_true", help="count what somebody edited too")
        parser.add_argument("--format", choices=("table", "csv", "json"), default="table")

    def run_from_argv(self, argv: list[str]) -> None:
        """Run, and end with the status that says what was found."""
        try:
            super().run_from_argv(argv)
        except SystemExit as end:
            # argparse ends with 2 where an option is wrong, which here means something else.
            sys.exit(FAILED if end.code == CANNOT_TELL else end.code)
        sys.exit(self.status)

    def handle(self, *args: Any, **options: Any) -> None:
        """Ask, and print the answer."""
        if options["left"] == options["right"] == "-":
            raise CommandError("only one of the lists can come from standard input", returncode=FAILED)
        left, right = (group(_names(options[side])) for side in ("left", "right"))
        for side, names in (("LEFT", left), ("RIGHT", right)):
            if not names:
                raise CommandError(f"{side} has no names", returncode=FAILED)
        try:
            told = answer(_question(left, right, options), left, right)
        except StoreNotReady as error:
            raise CommandError(str(error), returncode=FAILED) from error
        _PRINTERS[options["format"]](told)
        self.status = _status(told)


def _names(source: str) -> Iterator[str]:
    """Yield the lines of a file that are not blank and no comments."""
    try:
        text = sys.stdin.read() if source == "-" else Path(source).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "is not UTF-8"
        raise CommandError(f"{source}: {reason}", returncode=FAILED) from error
    return (line for line in text.splitlines() if not line.lstrip().startswith("#"))


def _question(left: list[str], right: list[str], options: Json) -> PairsQuestion:
    chosen = {name: options[name] for name in ("year_min", "year_max", "limit_per_pair", "author_limit")}
    try:
        return PairsQuestion(
            left=left,
            right=right,
            exact_base_match=not options["inexact"],
            include_editors=options["include_editors"],
            sparse=options["format"] != "json",
            **chosen,
        )
    except ValidationError as error:
        wrong = ("{} {:.60}: {}".format(bad["loc"][0], str(bad["input"]), bad["msg"]) for bad in error.errors())
        raise CommandError("; ".join(wrong), returncode=FAILED) from error


def _status(told: Json) -> int:
    if any(pair["verdict"] == Verdict.COAUTHORS or _is_certainly_same(pair) for pair in told["pair_pubs"]):
        return FOUND
    return CANNOT_TELL if list(_unclear(told)) else NONE_FOUND


def _is_certainly_same(pair: Json) -> bool:
    return bool(pair["same_person"]) and pair["verdict"] == Verdict.NONE


def _unclear(told: Json) -> Iterator[tuple[str, Json]]:
    """Yield the entries that are not a single person, with their sides."""
    for side in ("left", "right"):
        for entry in told["resolution"][side]:
            if entry["status"] != Status.ONE:
                yield side, entry


def _print_table(told: Json) -> None:
    console = Console(highlight=False, markup=False)
    if told["pair_pubs"]:
        table = Table("left", "right", "papers", "verdict", Column("latest", no_wrap=True), box=SIMPLE_HEAD)
        for pair in told["pair_pubs"]:
            latest = next((f"{item['year'] or ''} {item['title']}" for item in pair["items"]), "")
            verdict = "same person" if pair["same_person"] else pair["verdict"]
            table.add_row(pair["left"], pair["right"], str(pair["count"]), verdict, latest)
        console.print(table)
    console.print(f"{len(told['pair_pubs'])} of {told['pair_count']:,} pairs have something together.")
    unclear = list(_unclear(told))
    if unclear:
        table = Table("side", "name", "stands for", box=SIMPLE_HEAD)
        console.print("Of these names it cannot be told:")
        for side, entry in unclear:
            table.add_row(side, entry["entry"], _meaning(entry))
        console.print(table)


def _meaning(entry: Json) -> str:
    if entry["status"] == Status.NONE:
        return "nobody in dblp"
    some = ", ".join(person["name"] for person in entry["authors"][:3])
    more = f" and {entry['total'] - 3} more" if entry["total"] > 3 else ""
    kind = "people, not all told apart by dblp" if entry["status"] == Status.DISAMBIGUATION else "people"
    return f"{entry['total']} {kind}: {some}{more}"


def _print_csv(told: Json) -> None:
    """Print every pair of which there is something to say: all but those that have certainly nothing together."""
    writer = csv.writer(sys.stdout)
    writer.writerow([*_COLUMNS, "keys"])
    listed = {(pair["left"], pair["right"]): pair for pair in told["pair_pubs"]}
    unclear = {side: {entry["entry"] for at, entry in _unclear(told) if at == side} for side in ("left", "right")}
    for left in told["left_authors"]:
        for right in told["right_authors"]:
            pair = listed.get((left, right))
            if pair:
                keys = " ".join(item["key"] for item in pair["items"])
                writer.writerow([*(pair[column] for column in _COLUMNS), keys])
            elif left in unclear["left"] or right in unclear["right"]:
                writer.writerow([left, right, 0, Verdict.UNKNOWN, False, ""])


def _print_json(told: Json) -> None:
    options = orjson.OPT_INDENT_2 | orjson.OPT_UTC_Z | orjson.OPT_APPEND_NEWLINE
    sys.stdout.write(orjson.dumps(told, option=options).decode())


_PRINTERS = {"table": _print_table, "csv": _print_csv, "json": _print_json}
