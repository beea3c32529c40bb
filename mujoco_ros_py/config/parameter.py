"""What is known of one parameter beside its name, and the dataclass field that carries it."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, field, fields
from typing import Any, Generic, Literal, TypeVar

from ..errors import ConfigError
from .wording import shown

When = Literal['now', 'reload', 'trusted', 'start']
"""When a change takes effect: at once, at the next reload, at the next reload where the network is
trusted, or never after the start."""

Strings = tuple[str, ...]
Value = bool | int | float | str | Strings
T = TypeVar('T', bool, int, float, str, Strings)

_BOUNDS_OF_TYPE = {
    int: (-(2**63), 2**63 - 1),
    float: (-sys.float_info.max, sys.float_info.max),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Parameter(Generic[T]):
    """One row of a table of parameters: descriptors, documentation and validation read it."""

    default: T
    description: str
    """One sentence, for `ros2 param describe` and the documentation."""
    when: When
    unit: str = ''
    minimum: float | None = None
    above: float | None = None
    """Lower bound that is not itself allowed, instead of `minimum`."""
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    """The values of a string; none: any."""
    special: float | None = None
    """A value outside of the range with a meaning of its own, such as -1."""
    secret: bool = False
    """Kept out of messages and of the configuration's repr."""

    @property
    def value_type(self) -> type[T]:
        """The type of every value: the default's."""
        return type(self.default)

    @property
    def rule(self) -> str:
        """The range in words, ``-1 or at least 0.01``; empty: any value of the type."""
        if self.choices:
            return f'one of {", ".join(self.choices)}'
        lower = 'at least' if self.above is None else 'greater than'
        bounds = ((lower, self.lowest), ('at most', self.maximum))
        inside = ' and '.join(f'{word} {bound:g}' for word, bound in bounds if bound is not None)
        return inside if self.special is None else f'{self.special:g} or {inside}'

    @property
    def lowest(self) -> float | None:
        """The lower bound, allowed or not."""
        return self.minimum if self.above is None else self.above

    @property
    def bounds(self) -> tuple[T, T] | None:
        """The smallest closed range around all allowed values; None: there is no rule.

        A ROS descriptor holds one closed range, so it may admit values that `check` refuses.
        """
        if not self.rule or self.choices:
            return None
        low, high = _BOUNDS_OF_TYPE[self.value_type]
        low = low if self.lowest is None else self.lowest
        high = high if self.maximum is None else self.maximum
        special = low if self.special is None else self.special
        number: Any = self.value_type
        return number(min(low, special)), number(max(high, special))

    def check(self, name: str, value: Value) -> None:
        """Raises ConfigError for a value of the right type that breaks the rule."""
        if self.choices and value not in self.choices:
            raise ConfigError(f'{name} must be {self.rule}, got {shown(value)}')
        if isinstance(value, tuple):
            _check_strings(name, value)
            return
        if isinstance(value, str) or value == self.special:
            return
        if not math.isfinite(value):
            raise ConfigError(f'{name} must be finite, got {value}')
        if not self._in_range(value):
            came = repr(value).removesuffix('.0')
            raise ConfigError(f'{name} must be {self.rule}, got {came}')

    def _in_range(self, value: float) -> bool:
        return (
            (self.minimum is None or value >= self.minimum)
            and (self.above is None or value > self.above)
            and (self.maximum is None or value <= self.maximum)
        )


def _check_strings(name: str, values: Strings) -> None:
    for index, value in enumerate(values):
        if not value.strip():
            raise ConfigError(f'{name}[{index}] must not be empty, got {shown(value)}')


def described(parameter: Parameter[T]) -> T:
    """The dataclass field that the parameter describes; typed as its value, as `field` is."""
    return field(
        default=parameter.default,
        repr=not parameter.secret,
        metadata={'parameter': parameter},
    )


def parameters_of(config: Any) -> dict[str, Parameter[Any]]:
    """The table behind a configuration or its class, by name, in the order of its fields."""
    return {each.name: each.metadata['parameter'] for each in fields(config)}
