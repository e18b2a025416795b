"""The DTD: which letters its entities stand for, what it may not hold, and how names become letters."""

import os

import pytest

from benchmarks.dtd import ENTITY_OF, dtd_text
from pipeline.dtd import read_entities, replace_entities
from pipeline.errors import BadDtd
from tests.conftest import REAL

PLAIN = '<!ELEMENT dblp ANY>\n<!ENTITY uuml "&#252;">\n'
SECRET = '<!ENTITY secret "&#83;">\n'


@pytest.fixture
def dtd_of(tmp_path):
    """Write a DTD, in which ``{secret}`` stands for a file beside it that nothing may open."""
    secret = tmp_path / "secret.dtd"
    secret.write_text(SECRET)

    def write(text):
        path = tmp_path / "dblp.dtd"
        text = text.replace("{secret}", secret.as_uri()) if isinstance(text, str) else text
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return write


@pytest.mark.parametrize(
    ("declared", "entities"),
    [
        ('<!ENTITY uuml "&#252;">', {b"uuml": "ü"}),
        ('<!ENTITY uuml "&#xFC;">', {b"uuml": "ü"}),
        ("<!ENTITY uuml 'ü' >", {b"uuml": "ü"}),
        ('<!ENTITY mu "&#956;"><!ENTITY clef "&#x1D11E;">', {b"mu": "μ", b"clef": "𝄞"}),
        ('<!ENTITY uuml "ü"><!ENTITY uuml "u">', {b"uuml": "ü"}),
        ('<!ENTITY % field "author|editor"><!ELEMENT www (%field;)*><!ENTITY uuml "ü">', {b"uuml": "ü"}),
        ('<!ENTITY amp "&#38;#38;"><!ENTITY lt "&#38;#60;"><!ENTITY uuml "ü">', {b"uuml": "ü"}),
        ('<!-- <!ENTITY % HTMLlat1 PUBLIC "x" "y"> %HTMLlat1; --><!ENTITY uuml "ü">', {b"uuml": "ü"}),
    ],
    ids=[
        "decimal",
        "hexadecimal",
        "as it is",
        "beyond Latin-1",
        "declared twice, the first counts",
        "beside parameter entities",
        "beside XML's own",
        "an external entity in a comment",
    ],
)
def test_entities_are_letters(dtd_of, declared, entities):
    assert read_entities(dtd_of(declared)) == {name: letter.encode() for name, letter in entities.items()}


def test_the_encoding_of_the_dtd_is_heeded(dtd_of):
    text = '<?xml version="1.0" encoding="ISO-8859-1"?>\n<!ENTITY uuml "ü">'
    assert read_entities(dtd_of(text.encode("latin-1"))) == {b"uuml": "ü".encode()}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "dblp.dtd declares no entities"),
        ("<!ELEMENT dblp ANY>", "declares no entities"),
        ('<!ENTITY % field "author">', "declares no entities"),
        ('<!ENTITY amp "&#38;#38;">', "declares no entities"),
        ("<!DOCTYPE html><html><body>Are you a robot?</body></html>", "is not a DTD"),
        (PLAIN + "<html>", "is not a DTD"),
        (PLAIN + "<!ENTITY ouml", "is not a DTD"),
        (b"\x1f\x8b\x08\x00" + bytes(30), "is not a DTD"),
    ],
    ids=[
        "empty",
        "no entity",
        "parameters alone",
        "XML's own alone",
        "HTML",
        "HTML after it",
        "cut off",
        "gzip",
    ],
)
def test_a_wrong_dtd(dtd_of, text, message):
    with pytest.raises(BadDtd, match=message) as caught:
        read_entities(dtd_of(text))
    assert "\n" not in str(caught.value)
    assert "dtd:of-the-dump" not in str(caught.value)


def test_a_missing_dtd(tmp_path):
    with pytest.raises(
        BadDtd, match=r"the DTD /.*/dblp.dtd is missing: without it every accented letter .* --dtd says where"
    ):
        read_entities(tmp_path / "dblp.dtd")
    with pytest.raises(BadDtd, match="cannot be read"):
        read_entities(tmp_path)


@pytest.mark.parametrize(
    "declared",
    [
        '<!ENTITY ouml SYSTEM "{secret}">',
        '<!ENTITY ouml PUBLIC "-//x" "{secret}">',
        '<!ENTITY % more SYSTEM "{secret}"> %more;',
        '<!ENTITY % more PUBLIC "-//x" "{secret}"> %more;',
        '<!ENTITY\n%\nmore\nSYSTEM\n"{secret}">\n%more;',
        '<!ENTITY % from "<!--"><!ENTITY % more SYSTEM "{secret}"> %more; <!ENTITY % to "-->">',
        "<!ENTITY % all \"<!ENTITY &#37; more SYSTEM '{secret}'>\"> %all; %more;",
        '<!ENTITY % s "SYSTEM"><!ENTITY % all "<!ENTITY &#37; more %s; \'{secret}\'>"> %all; %more;',
        "<!ENTITY % all \"&#60;!ENTITY &#37; more &#83;YSTEM '{secret}'>\"> %all; %more;",
        '<!ENTITY % more SYSTEM "secret.dtd"> %more;',
        '<!ENTITY % more SYSTEM "http://127.0.0.1:9/secret.dtd"> %more;',
    ],
    ids=[
        "general",
        "general and public",
        "parameter",
        "parameter and public",
        "over several lines",
        "between what looks like a comment",
        "declared by a parameter entity",
        "its keyword in a parameter entity",
        "spelled letter by letter",
        "a relative path",
        "another host",
    ],
)
def test_an_external_entity_is_refused_and_its_file_never_opened(dtd_of, tmp_path, declared):
    # The system notes when a file was read last, at the latest if that was before the file was changed.
    secret = tmp_path / "secret.dtd"
    path = dtd_of(PLAIN + declared)
    os.utime(secret, (0, 0))
    with pytest.raises(BadDtd, match="not opened"):
        read_entities(path)
    assert secret.stat().st_atime == 0


@pytest.mark.parametrize(
    "content",
    ["", "nine letters", "&uuml;", "&#38;uuml;", "&#60;b>", "<i>x</i>", "&#38;", "a > b", "&#34;", "'"],
)
def test_an_entity_that_is_not_a_few_plain_letters(dtd_of, content):
    with pytest.raises(BadDtd, match="the entity ouml does not stand for a plain letter"):
        read_entities(dtd_of(f'{PLAIN}<!ENTITY ouml "{content}">'))


@pytest.mark.parametrize("sign", ["&", "%"], ids=["of general entities", "of parameter entities"])
def test_a_nested_bomb(dtd_of, sign):
    kind = "" if sign == "&" else "% "
    bomb = f'<!ENTITY {kind}a0 "0123456789">' + "".join(
        f'<!ENTITY {kind}a{i} "{f"{sign}a{i - 1};" * 10}">' for i in range(1, 12)
    )
    with pytest.raises(BadDtd):
        read_entities(dtd_of(PLAIN + bomb + ("%a11;" if kind else "")))


def test_the_dtd_of_made_up_dumps(dtd_of):
    entities = read_entities(dtd_of(dtd_text()))
    assert entities == {name.strip("&;").encode(): chr(point).encode() for point, name in ENTITY_OF.items()}


@pytest.mark.skipif(not REAL.exists(), reason="the real DTDs of dblp are not beside the project")
@pytest.mark.parametrize("name", ["dblp.dtd", "dblp-2019-11-23.dtd"])
def test_the_real_dtds_of_dblp(name):
    entities = {name.decode(): letter.decode() for name, letter in read_entities(REAL.with_name(name)).items()}
    assert len(entities) == 65
    assert all(len(letter) == 1 for letter in entities.values())
    assert {name: entities[name] for name in ("uuml", "szlig", "Oslash", "aelig", "times", "micro", "reg")} == {
        "uuml": "ü",
        "szlig": "ß",
        "Oslash": "Ø",
        "aelig": "æ",
        "times": "×",
        "micro": "µ",
        "reg": "®",
    }
    assert not entities.keys() & {"amp", "lt", "gt", "quot", "apos", "field", "titlecontents"}


@pytest.mark.parametrize(
    ("xml", "replaced"),
    [
        ("J&uuml;rgen &Ouml;z&uuml;", "Jürgen Özü"),
        ("<a b='&uuml;'>&uuml;</a>", "<a b='ü'>ü</a>"),
        ("&nosuch; &uuml", "&nosuch; &uuml"),
        ("&amp;&lt;&gt;&quot;&apos;&amp;uuml;", "&amp;&lt;&gt;&quot;&apos;&amp;uuml;"),
        ("&#252;&#xFC;&#956;", "&#252;&#xFC;&#956;"),
        ("&uuml;<![CDATA[&uuml;]]>&uuml;", "ü<![CDATA[&uuml;]]>ü"),
        ("&uuml;<!-- &uuml;\n -->&uuml;<!---->&uuml;", "ü<!-- &uuml;\n -->ü<!---->ü"),
        ("<!-- <![CDATA[ -->&uuml;<!-- ]]> -->", "<!-- <![CDATA[ -->ü<!-- ]]> -->"),
        ("<![CDATA[ <!-- ]]>&uuml;<![CDATA[ --> ]]>", "<![CDATA[ <!-- ]]>ü<![CDATA[ --> ]]>"),
        ("ü & &;&uuml;", "ü & &;ü"),
    ],
    ids=[
        "letters",
        "attributes",
        "unknown ones stay",
        "XML's own stay",
        "numeric ones stay",
        "CDATA",
        "comments",
        "CDATA in a comment",
        "a comment in CDATA",
        "raw letters",
    ],
)
def test_names_become_letters(xml, replaced):
    entities = {b"uuml": "ü".encode(), b"Ouml": "Ö".encode()}
    assert replace_entities(xml.encode(), entities).decode() == replaced
