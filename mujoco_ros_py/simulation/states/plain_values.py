"""Converts numbers, strings, collections, NumPy arrays and records to bytes and back.

Reading is safe for any bytes: it runs no code, creates no objects of other types, and needs memory
in proportion to the number of bytes. A value is written as a letter for its type, followed by its
content.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from ...config.wording import shown
from ...errors import ConfigError
from .number_types import packed_type, read_type, type_value

_DEEPEST = 32
"""The maximum depth of nested collections."""
_COUNT = struct.Struct('<I')
_MOST = 2**32 - 1
_INTEGER = struct.Struct('<q')
_FLOAT = struct.Struct('<d')
_WORDS: dict[Any, bytes] = {None: b'N', True: b'T', False: b'F'}
_CONSTANTS = {letter: value for value, letter in _WORDS.items()}
_COLLECTIONS: dict[bytes, Callable[[Any], Any]] = {b't': tuple, b'l': list}
_LETTERS = {kind: letter for letter, kind in _COLLECTIONS.items()}


def write_value(value: Any) -> bytes:
    """Returns a value as bytes. Equal values have equal bytes on all machines.

    Supported types are None, bool, int of 64 bits, float, str, bytes, tuple, list, dict, and
    NumPy's arrays, scalars and records of numbers. Raises ConfigError for any other type; the
    error says where in the value it occurs.
    """
    parts: list[bytes] = []
    _write(value, parts.append, '', 0)
    return b''.join(parts)


def read_value(written: bytes) -> Any:
    """Returns the value that `write_value` has written. Raises ConfigError for other bytes."""
    reader = _Reader(written)
    value = reader.value(0)
    if reader.left:
        raise ConfigError(f'no bytes may follow the end of a value, got {reader.left} more')
    return value


def _write(value: Any, add: Callable[[bytes], object], place: str, depth: int) -> None:
    kind = type(value)
    if depth > _DEEPEST:
        raise ConfigError(f'{place} must have at most {_DEEPEST} nested collections')
    if value is None or kind is bool:
        add(_WORDS[value])
    elif kind is int and -(2**63) <= value < 2**63:
        add(b'i' + _INTEGER.pack(value))
    elif kind is float:
        add(b'f' + _FLOAT.pack(value))
    elif kind is str:
        text = value.encode('utf-8', 'surrogatepass')
        add(b's' + _length(text, place) + text)
    elif kind is bytes:
        add(b'b' + _length(value, place) + value)
    elif kind in _LETTERS:
        add(_LETTERS[kind] + _length(value, place))
        for index, each in enumerate(value):
            _write(each, add, f'{place}[{index}]', depth + 1)
    elif kind is dict:
        add(b'd' + _length(value, place))
        for key, each in value.items():
            _write(key, add, f'a key of {place or "the value"}', depth + 1)
            _write(each, add, f'{place}[{shown(key)}]', depth + 1)
    elif isinstance(value, np.ndarray | np.generic):
        _write_array(value, add, place, depth)
    else:
        raise ConfigError(
            f'{place or "the value"} must be a number, string, bytes, tuple, list, dict or NumPy'
            f' array of numbers, got {shown(value)}'
        )


def _write_array(value: Any, add: Callable[[bytes], object], place: str, depth: int) -> None:
    array = np.asarray(value)
    packed = packed_type(array.dtype, place)
    letter = b'a' if isinstance(value, np.ndarray) else b'n'
    if isinstance(value, np.record):
        letter = b'r'
    add(letter)
    _write(type_value(packed), add, place, depth + 1)
    _write(array.shape, add, place, depth + 1)
    add(array.astype(packed, order='C').tobytes())


def _length(value: Any, place: str) -> bytes:
    if len(value) > _MOST:
        raise ConfigError(f'{place} must have at most {_MOST} elements')
    return _COUNT.pack(len(value))


class _Reader:
    """Reads values from bytes, one after the other."""

    def __init__(self, written: bytes) -> None:
        self._written, self._at = memoryview(written), 0

    @property
    def left(self) -> int:
        """The number of unread bytes."""
        return len(self._written) - self._at

    def value(self, depth: int) -> Any:
        """Reads the next value."""
        if depth > _DEEPEST + 2:  # the type and the shape of an array are nested in the array
            raise ConfigError('the bytes of a value have too many nested collections')
        letter = bytes(self._take(1))
        if letter in _CONSTANTS:
            return _CONSTANTS[letter]
        if letter == b'i':
            return _INTEGER.unpack(self._take(_INTEGER.size))[0]
        if letter == b'f':
            return _FLOAT.unpack(self._take(_FLOAT.size))[0]
        if letter in b'sb':
            return self._text(letter)
        if letter in _COLLECTIONS:
            count = self._count()
            return _COLLECTIONS[letter]([self.value(depth + 1) for _ in range(count)])
        if letter == b'd':
            return self._dict(depth)
        if letter in b'anr':
            return self._array(letter, depth)
        raise ConfigError(f'the bytes of a value have the unknown type {letter!r}')

    def _text(self, letter: bytes) -> str | bytes:
        taken = bytes(self._take(self._count()))
        if letter == b'b':
            return taken
        try:
            return taken.decode('utf-8', 'surrogatepass')
        except UnicodeDecodeError as error:
            raise ConfigError(f'a string in the bytes of a value is not UTF-8: {error}') from None

    def _dict(self, depth: int) -> dict[Any, Any]:
        count, found = self._count(), {}
        for _ in range(count):
            key = self.value(depth + 1)
            try:
                found[key] = self.value(depth + 1)
            except TypeError:
                raise ConfigError(f'a dict cannot have the key {shown(key)}') from None
        if len(found) != count:
            raise ConfigError('a dict in the bytes of a value has a duplicate key')
        return found

    def _array(self, letter: bytes, depth: int) -> Any:
        kind, shape = read_type(self.value(depth + 1), self.left), self.value(depth + 1)
        if type(shape) is not tuple or not all(type(n) is int and n >= 0 for n in shape):
            raise ConfigError(f'an array cannot have the shape {shown(shape)}')
        count = math.prod(shape)
        if count * max(1, kind.itemsize) > self.left or len(shape) > _DEEPEST:
            raise ConfigError(f'the bytes of a value end within an array of {count} elements')
        if max(shape, default=0) > _MOST:
            raise ConfigError(f'an array cannot have the shape {shown(shape)}')
        taken = bytes(self._take(count * kind.itemsize))
        array = np.zeros(shape, kind)
        if taken:
            array = np.frombuffer(taken, kind).reshape(shape).copy()
        if letter == b'a':
            return array
        if shape:
            raise ConfigError(f'a single number or record cannot have the shape {shown(shape)}')
        return array.view(np.dtype((np.record, kind)))[()] if letter == b'r' else array[()]

    def _count(self) -> int:
        """Reads a number of elements. Each element takes at least one byte."""
        (count,) = _COUNT.unpack(self._take(_COUNT.size))
        if count > self.left:
            raise ConfigError(f'the bytes of a value end before {count} elements')
        return int(count)

    def _take(self, count: int) -> memoryview:
        if count > self.left:
            raise ConfigError(f'the bytes of a value end too early: {count} more are needed')
        self._at += count
        return self._written[self._at - count : self._at]
