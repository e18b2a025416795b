"""The command that asks who has written with whom, from a shell or a script."""

from __future__ import annotations

import os
import sqlite3
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from pydantic import ValidationError

from bibliography.bodies import PairsQuestion
from bibliography.coauthors import Verdict
from bibliography.limits import TooMuch
from bibliography.namelists import ListUnreadable, names
from bibliography.printing import SIDES, unclear, write_csv, write_json, write_table
from bibliography.questions import answer, group
from bibliography.resolve import Status
from bibliography.store import StoreNotReady

NONE_FOUND, FOUND, CANNOT_TELL, FAILED = range(4)
PIPE_CLOSED = 141  # What a shell reports of a program that SIGPIPE ended.
_WRITERS = {"table": write_table, "csv": write_csv, "json": write_json}
Json = dict[str, Any]


class Command(BaseCommand):
    """Reads two lists of names and tells who of the one has written with whom of the other.

    Exit status: 0 nobody has, 1 somebody has (or stands on both lists), 2 nobody has for all that is known, but
    some names are nobody's or several people's, 3 and above the question could not be answered.
    """

    help = (
        "Tell who of two lists of names has written with whom. Exit status: 0 nobody, 1 somebody, "
        "2 nobody for all that can be told, but some names are not clear, 3 and above an error."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the two lists and the options of the question."""
        for side in SIDES:
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
        parser.add_argument("--format", choices=tuple(_WRITERS), default="table")

    def run_from_argv(self, argv: list[str]) -> None:
        """Run, and end with the status that says what was found."""
        try:
            super().run_from_argv(argv)
        except SystemExit as end:
            # Errors of Django end with 1 and those of argparse with 2, which here mean something else.
            sys.exit(FAILED if end.code in (FOUND, CANNOT_TELL) else end.code)
        except Exception:  # Not even a mistake of ours may look like an answer.
            traceback.print_exc()
            sys.exit(FAILED)
        sys.exit(self.status)

    def handle(self, *args: Any, **options: Any) -> None:
        """Ask, and print the answer."""
        if options["left"] == options["right"] == "-":
            raise CommandError("only one of the lists can come from standard input")
        left, right = (_group(options[side]) for side in SIDES)
        for side, entries in zip(SIDES, (left, right), strict=True):
            if not entries:
                raise CommandError(f"{side.upper()} has no names")
        try:
            told = answer(_question(left, right, options), left, right)
        except (StoreNotReady, TooMuch) as error:
            raise CommandError(str(error)) from error
        except (DatabaseError, sqlite3.DatabaseError) as error:
            raise CommandError(f"The store cannot be read: {error}. Build a new one, or go back.") from error
        for side in SIDES:
            if _may_be_csv(told["resolution"][side]):
                self.stderr.write(f"{options[side]} may be CSV: every line has a comma, and none is anybody's name.")
        _write(told, options["format"])
        self.status = _status(told)


def _group(source: str) -> list[str]:
    """Read a list; ``-`` is standard input."""
    try:
        return group(names(source, sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()))
    except OSError as error:
        raise CommandError(f"{source}: {error.strerror}") from error
    except ListUnreadable as error:
        raise CommandError(str(error)) from error


def _question(left: list[str], right: list[str], options: Json) -> PairsQuestion:
    chosen = {name: options[name] for name in ("year_min", "year_max", "limit_per_pair", "author_limit")}
    first, last = chosen["year_min"], chosen["year_max"]
    if first is not None and last is not None and first > last:
        raise CommandError(f"--year-min {first} is later than --year-max {last}")
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
        raise CommandError("; ".join(map(_wrong, error.errors()))) from error


def _wrong(bad: Any) -> str:
    name = str(bad["loc"][0])
    if bad["type"] == "too_long":
        return f"{name.upper()} has {len(bad['input']):,} names; at most {bad['ctx']['max_length']:,} are taken"
    return f"--{name.replace('_', '-')} {bad['input']}: {bad['msg']}"


def _may_be_csv(entries: Sequence[Json]) -> bool:
    return all(entry["status"] == Status.NONE and set(entry["entry"]) & set(",;") for entry in entries)


def _write(told: Json, form: str) -> None:
    """Print the answer, all of it, so that what is wrong with the output shows here and not when Python ends."""
    try:
        _WRITERS[form](told, sys.stdout)
        sys.stdout.flush()
    except UnicodeEncodeError as error:
        hint = "set PYTHONIOENCODING=utf-8"
        raise CommandError(f"standard output cannot show {error.object[error.start]!a}; {hint}") from error
    except OSError as error:
        # What is left in the buffer must not be tried again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            sys.exit(PIPE_CLOSED)
        raise CommandError(f"the answer cannot be written: {error.strerror}") from error


def _status(told: Json) -> int:
    if any(pair["verdict"] == Verdict.COAUTHORS or _is_certainly_same(pair) for pair in told["pair_pubs"]):
        return FOUND
    return CANNOT_TELL if any(unclear(told)) else NONE_FOUND


def _is_certainly_same(pair: Json) -> bool:
    return bool(pair["same_person"]) and pair["verdict"] == Verdict.NONE
