"""Every odd record and every broken or hostile dump: what each becomes, or the one line that it ends in."""

import gzip
import re
import sqlite3
from contextlib import closing

import pytest

from benchmarks.dtd import DTD_NAME, dtd_text
from benchmarks.dump import write_files
from pipeline import archive
from pipeline.errors import BadArchive, BadDtd, DumpError, LoadError, MalformedDump, VerificationFailed
from tests.conftest import SAMPLE, publication

# Title, year, venue, publtype and first link of the odd records of the sample.
EXPECTED = {
    "journals/trap/Begins": ("k-means, Begun with Markup.", 2019, "J. Trap. Stud.", None, "https://doi.org/10.1/first"),
    "journals/trap/Nested": ("On H2+O & μ-Calculus < C++: a Reply.", 2021, "J. Trap. Stud.", None, None),
    "conf/trap/2020": ("Proceedings of TRAP.", 2020, "TRAP", None, None),
    "journals/trap/Anonymous": ("Editorial.", 1999, "J. Trap. Stud.", None, None),
    "journals/trap/Undated": ("No Year Is Known.", None, "CoRR", "informal withdrawn", None),
    "journals/trap/Untitled": ("", 1987, None, None, None),
    "phd/trap/Next": ("Next Year's Thesis.", 2027, "University of Elsewhere", None, None),
    "data/trap/Set": ("A Data Set.", 2023, None, "data", None),
    "journals/trap/Unknown": ("Folded Over Lines.", 2010, "J. Trap. Stud.", None, None),
}
PEOPLE = {
    "Orla O'Nevin": ("01/1", "0000-0001-2345-678X", "University of Elsewhere, Department of Examples", "person", 5),
    "Mei Lan": ("02/2", None, None, "disambiguation", 1),
    "Mei Lan 0001": ("02/2-1", None, None, "person", 2),
    "Mei Lan 0003": ("02/2-3", None, "Institute of Gaps", "person", 1),
    "Mei Lan 0007": (None, None, None, "person", 1),
    "The Sample Collaboration": ("03/3", None, None, "group", 1),
    "Søren Weißæcker": ("04/4", None, None, "person", 1),
    "Gus L. Stone Jr.": (None, None, None, "person", 3),
    "Dana (Jing) Tarn": ("06/6", None, None, "person", 2),
}


def rows_of(path, query, *parameters):
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return connection.execute(query, parameters).fetchall()


@pytest.mark.parametrize("key", EXPECTED)
def test_an_odd_publication(served_sample, key):
    query = "SELECT title, year, venue, publtype, ee FROM publications WHERE key = ?"
    assert rows_of(served_sample.link, query, key) == [EXPECTED[key]]


@pytest.mark.parametrize("name", PEOPLE)
def test_an_odd_person(served_sample, name):
    query = "SELECT pid, orcid, affiliation, kind, publications FROM authors WHERE name = ?"
    assert rows_of(served_sample.link, query, name) == [PEOPLE[name]]


@pytest.mark.parametrize(
    ("key", "people"),
    [
        ("conf/trap/Self", [("Orla O'Nevin", "author", 1)]),  # Alias and primary name are one person.
        ("conf/trap/Redirect", [("Orla O'Nevin", "author", 1), ("Søren Weißæcker", "author", 2)]),
        ("conf/trap/2020", [("Orla O'Nevin", "editor", 1), ("Dana (Jing) Tarn", "editor", 2)]),
        ("books/trap/Both", [("Sarvindo", "author", 1), ("Sarvindo", "editor", 1)]),
        ("journals/trap/Anonymous", []),
        ("journals/trap/Unknown", [("Mei Lan 0001", "author", 1), ("Sarvindo", "author", 2)]),
    ],
)
def test_who_signed_an_odd_publication(served_sample, key, people):
    query = (
        "SELECT authors.name, role, position FROM pub_authors JOIN authors ON authors.id = author_id"
        " JOIN publications ON publications.id = pub_id WHERE key = ? ORDER BY role, position"
    )
    assert rows_of(served_sample.link, query, key) == people


def test_a_paper_of_450_people(served_sample):
    query = "SELECT count(*), max(position) FROM pub_authors JOIN publications ON id = pub_id WHERE key = ?"
    assert rows_of(served_sample.link, query, "journals/trap/Team") == [(450, 450)]


def test_other_pages_of_the_web_are_neither_people_nor_publications(served_sample):
    assert rows_of(served_sample.link, "SELECT key FROM publications WHERE pub_type = 'www' OR key LIKE 'www/%'") == []
    assert rows_of(served_sample.link, "SELECT name FROM authors WHERE name = 'Orla F. Nevin'") == []


def test_records_of_unknown_types_are_counted(served_sample):
    assert rows_of(served_sample.link, "SELECT passed_over FROM store_info") == [('{"stream": 2}',)]


def test_the_bundled_sample_is_what_the_generator_makes(tmp_path):
    write_files(tmp_path / SAMPLE.name, publications=1980, seed=2026, traps=True)
    assert gzip.decompress((tmp_path / SAMPLE.name).read_bytes()) == gzip.decompress(SAMPLE.read_bytes())
    assert (tmp_path / DTD_NAME).read_bytes() == SAMPLE.with_name(DTD_NAME).read_bytes()


ONE = publication("a/1", "Ada Test")
HEAD = f'<?xml version="1.0" encoding="ISO-8859-1"?>\n<!DOCTYPE dblp SYSTEM "{DTD_NAME}">\n<dblp>\n'


@pytest.mark.parametrize(
    ("records", "options", "error", "message"),
    [
        ([ONE], {"tail": "\n"}, MalformedDump, r"line 8: the dump breaks off before </dblp>"),
        ([ONE, '<article key="a/2"><title>Cut'], {"tail": ""}, MalformedDump, r"breaks off before </dblp>"),
        (
            [ONE, '<article key="a/2">\n<title>A <b></title></article>'],
            {},
            MalformedDump,
            r"line 9, record a/2: mismatched",
        ),
        (
            [ONE, '<article key="a/2">\n\n<title>&nosuch;</title></article>'],
            {},
            MalformedDump,
            r"line 10, record a/2: un",
        ),
        ([ONE, "<article><title>No Key.</title></article>"], {}, MalformedDump, r"line 8: a article without a key"),
        ([ONE, ONE], {}, LoadError, r"key"),
        ([ONE], {"dtd": None, "head": HEAD}, BadDtd, r"the DTD /.*/dblp-2026-01-01.dtd is missing: .* accented letter"),
        ([ONE], {"head": "<dblp>\n"}, BadDtd, r"names no DTD"),
        ([ONE], {"head": "<html><body>Are you a robot?"}, MalformedDump, r"not a dump of dblp"),
        ([ONE], {"head": HEAD.replace("ISO-8859-1", "UTF-16")}, MalformedDump, r"utf-16"),
        ([ONE], {"head": HEAD.replace(DTD_NAME, "../../etc/passwd")}, BadDtd, r"not the name of a DTD"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_broken_dump_ends_in_one_clear_line(build_from, make_dump, data, records, options, error, message):
    with pytest.raises(error, match=message) as caught:
        build_from(make_dump(*records, **options))
    assert "\n" not in str(caught.value)
    assert not data.link.exists()
    assert not data.staging.exists()


def test_a_doctype_that_declares_entities_is_refused_and_no_file_is_read(build_from, make_dump, data, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the text of a local file")
    for declared in (
        f'<!ENTITY uuml SYSTEM "{secret.as_uri()}">',
        '<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY uuml "&b;&b;&b;&b;">',
        f'<!ENTITY % more SYSTEM "{secret.as_uri()}"> %more;',
    ):
        head = HEAD.replace(f'"{DTD_NAME}"', f'"{DTD_NAME}" [{declared}]')
        with pytest.raises(BadDtd, match="declarations of its own"):
            build_from(make_dump(publication("a/1", "J&uuml;rgen Test"), head=head))
    assert not data.link.exists()


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ('<!ENTITY uuml SYSTEM "{secret}">', "external entity"),
        ('<!ENTITY % more SYSTEM "{secret}"> %more;', "external entity"),
        ('<!ENTITY % more PUBLIC "x" "{secret}"> %more;', "external entity"),
        ('<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;"><!ENTITY uuml "&b;&b;&b;">', "plain letter"),
        ('<!ENTITY uuml "<title>x</title>">', "not a DTD|plain letter"),
        ("<html><body>Are you a robot?</body></html>", "not a DTD"),
        ("", "declares no entities"),
    ],
)
def test_a_hostile_or_wrong_dtd_is_refused_and_no_file_is_read(
    build_from, make_dump, data, tmp_path, declared, message
):
    secret = tmp_path / "secret.txt"
    secret.write_text('<!ENTITY auml "the text of a local file">')
    dump = make_dump(publication("a/1", "J&uuml;rgen Test"))
    dump.with_name(DTD_NAME).write_text(declared.replace("{secret}", secret.as_uri()))
    with pytest.raises(BadDtd, match=message) as caught:
        build_from(dump)
    assert "\n" not in str(caught.value)
    assert "local file" not in str(caught.value)


def test_letters_of_the_dtd_are_what_names_are_written_with(build_from, make_dump, data):
    build_from(
        make_dump(publication("a/1", "J&uuml;rgen &Aring;&szlig;", title="&reg; &#956; &amp;&lt;&quot;&apos; &micro;"))
    )
    assert rows_of(data.link, "SELECT name FROM authors") == [("Jürgen Åß",)]
    assert rows_of(data.link, "SELECT title FROM publications") == [("® μ &<\"' µ",)]


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.95, 0.999])
def test_a_truncated_archive(build_from, tmp_path, data, share):
    content = SAMPLE.read_bytes()
    cut = tmp_path / "cut.xml.gz"
    cut.write_bytes(content[: int(len(content) * share)])
    (tmp_path / DTD_NAME).write_text(dtd_text())
    with pytest.raises(BadArchive, match="is cut off"):
        build_from(cut)
    assert not data.link.exists()


def test_a_damaged_archive(build_from, tmp_path, data):
    content = bytearray(SAMPLE.read_bytes())
    content[len(content) // 2] ^= 0xFF
    (tmp_path / "bad.xml.gz").write_bytes(content)
    (tmp_path / DTD_NAME).write_text(dtd_text())
    with pytest.raises(DumpError):
        build_from(tmp_path / "bad.xml.gz")
    assert not data.link.exists()


def test_a_page_that_is_named_like_an_archive(build_from, tmp_path, data):
    (tmp_path / "dblp.xml.gz").write_text("<!DOCTYPE html><html><title>Making sure you are not a bot</title>")
    with pytest.raises(BadArchive, match=r"dblp.xml.gz is not gzip: it begins with b'<!DOCTYPE html"):
        build_from(tmp_path / "dblp.xml.gz")


def test_a_bomb_is_stopped_by_its_ratio_and_by_its_size(tmp_path, monkeypatch):
    bomb = tmp_path / "bomb.xml.gz"
    bomb.write_bytes(gzip.compress(HEAD.encode() + b" " * 30_000_000))
    for limit, value, message in (
        ("_RATIO_COUNTS_FROM", 1_000_000, "over 100 times its size"),
        ("MAX_UNPACKED", 20_000_000, "not a dump of dblp"),
    ):
        with (
            monkeypatch.context() as patch,
            pytest.raises(BadArchive, match=message),
            archive.open_dump(bomb) as stream,
        ):
            patch.setattr(archive, limit, value)
            while stream.read(1_000_000):
                pass


def test_a_record_without_an_end_is_given_up(tmp_path, monkeypatch, make_dump):
    monkeypatch.setattr(archive, "_MAX_RECORD", 1_000_000)
    dump = make_dump("<article key='a'><title>" + "x" * 2_000_000, name="endless.xml")
    with archive.open_dump(dump) as stream:
        head = archive.read_head(stream.read(1000), dump.name)
    with archive.open_dump(dump) as stream, pytest.raises(MalformedDump, match="no record ends within"):
        list(archive.read_chunks(stream, head))


def test_plain_xml_is_read_as_well(build_from, make_dump, data):
    build_from(make_dump(ONE, name="dump.xml"))
    assert rows_of(data.link, "SELECT key FROM publications") == [("a/1",)]


def test_comments_and_cdata_are_not_taken_for_records(build_from, make_dump, data):
    build_from(
        make_dump(
            "<!-- <article key='no'></article> &nosuch; -->",
            publication("a/1", "Ada Test", title="<![CDATA[a </i> &uuml; b]]>"),
            '<book key="a/2"/>',
            publication("a/3", "Ada Test", extra="<article>inside</article>\n"),
        )
    )
    found = rows_of(data.link, "SELECT key, title FROM publications ORDER BY key")
    assert found == [("a/1", "a </i> &uuml; b"), ("a/2", ""), ("a/3", "A Title.")]


def test_a_store_that_is_not_what_was_loaded_is_not_published(build_from, make_dump, data, monkeypatch):
    from pipeline import assemble

    real = assemble.adopt_links

    def losing_one(connection, path):
        real(connection, path)
        connection.execute("UPDATE pub_authors SET author_id = 999 WHERE pub_id = 1 AND position = 1")

    monkeypatch.setattr(assemble, "adopt_links", losing_one)
    with pytest.raises(VerificationFailed, match=re.escape("pub_authors.author_id points to 1 … 999, but only 1 … 2")):
        build_from(make_dump(publication("a/1", "Ada Test", "Bea Test"), publication("a/2", "Ada Test")))
    assert not data.link.exists()


def test_a_damaged_full_text_index_is_not_published(build_from, make_dump, data, monkeypatch):
    from pipeline import assemble

    real = assemble.adopt_index

    def damaging(connection, path, tables):
        real(connection, path, tables)
        connection.execute(f"DELETE FROM {tables[0]}_data WHERE id > 10")

    monkeypatch.setattr(assemble, "adopt_index", damaging)
    with pytest.raises(VerificationFailed, match="the full-text index title_fts does not fit its table"):
        build_from(make_dump(ONE))
    assert not data.link.exists()
