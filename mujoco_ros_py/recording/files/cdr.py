"""Reads serialized messages (CDR) of types whose definitions come with this package.

No ROS is needed. The format is the plain CDR of DDS-XTypes 1.3, section 7.4.1: a number is aligned
to its size, counted from the end of the four bytes with the byte order.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import cache
from typing import Any, Literal

import numpy as np

from ...engine.messages.stand_ins import Field, basic, fields_of, stand_in
from ...errors import RecordingError

_HEAD = 4
_ORDERS: dict[bytes, Literal['>', '<']] = {b'\x00\x00': '>', b'\x00\x01': '<'}

Message = dict[str, Any]
"""The fields of a message by name; nested messages are mappings too."""


def read_cdr(kind: str, data: bytes) -> Message:
    """Returns the fields of a message of a type such as `sensor_msgs/JointState`.

    Raises RecordingError if the data are cut off, or serialized in another format.
    """
    order = _ORDERS.get(bytes(data[:2]))
    if order is None:
        raise RecordingError(
            f'it is not plain CDR: it begins with {bytes(data[:4]).hex() or "nothing"}'
        )
    try:
        return _Reader(memoryview(data)[_HEAD:], order).message(kind)
    except (struct.error, ValueError) as error:
        raise RecordingError(f'it is cut off or damaged: {error}') from None


class _Reader:
    """Reads the fields of a message one after the other."""

    def __init__(self, data: memoryview, order: Literal['>', '<']) -> None:
        self._data, self._order, self._place = data, order, 0

    def message(self, kind: str) -> Message:
        """Reads a message."""
        return {name: read(self) for name, read in _readers(kind)}

    def number(self, code: np.dtype[np.generic]) -> Any:
        """Reads a number."""
        return self.numbers(code, 1)[0].item()

    def numbers(self, code: np.dtype[np.generic], count: int) -> Any:
        """Reads numbers of one type."""
        if count == 0:
            return np.zeros(0, code)
        size = code.itemsize
        start = -(-self._place // size) * size
        self._place = start + count * size
        if self._place > len(self._data):
            raise ValueError(f'{len(self._data)} bytes are left of at least {self._place}')
        return np.frombuffer(self._data, code.newbyteorder(self._order), count, start)

    def count(self) -> int:
        """Reads the length of a sequence or a string."""
        start = -(-self._place // 4) * 4
        (found,) = struct.unpack_from(f'{self._order}I', self._data, start)
        self._place = start + 4
        if found > len(self._data):
            raise ValueError(f'a length of {found} exceeds the {len(self._data)} bytes')
        return int(found)

    def text(self) -> str:
        """Reads a string."""
        size = self.count()
        found = bytes(self._data[self._place : self._place + size])
        self._place += size
        return found.rstrip(b'\0').decode(errors='replace')


@cache
def _readers(kind: str) -> tuple[tuple[str, Callable[[_Reader], Any]], ...]:
    """Returns a function for each field, which reads its value."""
    known = stand_in(kind)
    assert known is not None, kind
    return tuple((name, _reader(field)) for name, field in fields_of(known).items())


def _reader(field: Field) -> Callable[[_Reader], Any]:
    single: Callable[[_Reader], Any]
    if field.kind == 'string':
        single = _Reader.text
    elif '/' in field.kind:

        def single(reader: _Reader) -> Any:
            return reader.message(field.kind)
    else:
        code = basic(field.kind)
        if field.length is not None:
            return lambda reader: reader.numbers(code, field.length or 0)
        if field.array:
            return lambda reader: reader.numbers(code, reader.count())
        return lambda reader: reader.number(code)
    if field.array:
        return lambda reader: [single(reader) for _ in range(field.length or reader.count())]
    return single
