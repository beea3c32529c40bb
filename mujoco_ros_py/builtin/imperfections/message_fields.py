"""Finds a number in a message by the path of its field, such as linear_acceleration.z."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...config import unknown
from ...engine.messages import ELEMENT, message_layout
from ...errors import ConfigError

_NUMBERS = np.float64, np.float32
_PATH = re.compile(r'\w+(\[\d+\])?(\.\w+(\[\d+\])?)*')

Layout = np.dtype[Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class NumberPlace:
    """The location of a number in a message; `MESSAGE_NUMBER` explains the fields."""

    place: int = 0
    index: int = -1
    stride: int = 0
    inner: int = 0
    single: bool = False

    def moved(self, size: int) -> NumberPlace:
        """Returns the location `size` bytes after this one."""
        if self.stride:
            return replace(self, inner=self.inner + size)
        return replace(self, place=self.place + size)


def number_place(kind: type, path: str) -> NumberPlace:
    """Returns the location of a float64 or float32 number in the messages of a type.

    A path consists of field names with dots between them. An element of an array or a sequence has
    an index, as in ``position[2]``; a path can enter only one sequence. Raises ConfigError if the
    type has no such number; the error lists the numbers of the type.
    """
    layout = message_layout(kind)
    found = _found(layout, path)
    if found is None:
        raise ConfigError(unknown(f'number of {kind.__name__}', path, _paths(layout)))
    return found


def _found(layout: Layout, path: str) -> NumberPlace | None:
    """Returns the location of a number, or None if no number has this path."""
    if not _PATH.fullmatch(path):
        return None
    place = NumberPlace()
    for name, index in re.findall(r'(\w+)(?:\[(\d+)\])?', path):
        for part in (name, int(index)) if index else (name,):
            inside = _inside(layout, place, part)
            if inside is None:
                return None
            layout, place = inside
    if layout not in _NUMBERS:
        return None
    return replace(place, single=layout == np.float32)


def _inside(
    layout: Layout, place: NumberPlace, part: str | int
) -> tuple[Layout, NumberPlace] | None:
    """Returns the layout and location of a field or an element, or None if it does not exist."""
    if isinstance(part, int):
        if layout.subdtype is not None:
            element, (count,) = layout.subdtype
            return (element, place.moved(part * element.itemsize)) if part < count else None
        inner = _element(layout)
        if inner is None or place.stride:
            return None
        return inner, replace(place, index=part, stride=inner.itemsize)
    if layout.metadata or layout.fields is None or part not in layout.fields:
        return None
    field = layout.fields[part]
    return field[0], place.moved(field[1])


def _paths(layout: Layout, path: str = '', *, in_sequence: bool = False) -> Iterator[str]:
    """Yields the paths of the numbers; `[0..8]` are the elements of an array, `[k]` of a sequence.

    Numbers in a sequence that is itself in a sequence are skipped.
    """
    inner = _element(layout)
    if layout in _NUMBERS:
        yield path
    elif layout.subdtype is not None:
        element, (count,) = layout.subdtype
        yield from _paths(element, f'{path}[0..{count - 1}]', in_sequence=in_sequence)
    elif inner is not None and not in_sequence:
        yield from _paths(inner, f'{path}[k]', in_sequence=True)
    elif not layout.metadata and layout.fields is not None:
        for name, field in layout.fields.items():
            yield from _paths(
                field[0], f'{path}.{name}' if path else name, in_sequence=in_sequence
            )


def _element(layout: Layout) -> Layout | None:
    """Returns the layout of a sequence's elements; None if the layout is not a sequence."""
    metadata: Mapping[str, Any] = layout.metadata or {}
    return metadata.get(ELEMENT)
