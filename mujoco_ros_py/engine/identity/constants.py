"""Describes constants of compiled code by their content."""

from __future__ import annotations

import hashlib
import struct
from typing import Any

import numpy as np

from .code_references import UnfollowedError

_ARRAYS = (np.ndarray, np.recarray)
_LARGEST = 10**6
"""The size in bytes of the largest array that numba copies into the code."""


def plain(value: Any) -> tuple[Any, ...] | None:
    """Describes a constant that consists only of itself; returns None for all others."""
    kind = type(value)
    if value is None or value is Ellipsis or kind in (bool, int, str, bytes, range, slice):
        return kind.__name__, repr(value)
    if kind is float:
        return 'float', struct.pack('<d', value)  # -0.0 differs from 0.0, and a nan has a sign
    if kind is complex:
        return 'complex', struct.pack('<2d', value.real, value.imag)
    if isinstance(value, np.generic):
        described = dtype(value.dtype)
        return 'number', kind.__name__, described, value.tobytes()
    return None


def array(value: np.ndarray[Any, Any]) -> tuple[Any, ...]:
    """Describes an array. Raises UnfollowedError for an array of objects."""
    if type(value) not in _ARRAYS:
        raise UnfollowedError(f'an array of the class {type(value).__qualname__}')
    flags = value.flags
    kind = type(value).__name__, flags.c_contiguous, flags.f_contiguous, flags.aligned
    described = dtype(value.dtype)
    digest = hashlib.sha256(value.tobytes()).hexdigest()
    return 'array', *kind, flags.writeable, value.shape, value.strides, described, digest


def is_found_by_address(value: np.ndarray[Any, Any]) -> bool:
    """Returns whether code refers to the memory of an array, and has no copy of it."""
    contiguous = value.flags.c_contiguous or value.flags.f_contiguous
    return not contiguous or value.nbytes > _LARGEST


def dtype(value: np.dtype[Any]) -> tuple[Any, ...]:
    """Describes the type of an array's elements. Raises UnfollowedError for objects."""
    if value.hasobject:
        raise UnfollowedError('an array of objects')
    fields = value.fields.items() if value.fields else ()
    parts = [(name, offset, dtype(inner)) for name, (inner, offset, *_) in fields]
    inner = value.subdtype and (dtype(value.subdtype[0]), value.subdtype[1])
    return 'dtype', value.str, value.type.__name__, value.alignment, value.itemsize, inner, parts
