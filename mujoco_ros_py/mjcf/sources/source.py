"""The text that elements were read from."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from .text import Text

if TYPE_CHECKING:
    from ..element import Element


class Source:
    """One file, or one string; offsets in it are in bytes.

    `encoding` holds whatever the content declares.
    """

    def __init__(self, content: bytes, path: str = '', encoding: str | None = None) -> None:
        self.content = content
        self.path = path
        self.encoding = encoding
        self.start = self.stop = 0
        """Where the tags of its root begin."""
        self.removed: list[Element] = []
        """What was read here and is in the model no more."""
        self.included: list[tuple[int, Source]] = []
        """Where its include elements begin, and what they include."""
        self.merged: list[tuple[int, Element]] = []
        """Where a section begins of which there was one already, and that one."""

    @cached_property
    def text(self) -> Text:
        """For who edits it."""
        return Text(self.content, self.encoding)

    @property
    def label(self) -> str:
        """What errors begin with: the path of a file that is included."""
        return f'{self.path}: ' if self.path else ''

    def line(self, offset: int) -> int:
        """The number of the line, the first is 1."""
        lengths = (len(line) + 1 for line in self.content.split(b'\n'))
        return bisect_right([0, *accumulate(lengths)], offset)
