"""The DTD of a dump, read for its entities: the letters that the dump writes as ``&uuml;``.

The dump is ASCII, and all that it needs of its DTD is which letter a name stands for. So the DTD is read once,
from the one local file that the build chose, and the names are replaced before XML is parsed. No parser that
sees the dump knows an entity then, so none can expand without bound or read another file.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from lxml import etree

from pipeline.errors import BadDtd

_REFERENCE = re.compile(rb"&([A-Za-z_][A-Za-z0-9._-]*);")
# CDATA and comments hold no entities. dblp has neither; a dump that has them is still read right.
_VERBATIM = re.compile(rb"(<!\[CDATA\[.*?\]\]>|<!--.*?-->)", re.DOTALL)
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_EXTERNAL = re.compile(rb"<!ENTITY\s+(?:%\s+)?[^\s\"'>]+\s+(?:SYSTEM|PUBLIC)\b")
_PARAMETER = re.compile(rb"<!ENTITY\s+%\s+([^\s\"'>]+)")
_PREDEFINED = frozenset({"amp", "lt", "gt", "quot", "apos"})  # XML's own, which stay as they are.
_MARKUP = re.compile("[&<>\"']")
_ADDRESS = "dtd:of-the-dump"  # No scheme that anything could be opened by.
_LONGEST = 8  # Characters an entity may stand for; dblp's stand for one. A bomb stands for millions.

Entities = dict[bytes, bytes]
"""Names of entities and the UTF-8 that they stand for."""


def read_entities(path: Path) -> Entities:
    """Read which letter every entity of the DTD stands for.

    Raises:
        BadDtd: the file is missing, is not a DTD, refers to other files, or declares an entity that is not a
            few plain letters; and when it declares none at all, because then every accent would be lost.
    """
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        lost = "without it every accented letter would be lost; --dtd says where it lies"
        raise BadDtd(f"the DTD {path} is missing: {lost}") from None
    except OSError as error:
        raise BadDtd(f"the DTD {path} cannot be read: {error.strerror}") from error
    declarations = _COMMENT.sub(b"", text)
    if _EXTERNAL.search(declarations):
        raise BadDtd(f"the DTD {path.name} declares an external entity, which is not opened")
    # Parameter entities abbreviate the DTD itself; lxml lists them among the others.
    passed_over = _PREDEFINED.union(name.decode() for name in _PARAMETER.findall(declarations))
    entities: Entities = {}
    for entity in _parse(path.name, text).iterentities():  # type: ignore[attr-defined]  # lxml-stubs lack it.
        if entity.name not in passed_over:
            entities[entity.name.encode()] = _plain_letters(path.name, entity).encode()
    if not entities:
        raise BadDtd(f"{path.name} declares no entities: it is not a DTD of dblp")
    return entities


def _parse(name: str, text: bytes) -> etree.DTD:
    """Parse the DTD as that of an empty document; its parameter entities may bring in no other file."""
    parser = etree.XMLParser(load_dtd=True, resolve_entities=True, no_network=True)
    parser.resolvers.add(_Only(name, text))
    try:
        document = etree.fromstring(f'<!DOCTYPE dblp SYSTEM "{_ADDRESS}"><dblp/>'.encode(), parser)
    except etree.XMLSyntaxError as error:
        raise BadDtd(f"{name} is not a DTD: {error.msg}") from error
    dtd: etree.DTD = document.getroottree().docinfo.externalDTD
    return dtd


class _Only(etree.Resolver):
    """Gives the parser one text under ``_ADDRESS`` and refuses every other file.

    No search of the text could do that: parameter entities can spell ``SYSTEM`` letter by letter. Nor could
    ``resolve_empty`` or None, after which lxml opens the file itself.
    """

    def __init__(self, name: str, text: bytes) -> None:
        self._name, self._text = name, text

    def resolve(self, system_url: str, public_id: str, context: Any) -> Any:  # type: ignore[override]  # Wrong stubs.
        """Give the one text, or raise ``BadDtd``, which ends the parsing."""
        if system_url != _ADDRESS:
            raise BadDtd(f"the DTD {self._name} refers to {system_url}, which is not opened")
        return self.resolve_string(self._text, context, base_url=None)


def _plain_letters(dtd: str, entity: Any) -> str:
    """Check that an entity stands for a few letters and nothing that XML would read on."""
    content: str = entity.content or ""
    if not content or len(content) > _LONGEST or _MARKUP.search(content):
        raise BadDtd(f"{dtd}: the entity {entity.name} does not stand for a plain letter")
    return content


def replace_entities(xml: bytes, entities: Entities) -> bytes:
    """Write the letters of all entities that the DTD declares into ``xml``, as UTF-8.

    References to unknown entities stay, and are an error of the parser then.
    """

    def letter(match: re.Match[bytes]) -> bytes:
        return entities.get(match[1]) or match[0]

    if b"!" in xml and b"<!" in xml:
        parts = _VERBATIM.split(xml)
        parts[::2] = [_REFERENCE.sub(letter, part) for part in parts[::2]]
        return b"".join(parts)
    return _REFERENCE.sub(letter, xml)
