"""Attributes that hold text, keywords or names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..schema import AttributeSpec
from .attribute import Attribute

if TYPE_CHECKING:
    from ..tree.element import Element
    from ..write.form import Form


class String(Attribute):
    """An attribute that holds any text."""

    def accept(self, element: Element, value: object) -> str:
        """Accepts a string. Raises ValueError for anything else."""
        if not isinstance(value, str):
            raise self.wrong('a string', value)
        return self.plain(value)


class Keyword(Attribute):
    """An attribute that holds a keyword; also accepts True and False for `true` and `false`."""

    def __init__(self, spec: AttributeSpec) -> None:
        super().__init__(spec)
        self._words = {word.lower(): word for word in spec.keywords}
        self.fine = frozenset(spec.keywords)
        self.check = self._check

    def accept(self, element: Element, value: object) -> str:
        """Accepts a keyword in upper or lower case."""
        word = self._words.get(str(value).lower())
        if word is None:
            raise self._wrong(value)
        return word

    def mend(self, text: str) -> str:
        """Returns the keyword in the case that MuJoCo requires.

        Raises ValueError for an unknown word.
        """
        word = self._words.get(text.lower())
        if word is None:
            raise self._wrong(text)
        return word

    def _check(self, text: str) -> None:
        if text not in self.fine:
            raise self._wrong(text)

    def _wrong(self, got: object) -> ValueError:
        return self.wrong(f'one of {", ".join(self.spec.keywords)}', got)


class Keywords(Keyword):
    """An attribute that holds any number of keywords, separated by spaces."""

    def accept(self, element: Element, value: Any) -> str:
        """Accepts keywords in one string or in several strings, in upper or lower case."""
        if not isinstance(value, str):
            try:
                value = ' '.join(value)
            except TypeError:
                raise self._wrong(value) from None
        return self.mend(value)

    def mend(self, text: str) -> str:
        """Returns the keywords in the case that MuJoCo requires.

        Raises ValueError for an unknown word.
        """
        return ' '.join([super(Keywords, self).mend(word) for word in text.split()])

    def _check(self, text: str) -> None:
        for word in text.split():
            super()._check(word)

    def _wrong(self, got: object) -> ValueError:
        return self.wrong(f'some of {", ".join(self.spec.keywords)}', got)


class Identifier(Attribute):
    """An attribute that names its element; names are unique in their namespace of the model."""

    scoped = True

    def __get__(self, element: Element | None, owner: type | None = None) -> Any:
        return self if element is None else element._name or None

    def accept(self, element: Element, value: object) -> str:
        """Accepts an unused name without a scope separator."""
        if not isinstance(value, str):
            raise self.wrong('a string', value)
        element._check_name(value)
        return self.plain(value)

    def text(self, element: Element, kept: Any, form: Form) -> str:
        """Returns the name, prefixed with the names of the attached models around it."""
        return element._identifier(form) or kept

    def keep(self, element: Element, kept: Any) -> None:
        """Stores the name, for lookups by name and for references."""
        before = element._name
        if kept != before:
            element._rename(before, kept)
        element._values[self.key] = kept  # calling `super().keep` takes 10% longer
        if not element._edited:
            element._edited = True

    def forget(self, element: Element) -> None:
        """Deletes the name. Lookups then use the name of the element's file, if it has a file."""
        before = element._name
        others = {key: kept for key, kept in element._values.items() if key != self.key}
        if (after := element._name_with(others)) and after != before:
            element._check_name(after)
        super().forget(element)
        element._rename(before, element._name)


class Own(String):
    """The name of the element that <attach> copies, from this model or from another `model`."""

    scoped = True

    def text(self, element: Element, kept: Any, form: Form) -> str:
        """Returns the name; without `model`, it is prefixed like all names of this model."""
        return kept if 'model' in element._values else f'{form.prefix(element.root)}{kept}'


class Prefix(String):
    """The prefix that <attach> puts in front of the names of copied elements."""

    scoped = True
    empty_counts = True

    def text(self, element: Element, kept: object, form: Form) -> str:
        """Returns the prefix, preceded by the prefix of all names of this model."""
        return f'{form.prefix(element.root)}{kept}'
