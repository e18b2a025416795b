"""The command ``coauthors``: what it prints and the status that scripts go by."""

import csv
import io
import json
import subprocess
from types import SimpleNamespace

import pytest

from bibliography.management.commands.coauthors import Command
from tests.conftest import person, publication

RECORDS = (
    person("1/1", "Al Alpha", "A. Alpha"),
    person("2/2", "Bo Beta"),
    person("3/3-1", "Cy Gamma 0001"),
    person("3/3-2", "Cy Gamma 0002"),
    person("4/4", "Dí Delta", publtype="disambiguation"),
    publication("a/1", "A. Alpha", "Bo Beta", title="First.", year="2001"),
    publication("a/2", "Al Alpha", "Bo Beta", "Cy Gamma 0001", title="Second.", year="2002"),
    publication("b/1", kind="proceedings", editors=("Bo Beta", "Cy Gamma 0002"), title="Third.", year="2003"),
)


@pytest.fixture
def run(data, capsys):
    """Run the command as a shell does, in this process."""

    def started(*arguments):
        with pytest.raises(SystemExit) as end:
            Command().run_from_argv(["manage.py", "coauthors", *map(str, arguments)])
        printed = capsys.readouterr()
        return SimpleNamespace(returncode=end.value.code, stdout=printed.out, stderr=printed.err)

    return started


@pytest.fixture
def ask(make_dump, build_from, run, tmp_path):
    """Run the command on two lists of names."""
    build_from(make_dump(*RECORDS))

    def asked(left, right, *options):
        for name, lines in (("left.txt", left), ("right.txt", right)):
            (tmp_path / name).write_text(lines, encoding="utf-8")
        return run(tmp_path / "left.txt", tmp_path / "right.txt", *options)

    return asked


@pytest.mark.parametrize(
    ("left", "right", "options", "status"),
    [
        ("Al Alpha", "Bo Beta", [], 1),
        ("A. Alpha", "bo beta\n", [], 1),
        ("Al Alpha", "Cy Gamma 0002", [], 0),
        ("Al Alpha", "Al Alpha", [], 1),
        ("Al Alpha", "A. Alpha", [], 1),
        ("Bo Beta", "Cy Gamma", [], 2),
        ("Al Alpha", "Cy Gamma", ["--year-min", "2003"], 2),
        ("Al Alpha", "Nobody Atall", [], 2),
        ("Al Alpha\nDi Delta", "Cy Gamma 0002", [], 2),
        ("Al Alpha\nNobody Atall", "Bo Beta", [], 1),
        ("Al Alpha", "Bo Beta", ["--year-min", "2003"], 0),
        ("Bo Beta", "Cy Gamma 0002", [], 0),
        ("Bo Beta", "Cy Gamma 0002", ["--include-editors"], 1),
        ("Alpha", "Bo Beta", [], 2),
        ("Alpha", "Bo Beta", ["--inexact"], 1),
    ],
)
def test_the_status_says_what_was_found(ask, left, right, options, status):
    assert ask(left, right, *options).returncode == status


def test_the_table_shows_pairs_and_what_cannot_be_told(ask):
    ended = ask("Al Alpha\n# a comment\n\nNobody Atall\nDi Delta", "Bo Beta\nCy Gamma")
    for text in (
        "Second.",
        "coauthors",
        "possible",
        "2 of 6 pairs",
        "nobody in dblp",
        "not all told apart",
        "2 people",
    ):
        assert text in ended.stdout, text
    assert ended.stderr == ""


def test_csv_has_all_pairs_but_those_with_certainly_nothing(ask):
    ended = ask("Al Alpha\nNobody Atall", "Bo Beta\nCy Gamma 0002", "--format", "csv")
    assert list(csv.reader(io.StringIO(ended.stdout))) == [
        ["left", "right", "count", "verdict", "same_person", "keys"],
        ["Al Alpha", "Bo Beta", "2", "coauthors", "False", "a/2 a/1"],
        ["Nobody Atall", "Bo Beta", "0", "unknown", "False", ""],
        ["Nobody Atall", "Cy Gamma 0002", "0", "unknown", "False", ""],
    ]


def test_json_is_what_the_api_answers(ask, client):
    told = json.loads(ask("Al Alpha", "Bo Beta\nCy Gamma", "--format", "json", "--limit-per-pair", "1").stdout)
    question = {"left": ["Al Alpha"], "right": ["Bo Beta", "Cy Gamma"], "limit_per_pair": 1}
    answered = client.post("/api/coauthors/pairs", json.dumps(question), content_type="application/json").json()
    assert told == answered
    assert len(told["pair_pubs"][0]["items"]) == 1


def test_a_list_may_come_from_standard_input(ask, manage, tmp_path):
    ask("Al Alpha", "Bo Beta")
    process = manage("coauthors", "-", tmp_path / "right.txt", stdin=subprocess.PIPE)
    told, _ = process.communicate("Al Alpha\n")
    assert (process.returncode, "Second." in told) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere.txt", "{right}"], "nowhere.txt: No such file"),
        (["{right}"], "required: RIGHT"),
        (["-", "-"], "only one of the lists"),
        (["{empty}", "{right}"], "LEFT has no names"),
        (["{latin}", "{right}"], "is not UTF-8"),
        (["{right}", "{right}", "--year-min", "12"], "year_min 12"),
        (["{right}", "{right}", "--limit-per-pair", "9999999"], "limit_per_pair 9999999"),
        (["{right}", "{right}", "--format", "xml"], "invalid choice"),
    ],
)
def test_errors_are_one_clear_line_and_status_3(ask, run, tmp_path, arguments, told):
    ask("Al Alpha", "Bo Beta")
    (tmp_path / "empty.txt").write_text("# nobody\n\n")
    (tmp_path / "latin.txt").write_bytes("Dí".encode("latin-1"))
    files = {name: tmp_path / f"{name}.txt" for name in ("right", "empty", "latin")}
    ended = run(*(argument.format(**files) for argument in arguments))
    assert ended.returncode == 3
    assert told in ended.stderr.splitlines()[-1]
    assert ended.stdout == ""


def test_without_a_store(run, tmp_path):
    (tmp_path / "one.txt").write_text("Al Alpha")
    ended = run(tmp_path / "one.txt", tmp_path / "one.txt")
    assert ended.returncode == 3
    assert "rebuild_store" in ended.stderr


def test_a_pid_that_dblp_gave_up_is_still_the_person(make_dump, build_from, run, tmp_path):
    old = person("a/Alpha", extra="<crossref>homepages/1/1</crossref>")
    build_from(make_dump(old, *RECORDS))
    (tmp_path / "old.txt").write_text("pid:a/Alpha")
    (tmp_path / "right.txt").write_text("Bo Beta")
    ended = run(tmp_path / "old.txt", tmp_path / "right.txt")
    assert (ended.returncode, "Second." in ended.stdout) == (1, True)
