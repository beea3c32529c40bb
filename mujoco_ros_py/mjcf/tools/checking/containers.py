"""Finds the elements in which a partial file can be included."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from xml.parsers import expat

from ...compose.root import RootElement
from ...read.placeholders import INCLUDE
from ...sources.source import Source
from ...tree.element import Element

Kind = type[Element]


def containers(source: Source) -> list[Kind]:
    """Returns the elements that may contain all children of the root, those of a model first."""
    tags = _tags(source) - {INCLUDE}
    return [kind for kind in _kinds() if tags <= kind._types.keys()]


@cache
def _kinds() -> list[Kind]:
    """Returns the classes of elements with children, one for each set of allowed children."""
    found: dict[tuple[Kind, ...], Kind] = {}
    for kind in _below(RootElement, set()):
        found.setdefault(tuple(kind._types.values()), kind)
    return list(found.values())


def _below(kind: Kind, seen: set[Kind]) -> Iterator[Kind]:
    if kind not in seen and kind._types:
        seen.add(kind)
        yield kind
        for child in kind._types.values():
            yield from _below(child, seen)


def _tags(source: Source) -> set[str]:
    """Returns the tags of the root's children, up to any syntax error."""
    opened: list[str] = []
    found: set[str] = set()

    def start(tag: str, attributes: object) -> None:
        if len(opened) == 1:
            found.add(tag)
        opened.append(tag)

    def end(tag: str) -> None:
        opened.pop()

    parser = expat.ParserCreate(source.encoding)
    parser.StartElementHandler, parser.EndElementHandler = start, end
    with suppress(expat.ExpatError, LookupError, ValueError):  # reading the file will report it
        parser.Parse(source.parsed, True)
    return found
