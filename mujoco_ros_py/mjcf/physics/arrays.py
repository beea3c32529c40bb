"""Arrays that write through to MuJoCo's memory and report each write."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from .memory import Memory
from .rows import Rows

Zeroed = tuple[tuple[Any, Rows], ...]
"""Flag arrays of mjModel, each with the rows that must be set to 0 after a write."""
_IN_PLACE = (
    'fill', 'sort', 'partition', 'put', 'setfield',
    '__iadd__', '__isub__', '__imul__', '__itruediv__', '__ifloordiv__', '__imod__', '__ipow__',
    '__iand__', '__ior__', '__ixor__', '__ilshift__', '__irshift__',
)  # fmt: skip
"""The array methods that write into the array itself."""
_WRITERS = {
    np.copyto: 'dst', np.put: 'a', np.place: 'arr', np.putmask: 'a', np.fill_diagonal: 'a',
    np.put_along_axis: 'arr',
}  # fmt: skip
"""Functions that write into their first argument, with that argument's name."""


class Link:
    """Reports writes into an array that is a view of MuJoCo's own memory."""

    __slots__ = ('_memory', '_outdates', '_zeroed')

    def __init__(self, memory: Memory, outdates: int, zeroed: Zeroed) -> None:
        self._memory = memory
        self._outdates = outdates
        self._zeroed = zeroed

    def fetch(self) -> None:
        """Updates the array before a write.

        Does nothing here, because a view is always current.
        """

    def wrote(self) -> None:
        """Marks everything that depends on the array as outdated, after a write."""
        if self._outdates > self._memory.outdated:
            self._memory.outdated = self._outdates
        for array, rows in self._zeroed:
            array[rows] = 0

    def wrote_unfetched(self, part: object) -> None:
        """Like `wrote`, but for a write without a preceding `fetch`."""
        self.wrote()


class CopyLink(Link):
    """Keeps a copy of rows in sync with MuJoCo; a view would need evenly spaced rows."""

    __slots__ = ('_array', '_rows', 'copy')

    def __init__(
        self, memory: Memory, outdates: int, zeroed: Zeroed, array: Any, rows: Rows
    ) -> None:
        super().__init__(memory, outdates, zeroed)
        self._array = array
        self._rows = rows
        self.copy = array[rows]

    def fetch(self) -> None:
        """Copies the rows from MuJoCo's memory to the array."""
        self._array.take(self._rows, 0, self.copy, 'clip')  # this mode avoids another copy

    def wrote(self) -> None:
        """Copies the array to MuJoCo's memory, and marks dependent values as outdated."""
        self._array[self._rows] = self.copy
        super().wrote()

    def wrote_unfetched(self, part: Any) -> None:
        """Copies only the written part to MuJoCo's memory: the rest can be outdated."""
        written = np.array(part)
        self.fetch()
        np.copyto(part.view(np.ndarray), written)
        self.wrote()


class BoundArray(np.ndarray[Any, Any]):
    """The rows of bound elements. Writes to it or its views go to MuJoCo's memory.

    Copies and results of computations are ordinary arrays.
    """

    _link: Link | None

    def __array_finalize__(self, origin: object) -> None:
        base = self.base
        view = base is not None and (base is origin or base is getattr(origin, 'base', None))
        self._link = getattr(origin, '_link', None) if view else None

    def fetch(self) -> None:
        """Updates the array from MuJoCo's memory."""
        if self._link is not None:
            self._link.fetch()

    def __setitem__(self, key: Any, value: Any) -> None:
        link = self._link
        if link is None:
            np.ndarray.__setitem__(self, key, value)
            return
        link.fetch()
        np.ndarray.__setitem__(self, key, value)
        link.wrote()

    def __array_wrap__(self, result: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """Reports a result written into this array; other results become ordinary arrays."""
        if isinstance(result, BoundArray) and result._link is not None:
            result._link.wrote_unfetched(result)
            return result
        plain = result.view(np.ndarray)
        return plain[()] if return_scalar or not plain.ndim else plain

    def __array_function__(self, function: Any, types: Any, arguments: Any, keywords: Any) -> Any:
        result = super().__array_function__(function, types, arguments, keywords)
        written = keywords.get('out')
        if function in _WRITERS:
            written = arguments[0] if arguments else keywords[_WRITERS[function]]
        if isinstance(written, BoundArray) and written._link is not None:
            written._link.wrote_unfetched(written)
        return result

    @property
    def flat(self) -> Any:
        """The elements of the array as one sequence."""
        return Flat(self)

    @flat.setter
    def flat(self, value: object) -> None:
        self.flat[:] = value

    def copy(self, order: Any = 'C') -> Any:
        """Returns an ordinary array, not bound to MuJoCo's memory."""
        return np.array(self, order=order)

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Any:
        return self.copy()

    def __reduce__(self) -> Any:
        return self.copy().__reduce__()


class Flat:
    """All elements of an array as one sequence; a view would not work for every memory layout."""

    __slots__ = ('_array',)

    def __init__(self, array: BoundArray) -> None:
        self._array = array

    def __getitem__(self, key: Any) -> Any:
        self._array.fetch()
        return self._array.view(np.ndarray).flat[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        array = self._array
        array.fetch()
        array.view(np.ndarray).flat[key] = value
        if array._link is not None:
            array._link.wrote()

    def __len__(self) -> int:
        return self._array.size

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self[:], dtype)


class BoundCopy(BoundArray):
    """A bound array of unevenly spaced rows, updated at each access."""

    def __getitem__(self, key: Any) -> Any:
        if self._link is not None:
            self._link.fetch()
        return np.ndarray.__getitem__(self, key)


def _telling(name: str) -> Callable[..., Any]:
    method = getattr(np.ndarray, name)

    @wraps(method)
    def write(self: BoundArray, *arguments: Any, **keywords: Any) -> Any:
        self.fetch()
        result = method(self.view(np.ndarray), *arguments, **keywords)
        if self._link is not None:
            self._link.wrote()
        return None if result is None else self

    return write


for _name in _IN_PLACE:
    setattr(BoundArray, _name, _telling(_name))


def linked(array: Any, rows: Rows, zeroed: Zeroed, memory: Memory, outdates: int) -> BoundArray:
    """Binds rows of an array: a view if they are evenly spaced, else a synchronized copy."""
    link: Link
    if isinstance(rows, np.ndarray):
        link = copy = CopyLink(memory, outdates, zeroed, array, rows)
        bound: BoundArray = copy.copy.view(BoundCopy)
    else:
        link = Link(memory, outdates, zeroed)
        bound = array[rows].view(BoundArray)
    bound._link = link
    return bound
