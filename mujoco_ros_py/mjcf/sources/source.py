"""The text that elements were read from."""

from __future__ import annotations

import re
from bisect import bisect_right
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from .encoded_text import Text, encoding_of
from .mending import mended

if TYPE_CHECKING:
    from ..tree.element import Element

_LINE_END = re.compile(rb'\r\n?|\n')


class Source:
    """A file or a string that elements were read from. Offsets are in bytes.

    `encoding` overrides the encoding that the content declares.
    """

    def __init__(self, content: bytes, path: str = '', encoding: str | None = None) -> None:
        self.content = content
        self.path = path
        self.encoding = encoding
        self.parsed = content
        """The text to parse: the content, or a repaired text of the same length if the content is
        ill-formed."""
        self.start = self.stop = 0
        """The offsets of the root's start tag and end tag."""
        self.removed: list[Element] = []
        """The elements from this source that were removed from the model."""
        self.included: list[tuple[int, Source]] = []
        """The offsets of this source's includes, each with the included source."""
        self.merged: list[tuple[int, Element]] = []
        """The offsets of repeated sections, each with the first section's element."""

    def tolerate(self) -> None:
        """Repairs the text as far as MuJoCo accepts it, if the content can be decoded."""
        readable = mended(self.content)
        encoding = self.encoding or encoding_of(readable)
        with suppress(UnicodeDecodeError, LookupError):
            self.content.decode(encoding)
            self.parsed, self.encoding = readable, encoding

    @cached_property
    def text(self) -> Text:
        """The content as lines and tags, for edits."""
        return Text(self.content, self.encoding)

    @property
    def label(self) -> str:
        """The prefix of errors: an included file's path; empty for the model's own file."""
        return f'{self.path}: ' if self.path else ''

    def line(self, offset: int) -> int:
        """Returns the line number of an offset, from 1."""
        return bisect_right(self._line_starts, offset // self.text.width)

    def location(self, offset: int) -> Location:
        """Returns the file and line of an offset."""
        return Location(self.path, self.line(offset))

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(found.end() for found in _LINE_END.finditer(self.text.ascii))]


class Location(NamedTuple):
    """The file and line that an element was read from."""

    path: str
    """The path of an included file, as written in <include>; empty for the model's own file."""
    line: int

    def __str__(self) -> str:
        return f'{self.path}:{self.line}' if self.path else f'line {self.line}'
