"""Finds the attributes in an XML text that name files and folders, as MuJoCo finds them."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any
from xml.parsers import expat

_NAMING = re.compile(r'file\w*|\w*dir')
_WRITTEN = re.compile(rf'\b({_NAMING.pattern})\s*=\s*(?=("[^"]*"|\'[^\']*\'))'.encode())
_DECLARED = re.compile(rb'<!(?!--|\[CDATA\[)')
"""Matches declarations that MuJoCo takes for tags, so that it finds other elements than XML
parsers."""

Attribute = tuple[str, str, str]
"""An element, an attribute and its value."""


def naming(content: bytes) -> list[Attribute]:
    """Returns the naming attributes of all elements.

    For text that is not well-formed it returns everything that looks like such an attribute,
    without elements. MuJoCo reads any text as UTF-8, whatever the text declares, up to the first
    zero byte.
    """
    text = content.partition(b'\0')[0]
    if b'<' not in text:
        return []
    found: list[Attribute] = []

    def note(tag: str, attributes: dict[str, Any]) -> None:
        found.extend(
            (tag, key, value) for key, value in attributes.items() if _NAMING.fullmatch(key)
        )

    parser = expat.ParserCreate('utf-8')
    parser.StartElementHandler = note
    try:
        parser.Parse(text, True)
    except expat.ExpatError:
        return [*found, *_looking_so(text)]
    return [*found, *_looking_so(text)] if _DECLARED.search(text) else found


def _looking_so(text: bytes) -> Iterator[Attribute]:
    for match in _WRITTEN.finditer(text):
        value = html.unescape(match[2][1:-1].decode(errors='replace'))
        yield '', match[1].decode(), value
