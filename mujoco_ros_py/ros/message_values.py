"""Converts plain values, such as YAML, to messages, and messages to YAML."""

from __future__ import annotations

import re
from array import array
from collections.abc import Mapping
from importlib import import_module
from numbers import Integral, Real
from typing import Any

import numpy as np
import yaml

from ..config.wording import shown, unknown
from ..config.yaml_text import load_yaml
from ..errors import ConfigError

_MANY = re.compile(r'sequence<(?P<each>.+?)(, (?P<most>\d+))?>|(?P<of>.+)\[(?P<count>\d+)\]')
_INTEGER = re.compile(r'(?P<unsigned>u?)int(?P<bits>\d+)')
_PLAIN: dict[str, tuple[str, type[Any]]] = {
    'boolean': ('true or false', bool),
    'string': ('a string', str),
    'wstring': ('a string', str),
    'float': ('a number', Real),
    'double': ('a number', Real),
}
"""The ROS types without a range, each in words and as a Python type; the others are integers."""
_LISTS = list, tuple, bytes
_LONGEST = 128


def read_message(kind: type[Any], text: str) -> Any:
    """Returns a message with the values of a YAML text. Raises ConfigError if they do not fit."""
    return filled(kind(), load_yaml(text, 'the value'))


def filled(message: Any, values: object, where: str = '') -> Any:
    """Writes values into a message and its nested messages; returns the message.

    `where` is the path of the message in the input, for errors. Raises ConfigError if a field is
    unknown or a value does not fit its field.
    """
    if not isinstance(values, Mapping):
        example = ', '.join(f'{name}: ...' for name in _fields(message)) or ''
        raise ConfigError(
            f'{where or "the value"} must be a struct: {{{example}}}, got {shown(values)}'
        )
    fields = _fields(message)
    for name, value in values.items():
        place = f'{where}.{name}' if where else str(name)
        if name not in fields:
            known = unknown('field', str(name), fields)
            raise ConfigError(f'{where or type(message).__name__}: {known}')
        inner = getattr(message, name)
        if hasattr(inner, 'get_fields_and_field_types'):
            filled(inner, value, place)
            continue
        try:
            setattr(message, name, _converted(fields[name], value, place))
        except (AssertionError, TypeError, ValueError, OverflowError) as error:
            raise ConfigError(f'{place}: {error}') from error
    return message


def as_yaml(message: object, *, full: bool = False) -> str:
    """Returns a message as YAML; long lists and strings are cut unless `full`."""
    values = _plain(message, None if full else _LONGEST)
    return yaml.safe_dump(values, sort_keys=False, allow_unicode=True, default_flow_style=None)


def interface(name: str) -> type[Any]:
    """Returns the class of a type such as `std_msgs/msg/String`.

    Raises ConfigError if the type is not installed.
    """
    package, folder, kind = name.split('/')
    try:
        found: type[Any] = getattr(import_module(f'{package}.{folder}'), kind)
    except (ImportError, AttributeError) as error:
        raise ConfigError(f'the type {name} is not installed here: {error}') from None
    return found


def _fields(message: Any) -> dict[str, str]:
    fields: dict[str, str] = message.get_fields_and_field_types()
    return fields


def _converted(kind: str, value: object, where: str) -> object:
    """Converts a value to the type of a field; messages do not always check their values.

    Raises ConfigError, which describes the type in words, if the value does not fit.
    """
    if isinstance(value, array | np.ndarray | np.generic):
        value = value.tolist()
    wrong = ConfigError(f'{where} must be {_in_words(kind)}, got {shown(value)}')
    if many := _MANY.fullmatch(kind):
        if not isinstance(value, _LISTS) or not _has_length(many, len(value)):
            raise wrong
        each = many['each'] or many['of']
        return [_converted(each, item, f'{where}[{index}]') for index, item in enumerate(value)]
    if '/' in kind:
        return filled(interface(kind.replace('/', '/msg/'))(), value, where)
    _, python = _PLAIN.get(kind.split('<')[0], ('', Integral))  # string<10>
    if not isinstance(value, python) or (isinstance(value, bool) and python is not bool):
        raise wrong
    if python is Integral:
        lowest, highest = _range(kind)
        if not lowest <= value <= highest:
            raise wrong
        return bytes([value]) if kind == 'octet' else value
    return float(value) if python is Real else value


def _has_length(many: re.Match[str], length: int) -> bool:
    if many['count']:
        return length == int(many['count'])
    return not many['most'] or length <= int(many['most'])


def _range(kind: str) -> tuple[int, int]:
    """Returns the lowest and the highest number of a type; octet and char are bytes."""
    found = _INTEGER.fullmatch(kind)
    bits, signed = (int(found['bits']), not found['unsigned']) if found else (8, False)
    return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)


def _in_words(kind: str) -> str:
    """Describes the values of a type in words: `a list of 3 values, each a number`."""
    if many := _MANY.fullmatch(kind):
        count = many['count'] or (f'at most {many["most"]}' if many['most'] else '')
        values = f'{count} values' if count else 'values'
        return f'a list of {values}, each {_in_words(many["each"] or many["of"])}'
    if '/' in kind:
        return 'a struct'
    words, _ = _PLAIN.get(kind.split('<')[0], ('', int))
    return words or 'a whole number from {} to {}'.format(*_range(kind))


def _plain(value: object, longest: int | None) -> object:
    if hasattr(value, 'get_fields_and_field_types'):
        return {name: _plain(getattr(value, name), longest) for name in _fields(value)}
    if isinstance(value, bytes) and len(value) == 1:
        return value[0]
    if isinstance(value, str):
        cut = longest is not None and len(value) > longest
        return f'{value[:longest]}...' if cut else value
    if isinstance(value, np.ndarray | array | list | tuple | bytes):
        items = [_plain(item, longest) for item in value[:longest]]
        return items if len(items) == len(value) else [*items, '...']
    return value.item() if isinstance(value, np.generic) else value
