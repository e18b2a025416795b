"""The DTD of generated dumps: the element types of dblp and the letters of Latin-1 as entities.

It is written with parameter entities as dblp's own is, because those are what XML parsers stumble over.
"""

from __future__ import annotations

from html.entities import codepoint2name

DTD_NAME = "dblp-2026-01-01.dtd"  # Dated, as a release's DOCTYPE names it.

_LATIN_1 = {point: name for point, name in codepoint2name.items() if 0xC0 <= point <= 0xFF or point in (0xAE, 0xB5)}
#: A table for ``str.translate`` from Latin-1 letters to the entities that stand for them in the dump.
ENTITY_OF = {point: f"&{name};" for point, name in _LATIN_1.items()}

_RECORDS = "article inproceedings proceedings book incollection phdthesis mastersthesis www data".split()
_FIELDS = (
    "author editor title booktitle pages year address journal volume number month url ee cdrom cite publisher "
    "note crossref isbn series school chapter publnr stream rel"
).split()


def dtd_text() -> str:
    """Give the text of the DTD, in ASCII."""
    lines = ["<!-- The DTD of pubmeta's made-up dumps. -->", f"<!ELEMENT dblp ({'|'.join(_RECORDS)})*>"]
    lines.append(f'<!ENTITY % field "{"|".join(_FIELDS)}">')
    lines.append('<!ENTITY % inline "#PCDATA|sub|sup|i|tt|ref">')
    for record in _RECORDS:
        lines.append(f"<!ELEMENT {record} (%field;)*>")
        lines.append(f"<!ATTLIST {record} key CDATA #REQUIRED mdate CDATA #IMPLIED publtype NMTOKENS #IMPLIED>")
    for field in _FIELDS:
        content = "(%inline;)*" if field == "title" else "(#PCDATA)"
        lines.append(f"<!ELEMENT {field} {content}>")
        lines.append(f"<!ATTLIST {field} type NMTOKENS #IMPLIED label CDATA #IMPLIED orcid CDATA #IMPLIED>")
    lines += [f"<!ELEMENT {inline} (%inline;)*>" for inline in ("sub", "sup", "i", "tt", "ref")]
    lines += [f'<!ENTITY {name} "&#{point};">' for point, name in sorted(_LATIN_1.items())]
    return "\n".join(lines) + "\n"
