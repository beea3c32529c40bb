"""The state of a callback: a record that Python and compiled code read and write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

State = np.record
"""The state of a callback: a NumPy structured scalar with its fields as attributes."""


class _Records(np.recarray):
    """The memory of a state, with the objects that it points to, by field."""

    kept: Mapping[str, Any]


def new_state(**values: Any) -> Any:
    """Returns a `State` with a field for each value: number, boolean, or array of them.

    Fields are typed by their values (`gain=1.0` is a float, `target=np.zeros(7)` an array of seven
    floats) and keep type and shape. A structured array, whose elements have fields of numbers
    themselves, is an array of records. An object with an `address`, such as a `Memory` or
    `HiddenGeoms`, becomes that address, and lives as long as the state. Compiled code and Python
    see the same memory: a number is written atomically, an array element by element. An array of
    booleans is stored as uint8. Raises TypeError for a value that cannot be a field.
    """
    pointed = {name: value for name, value in values.items() if hasattr(value, 'address')}
    values.update((name, value.address) for name, value in pointed.items())
    arrays = {name: _field(name, value) for name, value in values.items()}
    fields = [(name, array.dtype, array.shape) for name, array in arrays.items()]
    # Aligned as in C: an aligned number of 8 bytes is written as a whole.
    records = np.zeros(1, np.dtype(fields, align=True))
    for name, array in arrays.items():
        records[name][0] = array
    memory = records.view(_Records)
    memory.kept = pointed
    return memory[0]  # keeps the array alive


def copy_state(state: State) -> State:
    """Returns a copy of the values, with 0 for the addresses of what the state points to."""
    copied: State = state.copy()
    for name in getattr(state.base, 'kept', {}):
        copied[name] = 0
    return copied


def restore_state(state: State, saved: State) -> None:
    """Writes the values of a copy of a state back, also of one that another process has made.

    Addresses of what the state points to stay: those in the copy may be of memory that is free.
    """
    kept = getattr(state.base, 'kept', {})
    for name in state.dtype.names or ():
        if name not in kept:
            state[name] = saved[name]


def _field(name: str, value: Any) -> NDArray[Any]:
    """Returns the value as an array of a type that compiled code knows."""
    # `state.copy` would be NumPy's method in Python, and the field in compiled code.
    if hasattr(np.record, name):
        raise TypeError(
            f'state field {name!r}: NumPy has an attribute of that name, choose another'
        )
    array = np.asarray(value)
    if array.dtype.names and array.ndim and _is_numeric(array.dtype):
        return array
    if array.dtype.kind not in 'biuf' or not 1 <= array.dtype.itemsize <= 8:
        raise TypeError(f'state field {name!r} must be numeric, got {value!r}')
    # numba has no arithmetic with floats of 2 bytes.
    if array.dtype == np.float16:
        array = array.astype(np.float32)
    return array.astype(np.uint8) if array.dtype == np.bool_ and array.ndim else array


def _is_numeric(dtype: np.dtype[Any]) -> bool:
    """Returns whether the elements are numbers, or records and arrays of them."""
    if dtype.names is not None:
        return all(_is_numeric(dtype[name]) for name in dtype.names)
    return dtype.base.kind in 'iuf' and 1 <= dtype.base.itemsize <= 8


def record_type(state: State) -> np.dtype[Any]:
    """Returns the type by which compiled code knows a state."""
    return np.dtype((np.void, state.dtype))
