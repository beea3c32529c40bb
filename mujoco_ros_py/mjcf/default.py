"""Classes of defaults."""

from __future__ import annotations

from .element import Element
from .form import Form


class Default(Element):
    """A class of defaults; the outermost holds for all of its model."""

    __slots__ = ()

    def _identifier(self, form: Form) -> str | None:
        """The outermost one is named by its model, where there are others'."""
        if form.separate and self._parent is not None and self._parent._is_root:
            return form.global_class(self.root)
        return form.prefix(self.root) + self._name if self._name else None

    def _texts(self, form: Form) -> list[tuple[str, str]]:
        name = self._identifier(form)
        return [('class', name)] if name else []
