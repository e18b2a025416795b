"""The phrases of pages in Chinese: all there, with the places for values, and compiled as they are written."""

import re

import polib
import pytest

from tests.conftest import ROOT

CATALOGUES = ROOT / "locale" / "zh_Hans" / "LC_MESSAGES"
QUOTED = r"\"((?:[^\"\\]|\\.)*)\""
TRANSLATE = re.compile(r"{%\s*translate\s+(?:\"([^\"]*)\"|'([^']*)')")
BLOCK = re.compile(r"{%\s*blocktranslate\b.*?%}(.*?){%\s*endblocktranslate\s*%}", re.DOTALL)
GETTEXT = re.compile(rf"\bgettext\(\s*{QUOTED}\s*\)")
NGETTEXT = re.compile(rf"\bngettext\(\s*{QUOTED},\s*{QUOTED},")


def read(folder, pattern):
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / folder).glob(pattern)))


def in_templates():
    text = read("templates", "**/*.html")
    blocks = [re.sub(r"{{\s*(\w+)\s*}}", r"%(\1)s", block) for block in BLOCK.findall(text)]
    assert len(blocks) == text.count("{% blocktranslate")
    plain = [one or other for one, other in TRANSLATE.findall(text)]
    assert len(plain) == text.count("{% translate")
    return {(phrase, "") for phrase in plain + blocks}


def in_scripts():
    text = read("static/js", "*.js")
    # Comments show how a phrase is written; no phrase holds what begins one.
    text = re.sub(r"/\*\*.*?\*/", "", text, flags=re.DOTALL)
    single, several = GETTEXT.findall(text), NGETTEXT.findall(text)
    assert len(single) + len(several) == len(re.findall(r"\bn?gettext\(", text))
    return {(phrase, "") for phrase in single} | set(several)


def catalogue(domain):
    return polib.pofile(CATALOGUES / f"{domain}.po")


def translations(entry):
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


def places(phrase):
    return set(re.findall(r"%\(\w+\)s", phrase))


@pytest.mark.parametrize(("domain", "used"), [("django", in_templates), ("djangojs", in_scripts)])
def test_every_phrase_is_translated_and_no_other_is_kept(domain, used):
    phrases = {(entry.msgid, entry.msgid_plural) for entry in catalogue(domain)}
    assert used() == phrases


@pytest.mark.parametrize("domain", ["django", "djangojs"])
def test_translations_are_whole_and_have_the_places_of_their_phrases(domain):
    for entry in catalogue(domain):
        assert not entry.flags or entry.flags == ["python-format"], entry.msgid
        assert len(translations(entry)) == 1, entry.msgid  # Chinese has one form for all numbers.
        for text in translations(entry):
            assert text, entry.msgid
            assert places(text) == places(entry.msgid_plural or entry.msgid), entry.msgid


@pytest.mark.parametrize("domain", ["django", "djangojs"])
def test_what_is_compiled_is_what_is_written(domain):
    written, compiled = catalogue(domain), polib.mofile(CATALOGUES / f"{domain}.mo")
    assert compiled.metadata == written.metadata

    def content(entries):
        return {(entry.msgid, entry.msgid_plural): translations(entry) for entry in entries}

    assert content(compiled) == content(written)
