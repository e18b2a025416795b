"""The operator's list of reviewers: every way in which it may be written, and what is said where it cannot be read."""

import os

import pytest

from tests.made_up import problem_of

ANN, BOB = ("Ann Alpha", "U. of A"), ("Bob Beta", "")


@pytest.fixture
def listed(tmp_path, settings, client):
    """Write the list as text or bytes, and ask for it; gives the response."""
    settings.PC_MEMBERS = tmp_path / "pc-members.csv"

    def ask(content=None):
        if content is not None:
            settings.PC_MEMBERS.write_bytes(content if isinstance(content, bytes) else content.encode())
        return client.get("/api/pc-members")

    return ask


def members(response):
    assert response.status_code == 200, response.content
    body = response.json()
    assert body["count"] == len(body["members"])
    return [(member["name"], member["affiliation"]) for member in body["members"]]


@pytest.mark.parametrize(
    "text",
    [
        "reviewer,affiliation\nAnn Alpha,U. of A\nBob Beta,\n",
        "name,affiliation\nAnn Alpha,U. of A\nBob Beta,\n",
        "given_name,family_name,affiliation\nAnn,Alpha,U. of A\nBob,Beta,\n",
        "first name,last name,affiliation\nAnn,Alpha,U. of A\nBob,Beta,\n",
        "first,last,affiliation\nAnn,Alpha,U. of A\nBob,Beta,\n",
        # Other columns, another order, capitals, spaces.
        'e-mail, Affiliation ,LAST NAME,First  Name\na@x,U. of A,Alpha,Ann\nb@x," ",Beta, Bob \n',
        # A whole name wins over its parts, and "reviewer" over "name".
        "first,last,name,reviewer,affiliation\nx,x,x,Ann Alpha,U. of A\nx,x,x,Bob Beta,\n",
        "\ufeffname,affiliation\nAnn Alpha,U. of A\nBob Beta,\n",
        "name;affiliation\nAnn Alpha;U. of A\nBob Beta;\n",
        "name\taffiliation\nAnn Alpha\tU. of A\nBob Beta\t\n",
        "name,affiliation\r\nAnn Alpha,U. of A\r\nBob Beta,\r\n",
        "name,affiliation\rAnn Alpha,U. of A\rBob Beta,\r",
        'name,affiliation\n"Ann\nAlpha","U. of A"\n"Bob  Beta",""',
        # For Excel the first line may say what is between columns.
        "sep=;\nname;affiliation\nAnn Alpha;U. of A\nBob Beta;\n",
        "sep=|\r\nname|affiliation\r\nAnn Alpha|U. of A\r\nBob Beta|\r\n",
        # Columns without a name, which spreadsheets write where nothing is.
        ",name,affiliation,,\n1,Ann Alpha,U. of A,,,\n2,Bob Beta,,,,\n",
        # Columns of the same name that are none of those that are read.
        "x,name,affiliation,x\n,Ann Alpha,U. of A,\n,Bob Beta,,\n",
        # Rows that are blank or short.
        "name,affiliation\n\nAnn Alpha,U. of A\n , \nBob Beta\n\n",
        # Separators that are no newlines, as they are pasted from a text processor.
        "name,affiliation\nAnn\u2028Alpha,U. of\u0085A\nBob\x0bBeta,\n",
        # Decomposed letters are composed: nothing to see here but a name without one.
        "name,affiliation,x\nAnn Alpha,U. of A,e\u0301\nBob Beta,,\n",
    ],
)
def test_every_way_to_write_the_list(listed, text):
    assert members(listed(text)) == [ANN, BOB]


def test_a_comma_or_a_quote_inside_a_name(listed):
    assert members(listed('name\n"Alpha, Ann"\n"Gus ""Guy"" Stone"\n')) == [("Alpha, Ann", ""), ('Gus "Guy" Stone', "")]


@pytest.mark.parametrize("parts", ["given_name,{},family_name", "first name,{},last name", "{},last,first"])
def test_a_middle_name_stands_between_the_others(listed, parts):
    cells = {"given_name": "Ann", "first name": "Ann", "first": "Ann", "Middle Name": "Q."}
    header = parts.format("Middle Name")
    row = ",".join(cells.get(column, "Alpha") for column in header.split(","))
    assert members(listed(f"{header}\n{row}\n")) == [("Ann Q. Alpha", "")]


def test_a_middle_name_is_no_part_of_a_whole_name(listed):
    assert members(listed("name,middle name\nAnn Alpha,Q.\n")) == [("Ann Alpha", "")]


def test_accents_are_composed(listed):
    assert members(listed("name\nRene\u0301e Dupond\n")) == [("Renée Dupond", "")]


def test_without_a_file_there_is_nobody(listed):
    assert members(listed()) == []


def test_a_list_of_nobody(listed):
    assert members(listed("name,affiliation\n")) == []


def test_the_list_is_read_again_when_it_changes(listed, settings):
    assert members(listed("name\nAnn Alpha\n")) == [("Ann Alpha", "")]
    assert members(listed("name\nAnn Alpha\nBob Beta\n")) == [("Ann Alpha", ""), BOB]
    # The same size, another time.
    later = settings.PC_MEMBERS.stat().st_mtime_ns + 1_000_000_000
    listed("name\nAnn Alpha\nBoa Beta\n")
    os.utime(settings.PC_MEMBERS, ns=(later, later))
    assert members(listed()) == [("Ann Alpha", ""), ("Boa Beta", "")]
    # The same size and time, another file.
    other = settings.PC_MEMBERS.with_name("other.csv")
    other.write_text("name\nAnn Alpha\nCia Beta\n")
    os.utime(other, ns=(later, later))
    other.replace(settings.PC_MEMBERS)
    assert members(listed()) == [("Ann Alpha", ""), ("Cia Beta", "")]
    settings.PC_MEMBERS.unlink()
    assert members(listed()) == []


def test_an_error_goes_away_with_its_cause(listed):
    problem_of(listed(""), 500)
    assert members(listed("name\nBob Beta\n")) == [BOB]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"name\nJ\xfcrgen\n", "not UTF-8 (byte 6)"),
        ("name\nAnn".encode("utf-16"), "not UTF-8"),
        ("", "is empty"),
        (" \n\n", "is empty"),
        ("who,affiliation\nAnn Alpha,U. of A\n", "no column for names"),
        ("first,family_name\nAnn,Alpha\n", "given_name + family_name"),
        ("\nname\nAnn\n", "no column for names"),
        ("name,affiliation\nAnn Alpha,\n,U. of A\n", "row 3 has no name"),
        ("first,last,affiliation\n , ,U. of A\n", "row 2 has no name"),
        ('name\nBob Beta\n\n"Ann Alpha\nCia Gamma\n', "row 4: unexpected end of data; look at its quotes"),
        ('name\n"Ann\nAlpha"\n"Bob" Beta\n', "row 3: ',' expected after"),
        ("name\nLee, Ann\n", "row 2 has more cells than the 1 of row 1"),
        ("name,affiliation\nAnn Alpha,U. of A\nBob Beta,U. of B, Dept of CS\n", "row 3 has more cells than the 2"),
        ("name,affiliation,\nBob Beta,U. of B, Dept of CS\n", "row 2 has more cells than the 2"),
        ("name,affiliation,Name\nAnn Alpha,U. of A,Ann\n", "row 1 has 2 columns called 'name'"),
        ("name,affiliation,affiliation\n", "row 1 has 2 columns called 'affiliation'"),
        ("sep=;\n", "no column for names"),
        ("name\n" + "a" * 200_000, "larger than field limit"),
    ],
)
def test_a_list_that_cannot_be_read_is_an_error_that_says_why(listed, content, said):
    detail = problem_of(listed(content), 500)["detail"]
    assert "pc-members.csv" in detail
    assert said in detail


def test_a_directory_in_its_place_is_an_error(listed, settings):
    settings.PC_MEMBERS.mkdir()
    assert "Is a directory" in problem_of(listed(), 500)["detail"]


def test_a_link_that_leads_nowhere_is_an_error(listed, settings):
    settings.PC_MEMBERS.symlink_to("elsewhere.csv")
    assert "pc-members.csv is a symbolic link that leads nowhere" in problem_of(listed(), 500)["detail"]


def test_a_link_to_itself_is_an_error(listed, settings):
    settings.PC_MEMBERS.symlink_to(settings.PC_MEMBERS)
    assert "symbolic links" in problem_of(listed(), 500)["detail"]


def test_where_the_list_lies_is_not_told(listed, settings):
    assert str(settings.PC_MEMBERS.parent) not in problem_of(listed("x\n"), 500)["detail"]
