"""The attributes of engine plugins, which models set with `<config key=... value=.../>`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

Value = bool | int | float | str | tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute whose default determines its type: number, flag, text, or several numbers.

    MJCF separates numbers by spaces, and writes a flag as `true` or `false`.
    """

    default: Value
    minimum: float = -math.inf
    maximum: float = math.inf
    choices: tuple[str, ...] = ()
    """The allowed values of a string; empty if every string is allowed."""
    length: int | None = None
    """The length of an array of numbers; None if any length is allowed."""

    def read(self, text: str | None) -> Value:
        """Parses an MJCF text; returns the default for None and for an empty text.

        Raises ValueError with the rule and the given text.
        """
        if not text or not text.strip():
            return self.default
        value: Value | None = None
        with suppress(ValueError):
            value = self._parse(text)
        if value is None or not self._allowed(value):
            raise ValueError(f'must be {self.rule}, got {text!r}')
        return value

    @property
    def rule(self) -> str:
        """The allowed values, as the end of a sentence that begins with "must be"."""
        if isinstance(self.default, str):
            return f'one of {", ".join(self.choices)}' if self.choices else 'a string'
        if isinstance(self.default, bool):
            return 'true or false'
        if isinstance(self.default, tuple):
            count = 'numbers' if self.length is None else f'{self.length} numbers'
            return f'{count} separated by spaces{self._range}'
        return f'{"a whole" if isinstance(self.default, int) else "a"} number{self._range}'

    @property
    def _range(self) -> str:
        bounds = (('at least', self.minimum), ('at most', self.maximum))
        return ' and'.join(f' {word} {bound:g}' for word, bound in bounds if math.isfinite(bound))

    def _parse(self, text: str) -> Any:
        if isinstance(self.default, str):
            return text
        if isinstance(self.default, bool):
            return {'true': True, 'false': False}.get(text.strip())
        if isinstance(self.default, tuple):
            return tuple(map(float, text.split()))
        return int(text) if isinstance(self.default, int) else float(text)

    def _allowed(self, value: Any) -> bool:
        if isinstance(value, str):
            return not self.choices or value in self.choices
        numbers = value if isinstance(value, tuple) else (value,)
        if isinstance(value, tuple) and self.length not in (None, len(value)):
            return False
        return all(math.isfinite(n) and self.minimum <= n <= self.maximum for n in numbers)


def read_config(
    attributes: Mapping[str, Attribute], text: Callable[[str], str | None]
) -> dict[str, Any]:
    """Parses the values of a plugin's attributes; `text(name)` returns the text of a value."""
    config = {}
    for name, attribute in attributes.items():
        try:
            config[name] = attribute.read(text(name))
        except ValueError as error:
            raise ValueError(f'{name} {error}') from None
    return config
