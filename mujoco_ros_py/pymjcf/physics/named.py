"""MuJoCo's arrays by the names of elements, with the axes that dm_control's have."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...mjcf.physics.named import NamedArray, NamedArrays, column_index


class RowAxis:
    """The rows of an array."""

    def __init__(self, array: AxedArray) -> None:
        self._array = array

    @property
    def names(self) -> list[str]:
        """Of the elements that have them."""
        array = self._array
        return array._layout.names(array._kind) if array._kind else []

    def convert_key_item(self, key_item: Any) -> Any:
        """The index of what is named."""
        return self._array._index(key_item)


class ColumnAxis:
    """The columns of an array."""

    def __init__(self, array: AxedArray) -> None:
        self._array = array

    @property
    def names(self) -> list[str]:
        """Such as x, y and z."""
        return list(self._array._field.columns)

    def convert_key_item(self, key_item: Any) -> Any:
        """The index of what is named."""
        return column_index(key_item, self._array._field)


class Axes(NamedTuple):
    """Both axes of an array; `col` is None if it has only rows."""

    row: RowAxis
    col: ColumnAxis | None = None


class AxedArray(NamedArray):
    """An array whose rows, and columns, can be named."""

    __slots__ = ()

    @property
    def axes(self) -> Axes:
        """What finds rows and columns by their names."""
        return Axes(RowAxis(self), ColumnAxis(self) if self._array.ndim > 1 else None)


class AxedArrays(NamedArrays):
    """The arrays of mjModel or mjData, as attributes."""

    _array_type = AxedArray
