"""The class of <default> elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..write.form import SEPARATOR, Form
from .element import Element
from .outermost import later


class Default(Element):
    """A default class. The outermost class applies to its whole model.

    MuJoCo copies the current defaults into a class when the class is created. A model therefore
    needs several outermost classes if a later one sets values that must not reach the classes in
    an earlier one.
    """

    __slots__ = ()

    @property
    def _is_outermost(self) -> bool:
        return self._parent is not None and self._parent._is_root

    def _identifier(self, form: Form) -> str | None:
        """Returns the class's name; in composed models, outermost classes are named by model."""
        if form.separate and self._is_outermost:
            name = form.global_class(self.root)
            number = len(later(self))
            return f'{name}{SEPARATOR}default_{number}' if number else name
        return form.prefix(self.root) + self._name if self._name else None

    def _texts(self, form: Form) -> list[tuple[str, str]]:
        name = self._identifier(form)
        return [('class', name)] if name else []

    def _written_children(self, form: Form) -> Sequence[Any]:
        """Returns the children; each later outermost class is written inside the previous one."""
        if form.separate and self._is_outermost:
            return [*self._children, *later(self)[:1]]
        return self._children
