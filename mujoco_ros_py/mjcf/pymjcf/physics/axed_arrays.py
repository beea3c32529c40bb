"""Array access by element name, with dm_control's axes."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...physics.named import NamedArray, NamedArrays, column_index


class RowAxis:
    """The axis of an array's rows."""

    def __init__(self, array: AxedArray) -> None:
        self._array = array

    @property
    def names(self) -> list[str]:
        """The names of the elements that own the rows."""
        array = self._array
        return array._layout.names(array._kind) if array._kind else []

    def convert_key_item(self, key_item: Any) -> Any:
        """Returns the row index of a name."""
        return self._array._index(key_item)


class ColumnAxis:
    """The axis of an array's columns."""

    def __init__(self, array: AxedArray) -> None:
        self._array = array

    @property
    def names(self) -> list[str]:
        """The names of the columns, such as x, y and z."""
        return list(self._array._field.columns)

    def convert_key_item(self, key_item: Any) -> Any:
        """Returns the column index of a name."""
        return column_index(key_item, self._array._field)


class Axes(NamedTuple):
    """The axes of an array; `col` is None for a one-dimensional array."""

    row: RowAxis
    col: ColumnAxis | None = None


class AxedArray(NamedArray):
    """An array whose rows and columns can be indexed by name."""

    __slots__ = ()

    @property
    def axes(self) -> Axes:
        """The axes, which convert names to indices."""
        return Axes(RowAxis(self), ColumnAxis(self) if self._array.ndim > 1 else None)


class AxedArrays(NamedArrays):
    """The arrays of an mjModel or mjData as attributes."""

    _array_type = AxedArray
