"""A record of dblp as an entry of BibTeX, made from the record itself, which has more than the store's columns.

Field names and types are those of the BibTeX of 1988 (Oren Patashnik, "BibTeXing", section 3), and doi, isbn, url,
which its successors know and others pass over. The key is dblp's own, so entries from there and from here are the same.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from bibliography.names import split_number

_TYPES = frozenset(
    ("article", "inproceedings", "proceedings", "book", "incollection", "phdthesis", "mastersthesis"),
)
_FIELDS = (
    *("journal", "booktitle", "school", "publisher", "series"),
    *("volume", "number", "pages", "year", "month", "isbn"),
)
_MARKUP = {"i": r"\emph{%s}", "tt": r"\texttt{%s}", "sub": "$_{%s}$", "sup": "$^{%s}$"}
_SPECIAL = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_"}
    # BibTeX counts braces, escaped ones too.
    | {"{": r"\textbraceleft{}", "}": r"\textbraceright{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
)
_DOI = re.compile(r"https?://(?:dx\.)?doi\.org/(10\..+)")


def entry(raw_xml: str) -> str:
    """Give the entry of a record as it is in the store; letters are left as they are, in UTF-8."""
    record = ET.fromstring(raw_xml)  # Our own store's, so it has no DTD and no entities.
    fields = [(role, _names(record, role)) for role in ("author", "editor")]
    fields.append(("title", _line(record.find("title")).removesuffix(".")))
    fields += [(name, _all(record, name)) for name in _FIELDS]
    fields += _links(record)
    kept = ",\n".join(f"  {name:9} = {{{value}}}" for name, value in fields if value)
    return f"@{record.tag if record.tag in _TYPES else 'misc'}{{DBLP:{record.get('key')},\n{kept}\n}}\n"


def _names(record: ET.Element, role: str) -> str:
    """Give the names of a role; a number that only tells people of one name apart is no part of it."""
    return " and ".join(split_number("".join(name.itertext()))[0].translate(_SPECIAL) for name in record.iter(role))


def _all(record: ET.Element, name: str) -> str:
    """Give a field; the first where a record has several, as for ISBNs."""
    text = _line(record.find(name))
    return re.sub("(?<=[0-9A-Za-z])-(?=[0-9A-Za-z])", "--", text) if name == "pages" else text


def _text(element: ET.Element | None) -> str:
    """Give text with the few tags that dblp has in it, in LaTeX."""
    if element is None:
        return ""
    parts = [(element.text or "").translate(_SPECIAL)]
    for child in element:
        parts.append(_MARKUP.get(child.tag, "%s") % _text(child))
        parts.append((child.tail or "").translate(_SPECIAL))
    return "".join(parts)


def _line(element: ET.Element | None) -> str:
    return " ".join(_text(element).split())


def _links(record: ET.Element) -> list[tuple[str, str]]:
    """Give the first DOI and the first link; addresses are taken as they are, and what is none is left out."""
    texts = ("".join(link.itertext()).strip() for link in record.iter("ee"))
    links = [text for text in texts if text.startswith(("https://", "http://"))]
    doi = next((found[1] for link in links if (found := _DOI.fullmatch(link))), "")
    return [("doi", doi), ("url", links[0] if links else "")]
