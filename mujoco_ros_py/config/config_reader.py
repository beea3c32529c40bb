"""The one strict way from names and values to a configuration: the server's, and any plugin's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass, replace
from typing import Any, TypeVar

from ..errors import ConfigError
from .parameter import Parameter, parameters_of
from .value_conversion import converted, refused
from .wording import unknown

C = TypeVar('C')


def read(cls: type[C], values: Mapping[str, Any], where: str = '') -> C:
    """The configuration `cls`, a dataclass, with these values and defaults for the others.

    Type hints say what a field takes, see `value_conversion.py`; rules are those of `ranged`.
    `where` leads the names in messages: ``cam_config.wrist``. Raises ConfigError for an unknown
    name, one that is missing, a wrong type, a value out of range, and whatever the class itself
    refuses.
    """
    table = parameters_of(cls)
    lead = f'{where}: ' if where else ''
    for name in values:
        if name not in table:
            raise ConfigError(lead + unknown('parameter', name, table))
    try:
        given = {name: _read_value(name, table[name], value) for name, value in values.items()}
        for name, row in table.items():
            if row.required and name not in given:
                raise ConfigError(f'{name} must be given')
        return cls(**given)
    except (ConfigError, ValueError) as error:  # which a class may raise, too
        raise ConfigError(f'{where}.{error}' if where else str(error)) from None


def changed(config: C, values: Mapping[str, Any], where: str = '') -> C:
    """The configuration with these values instead of its own, read as strictly; `config` stays.

    A mapping for a field that is a dataclass changes the fields that it names in it.
    """
    made = {name: getattr(config, name) for name in parameters_of(config)}
    for name, value in values.items():
        inner = is_dataclass(made.get(name)) and isinstance(value, Mapping)
        inside = f'{where}.{name}' if where else name
        made[name] = changed(made[name], value, inside) if inner else value
    return read(type(config), made, where)


def with_live(config: C, other: C) -> C:
    """The configuration with those values of another one that may change while it is in use."""
    values = {}
    for name, row in parameters_of(config).items():
        mine, theirs = getattr(config, name), getattr(other, name)
        if row.live:
            values[name] = theirs
        elif is_dataclass(mine) and type(mine) is type(theirs):
            values[name] = with_live(mine, theirs)
    return replace(config, **values)  # type: ignore[type-var]


def changed_live(config: C, values: Mapping[str, Any], where: str = '') -> C:
    """The configuration as `changed` makes it, from values that may change while it is in use.

    Raises ConfigError for others too.
    """
    made = changed(config, values, where)
    if with_live(config, made) != made:
        live = ', '.join(_live(config)) or 'nothing'
        lead = f'{where}: ' if where else ''
        raise ConfigError(f'{lead}without a reload {live} may change, got {", ".join(values)}')
    return made


def check_ranges(config: object) -> None:
    """Raises ConfigError for the first field outside of its range; for use in `__post_init__`."""
    for name, parameter in parameters_of(config).items():
        parameter.check(name, getattr(config, name))


def _live(config: Any) -> Iterator[str]:
    """The names of the fields that may change while it is in use, dots before those inside."""
    for name, row in parameters_of(config).items():
        value = getattr(config, name)
        if row.live:
            yield name
        elif is_dataclass(value):
            yield from (f'{name}.{inner}' for inner in _live(value))


def _read_value(name: str, parameter: Parameter[Any], value: object) -> Any:
    """The value in the field's type, and in its range; a whole number passes for a number."""
    try:
        made = converted(parameter.hint, name, value, read)
    except ConfigError:
        if parameter.secret:
            raise refused(parameter.hint, name, value, secret=True) from None
        raise
    parameter.check(name, made)
    return made
