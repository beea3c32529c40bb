"""Elements that MuJoCo names by their file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..files.assets import stem
from ..write.form import Form
from .element import Element


class FileNamed(Element):
    """A mesh, height field, skin or texture: without a name it has that of its file."""

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
        """The attributes with the name before the file, whose own name may be taken."""
        named = bool(attributes.get('name'))
        pairs = super()._ordered(attributes)
        return sorted(pairs, key=lambda pair: (pair[0] == 'name') is not named)

    def get_attributes(self) -> dict[str, Any]:
        """The attributes that are there, and the name that the element has by its file."""
        name = self._name
        return {**({'name': name} if name else {}), **super().get_attributes()}

    def _texts(self, form: Form) -> list[tuple[str, str]]:
        """The attributes, with the name unless MuJoCo takes it from the file that is written."""
        found = super()._texts(form)
        named = not self._values.get('name') and self._name
        if named and (form.filenames != 'written' or form.prefix(self.root)):
            others = [pair for pair in found if pair[0] != 'name']
            return [('name', str(self._identifier(form))), *others]
        return found
