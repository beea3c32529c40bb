"""A reader that continues after errors, to find all errors in a text."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ....errors import MjcfError
from ...compose.root import RootElement
from ...read.placeholders import INCLUDE
from ...read.reader import Attributes, Reader
from ...schema.specs import LENIENT
from ...sources.parsing import error_at
from ...sources.source import Source
from ...tree.element import Element

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType


class FaultReader(Reader):
    """Fills a model like Reader, but records errors and skips the invalid parts."""

    def __init__(self, model: RootElement, *, tolerant: bool = False) -> None:
        super().__init__(model, tolerant=tolerant)
        self._container: Element | None = None
        self.errors: list[MjcfError] = []
        self.ignored: list[MjcfError] = []
        """Warnings about parts that MuJoCo accepts and ignores."""

    def check_within(self, kind: type[Element], source: Source) -> None:
        """Collects the errors of a file meant to be included in an element of this kind."""
        if kind is not RootElement:
            self._container = kind._detached(self._model)
        self.check(source)

    def _begin(
        self, tag: str, attributes: Attributes, source: Source, parser: XMLParserType
    ) -> None:
        super()._begin(tag, attributes, source, parser)
        if self._container is not None:
            self._open[-1] = self._container

    def check(self, source: Source) -> None:
        """Reads a source, and collects its errors instead of raising the first."""
        try:
            self.read(source)
        except MjcfError as error:
            self.errors.append(error)

    def _starter(self, source: Source, parser: XMLParserType) -> Callable[[str, Attributes], None]:
        strict, opened = super()._starter(source, parser), self._open

        def start(tag: str, attributes: Attributes) -> None:
            if opened[-1] is _SKIPPED:
                opened.append(_SKIPPED)
                return
            parent, depth, nested = opened[-1], len(opened), self._files.nested
            left: Attributes | None = attributes
            while left is not None:
                try:
                    return strict(tag, left)
                except MjcfError as error:
                    self.errors.append(error)
                if tag == INCLUDE:
                    del opened[depth:]
                    self._files.nested = nested
                elif len(opened) > depth:  # the element exists, but its name is invalid
                    return None
                left = _without_fault(parent._types.get(tag), left)
            opened.append(_SKIPPED)

        return start

    def _ignored(self, what: str, source: Source, parser: XMLParserType) -> None:
        reason = f'MuJoCo ignores {what}'
        self.ignored.append(error_at(source, parser.CurrentLineNumber, reason))


class _Skipped:
    """The placeholder for an invalid element."""

    _source = None


_SKIPPED: Any = _Skipped()


def _without_fault(kind: type[Element] | None, attributes: Attributes) -> Attributes | None:
    """Returns the attributes without the first invalid one, or None if all are valid."""
    if kind is None:
        return None
    if kind.tag in LENIENT:
        attributes = {key: text for key, text in attributes.items() if key in kind._attributes}
    for key, text in attributes.items():
        try:
            kind._attributes[key].mend(text)
        except (KeyError, ValueError):
            return {other: text for other, text in attributes.items() if other != key}
    return None
