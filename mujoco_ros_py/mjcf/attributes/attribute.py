"""What every kind of attribute can do."""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from typing import TYPE_CHECKING, Any

from ..schema import AttributeSpec

if TYPE_CHECKING:
    from ..tree.element import Element
    from ..write.form import Form

_NOT_IN_XML = re.compile('[\0-\x08\x0b\x0c\x0e-\x1f]|[\ud800-\udfff\ufffe\uffff]')
"""Characters that XML cannot have. One set of all of them takes `re` seven times as long."""


class Attribute:
    """An attribute of an element, as a descriptor. None: it is not there, MuJoCo's default holds.

    What an element keeps of it is the text of the XML until somebody asks for the value, then
    what that kind of attribute makes of it.
    """

    check: Callable[[str], object] | None = None
    """Raises ValueError for a text that MuJoCo refuses; None: it may be any."""
    fine: Container[str] = frozenset()
    """Texts that are known to pass `check`."""
    scoped = False
    """Whether its text depends on the model that is written, and not on what is kept alone."""

    empty_counts = False
    """Whether an empty text says something, and is written as others are."""

    of_files = False
    """Whether its text depends on how files are called."""

    def __init__(self, spec: AttributeSpec) -> None:
        self.spec = spec
        self.key = spec.name

    def __get__(self, element: Element | None, owner: type | None = None) -> Any:
        if element is None:
            return self
        kept = element._values.get(self.key)
        if kept is None or (type(kept) is str and not kept):
            return None
        return self.value(element, kept)

    def __set__(self, element: Element, value: Any) -> None:
        if value is None or (isinstance(value, str) and not value):
            self.__delete__(element)
            return
        self.keep(element, self.accept_at(element, value))

    def __delete__(self, element: Element) -> None:
        if self.spec.required:
            raise AttributeError(f'{element}: {self.key} is required')
        if self.key in element._values:
            self.forget(element)
            element._edited = True

    def accept_at(self, element: Element, value: Any) -> Any:
        """What the element shall keep; an error tells which element it is."""
        try:
            return self.accept(element, value)
        except ValueError as error:
            raise ValueError(f'{element}: {error}') from None

    def keep(self, element: Element, kept: Any) -> None:
        """What `accept` gave is the value from now on."""
        element._values[self.key] = kept
        if not element._edited:  # to ask costs less than to set
            element._edited = True

    def forget(self, element: Element) -> None:
        """There is no value from now on."""
        del element._values[self.key]

    def mend(self, text: str) -> str:
        """Rewrites what PyMJCF reads for MuJoCo; raises ValueError for what neither reads."""
        if self.check is not None:
            self.check(text)
        return text

    def accept(self, element: Element, value: Any) -> Any:
        """What to keep of a value that somebody sets; raises ValueError with the rule."""
        raise NotImplementedError

    def value(self, element: Element, kept: Any) -> Any:
        """What those get who ask for the attribute, made of what is kept."""
        return kept

    def text(self, element: Element, kept: Any, style: Form) -> str | None:
        """What is kept, as XML has it in a model of this form; None: it is left out."""
        return str(kept)

    def plain(self, text: str) -> str:
        """Gives the text back; raises ValueError for characters that XML cannot have."""
        if not (text.isascii() and text.isprintable()) and _NOT_IN_XML.search(text):
            raise self.wrong('without control characters', text)
        return text

    def wrong(self, rule: str, got: object) -> ValueError:
        """The error of a value that breaks the rule."""
        return ValueError(f'{self.key} must be {rule}, got {got!r}')
