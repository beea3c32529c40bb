"""Converts NumPy types of numbers and records to plain values and back."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from ...config.wording import shown
from ...errors import ConfigError

_NUMBER = re.compile(r'[<|](b1|[iu][1248]|f[248])')
_DEEPEST = 8
"""The maximum depth of nested records."""


def packed_type(kind: np.dtype[Any], place: str = '') -> np.dtype[Any]:
    """Returns the type without gaps between fields, in little-endian byte order.

    Raises ConfigError unless the type is a number or a record of numbers. `place` names the value
    in the message.
    """
    if kind.subdtype is not None:
        base, shape = kind.subdtype
        return np.dtype((packed_type(base, place), shape))
    if kind.names is not None:
        fields = [(name, packed_type(kind[name], f'{place}.{name}')) for name in kind.names]
        return np.dtype(fields)
    plain = kind.newbyteorder('<')
    if not _NUMBER.fullmatch(plain.str):
        raise ConfigError(
            f'{place or "the value"} must be an array of numbers, got an array of {kind}'
        )
    packed: np.dtype[Any] = np.dtype(plain.str)
    return packed


def type_value(kind: np.dtype[Any]) -> str | tuple[Any, ...]:
    """Converts a packed type to a string, or to a nested tuple for arrays and records."""
    if kind.subdtype is not None:
        base, shape = kind.subdtype
        return 'array', type_value(base), shape
    if kind.names is not None:
        return 'record', *((name, type_value(kind[name])) for name in kind.names)
    return str(kind.str)


def read_type(value: Any, largest: int) -> np.dtype[Any]:
    """Converts a result of `type_value` back to a type.

    Raises ConfigError if the value is not a type, or if an element of this type has more than
    `largest` bytes.
    """
    try:
        return _read(value, largest, 0)
    except (TypeError, ValueError, OverflowError) as error:
        raise ConfigError(f'{shown(value)} is not a numeric type: {error}') from None


def _read(value: Any, largest: int, depth: int) -> np.dtype[Any]:
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return np.dtype(value)
    made = None
    if isinstance(value, tuple) and value and depth <= _DEEPEST:
        if value[0] == 'array':
            made = _array(value[1:], largest, depth)
        elif value[0] == 'record':
            made = _record(value[1:], largest, depth)
    if made is None:
        raise ConfigError(f'{shown(value)} is not a numeric type')
    if made.itemsize > largest:
        raise ConfigError(f'an element must have at most {largest} bytes, got {made.itemsize}')
    return made


def _array(value: Any, largest: int, depth: int) -> np.dtype[Any]:
    base, shape = value
    inner = _read(base, largest, depth + 1)
    if not isinstance(shape, tuple) or not all(type(n) is int and n >= 0 for n in shape):
        raise ConfigError(f'{shown(shape)} is not a shape')
    if not shape or math.prod(max(1, n) for n in shape) * max(1, inner.itemsize) > largest:
        raise ConfigError(f'an element must have at most {largest} bytes, got {shown(value)}')
    return np.dtype((inner, shape))


def _record(value: Any, largest: int, depth: int) -> np.dtype[Any]:
    fields: list[tuple[str, np.dtype[Any]]] = []
    size = 0
    for name, inner in value:
        if not isinstance(name, str) or not name:
            raise ConfigError(f'{shown(name)} is not a field name')
        fields.append((name, _read(inner, largest, depth + 1)))
        size += fields[-1][1].itemsize
        if size > largest:
            raise ConfigError(f'an element must have at most {largest} bytes')
    return np.dtype(fields)
