"""Stand-ins for the message types of packages that are not installed.

They have the fields, the constants and the memory layout of the real types, from
`definitions.txt`, so messages are filled and read as usual. ROS cannot send them. The definitions
are parsed by hand, because rosidl's parser comes with ROS.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

_DEFINITIONS = Path(__file__).with_name('definitions.txt')
_LINE = re.compile(r'(?P<kind>[\w/]+)(?P<array>\[\d*\])? (?P<name>\w+)(?P<is>[= ])?(?P<value>.*)')
_BASIC = {'bool': np.bool_, 'byte': np.uint8, 'char': np.uint8}
"""The types that NumPy names differently."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a message."""

    kind: str
    """A basic type such as `float64`, `string`, or a message type such as `std_msgs/Header`."""
    array: str = ''
    """`[9]` for nine elements, `[]` for a sequence, empty for a single value."""
    value: str = ''
    """The value in a new message; empty for 0, false or an empty string."""

    @property
    def length(self) -> int | None:
        """The number of elements of an array of fixed size; None for other fields."""
        return int(self.array[1:-1]) if len(self.array) > 2 else None

    def new(self) -> Any:
        """Returns the value of the field in a new message."""
        if self.length is not None:
            return np.zeros(self.length, basic(self.kind))
        return [] if self.array else _single(self.kind, self.value)


class StandIn:
    """The base class of stand-in types; a message has an attribute for each field."""

    _package: ClassVar[str] = ''
    _fields: ClassVar[Mapping[str, Field]] = {}

    def __init__(self, **values: object) -> None:
        """Raises TypeError for an unknown field, as rclpy's messages do."""
        if strange := sorted(values.keys() - self._fields.keys()):
            known = ', '.join(self._fields)
            raise TypeError(f'{type(self).__name__} has no field {strange[0]!r}; known: {known}')
        for name, field in self._fields.items():
            setattr(self, name, values[name] if name in values else field.new())

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in self._fields
        )

    def __repr__(self) -> str:
        values = ', '.join(f'{name}={getattr(self, name)!r}' for name in self._fields)
        return f'{type(self).__name__}({values})'


def fields_of(kind: type[StandIn]) -> Mapping[str, Field]:
    """Returns the fields by name, in their order in memory."""
    return kind._fields


def package_of(kind: type[StandIn]) -> str:
    """Returns the name of the package with the real type."""
    return kind._package


def basic(kind: str) -> np.dtype[np.generic]:
    """Returns the NumPy type of a basic type."""
    return np.dtype(_BASIC.get(kind, kind))


@cache
def stand_in(name: str) -> type[StandIn] | None:
    """Returns the stand-in for a message type such as `sensor_msgs/Imu`, or None."""
    if name not in _definitions():
        return None
    fields: dict[str, Field] = {}
    members: dict[str, object] = {}
    for line in _definitions()[name]:
        found = _LINE.fullmatch(line)
        assert found is not None, line
        kind, value = found['kind'], found['value']
        if found['is'] == '=':
            members[found['name']] = _single(kind, value)
        else:
            fields[found['name']] = Field(kind, found['array'] or '', value)
    package, _, title = name.partition('/')
    return type(title, (StandIn,), {**members, '_package': package, '_fields': fields})


@cache
def _definitions() -> dict[str, list[str]]:
    """Returns the lines of each definition by type name."""
    blocks = (block.splitlines() for block in _DEFINITIONS.read_text().split('\n\n'))
    return {name: [line.strip() for line in lines] for name, *lines in blocks}


def _single(kind: str, value: str) -> Any:
    if '/' in kind:
        made = stand_in(kind)
        assert made is not None, kind
        return made()
    return value if kind == 'string' else basic(kind).type(value or 0).item()
