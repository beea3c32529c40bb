"""Messages in memory, of types whose ROS package is not installed (see `stand_ins`)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from .layout import ELEMENT, TEXT
from .message import Array, StructMessage
from .stand_ins import Field, StandIn, fields_of, stand_in


class StandInMemory:
    """Holds a message in its C layout, for compiled code; the counterpart of `NativeMessage`."""

    def __init__(self, kind: type[StandIn]) -> None:
        self._kind, self._message = kind, StructMessage(kind)
        self.set(kind())

    @property
    def address(self) -> int:
        """The address of the message."""
        return self._message.address

    def set(self, message: object) -> None:
        """Copies all fields of a Python message. Raises ValueError if a field does not fit."""
        try:
            for name in fields_of(self._kind):
                self._write(self._message[name], getattr(message, name))
        except (AttributeError, TypeError) as error:
            raise ValueError(f'{type(message).__name__} cannot be converted: {error}') from None

    def get(self) -> StandIn:
        """Returns the message as a Python object."""
        return _message(self._kind, self._message.__getitem__)

    def _write(self, place: Array, value: Any) -> None:
        metadata = place.dtype.metadata or {}
        if TEXT in metadata:
            self._message.set_text(place, value)
        elif ELEMENT in metadata:
            elements = self._message.allocate(place, len(value))
            if elements.dtype.names is None:
                elements[:] = np.frombuffer(value, np.uint8) if isinstance(value, bytes) else value
                return
            for k, each in enumerate(value):
                self._write(elements[k, ...], each)
        elif place.dtype.names is not None:
            for name in place.dtype.names:
                self._write(place[name], getattr(value, name))
        else:
            place[...] = value


def _message(kind: type[StandIn], place_of: Callable[[str], Array]) -> StandIn:
    values = {name: _read(place_of(name), field) for name, field in fields_of(kind).items()}
    return kind(**values)


def _read(place: Array, field: Field) -> Any:
    """Returns a field of a message as a value that does not share its memory."""
    metadata = place.dtype.metadata or {}
    if ELEMENT in metadata:
        elements = _elements(place, metadata[ELEMENT])
        if elements.dtype.names is None:
            return elements.copy()
        return [_single(elements[k, ...], field) for k in range(len(elements))]
    return _single(place, field)


def _single(place: Array, field: Field) -> Any:
    if TEXT in (place.dtype.metadata or {}):
        return _elements(place, np.dtype(np.uint8)).tobytes().decode(errors='replace')
    if (nested := stand_in(field.kind)) is not None:
        return _message(nested, place.__getitem__)
    return place.copy() if place.ndim else place.item()


def _elements(place: Array, kind: np.dtype[np.generic]) -> Array:
    """Returns the elements of a sequence, or the bytes of a string, without a copy."""
    size = int(place['size']) * kind.itemsize
    held: Any = (ctypes.c_char * size).from_address(int(place['data'])) if size else b''
    return np.frombuffer(held, kind)
