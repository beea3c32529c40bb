"""Arrays that write through into MuJoCo's memory, and tell that they did."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from .memory import Memory
from .rows import Rows

Zeroed = tuple[tuple[Any, Rows], ...]
"""Arrays and the rows of them that become 0 with a write."""
_IN_PLACE = (
    'fill', 'sort', 'partition', 'put', 'setfield',
    '__iadd__', '__isub__', '__imul__', '__itruediv__', '__ifloordiv__', '__imod__', '__ipow__',
    '__iand__', '__ior__', '__ixor__', '__ilshift__', '__irshift__',
)  # fmt: skip
"""Methods that write into their array."""
_WRITERS = {
    np.copyto: 'dst', np.put: 'a', np.place: 'arr', np.putmask: 'a', np.fill_diagonal: 'a',
    np.put_along_axis: 'arr',
}  # fmt: skip
"""Functions that write into their first argument, and what that is called."""


class Link:
    """What a write into an array has to tell; the array is MuJoCo's memory itself."""

    __slots__ = ('_memory', '_outdates', '_zeroed')

    def __init__(self, memory: Memory, outdates: int, zeroed: Zeroed) -> None:
        self._memory = memory
        self._outdates = outdates
        self._zeroed = zeroed

    def fetch(self) -> None:
        """Brings the array up to date before a write; MuJoCo's own memory always is."""

    def wrote(self) -> None:
        """Tells the physics that somebody has written into the array."""
        if self._outdates > self._memory.outdated:
            self._memory.outdated = self._outdates
        for array, rows in self._zeroed:
            array[rows] = 0

    def wrote_unfetched(self, part: Any) -> None:
        """Tells the physics of a write into a part that could not be told before."""
        self.wrote()


class CopyLink(Link):
    """The link of an array that is a copy, as its rows are not regular ones of MuJoCo's."""

    __slots__ = ('_array', '_rows', 'copy')

    def __init__(
        self, memory: Memory, outdates: int, zeroed: Zeroed, array: Any, rows: Rows
    ) -> None:
        super().__init__(memory, outdates, zeroed)
        self._array = array
        self._rows = rows
        self.copy = array[rows]

    def fetch(self) -> None:
        """Copies what is in MuJoCo into the array."""
        self._array.take(self._rows, 0, self.copy, 'clip')  # which spares another copy

    def wrote(self) -> None:
        """Copies the array into MuJoCo, and tells the physics."""
        self._array[self._rows] = self.copy
        super().wrote()

    def wrote_unfetched(self, part: Any) -> None:
        """Copies only the part into MuJoCo: the rest of the array may be older."""
        written = np.array(part)
        self.fetch()
        np.copyto(part.view(np.ndarray), written)
        self.wrote()


class BoundArray(np.ndarray[Any, Any]):
    """Rows of elements. What is written into it or into views of it is in MuJoCo.

    Results of computations and copies are ordinary arrays.
    """

    _link: Link | None

    def __array_finalize__(self, origin: Any) -> None:
        base = self.base
        view = base is not None and (base is origin or base is getattr(origin, 'base', None))
        self._link = getattr(origin, '_link', None) if view else None

    def fetch(self) -> None:
        """Shows what is in MuJoCo now."""
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
        """What a function of NumPy computed: into this array, or as an array of its own."""
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
        """The elements of the array in a row."""
        return Flat(self)

    @flat.setter
    def flat(self, value: Any) -> None:
        self.flat[:] = value

    def copy(self, order: Any = 'C') -> Any:
        """Makes an ordinary array, which is not bound."""
        return np.array(self, order=order)

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Any:
        return self.copy()

    def __reduce__(self) -> Any:
        return self.copy().__reduce__()


class Flat:
    """All elements of an array in a row, wherever they are in memory, which no view can show."""

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
    """A bound array whose rows are not regular: elements are as they are when asked for."""

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
    """Makes an array of rows: their memory if they are regular, else a copy that follows it."""
    link: Link
    if isinstance(rows, np.ndarray):
        link = copy = CopyLink(memory, outdates, zeroed, array, rows)
        bound: BoundArray = copy.copy.view(BoundCopy)
    else:
        link = Link(memory, outdates, zeroed)
        bound = array[rows].view(BoundArray)
    bound._link = link
    return bound
