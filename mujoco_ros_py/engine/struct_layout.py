"""Computes field offsets of libmujoco's structs from the bindings' descriptions.

`mujoco.introspect` lists fields with their C types and extents. The offsets follow from the System
V ABI: a field is placed at the next multiple of its alignment.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import mujoco
import numpy as np

from ..mujoco_internals import enumerations, structs

Extent = int | str
"""An extent: a number, the name of an integer field of mjData or mjModel, or a product of
these."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a struct; either `dtype` or `struct` is set."""

    name: str
    offset: int
    """Offset from the start of the struct, in bytes."""
    size: int
    alignment: int
    dtype: np.dtype[Any] | None = None
    """Scalar type of the elements."""
    struct: str | None = None
    """The name of the elements' struct type."""
    extents: tuple[Extent, ...] = ()
    """The shape; empty for a single element."""
    indirect: bool = False
    """Whether the struct contains a pointer to the elements instead of the elements."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of a struct."""

    name: str
    size: int
    alignment: int
    fields: dict[str, Field]


_EXTENTS = {'mjvScene.geoms': ('maxgeom',)}
"""The extents of pointers that are declared without an extent."""
_SCALARS = {
    'mjtNum': np.float64,
    'double': np.float64,
    'float': np.float32,
    'int': np.int32,
    'char': np.uint8,
    'unsigned char': np.uint8,
    'mjtByte': np.uint8,
    'mjtBool': np.bool_,
    'mjtSize': np.int64,
    'int64_t': np.int64,
    'uint64_t': np.uint64,
    'size_t': np.uint64,
    'uintptr_t': np.uint64,
    'unsigned int': np.uint32,
    'uint32_t': np.uint32,
    'unsigned short': np.uint16,
    'short': np.int16,
}


def scalar_dtype(c_name: str) -> np.dtype[Any] | None:
    """Returns the dtype of a C scalar or enum, or None for any other type."""
    if c_name in _SCALARS:
        return np.dtype(_SCALARS[c_name])
    return np.dtype(np.int32) if c_name in enumerations() else None


@cache
def struct_layout(name: str) -> Layout:
    """Returns the layout of a struct ('mjModel') or of a nested struct ('mjVisual.global')."""
    declaration = structs()
    head, *path = name.split('.')
    fields: Sequence[Any] = declaration[head].fields
    for part in path:
        fields = next(f.type.fields for f in fields if f.name == part)
    return _place(name, fields)


def _place(name: str, declarations: Sequence[Any]) -> Layout:
    offset, alignment, fields = 0, 1, {}
    for declared in declarations:
        size, align, attributes = _measure(f'{name}.{declared.name}', declared)
        # C places a field at the next multiple of its alignment; the padding has no name.
        offset = -(-offset // align) * align
        fields[declared.name] = Field(declared.name, offset, size, align, **attributes)
        offset += size
        alignment = max(alignment, align)
    # The size is a multiple of the alignment, so that array elements are aligned too.
    return Layout(name, -(-offset // alignment) * alignment, alignment, fields)


def _measure(path: str, declared: Any) -> tuple[int, int, dict[str, Any]]:
    kind = type(declared.type).__name__
    if kind == 'PointerType':
        return 8, 8, _pointed(declared, _EXTENTS.get(path, declared.array_extent))
    if kind == 'AnonymousStructDecl':
        nested = struct_layout(path)
        return nested.size, nested.alignment, {'struct': path}
    inner, extents = declared.type, ()
    if kind == 'ArrayType':
        inner, extents = declared.type.inner_type, declared.type.extents
    size, align, attributes = _value(inner)
    return size * int(np.prod(extents, dtype=int)), align, {**attributes, 'extents': extents}


def _value(inner: Any) -> tuple[int, int, dict[str, Any]]:
    if type(inner).__name__ == 'PointerType':
        return 8, 8, {'dtype': np.dtype(np.uint64)}
    dtype = scalar_dtype(inner.name)
    if dtype is not None:
        return dtype.itemsize, dtype.itemsize, {'dtype': dtype}
    if inner.name in structs():
        nested = struct_layout(inner.name)
        return nested.size, nested.alignment, {'struct': inner.name}
    return 8, 8, {'dtype': np.dtype(np.uint64)}


def _pointed(declared: Any, extents: Sequence[Extent] | None) -> dict[str, Any]:
    """Returns the attributes of a pointer field: an array, or an address if no extents are known.

    The array has its elements behind the pointer (`indirect`).
    """
    inner = declared.type.inner_type
    if extents is not None and type(inner).__name__ == 'ValueType':
        resolved = tuple(_extent(extent) for extent in extents)
        dtype = scalar_dtype(inner.name)
        if dtype is not None:
            return {'dtype': dtype, 'extents': resolved, 'indirect': True}
        if inner.name in structs():
            return {'struct': inner.name, 'extents': resolved, 'indirect': True}
    return {'dtype': np.dtype(np.uint64)}


def _extent(extent: Extent) -> Extent:
    """Replaces constants such as 'mjNREF' by their values; returns other extents unchanged."""
    # Names of MuJoCo constants begin with mj and a capital letter. Other names are fields, whose
    # values depend on the model.
    if isinstance(extent, int) or not re.fullmatch(r'mj[A-Z]\w*', extent):
        return extent
    for values in (getattr(enum, 'values', {}) for enum in enumerations().values()):
        if extent in values:
            return int(values[extent])
    return int(getattr(mujoco, extent))
