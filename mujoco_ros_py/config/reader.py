"""Creates configurations of the server and of plugins from names and values, strictly checked.

Implemented by hand: importing pydantic or cattrs would delay each start by several hundred
milliseconds, and msgspec ignores unknown keys of dataclasses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass, replace
from typing import Any, TypeVar

from ..errors import ConfigError
from .parameter import Parameter, parameters_of
from .value_conversion import converted, refused
from .wording import unknown

C = TypeVar('C')


def read(cls: type[C], values: Mapping[str, object], where: str = '') -> C:
    """Creates the configuration dataclass `cls` from these values and its defaults.

    The type hints determine the accepted values (see `value_conversion.py`); `ranged` adds rules.
    `where` is a prefix for names in messages, such as ``cam_config.wrist``. Raises ConfigError for
    an unknown or missing name, a wrong type, a value out of range, and any value that the class
    itself refuses.
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
    except (ConfigError, ValueError) as error:  # the class can raise these too
        raise ConfigError(f'{where}.{error}' if where else str(error)) from None


def changed(config: C, values: Mapping[str, Any], where: str = '') -> C:
    """Returns a copy of the configuration with these values, checked like those in `read`.

    A mapping for a field that is a dataclass changes only the fields that it names.
    """
    made = {name: getattr(config, name) for name in parameters_of(config)}
    for name, value in values.items():
        inner = is_dataclass(made.get(name)) and isinstance(value, Mapping)
        inside = f'{where}.{name}' if where else name
        made[name] = changed(made[name], value, inside) if inner else value
    return read(type(config), made, where)


def with_live(config: C, other: C) -> C:
    """Returns the configuration with the live values of `other`."""
    values = {}
    for name, row in parameters_of(config).items():
        mine, theirs = getattr(config, name), getattr(other, name)
        if row.live:
            values[name] = theirs
        elif is_dataclass(mine) and type(mine) is type(theirs):
            values[name] = with_live(mine, theirs)
    return replace(config, **values)  # type: ignore[type-var]


def changed_live(config: C, values: Mapping[str, object], where: str = '') -> C:
    """Returns a copy of the configuration with these live values; see `changed`.

    Raises ConfigError for a value that is not live, or that `changed` refuses.
    """
    made = changed(config, values, where)
    if with_live(config, made) != made:
        live = ', '.join(_live(config)) or 'nothing'
        lead = f'{where}: ' if where else ''
        raise ConfigError(
            f'{lead}the values that can change without a reload are: {live}; got'
            f' {", ".join(values)}'
        )
    return made


def check_ranges(config: object) -> None:
    """Raises ConfigError for the first field that is out of range; call it in `__post_init__`."""
    for name, parameter in parameters_of(config).items():
        parameter.check(name, getattr(config, name))


def _live(config: object) -> Iterator[str]:
    """Yields the names of a configuration's live fields; nested fields have dotted names."""
    for name, row in parameters_of(config).items():
        value = getattr(config, name)
        if row.live:
            yield name
        elif is_dataclass(value):
            yield from (f'{name}.{inner}' for inner in _live(value))


def _read_value(name: str, parameter: Parameter[Any], value: object) -> Any:
    """Returns the value in the field's type, and checks its range; accepts integers as floats."""
    try:
        made = converted(parameter.hint, name, value, read)
    except ConfigError:
        if parameter.secret:
            raise refused(parameter.hint, name, value, secret=True) from None
        raise
    parameter.check(name, made)
    return made
