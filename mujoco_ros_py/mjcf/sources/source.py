"""The text that elements were read from."""

from __future__ import annotations

import re
from bisect import bisect_right
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from .mending import mended
from .text import Text, encoding_of

if TYPE_CHECKING:
    from ..tree.element import Element

_LINE_END = re.compile(rb'\r\n?|\n')


class Source:
    """A file or a string that elements were read from; offsets in it are in bytes.

    `encoding` counts more than what the content declares.
    """

    def __init__(self, content: bytes, path: str = '', encoding: str | None = None) -> None:
        self.content = content
        self.path = path
        self.encoding = encoding
        self.parsed = content
        """What is read: as long as the content, and the same if that is well-formed."""
        self.start = self.stop = 0
        """Where the start tag and the end tag of the root begin."""
        self.removed: list[Element] = []
        """Elements that were read here and are in the model no more."""
        self.included: list[tuple[int, Source]] = []
        """Where include elements begin in this source, and what they include."""
        self.merged: list[tuple[int, Element]] = []
        """Where sections begin that go on with an earlier one, and that earlier one."""

    def tolerate(self) -> None:
        """Reads what MuJoCo reads though it is not well-formed, where all of it is text."""
        readable = mended(self.content)
        encoding = self.encoding or encoding_of(readable)
        with suppress(UnicodeDecodeError, LookupError):
            self.content.decode(encoding)
            self.parsed, self.encoding = readable, encoding

    @cached_property
    def text(self) -> Text:
        """The content as lines and tags, for those who edit it."""
        return Text(self.content, self.encoding)

    @property
    def label(self) -> str:
        """What errors begin with: the path of a file that is included."""
        return f'{self.path}: ' if self.path else ''

    def line(self, offset: int) -> int:
        """The number of the line, the first is 1."""
        return bisect_right(self._line_starts, offset // self.text.width)

    def location(self, offset: int) -> Location:
        """The file and the line of that offset."""
        return Location(self.path, self.line(offset))

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(found.end() for found in _LINE_END.finditer(self.text.ascii))]


class Location(NamedTuple):
    """The file and the line that something was read from."""

    path: str
    """The path of an included file, as the include has it; empty: the file of the model."""
    line: int

    def __str__(self) -> str:
        return f'{self.path}:{self.line}' if self.path else f'line {self.line}'
