"""Edits numbers in the text of a URDF, and keeps its comments and layout."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from xml.parsers import expat

from ...errors import ConfigError
from ...mjcf.sources.encoded_text import Text
from ...mjcf.sources.tags import tag_at
from ...mjcf.write.form import Form
from ...mjcf.write.number_text import number_text


@dataclass(frozen=True, slots=True)
class _Node:
    """An element of a URDF."""

    tag: str
    attributes: Mapping[str, str]
    start: int
    depth: int


class UrdfText:
    """The text of a URDF, whose numbers can be set."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    def names(self, tag: str) -> list[str]:
        """Returns the names of the robot's links or joints."""
        return [node.attributes.get('name', '') for node in self._nodes() if _is_part(node, tag)]

    def set(self, tag: str, name: str, path: Sequence[str], **numbers: float | None) -> None:
        """Sets attributes of an element inside a link or joint; adds missing elements.

        `path` has the tags of the elements below the link or joint. None keeps an attribute that
        is missing or 0, and otherwise sets 0.
        """
        for depth in range(len(path)):
            if self._inside(tag, name, path[: depth + 1]) is None:
                self._add(tag, name, path[:depth], path[depth])
        for key, number in numbers.items():
            node = self._inside(tag, name, path)
            assert node is not None
            self._set(node, key, number)

    def _set(self, node: _Node, key: str, number: float | None) -> None:
        text = self._text()
        tag = tag_at(text, node.start)
        part = tag.parts.get(key)
        if number is None:
            if part is None:
                return
            new = ' '.join(['0'] * len(node.attributes[key].split()))
        else:
            new = number_text(float(number), Form())
        if part is None:
            self._replace(tag.end, tag.end, f' {key}="{new}"')
        else:
            self._replace(part.value, part.value_stop, new)

    def set_numbers(
        self, tag: str, name: str, path: Sequence[str], key: str, numbers: Sequence[float]
    ) -> None:
        """Sets an attribute with several numbers, such as `xyz`."""
        self.set(tag, name, path, **{key: 0.0})
        node = self._inside(tag, name, path)
        assert node is not None
        part = tag_at(self._text(), node.start).parts[key]
        new = ' '.join(number_text(float(each), Form()) for each in numbers)
        self._replace(part.value, part.value_stop, new)

    def _add(self, tag: str, name: str, path: Sequence[str], child: str) -> None:
        """Adds an empty element as the first child, on a line of its own where there are lines."""
        node = self._inside(tag, name, path)
        assert node is not None
        text = self._text()
        found = tag_at(text, node.start)
        indent, outer = '', ''
        if text.begins_line(node.start):
            outer = text.newline + text.indent(node.start)
            indent = outer + text.unit
        if found.empty:
            new = f'>{indent}<{child}/>{outer}</{node.tag}>'
            self._replace(found.end, found.stop, new)
        else:
            self._replace(found.stop, found.stop, f'{indent}<{child}/>')

    def _replace(self, start: int, stop: int, text: str) -> None:
        self.content = self.content[:start] + text.encode() + self.content[stop:]

    def _text(self) -> Text:
        text = Text(self.content, None)
        if text.width > 1:
            raise ConfigError('a URDF in UTF-16 cannot be edited; convert it to UTF-8')
        return text

    def _inside(self, tag: str, name: str, path: Sequence[str]) -> _Node | None:
        nodes = iter(self._nodes())
        for node in nodes:
            if _is_part(node, tag) and node.attributes.get('name') == name:
                return _descend(nodes, node, path)
        return None

    def _nodes(self) -> list[_Node]:
        found: list[_Node] = []
        depth = 0
        parser = expat.ParserCreate()

        def begin(tag: str, attributes: dict[str, str]) -> None:
            nonlocal depth
            found.append(_Node(tag, attributes, parser.CurrentByteIndex, depth))
            depth += 1

        def end(tag: str) -> None:
            nonlocal depth
            depth -= 1

        parser.StartElementHandler, parser.EndElementHandler = begin, end
        parser.Parse(self.content, True)
        return found


def _is_part(node: _Node, tag: str) -> bool:
    return node.depth == 1 and node.tag == tag


def _descend(nodes: Iterator[_Node], top: _Node, path: Sequence[str]) -> _Node | None:
    """Returns the first descendant on a path of tags; `nodes` follow the top element."""
    below = []
    for node in nodes:
        if node.depth <= top.depth:
            break
        below.append(node)
    at, index = top, 0
    for step in path:
        for position in range(index, len(below)):
            node = below[position]
            if node.depth <= at.depth:
                return None
            if node.depth == at.depth + 1 and node.tag == step:
                at, index = node, position + 1
                break
        else:
            return None
    return at
