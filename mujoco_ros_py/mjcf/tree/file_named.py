"""The elements that MuJoCo names after their file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..files.assets import stem
from ..write.form import Form
from .element import Element


class FileNamed(Element):
    """A mesh, height field, skin or texture, which without a name has the name of its file."""

    __slots__ = ()

    _named_by_file = True

    @property
    def _name(self) -> str | None:
        return self._name_with(self._values)

    @classmethod
    def _name_with(cls, values: Mapping[str, Any]) -> str | None:
        return values.get('name') or stem(values.get('file'))

    @classmethod
    def _ordered(cls, attributes: dict[str, Any]) -> Iterable[tuple[str, Any]]:
        """Returns the attributes with the name before the file, whose own name may be taken."""
        named = bool(attributes.get('name'))
        pairs = super()._ordered(attributes)
        return sorted(pairs, key=lambda pair: (pair[0] == 'name') is not named)

    def get_attributes(self) -> dict[str, Any]:
        """Returns the attributes that are set, and the name that the file gives the element."""
        name = self._name
        return {**({'name': name} if name else {}), **super().get_attributes()}

    def _texts(self, form: Form) -> list[tuple[str, str]]:
        """Returns the attributes, with the name unless MuJoCo takes it from the written file."""
        found = super()._texts(form)
        named = not self._values.get('name') and self._name
        if named and (form.filenames != 'written' or form.prefix(self.root)):
            others = [pair for pair in found if pair[0] != 'name']
            return [('name', str(self._identifier(form))), *others]
        return found
