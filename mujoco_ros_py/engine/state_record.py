"""The state of a callback: a record that Python and compiled code both read and write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

State = np.record
"""The state of a callback: a NumPy structured scalar with its fields as attributes."""


class _Records(np.recarray):
    """The memory of a state; `kept` holds the objects that its address fields refer to."""

    kept: Mapping[str, Any]


def new_state(**values: Any) -> Any:
    """Returns a `State` with a field for each value: a number, a boolean, or an array of them.

    The values determine the types of the fields (`gain=1.0` is a float, `target=np.zeros(7)` an
    array of seven floats); types and shapes are fixed. A function that stores a float in an
    integer field does not compile. A structured array with numeric fields
    becomes an array of records. For an object with an `address`, such as a `Memory` or
    `HiddenGeoms`, the field contains that address, and the state keeps the object alive. Compiled
    code and Python share the memory: writing a number is atomic, writing an array is not. Arrays
    of booleans are stored as uint8. Raises TypeError for a value that cannot be a field.
    """
    pointed = {name: value for name, value in values.items() if hasattr(value, 'address')}
    values.update((name, value.address) for name, value in pointed.items())
    arrays = {name: _field(name, value) for name, value in values.items()}
    fields = [(name, array.dtype, array.shape) for name, array in arrays.items()]
    # Aligned as in C, because an aligned 8-byte number is written atomically.
    records = np.zeros(1, np.dtype(fields, align=True))
    for name, array in arrays.items():
        records[name][0] = array
    memory = records.view(_Records)
    memory.kept = pointed
    return memory[0]  # keeps `records` alive


def copy_state(state: State) -> State:
    """Returns a copy of a state, with all addresses set to 0."""
    copied: State = state.copy()
    for name in getattr(state.base, 'kept', {}):
        copied[name] = 0
    return copied


def restore_state(state: State, saved: State) -> None:
    """Restores the values of a copied state, which can be from another process.

    Address fields keep their values: the memory at the saved addresses may have been freed.
    """
    kept = getattr(state.base, 'kept', {})
    for name in state.dtype.names or ():
        if name not in kept:
            state[name] = saved[name]


def _field(name: str, value: Any) -> NDArray[Any]:
    """Converts a value to an array of a type that compiled code supports."""
    # In Python `state.copy` would be NumPy's method, but in compiled code the field.
    if hasattr(np.record, name):
        raise TypeError(
            f'state field {name!r}: NumPy has an attribute of this name; choose another name'
        )
    array = np.asarray(value)
    if array.dtype.names and array.ndim and _is_numeric(array.dtype):
        return array
    if array.dtype.kind not in 'biuf' or not 1 <= array.dtype.itemsize <= 8:
        raise TypeError(f'state field {name!r} must be numeric, got {value!r}')
    # numba does not support arithmetic with 2-byte floats.
    if array.dtype == np.float16:
        array = array.astype(np.float32)
    return array.astype(np.uint8) if array.dtype == np.bool_ and array.ndim else array


def _is_numeric(dtype: np.dtype[Any]) -> bool:
    """Returns whether a dtype is a number, or consists of records or arrays of numbers."""
    if dtype.names is not None:
        return all(_is_numeric(dtype[name]) for name in dtype.names)
    return dtype.base.kind in 'iuf' and 1 <= dtype.base.itemsize <= 8


def record_type(state: State) -> np.dtype[Any]:
    """Returns the dtype that compiled code uses for a state."""
    return np.dtype((np.void, state.dtype))
