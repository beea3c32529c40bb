"""Access to MuJoCo's arrays by element name."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from .fields import Field, fields
from .memory import Memory
from .rows import Layout, owner
from .stages import outdated_by

Key = Any


def column_index(key: Key, field: Field) -> Key:
    """Returns the index of columns named `x`, `qw`, `r` and so on; keeps other indices."""
    if isinstance(key, str):
        if key not in field.columns:
            known = ', '.join(field.columns) or 'none'
            raise KeyError(f'{field.name} has no column {key!r}; known: {known}')
        return field.columns.index(key)
    if _are_names(key):
        found = [column_index(str(each), field) for each in np.ravel(key)]
        return found if np.ndim(key) == 1 else np.reshape(found, np.shape(key))
    return key


def _are_names(key: Key) -> bool:
    if isinstance(key, list):
        return len(key) > 0 and isinstance(key[0], str)
    return isinstance(key, np.ndarray) and key.dtype.kind == 'U'


class NamedArray:
    """An array with rows and columns indexed by name: `['hinge']`, `[['a', 'b'], 'z']`.

    It also has the attributes and methods of an array. It is MuJoCo's memory: reads compute
    nothing, and writes by index mark dependent values as outdated.
    """

    __slots__ = ('_array', '_field', '_kind', '_memory', '_numbers', '_outdates', '_rows')

    def __init__(self, field: Field, memory: Memory) -> None:
        self._array = field.array(memory.model, memory.data)
        self._field = field
        self._kind = owner(field)
        self._memory = memory
        self._numbers: dict[str, int] | None = None
        self._outdates = outdated_by(field)
        self._rows: dict[Key, Key] = {}
        """The rows of earlier lookups, by key."""

    def __getitem__(self, key: Key) -> Any:
        try:
            return self._array[self._rows[key]]
        except (KeyError, TypeError):  # not cached, or a list
            return self._array[self._index(key)]

    def __setitem__(self, key: Key, value: object) -> None:
        self._array[self._index(key)] = value
        if self._outdates > self._memory.outdated:
            self._memory.outdated = self._outdates

    def _index(self, key: Key) -> Key:
        if isinstance(key, str):
            found = self._rows.get(key)
            if found is None:
                found = self._rows[key] = self._layout.rows(self._field.size, self._number(key))
            return found
        if not isinstance(key, tuple):
            return self._several(key) if _are_names(key) else key
        if not key:
            return key
        row, columns = self._index(key[0]), [column_index(each, self._field) for each in key[1:]]
        if columns and isinstance(row, list | np.ndarray) and isinstance(columns[0], list):
            return np.ix_(row, columns[0])
        found = (row, *columns)
        if all(isinstance(each, str) for each in key):
            self._rows[key] = found
        return found

    @property
    def _layout(self) -> Layout:
        return self._memory.layout

    def _several(self, names: Key) -> Key:
        """Returns the rows of several names.

        For a multidimensional array of names, the result has the same shape.
        """
        size, layout = self._field.size, self._layout
        if isinstance(names, list) or names.ndim == 1:
            return layout.numbers_of_all(size, [self._number(name) for name in list(names)])
        rows = [layout.rows(size, self._number(name)) for name in names.flat]
        return np.array(rows, int).reshape(names.shape)

    def _number(self, name: str) -> int:
        numbers = self._numbers
        if numbers is None:
            names = self._layout.names(self._kind) if self._kind else []
            numbers = self._numbers = {each: i for i, each in enumerate(names) if each}
        try:
            return numbers[name]
        except KeyError:
            kind, known = self._kind or 'name', ', '.join(numbers) or 'none'
            raise KeyError(
                f'{self._field.name}: unknown {kind} {name!r}; known: {known}'
            ) from None

    def __getattr__(self, name: str) -> Any:
        if name.startswith('_'):
            raise AttributeError(name)
        return getattr(self._array, name)

    def __len__(self) -> int:
        return len(self._array)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self._array, dtype) if copy else np.asarray(self._array, dtype)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *dir(self._array)})

    def __repr__(self) -> str:
        return table(self._field, self._array, self._row_names())

    def _row_names(self) -> list[str]:
        names = [''] * len(self._array)
        for number, name in enumerate(self._layout.names(self._kind) if self._kind else []):
            rows = self._layout.rows(self._field.size, number)
            for row in range(len(names))[rows] if isinstance(rows, slice) else [rows]:
                names[row] = name
        return names


def table(field: Field, array: Any, names: list[str]) -> str:
    """Formats the array as text; each line has a row with its number and name."""
    cells = [[_text(value) for value in np.atleast_1d(row).ravel()] for row in array]
    width = max((len(text) for row in cells for text in row), default=0)
    named, count = max(map(len, names), default=0), len(str(max(len(names) - 1, 0)))
    lines = [f'{field.name}:{"" if cells else " empty"}']
    if cells and field.columns:
        columns = ' '.join(f'{column:>{width}}' for column in field.columns)
        lines.append(f'{"":{count + named + 2}}{columns}')
    for number, (name, row) in enumerate(zip(names, cells, strict=True)):
        values = ' '.join(f'{text:>{width}}' for text in row)
        lines.append(f'{number:{count}} {name:>{named}} {values}'.rstrip())
    return '\n'.join(lines)


def _text(value: object) -> str:
    return f'{value:.4g}' if isinstance(value, np.floating) else str(value)


class NamedArrays:
    """The arrays of mjModel or mjData as attributes."""

    _array_type: ClassVar[type[NamedArray]] = NamedArray

    def __init__(self, struct: str, memory: Memory) -> None:
        self._struct = struct
        self._memory = memory

    def __getattr__(self, name: str) -> NamedArray:
        field = None if name.startswith('_') else fields(self._struct).get(name)
        if field is None:
            raise AttributeError(
                f'unknown array {name!r} (arrays allocated at each step are not available)'
            )
        found = self._array_type(field, self._memory)
        setattr(self, name, found)  # the next access bypasses __getattr__
        return found

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *fields(self._struct)})
