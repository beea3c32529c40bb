"""The arrays in which a batch gets inputs and returns outputs: worlds, rows, then the numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..engine import Rows
from ..errors import ConfigError
from .data_fields import DataField
from .stepped_world import SteppedWorld

Array = np.ndarray[Any, np.dtype[Any]]


class Places:
    """A field, with the address of its numbers in each world."""

    def __init__(self, field: DataField, worlds: Sequence[SteppedWorld]) -> None:
        """Raises ConfigError if worlds have the field in different forms."""
        self.field = field
        self._addresses = np.array([field.place(world) for world in worlds], np.int64)
        self._owners = [field.owner(world) for world in worlds]
        """The objects in whose memory the numbers are: a plugin may take another record for its
        state, and the old one must live until it is looked up anew."""

    def renew(self, world: SteppedWorld) -> None:
        """Looks up where the numbers of a world are, after this world has been made anew."""
        self._addresses[world.index] = self.field.place(world)
        self._owners[world.index] = self.field.owner(world)

    def rows(self, array: Array) -> Rows:
        """Returns an array of rows, with the places in the worlds that it is copied to or from."""
        return Rows(array, self._addresses, self.field.state)


def input_rows(field: DataField, value: Any, worlds: int, *, single: bool) -> Array:
    """Returns an input as an array of all worlds and rows.

    With `single` it has no axis of rows. Without an axis of worlds it is the same for all of them.
    Raises ConfigError for another shape, and for numbers that are not finite.
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
            f' ({worlds}, {row}{_told(field.shape)}) with numbers for each world, got'
            f' {np.shape(value)}'
        )
    if field.finite and not np.isfinite(array).all():
        place = tuple(np.argwhere(~np.isfinite(given := np.asarray(value)))[0].tolist())
        raise ConfigError(f'{field.name} must be finite, got {given[place]} at {list(place)}')
    return np.broadcast_to(array, (worlds, *expected))


def _converted(field: DataField, value: object) -> Array:
    """Returns numbers of the field's type. Raises ConfigError for what would not be the same."""
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
    """Returns an array of all worlds and rows for each field: new ones, or those of `out`.

    Raises ConfigError if an array of `out` is missing, or is not as the batch makes it.
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
            raise ConfigError(f'out: {each.name} must be writable, in the order of C')
        arrays[each.name] = array[:, None] if single else array
    return arrays


def blank(arrays: Mapping[str, Array], world: int, first: int) -> None:
    """Fills the rows that a world has not made: with NaN, and integers with 0."""
    for array in arrays.values():
        array[world, first:] = np.nan if array.dtype.kind == 'f' else 0


def _told(shape: tuple[int, ...]) -> str:
    return ', '.join(map(str, shape)) or 'nothing'
