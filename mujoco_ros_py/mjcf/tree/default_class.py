"""The class of <default>: classes of defaults, of which the outermost hold for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..write.form import SEPARATOR, Form
from .element import Element
from .outermost import later


class Default(Element):
    """A class of defaults; the outermost holds for all of its model.

    A model has several outermost ones where a later one says what classes in an earlier one must
    not get: MuJoCo copies to a class what holds when the class is made.
    """

    __slots__ = ()

    @property
    def _is_outermost(self) -> bool:
        return self._parent is not None and self._parent._is_root

    def _identifier(self, form: Form) -> str | None:
        """The name of the class; an outermost one has that of its model beside other models."""
        if form.separate and self._is_outermost:
            name = form.global_class(self.root)
            number = len(later(self))
            return f'{name}{SEPARATOR}default_{number}' if number else name
        return form.prefix(self.root) + self._name if self._name else None

    def _texts(self, form: Form) -> list[tuple[str, str]]:
        name = self._identifier(form)
        return [('class', name)] if name else []

    def _written_children(self, form: Form) -> Sequence[Any]:
        """The children, with the next outermost class where each is written in the one before."""
        if form.separate and self._is_outermost:
            return [*self._children, *later(self)[:1]]
        return self._children
