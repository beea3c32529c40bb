"""The input and output arrays of a batch: shape (worlds, rows), followed by the field's shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...engine import Rows
from ...errors import ConfigError
from .data_fields import DataField
from .stepped_world import SteppedWorld

Array = np.ndarray[Any, np.dtype[Any]]


class Places:
    """A field and its address in each world."""

    def __init__(self, field: DataField, worlds: Sequence[SteppedWorld]) -> None:
        """Raises ConfigError if the field's type or shape differs between worlds."""
        self.field = field
        self._addresses = np.array([field.place(world) for world in worlds], np.int64)
        self._owners = [field.owner(world) for world in worlds]
        """The objects that own the memory. A plugin can replace the record of its state; the old
        record must live until `renew` looks up the new address."""

    def renew(self, world: SteppedWorld) -> None:
        """Looks up the field's address in a world that was loaded again."""
        self._addresses[world.index] = self.field.place(world)
        self._owners[world.index] = self.field.owner(world)

    def rows(self, array: Array) -> Rows:
        """Returns copy instructions: the array, and the field's address in each world."""
        return Rows(array, self._addresses, self.field.state)


def input_rows(field: DataField, value: Any, worlds: int, *, single: bool) -> Array:
    """Returns an input, broadcast to the shape (worlds, rows, ...).

    With `single`, `value` has no row axis. A value without a world axis applies to all worlds.
    Raises ConfigError for another shape, and for non-finite numbers.
    """
    array = _converted(field, value)
    axes = len(field.shape) + (0 if single else 1)
    if array.ndim == axes:
        array = array[None]
    rows = array.shape[1] if array.ndim == axes + 1 and not single else 1
    expected = (1 if single else rows, *field.shape)
    if single and array.ndim == axes + 1:
        array = array[:, None]
    if array.shape[1:] != expected or array.shape[0] not in (1, worlds) or array.ndim == 0:
        row = '' if single else 'rows, '
        raise ConfigError(
            f'{field.name} must have the shape ({row}{_told(field.shape)}), or'
            f' ({worlds}, {row}{_told(field.shape)}) for separate values per world, got'
            f' {np.shape(value)}'
        )
    if field.finite and not np.isfinite(array).all():
        place = tuple(np.argwhere(~np.isfinite(given := np.asarray(value)))[0].tolist())
        raise ConfigError(f'{field.name} must be finite, got {given[place]} at {list(place)}')
    return np.broadcast_to(array, (worlds, *expected))


def _converted(field: DataField, value: object) -> Array:
    """Converts an input to the field's type. Raises ConfigError if this would change values."""
    given = np.asarray(value)
    if given.dtype.kind not in 'biuf' or (given.dtype.kind == 'f' and field.dtype.kind != 'f'):
        raise ConfigError(f'{field.name} must have numbers of {field.dtype}, got {given.dtype}')
    return np.ascontiguousarray(given, field.dtype)


def output_arrays(
    fields: Sequence[DataField],
    worlds: int,
    rows: int,
    out: Mapping[str, Array] | None,
    *,
    single: bool,
) -> dict[str, Array]:
    """Returns an array of shape (worlds, rows, ...) for each field: a new one, or from `out`.

    Raises ConfigError if an array of `out` is missing, or differs from the batch's own arrays in
    type, shape or memory layout.
    """
    if out is None:
        return {each.name: np.empty((worlds, rows, *each.shape), each.dtype) for each in fields}
    arrays = {}
    for each in fields:
        shape = (worlds, *(() if single else (rows,)), *each.shape)
        array = out.get(each.name)
        if not isinstance(array, np.ndarray) or (array.shape, array.dtype) != (shape, each.dtype):
            what = 'nothing' if array is None else f'{array.dtype}{array.shape}'
            raise ConfigError(f'out: {each.name} must be {each.dtype}{shape}, got {what}')
        if not (array.flags.c_contiguous and array.flags.writeable):
            raise ConfigError(f'out: {each.name} must be writable and C-contiguous')
        arrays[each.name] = array[:, None] if single else array
    return arrays


def blank(arrays: Mapping[str, Array], world: int, first: int) -> None:
    """Fills the rows that a world did not reach, `first` and later, with NaN (0 for integers)."""
    for array in arrays.values():
        array[world, first:] = np.nan if array.dtype.kind == 'f' else 0


def _told(shape: tuple[int, ...]) -> str:
    return ', '.join(map(str, shape)) or 'nothing'
