"""A message in memory, as C lays it out."""

from __future__ import annotations

from typing import Any

import numpy as np

from .message_layout import ELEMENT, TEXT, message_layout

Array = np.ndarray[Any, Any]
_NOTHING = np.zeros(1, np.uint16)
"""The zero that an empty string ends with."""


class StructMessage:
    """A message that NumPy fills; its numbers are 0 and its strings and sequences empty at first.

    Numbers are set as ``message['height'] = 480``. A field that is a message is a view, which is
    looked up once: ``stamp = message['header']['stamp']``, and then ``stamp['sec'] = 3``. Strings
    and sequences get their values by `set_text` and `allocate`.
    """

    def __init__(self, kind: type[Any]) -> None:
        self._fields: Array = np.zeros((), message_layout(kind))  # type: ignore[arg-type]
        self._kept: dict[int, Array] = {}
        """The memory that strings and sequences point to, by the addresses of these."""
        _end_strings(self._fields)

    @property
    def address(self) -> int:
        """The address of the message."""
        return self._fields.ctypes.data

    def __getitem__(self, name: str) -> Array:
        """Returns the view of a field, or of the fields of a message in it."""
        return self._fields[name]

    def __setitem__(self, name: str, values: Any) -> None:
        """Sets a number or an array of numbers. Raises TypeError for a string or a sequence."""
        if self._fields[name].dtype.metadata:
            raise TypeError(f'{name} is not a number: use set_text, set_texts or allocate')
        self._fields[name] = values

    def set_text(self, field: Array, text: str) -> None:
        r"""Gives a string its value; what is not Unicode in it is written as ``\udcff``."""
        encoding = field.dtype.metadata[TEXT]
        width = 1 if encoding == 'utf-8' else 2
        encoded = text.encode(encoding, 'backslashreplace') + bytes(width)
        buffer = np.frombuffer(encoded, np.dtype(f'u{width}'))
        self._point(field, buffer, len(buffer) - 1)

    def set_texts(self, field: Array, texts: list[str]) -> None:
        """Gives a sequence of strings its values."""
        strings = self.allocate(field, len(texts))
        for number, text in enumerate(texts):
            self.set_text(strings[number, ...], text)

    def allocate(self, field: Array, count: int) -> Array:
        """Gives a sequence so many elements, all zero and empty, and returns them.

        ``elements[k, ...]`` is the view of one that is itself a message.
        """
        elements: Array = np.zeros(count, field.dtype.metadata[ELEMENT])
        _end_strings(elements)
        self._point(field, elements, count)
        return elements

    def _point(self, field: Array, buffer: Array, size: int) -> None:
        field['data'], field['size'], field['capacity'] = buffer.ctypes.data, size, len(buffer)
        place = field.ctypes.data
        if place in self._kept:
            self._forget(self._kept[place])
        self._kept[place] = buffer

    def _forget(self, replaced: Array) -> None:
        """Frees what strings and sequences in replaced elements point to."""
        start = replaced.ctypes.data
        inside = range(start, start + replaced.nbytes)
        for place in [place for place in self._kept if place in inside]:
            self._forget(self._kept.pop(place))


def numbers(field: Array) -> Array:
    """Returns a view as an array of a field with numbers of one type (Vector3, Quaternion).

    The numbers are in its last axis, in the order of the message definition.
    """
    kind: np.dtype[Any] = field.dtype[0]
    return field[..., np.newaxis].view(kind)


def _end_strings(values: Array) -> None:
    """Puts the zero that C wants at its end behind each empty string."""
    kind = values.dtype
    if kind.metadata and TEXT in kind.metadata:
        values['data'], values['capacity'] = _NOTHING.ctypes.data, 1
    elif not kind.metadata:
        for name in kind.names or ():
            _end_strings(values[name])
