"""Finds the locations of a model's elements in its sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .source import Source
from .tags import end_tag, stop_of, tag_at

if TYPE_CHECKING:
    from ..compose.root import RootElement
    from ..tree.element import Element

Place = tuple[Source, int, int]
"""A part of a source: the source, and the offsets of its start and end (exclusive)."""


class Places:
    """The places of a model's elements. Offsets count code units of the source's encoding."""

    def __init__(self, model: RootElement) -> None:
        self.sources: dict[Source, tuple[int, ...]] = {}
        """The sources, each with the offsets of the chain of includes that leads to it."""
        self._outer: dict[Source, Place] = {}
        self._again: dict[Element, list[tuple[Source, int]]] = {}
        if model._source is not None:
            self._enter(model._source, ())

    def _enter(self, source: Source, path: tuple[int, ...]) -> None:
        self.sources[source] = path
        width = source.text.width
        for start, element in source.merged:
            self._again.setdefault(element, []).append((source, start // width))
        for start, included in source.included:
            place = self._include(source, start // width)
            self._outer[included] = place
            self._enter(included, (*path, place[1]))

    def _include(self, source: Source, start: int) -> Place:
        tag = tag_at(source.text, start)
        if tag.empty:
            return source, start, tag.stop
        end = end_tag(source.text, tag)
        return source, start, end[1] if end else tag.stop

    def includes(self) -> list[tuple[Source, Place]]:
        """Returns the included sources, each with the location of its include."""
        return list(self._outer.items())

    def has(self, element: Element) -> bool:
        """Returns whether an element was read from one of the sources and keeps its tag."""
        return element._source in self.sources and not element._is_emptied

    def tags(self, element: Element) -> list[tuple[Source, int]]:
        """Returns the locations of the element's start tags; repeated sections have several."""
        source = element._source
        assert source is not None
        first = source, element._start // source.text.width
        again = self._again.get(element)
        if not again:
            return [first]
        return [first, *sorted(again, key=lambda tag: (*self.sources[tag[0]], tag[1]))]

    def of(self, element: Element) -> Place:
        """Returns an element's place; for a repeated section, from its first to its last tag."""
        source = element._source
        assert source is not None
        width = source.text.width
        start = element._start // width
        return source, start, stop_of(source.text, start, element._stop // width)

    def within(self, child: Element, parent: Element) -> list[Place]:
        """Returns the locations of the includes from the parent to the child, then the child's."""
        chain = [self.of(child)]
        here = {source for source, _ in self.tags(parent)}
        while chain[0][0] not in here:
            chain.insert(0, self._outer[chain[0][0]])
        return chain

    def container(self, place: Place, parent: Element) -> int:
        """Returns the offset of the parent's start tag that contains a location."""
        source, start, _ = place
        tags = [at for where, at in self.tags(parent) if where is source and at < start]
        return max(tags, default=source.start // source.text.width)
