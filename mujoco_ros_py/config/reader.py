"""The one strict way from names and values to a configuration."""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, TypeVar

from ..errors import ConfigError
from .parameter import Parameter, Value, parameters_of
from .wording import shown, unknown

C = TypeVar('C')

_EXPECTED = {
    bool: 'true or false',
    int: 'a whole number',
    float: 'a number',
    str: 'a string',
    tuple: 'a list of strings',
}


def read(cls: type[C], values: Mapping[str, Any], where: str = '') -> C:
    """The configuration `cls` with these values and defaults for the others.

    `where` leads the names in messages: ``cam_config.wrist``. Raises ConfigError for an unknown
    name, a wrong type, and whatever the class itself refuses.
    """
    table = parameters_of(cls)
    for name in values:
        if name not in table:
            lead = f'{where}: ' if where else ''
            raise ConfigError(lead + unknown('parameter', name, table))
    try:
        return cls(**{name: read_value(name, table[name], v) for name, v in values.items()})
    except ConfigError as error:
        if not where:
            raise
        raise ConfigError(f'{where}.{error}') from None


def changed(config: C, values: Mapping[str, Any]) -> C:
    """The configuration with these values instead of its own, read as strictly; `config` stays."""
    current = {name: getattr(config, name) for name in parameters_of(config)}
    return read(type(config), {**current, **values})


def check_ranges(config: object) -> None:
    """For `__post_init__`: raises ConfigError for the first field outside of its range."""
    for name, parameter in parameters_of(config).items():
        parameter.check(name, getattr(config, name))


def read_value(name: str, parameter: Parameter[Any], value: object) -> Value:
    """The value in the parameter's type; a whole number passes for a number, nothing else does."""
    expected = parameter.value_type
    if expected is float and _is_number(value, Real):
        return _as_float(value)
    if expected is int and _is_number(value, Integral):
        return int(value)  # type: ignore[call-overload, no-any-return]
    if expected is tuple and _is_strings(value):
        return tuple(value)  # type: ignore[arg-type]
    if isinstance(value, (bool, str)) and type(value) is expected:
        return value
    came = 'something else' if parameter.secret else shown(value)
    raise ConfigError(f'{name} must be {_EXPECTED[expected]}, got {came}')


def _is_strings(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(each, str) for each in value)


def _is_number(value: object, kind: type) -> bool:
    """Python counts True as a number, a configuration does not."""
    return isinstance(value, kind) and not isinstance(value, bool)


def _as_float(value: Any) -> float:
    """A whole number too large for a float becomes infinite, which every range refuses."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
