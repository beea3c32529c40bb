"""Finds where the parts of a tag are."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .text import Text

_NAME = re.compile(rb'<[^\s/>]+')
_ATTRIBUTE = re.compile(rb'\s+([^\s=/>]+)\s*=\s*(["\'])(.*?)\2', re.DOTALL)
_CLOSE = re.compile(rb'\s*(/?)>')
_NOTHING = re.compile(rb'(?:[^<]|<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>)*(</[^>]*>)', re.DOTALL)
"""An end tag with no element before it."""
_BREAK = re.compile('\r\n|[\n\r\t]')
_ENTITY = re.compile('&(?:#x([0-9a-fA-F]+)|#([0-9]+)|([a-z]+));')
_ENTITIES = {'lt': '<', 'gt': '>', 'amp': '&', 'quot': '"', 'apos': "'"}


@dataclass(frozen=True, slots=True)
class Part:
    """One attribute in a tag."""

    start: int
    """Where the blanks before it begin."""
    value: int
    """Where the value begins, behind the first quote."""
    value_stop: int
    """Where the value ends, at the last quote."""
    quote: str


@dataclass(frozen=True, slots=True)
class Tag:
    """A start tag."""

    parts: dict[str, Part]
    """The attributes by their names."""
    end: int
    """Where the last attribute ends, or the tag's name if there is no attribute."""
    stop: int
    """Where the tag ends."""
    empty: bool
    """Whether the tag is an end tag too."""


def tag_at(text: Text, start: int) -> Tag:
    """The tag that begins there; it must be well-formed."""
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
    """What the value is read as."""
    written = text.decoded(part.value, part.value_stop)
    if written.isprintable() and '&' not in written:
        return written
    return _ENTITY.sub(_character, _BREAK.sub(' ', written))


def _character(found: re.Match[str]) -> str:
    if found[3]:
        return _ENTITIES[found[3]]
    return chr(int(found[1], 16) if found[1] else int(found[2]))


def stop_of(text: Text, start: int, stop: int) -> int:
    """Where the element ends that begins at `start`; its end tag, if it has one, is at `stop`.

    A section that occurs again has one the first time, and perhaps none the last time.
    """
    tag = tag_at(text, start)
    if tag.empty:
        return tag.stop
    ends = text.ascii.startswith(f'</{text.name(start)}'.encode(), stop)
    return text.ascii.index(b'>', stop) + 1 if ends else stop


def end_tag(text: Text, tag: Tag) -> tuple[int, int] | None:
    """The end tag of an element without elements in it; None if there are some."""
    if tag.empty:
        return tag.end, tag.stop
    found = _NOTHING.match(text.ascii, tag.stop)
    return found.span(1) if found else None
