"""The base class of attribute descriptors."""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from typing import TYPE_CHECKING, Any

from ..schema import AttributeSpec

if TYPE_CHECKING:
    from ..tree.element import Element
    from ..write.form import Form

_NOT_IN_XML = re.compile('[\0-\x08\x0b\x0c\x0e-\x1f]|[\ud800-\udfff\ufffe\uffff]')
"""Matches characters that XML cannot contain. There are two character sets because `re` is seven
times slower with a single one."""


class Attribute:
    """A descriptor for one attribute of an element.

    The value is None if the element does not set the attribute; MuJoCo's default then applies. An
    element keeps the XML text of an attribute until the value is first read, and the converted
    value after that.
    """

    check: Callable[[str], object] | None = None
    """The function that raises ValueError for text that MuJoCo rejects; None if any is valid."""
    fine: Container[str] = frozenset()
    """Texts that are known to pass `check`."""
    scoped = False
    """Whether the written text is a name, which gets a prefix if an attached model is written."""

    empty_counts = False
    """Whether an empty value has a meaning and is written."""

    of_files = False
    """Whether the written text depends on how the written model names its files."""

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

    def __set__(self, element: Element, value: object) -> None:
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

    def accept_at(self, element: Element, value: object) -> Any:
        """Converts a value to its stored representation.

        Raises ValueError, with the element, if the value is invalid.
        """
        try:
            return self.accept(element, value)
        except ValueError as error:
            raise ValueError(f'{element}: {error}') from None

    def keep(self, element: Element, kept: object) -> None:
        """Stores the result of `accept` as the value of the attribute."""
        element._values[self.key] = kept
        if not element._edited:  # the check is faster than the assignment
            element._edited = True

    def forget(self, element: Element) -> None:
        """Deletes the element's value of the attribute."""
        del element._values[self.key]

    def mend(self, text: str) -> str:
        """Converts text that only PyMJCF accepts to text that MuJoCo accepts too.

        Raises ValueError if neither accepts the text.
        """
        if self.check is not None:
            self.check(text)
        return text

    def accept(self, element: Element, value: object) -> Any:
        """Converts a value to its stored representation.

        Raises ValueError, with the violated rule, if the value is invalid.
        """
        raise NotImplementedError

    def value(self, element: Element, kept: object) -> Any:
        """Converts a stored value to the value that users see."""
        return kept

    def text(self, element: Element, kept: object, style: Form) -> str | None:
        """Returns the XML text of a stored value, or None if the attribute is not written."""
        return str(kept)

    def plain(self, text: str) -> str:
        """Returns the text unchanged. Raises ValueError for characters not allowed in XML."""
        if not (text.isascii() and text.isprintable()) and _NOT_IN_XML.search(text):
            raise self.wrong('free of control characters', text)
        return text

    def wrong(self, rule: str, got: object) -> ValueError:
        """Returns the ValueError for an invalid value."""
        return ValueError(f'{self.key} must be {rule}, got {got!r}')
