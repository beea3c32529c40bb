"""Converts values from parameters and YAML to the types in type hints."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from ..errors import ConfigError
from .dotted_names import entries
from .wording import shown

Read = Callable[[Any, Mapping[str, Any], str], Any]
"""Creates a dataclass from values; the string is a prefix for names in messages."""

_READABLE = (
    'bool, int, float, str, Literal[...], tuple[...], Mapping[str, ...], a dataclass, '
    'X | None, a union of these'
)
_WORDS = {
    bool: 'true or false',
    int: 'a whole number',
    float: 'a number',
    str: 'a string',
    NoneType: 'nothing',
}
_PLURALS = {bool: 'true and false', int: 'whole numbers', float: 'numbers', str: 'strings'}


def converted(hint: object, name: str, value: object, read: Read) -> Any:
    """Converts the value to `hint`: lists become tuples, structs become dataclasses (with `read`).

    An integer is accepted as a float. Otherwise the type must match exactly. Raises ConfigError.
    """
    if hint is Any:
        return value
    if is_dataclass(hint):
        return _struct(hint, name, value, read)
    origin = get_origin(hint)
    if origin is tuple:
        return _tuple(hint, name, value, read)
    if origin in (Union, UnionType):
        return _one_of(hint, name, value, read)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping(hint, name, value, read)
    if origin is Literal and any(type(each) is type(value) for each in get_args(hint)):
        return value  # the parameter's rule checks the choice
    return _scalar(hint, name, value)


def in_words(hint: object) -> str:
    """Describes the values of a type, such as ``a number or a list of numbers``.

    Raises ConfigError for an unsupported type hint.
    """
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return ' or '.join(in_words(each) for each in arguments)
    if origin is Literal:
        return f'one of {", ".join(map(str, arguments))}'
    if is_dataclass(hint) or (isinstance(origin, type) and issubclass(origin, Mapping)):
        return 'a struct'
    if origin is tuple:
        return _list_in_words(arguments)
    if hint not in _WORDS:
        raise ConfigError(f'type hint {hint} is not supported; known: {_READABLE}')
    return _WORDS[hint]


def _list_in_words(arguments: tuple[Any, ...]) -> str:
    each = _PLURALS.get(arguments[0], 'elements') if len({*arguments} - {...}) == 1 else 'elements'
    return f'a list of {each}' if ... in arguments else f'a list of {len(arguments)} {each}'


def refused(hint: object, name: str, value: object, *, secret: bool = False) -> ConfigError:
    """Returns the error for a value of the wrong type, without the value if it is secret."""
    quotes = ''
    if hint is str and isinstance(value, Real):
        quotes = ' (in quotes, because YAML reads digits as a number)'
    came = 'something else' if secret else shown(value)
    return ConfigError(f'{name} must be {in_words(hint)}{quotes}, got {came}')


def _scalar(hint: object, name: str, value: object) -> Any:
    number = isinstance(value, Real) and not isinstance(value, bool)  # True is an int in Python
    if hint is float and number:
        return _as_float(value)
    if hint is int and number and isinstance(value, Integral):
        return int(value)
    if hint in (bool, str, NoneType) and type(value) is hint:
        return value
    raise refused(hint, name, value)


def _as_float(value: Any) -> float:
    """Converts to float; too large an integer becomes infinite, which every range refuses."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _tuple(hint: object, name: str, value: object, read: Read) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise refused(hint, name, value)
    arguments = get_args(hint)
    if arguments[-1] is ...:
        arguments = arguments[:1] * len(value)
    if len(arguments) != len(value):
        raise refused(hint, name, value)
    if all(each in _PLURALS for each in arguments):  # one message for the whole list
        try:
            return tuple(map(lambda each, v: _scalar(each, name, v), arguments, value))
        except ConfigError:
            raise refused(hint, name, value) from None
    return tuple(
        converted(each, f'{name}[{index}]', value[index], read)
        for index, each in enumerate(arguments)
    )


def _mapping(hint: object, name: str, value: object, read: Read) -> dict[str, Any]:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise refused(hint, name, value)
    _, each = get_args(hint)
    parts = entries(each, name, value)
    return {key: converted(each, f'{name}.{key}', part, read) for key, part in parts.items()}


def _struct(hint: Any, name: str, value: object, read: Read) -> Any:
    if isinstance(value, hint):
        return value
    if not isinstance(value, Mapping):
        raise refused(hint, name, value)
    return read(hint, value, name)


def _one_of(hint: object, name: str, value: object, read: Read) -> Any:
    """Converts the value to the first type that accepts it; otherwise raises the best error.

    If all types refuse a struct, the error of the struct type is the most specific.
    """
    errors = {}
    for each in get_args(hint):
        try:
            return converted(each, name, value, read)
        except ConfigError as error:
            errors[each] = error
    inside = [
        error
        for each, error in errors.items()
        if isinstance(value, Mapping) and in_words(each) == 'a struct'
    ]
    raise inside[0] if inside else refused(hint, name, value)
