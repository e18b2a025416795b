"""Pure functions on names of people."""

from __future__ import annotations

import functools
import re
import unicodedata

from anyascii import anyascii

# dblp tells people of one name apart by a space and four digits.
_NUMBERED = re.compile(r"(.+) (\d{4})", re.DOTALL)
_WORD = re.compile(r"[^\W_]+")
# They stand in no name, and full text would end at the first NUL.
_CONTROLS = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)], " ")
_NO_LETTER = re.compile(r"[\W_]+")


def normalise(text: str) -> str:
    """Give what somebody typed in the form that names are kept in: NFC, white space folded, ends trimmed.

    Control characters count as white space.
    """
    return " ".join(unicodedata.normalize("NFC", text).translate(_CONTROLS).split())


def split_number(name: str) -> tuple[str, str | None]:
    """Split ``Wei Wang 0001`` into base name and homonym number, which is None where there is none."""
    found = _NUMBERED.fullmatch(name)
    return (found[1], found[2]) if found else (name, None)


def latin(text: str) -> str:
    """Take off accents, and spell Latin letters that Unicode does not decompose in ASCII (ß ø ł ı đ æ).

    Letters of other scripts stay what they are: how 王 is spelt is a guess, and a guess is nobody's name.
    """
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(map(_latin_letter, decomposed))


@functools.lru_cache(maxsize=4096)  # Letters in use are a few hundred.
def _latin_letter(letter: str) -> str:
    if unicodedata.combining(letter):
        return ""
    # Modifier letters are apostrophes and the like that Unicode counts as letters (ʼ ʻ ʾ).
    named = unicodedata.name(letter, "")
    return anyascii(letter) if "LATIN" in named or named.startswith("MODIFIER LETTER") else letter


def folded(name: str) -> str:
    """Give what two spellings of a base name have in common: its letters and digits, without case and accents.

    So hyphens, apostrophes, dots and spaces make no difference: Jean-Pierre O'Neil is jeanpierreoneil.
    """
    return _NO_LETTER.sub("", latin(name).casefold())


def words(text: str) -> list[str]:
    """Split text as the full-text index does, which is blind to case and accents."""
    return _WORD.findall(latin(text).casefold())
