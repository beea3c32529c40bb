"""Finds the parts of tags.

XML parsers report the start of a tag, but not the positions of its attributes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .encoded_text import Text

_NAME = re.compile(rb'<[^\s/>]+')
_ATTRIBUTE = re.compile(rb'\s+([^\s=/>]+)\s*=\s*(["\'])(.*?)\2', re.DOTALL)
_CLOSE = re.compile(rb'\s*(/?)>')
_NOTHING = re.compile(rb'(?:[^<]|<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>)*(</[^>]*>)', re.DOTALL)
"""Matches an end tag that follows without an element in between."""
_BREAK = re.compile('\r\n|[\n\r\t]')
_ENTITY = re.compile('&(?:#x([0-9a-fA-F]+)|#([0-9]+)|([a-z]+));')
_ENTITIES = {'lt': '<', 'gt': '>', 'amp': '&', 'quot': '"', 'apos': "'"}


@dataclass(frozen=True, slots=True)
class Part:
    """The offsets of one attribute in a tag."""

    start: int
    """The offset of the whitespace before the attribute."""
    value: int
    """The offset of the value, after the opening quote."""
    value_stop: int
    """The offset of the closing quote."""
    quote: str


@dataclass(frozen=True, slots=True)
class Tag:
    """A start tag and its attributes."""

    parts: dict[str, Part]
    """The attributes by name."""
    end: int
    """The offset after the last attribute, or after the tag's name without attributes."""
    stop: int
    """The offset after the tag."""
    empty: bool
    """Whether this is an empty-element tag."""


def tag_at(text: Text, start: int) -> Tag:
    """Parses the well-formed start tag at an offset."""
    name = _NAME.match(text.ascii, start)
    assert name is not None
    end, parts = name.end(), {}
    while found := _ATTRIBUTE.match(text.ascii, end):
        value, value_stop = found.span(3)
        parts[found[1].decode(text.encoding if text.width == 1 else 'ascii')] = Part(
            end, value, value_stop, found[2].decode()
        )
        end = found.end()
    close = _CLOSE.match(text.ascii, end)
    assert close is not None
    return Tag(parts, end, close.end(), bool(close[1]))


def value_of(text: Text, part: Part) -> str:
    """Returns the value of an attribute as parsers read it."""
    written = text.decoded(part.value, part.value_stop)
    if written.isprintable() and '&' not in written:
        return written
    return _ENTITY.sub(_character, _BREAK.sub(' ', written))


def _character(found: re.Match[str]) -> str:
    if found[3]:
        return _ENTITIES[found[3]]
    return chr(int(found[1], 16) if found[1] else int(found[2]))


def stop_of(text: Text, start: int, stop: int) -> int:
    """Returns the offset after the element at `start`, whose end tag, if any, is at `stop`.

    The first occurrence of a repeated section has an end tag; the last can lack one.
    """
    tag = tag_at(text, start)
    if tag.empty:
        return tag.stop
    ends = text.ascii.startswith(f'</{text.name(start)}'.encode(), stop)
    return text.ascii.index(b'>', stop) + 1 if ends else stop


def end_tag(text: Text, tag: Tag) -> tuple[int, int] | None:
    """Returns the offsets of a childless element's end tag; None if the element has children."""
    if tag.empty:
        return tag.end, tag.stop
    found = _NOTHING.match(text.ascii, tag.stop)
    return found.span(1) if found else None
