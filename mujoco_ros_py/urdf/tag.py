"""URDF elements, with their line numbers and the checks on their attributes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..errors import UrdfError

Vector = tuple[float, ...]
_ZERO: Vector = (0.0, 0.0, 0.0)
MACROS = '${', '$('
"""The beginnings of xacro expressions."""


@dataclass(slots=True)
class Tag:
    """An element of a URDF."""

    name: str
    attributes: dict[str, str]
    line: int
    path: str
    """The file name; empty for a URDF given as text."""
    children: list[Tag] = field(default_factory=list)
    text: str = ''
    """The text between the element's tags."""

    def all(self, name: str) -> Iterator[Tag]:
        """Yields the children with this tag name."""
        return (child for child in self.children if child.name == name)

    def first(self, name: str) -> Tag | None:
        """Returns the first child with this tag name, or None."""
        return next(self.all(name), None)

    def required(self, name: str) -> Tag:
        """Returns the first child with this tag name. Raises UrdfError if no child has it."""
        found = self.first(name)
        if found is None:
            raise self.error(f'must have an element <{name}>, has {_listed(self.children)}')
        return found

    def text_of(self, *names: str) -> str:
        """Returns the text of the first child with one of these names; empty without a match."""
        found = next((child for child in self.children if child.name in names), None)
        return '' if found is None else found.text.strip()

    def word(self, key: str, default: str | None = None) -> str:
        """Returns an attribute. Raises UrdfError if it is missing or empty and has no default."""
        value = self.attributes.get(key, '').strip()
        if value:
            return value
        if default is None:
            raise self.error(f'must have an attribute {key!r}, has {sorted(self.attributes)}')
        return default

    def number(self, key: str, default: float | None = None, *, infinite: bool = False) -> float:
        """Returns an attribute as a finite number, or as an infinite one if `infinite` is true.

        Raises UrdfError for anything else.
        """
        text = self.attributes.get(key, '').strip()
        if not text and default is not None:
            return default
        try:
            value = float(self.word(key))
        except ValueError as error:
            if isinstance(error, UrdfError):
                raise
            raise self._no_number(key, 'a number', text) from None
        if math.isnan(value) or (math.isinf(value) and not infinite):
            raise self._no_number(key, 'a finite number', text)
        return value

    def at_least(self, least: float, key: str, default: float | None = None) -> float:
        """Returns an attribute as a finite number. Raises UrdfError if it is below `least`."""
        value = self.number(key, default)
        if value < least:
            raise self.error(f'{key} must be at least {least:g}, got {value:g}')
        return value

    def numbers(self, key: str, count: int, default: Vector = _ZERO) -> Vector:
        """Returns an attribute as `count` finite numbers. Raises UrdfError for anything else."""
        text = self.attributes.get(key, '').strip()
        if not text:
            return default
        try:
            values = tuple(map(float, text.split()))
        except ValueError:
            raise self._no_number(key, f'{count} numbers', text) from None
        if len(values) != count or not all(map(math.isfinite, values)):
            raise self._no_number(key, f'{count} finite numbers', text)
        return values

    def error(self, reason: object) -> UrdfError:
        """Returns an error about this element, with file and line."""
        name = self.attributes.get('name')
        shown = f'<{self.name} name="{name}">' if name else f'<{self.name}>'
        return error_at(self.path, self.line, f'error while parsing element {shown}: {reason}')

    def _no_number(self, key: str, rule: str, text: str) -> UrdfError:
        hint = ' (a xacro expression: run xacro first)' if text.startswith(MACROS) else ''
        return self.error(f'{key} must be {rule}, got {text!r}{hint}')


def error_at(path: str, line: int, reason: str) -> UrdfError:
    """Returns an error about a line of a file."""
    error = UrdfError(f'{path}: Line {line}: {reason}' if path else f'Line {line}: {reason}')
    error.path, error.line, error.reason = path, line, reason
    return error


def _listed(tags: list[Tag]) -> str:
    names = sorted({f'<{tag.name}>' for tag in tags})
    return ', '.join(names) or 'none'
