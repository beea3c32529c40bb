"""Describes the C structs that rosidl generates for message types as NumPy types."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from ...rcl_internals import field_types
from .stand_ins import Field, StandIn, basic, fields_of, stand_in

TEXT, ELEMENT = 'text', 'element'
"""The keys in a type's metadata: the encoding of a string, and the element type of a sequence."""
_BASIC = {
    'boolean': np.bool_,
    'octet': np.uint8,
    'char': np.uint8,
    'float': np.float32,
    'double': np.float64,
    'long double': np.longdouble,
}
"""The types that NumPy names differently."""
_NO_MEMBERS = {'structure_needs_at_least_one_member': np.uint8}
_BUFFER = [('data', np.uintp), ('size', np.uintp), ('capacity', np.uintp)]


@cache
def message_layout(kind: type) -> np.dtype[np.void]:
    """Returns the C struct of a type such as `sensor_msgs.msg.JointState` as a NumPy type.

    A string or a sequence is a pointer to its elements, `data`, and their number, `size`.
    """
    if issubclass(kind, StandIn):
        members = {name: _standing_in(field) for name, field in fields_of(kind).items()}
    else:
        members = {name: _member(slot) for name, slot in field_types(kind).items()}
    return np.dtype(list((members or _NO_MEMBERS).items()), align=True)


def layout_name(layout: np.dtype[np.generic]) -> str:
    """Returns a short hash, which is equal for equal layouts and different for others."""
    return hashlib.sha256(_described(layout).encode()).hexdigest()[:16]


def _described(layout: np.dtype[np.generic]) -> str:
    if layout.metadata:
        inner = layout.metadata.get(ELEMENT)
        return f'[{_described(inner)}]' if inner is not None else f'"{layout.metadata[TEXT]}"'
    if layout.subdtype is not None:
        return f'{_described(layout.subdtype[0])}{layout.subdtype[1]}'
    if layout.fields is None:
        return str(layout.str)
    places = (f'{name}@{at[1]}:{_described(at[0])}' for name, at in layout.fields.items())
    return f'{{{",".join(places)}}}{layout.itemsize}'


def _member(slot: Any) -> np.dtype[np.generic]:
    from rosidl_parser import definition  # comes with ROS

    match slot:
        case definition.BasicType():
            name: str = slot.typename
            return np.dtype(_BASIC.get(name, name))
        case definition.NamespacedType():
            return message_layout(getattr(import_module('.'.join(slot.namespaces)), slot.name))
        case definition.Array():
            return np.dtype((_member(slot.value_type), (slot.size,)))
        case definition.AbstractString():
            return _buffer({TEXT: 'utf-8'})
        case definition.AbstractWString():
            return _buffer({TEXT: 'utf-16-le'})
        case definition.AbstractSequence():
            return _buffer({ELEMENT: _member(slot.value_type)})
    raise TypeError(f'no layout is known for {slot!r}')


def _standing_in(field: Field) -> np.dtype[np.generic]:
    """Returns the NumPy type of a field of a stand-in type."""
    if field.kind == 'string':
        single = _buffer({TEXT: 'utf-8'})
    elif '/' in field.kind:
        nested: Any = stand_in(field.kind)
        single = message_layout(nested)
    else:
        single = basic(field.kind)
    if field.length is not None:
        return np.dtype((single, (field.length,)))
    return _buffer({ELEMENT: single}) if field.array else single


def _buffer(metadata: Mapping[str, object]) -> np.dtype[np.generic]:
    return np.dtype(_BUFFER, align=True, metadata=dict(metadata))
