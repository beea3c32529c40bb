"""Attributes that hold text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..schema import AttributeSpec
from .attribute import Attribute

if TYPE_CHECKING:
    from ..tree.element import Element
    from ..write.form import Form


class String(Attribute):
    """Any text."""

    def accept(self, element: Element, value: Any) -> str:
        """Takes a string; raises ValueError for anything else."""
        if not isinstance(value, str):
            raise self.wrong('a string', value)
        return self.plain(value)


class Keyword(Attribute):
    """One of a few words; true and false may be given as bool too."""

    def __init__(self, spec: AttributeSpec) -> None:
        super().__init__(spec)
        self._words = {word.lower(): word for word in spec.keywords}
        self.fine = frozenset(spec.keywords)
        self.check = self._check

    def accept(self, element: Element, value: Any) -> str:
        """Takes the word in whichever case."""
        word = self._words.get(str(value).lower())
        if word is None:
            raise self._wrong(value)
        return word

    def mend(self, text: str) -> str:
        """The word in the case in which MuJoCo reads it; raises ValueError for another word."""
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
    """Several of a few words, with spaces between."""

    def accept(self, element: Element, value: Any) -> str:
        """Takes the words in one string or several, in whichever case."""
        if not isinstance(value, str):
            try:
                value = ' '.join(value)
            except TypeError:
                raise self._wrong(value) from None
        return self.mend(value)

    def mend(self, text: str) -> str:
        """The words in the case in which MuJoCo reads them; raises ValueError for others."""
        return ' '.join([super(Keywords, self).mend(word) for word in text.split()])

    def _check(self, text: str) -> None:
        for word in text.split():
            super()._check(word)

    def _wrong(self, got: object) -> ValueError:
        return self.wrong(f'some of {", ".join(self.spec.keywords)}', got)


class Identifier(Attribute):
    """A name, which the model has once in its namespace."""

    scoped = True

    def __get__(self, element: Element | None, owner: type | None = None) -> Any:
        return self if element is None else element._name or None

    def accept(self, element: Element, value: Any) -> str:
        """Takes a string without the separator of models that no other element has as its name."""
        if not isinstance(value, str):
            raise self.wrong('a string', value)
        element._check_name(value)
        return self.plain(value)

    def text(self, element: Element, kept: Any, form: Form) -> str:
        """The name behind those of the models that the element's own is attached to."""
        return element._identifier(form) or kept

    def keep(self, element: Element, kept: Any) -> None:
        """The element is found by this name from now on, and references to it follow."""
        before = element._name
        if kept != before:
            element._rename(before, kept)
        super().keep(element, kept)

    def forget(self, element: Element) -> None:
        """The element is found by no name from now on, or by that of its file."""
        before = element._name
        others = {key: kept for key, kept in element._values.items() if key != self.key}
        if (after := element._name_with(others)) and after != before:
            element._check_name(after)
        super().forget(element)
        element._rename(before, element._name)


class Own(String):
    """The name of something in this model, unless `model` tells another one that has it."""

    scoped = True

    def text(self, element: Element, kept: Any, form: Form) -> str:
        """The name behind the prefix that all names of the model have, unless `model` is set."""
        return kept if 'model' in element._values else f'{form.prefix(element.root)}{kept}'


class Prefix(String):
    """What names begin with that another model's elements get here."""

    scoped = True
    empty_counts = True

    def text(self, element: Element, kept: Any, form: Form) -> str:
        """The prefix behind the one that all names of the model have."""
        return f'{form.prefix(element.root)}{kept}'
