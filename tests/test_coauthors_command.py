"""The command ``coauthors``: what it prints and the status that scripts go by."""

import json
import subprocess

import pytest

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
def ask(make_dump, build_from, ask_lists):
    """Run the command on two lists of names."""
    build_from(make_dump(*RECORDS))
    return ask_lists


@pytest.mark.parametrize(
    ("left", "right", "options", "status"),
    [
        ("Al Alpha", "Bo Beta", [], 1),
        ("A. Alpha", "bo beta\n", [], 1),
        ("Al Alpha", "Cy Gamma 0002", [], 0),
        ("Al Alpha", "Al Alpha", [], 1),
        ("Al Alpha", "A. Alpha", [], 1),
        ("Bo Beta", "Cy Gamma", [], 2),
        ("Cy Gamma", "Cy Gamma", [], 2),
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


UNFIT = {
    "empty": b"# nobody\n\n",
    "latin": "Bo Beta\n\nDí".encode("latin-1"),
    "utf16": "Bo Beta".encode("utf-16"),
    "csv": b"name,affiliation\nBo Beta,U. of B\n",
    "long": b"Bo Beta\n" + b"x" * 301,
    "many": b"\n".join(b"Name %d" % number for number in range(10_001)),
}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere.txt", "{right}"], "nowhere.txt: No such file"),
        (["{right}"], "required: RIGHT"),
        (["-", "-"], "only one of the lists"),
        (["{empty}", "{right}"], "LEFT has no names"),
        (["{latin}", "{right}"], "latin.txt, line 3: is not UTF-8"),
        (["{utf16}", "{right}"], "utf16.txt, line 1: is not UTF-8; convert it: iconv -f UTF-16 -t UTF-8"),
        (["{csv}", "{right}"], "csv.txt looks like CSV (name,affiliation)"),
        (["{right}", "{long}"], "long.txt, line 2: 301 characters are no name"),
        (["{many}", "{right}"], "LEFT has 10,001 names; at most 10,000 are taken"),
        (["{right}", "{right}", "--year-min", "2020", "--year-max", "2010"], "--year-min 2020 is later than"),
        (["{right}", "{right}", "--no-color", "--force-color"], "can't be used together"),
        (["{right}", "{right}", "--year-min", "12"], "--year-min 12: "),
        (["{right}", "{right}", "--limit-per-pair", "9999999"], "--limit-per-pair 9999999: "),
        (["{right}", "{right}", "--format", "xml"], "invalid choice"),
    ],
)
def test_errors_are_one_clear_line_and_status_3(ask, coauthors, tmp_path, arguments, told):
    ask("Al Alpha", "Bo Beta")
    for name, content in UNFIT.items():
        (tmp_path / f"{name}.txt").write_bytes(content)
    files = {name: tmp_path / f"{name}.txt" for name in ("right", *UNFIT)}
    ended = coauthors(*(argument.format(**files) for argument in arguments))
    assert ended.returncode == 3
    assert told in ended.stderr.splitlines()[-1]
    assert ended.stdout == ""


def test_without_a_store(coauthors, tmp_path):
    (tmp_path / "one.txt").write_text("Al Alpha")
    ended = coauthors(tmp_path / "one.txt", tmp_path / "one.txt")
    assert ended.returncode == 3
    assert "rebuild_store" in ended.stderr


def test_a_pid_that_dblp_gave_up_is_still_the_person(make_dump, build_from, ask_lists):
    old = person("a/Alpha", extra="<crossref>homepages/1/1</crossref>")
    build_from(make_dump(old, *RECORDS))
    ended = ask_lists("pid:a/Alpha", "Bo Beta")
    assert (ended.returncode, "Second." in ended.stdout) == (1, True)


@pytest.mark.parametrize("line", ["Al Alpha # chair", "Al Alpha\t#chair", "  # chair\nAl Alpha", "\ufeffAl Alpha"])
def test_a_number_sign_after_a_space_begins_a_comment(ask, line):
    ended = ask(f"{line}\n", "Bo Beta")
    assert (ended.returncode, "nobody" in ended.stdout) == (1, False)


def test_a_number_sign_inside_a_word_is_part_of_it(ask):
    assert "C#Sharp" in ask("C#Sharp", "Bo Beta").stdout


def test_only_newlines_end_a_name(ask):
    assert ask("Al\x0bAlpha\r\nNobody Atall\r", "Bo\u2028Beta\r\n").returncode == 1


def test_a_list_that_may_be_csv_is_told_of(ask):
    ended = ask("Al Alpha,U. of A\nBo Beta,U. of B\n", "Bo Beta")
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert "left.txt may be CSV: every line has a comma" in ended.stderr


@pytest.mark.parametrize("left", ["Alpha, Al\nNobody, Atall", "Al Alpha\nBo Beta,U. of B", "First, Ann", "Alpha,Al"])
def test_commas_alone_are_no_csv(ask, left):
    assert "CSV" not in ask(left + "\nAl Alpha", "Bo Beta").stderr
