"""Binds elements to their rows in MuJoCo's arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..tree.element import Element
from .arrays import Zeroed, linked
from .bound_elements import id_of
from .fields import Field, fields
from .memory import Memory
from .named import column_index
from .rows import Layout, Rows, attributes
from .stages import ALIGNED, ON_DEMAND, SAME_FRAMES, held_until, is_read_only, outdated_by


class Binding:
    """The arrays of one or several elements of the same kind, as attributes.

    For one element an array is its row; for several elements, their rows in order. An array stays
    the same object and shows the current values at each access. Writes go to MuJoCo's memory, and
    dependent values are recomputed at the next access.
    """

    __slots__ = (
        '__weakref__', '_arrays', '_elements', '_ids', '_memory', '_reads', '_rows', '_targets',
    )  # fmt: skip

    _kind: ClassVar[str]

    def __init__(self, memory: Memory, elements: Element | tuple[Element, ...]) -> None:
        self._memory = memory
        self._elements = elements
        self._forget()
        self._find_ids()

    def _forget(self) -> None:
        self._arrays: dict[Quantity, Any] = {}
        """Arrays that are views of MuJoCo's memory, and so never need to be read again."""
        self._reads: dict[Quantity, Callable[[], Any]] = {}
        self._targets: dict[Quantity, tuple[Any, Rows, Zeroed]] = {}
        self._rows: dict[str, Rows] = {}
        self._ids: int | list[int] | None = None

    def _follow(self) -> bool:
        """Finds the elements in the memory's new model; returns whether all were found."""
        self._forget()
        try:
            self._find_ids()
        except ValueError:
            return False
        return True

    @property
    def element_id(self) -> Any:
        """MuJoCo's id of the element, or an array of ids for several elements."""
        ids = self._known_ids()
        return ids if isinstance(ids, int) else np.array(ids, int)

    def _known_ids(self) -> int | list[int]:
        return self._find_ids() if self._ids is None else self._ids

    def _find_ids(self) -> int | list[int]:
        """Finds the ids of the elements. Raises ValueError if an element is not in the model."""
        elements, kind, memory = self._elements, self._kind, self._memory
        if isinstance(elements, tuple):
            self._ids = [id_of(element, kind, memory) for element in elements]
        else:
            self._ids = id_of(elements, kind, memory)
        return self._ids

    def _rows_of(self, field: Field) -> Rows:
        """Returns the elements' rows in an array. Raises AttributeError if an element has none."""
        rows = self._rows.get(field.size)
        if rows is None:
            rows = self._rows[field.size] = self._find_rows(self._memory.layout, field)
        return rows

    def _find_rows(self, layout: Layout, field: Field) -> Rows:
        ids = self._known_ids()
        if field.size == 'nmocap':
            for number in [ids] if isinstance(ids, int) else ids:
                if self._memory.model.body_mocapid[number] < 0:
                    name = layout.names('body')[number]
                    raise AttributeError(f'{field.name}: {name!r} is not a mocap body')
        if isinstance(ids, int):
            return layout.rows(field.size, ids)
        return layout.rows_of_all(field.size, ids)

    def __getitem__(self, key: object) -> Any:
        """Returns an attribute (`['pos']`), or its column by name or number (`['pos', 'z']`)."""
        name, *columns = key if isinstance(key, tuple) else (key,)
        found = getattr(self, name)
        return found[self._column(name, *columns)] if columns else found

    def __setitem__(self, key: object, value: object) -> None:
        name, *columns = key if isinstance(key, tuple) else (key,)
        if columns:
            getattr(self, name)[self._column(name, *columns)] = value
        else:
            setattr(self, name, value)

    def _column(self, name: str, column: Any) -> Any:
        quantity = getattr(type(self), name)
        return (..., column_index(column, quantity.field))

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: object) -> None: ...


class Quantity:
    """One of MuJoCo's arrays as an attribute of bindings."""

    __slots__ = ('_held_until', '_marks', '_outdates', '_read_only', 'field')

    def __init__(self, field: Field) -> None:
        self.field = field
        self._held_until = held_until(field)
        self._outdates = outdated_by(field)
        self._read_only = is_read_only(field)
        marks = SAME_FRAMES.get(field.name, ())
        self._marks = [fields('mjModel')[name] for name in marks]

    def __get__(self, binding: Binding | None, owner: type | None = None) -> Any:
        if binding is None:
            return self
        memory = binding._memory
        if memory.outdated > self._held_until:
            memory.refresh()
        array = binding._arrays.get(self)
        if array is not None:
            return array
        read = binding._reads.get(self)
        return self._open(binding) if read is None else read()

    def __set__(self, binding: Binding, value: object) -> None:
        target = binding._targets.get(self)
        if target is None:
            target = binding._targets[self] = self._target(binding)
        array, rows, zeroed = target
        array[rows] = value
        for marked, marked_rows in zeroed:
            marked[marked_rows] = 0
        memory = binding._memory
        if self._outdates > memory.outdated:
            memory.outdated = self._outdates

    def _target(self, binding: Binding) -> tuple[Any, Rows, Zeroed]:
        """Returns the array and rows to write, and the arrays that a write sets to 0."""
        memory, rows = binding._memory, binding._rows_of(self.field)
        if self._read_only:
            raise AttributeError(f'{self.field.name} is read-only: MuJoCo computes it')
        if self._is_fixed(memory, rows):
            raise AttributeError(
                f'{self.field.name} cannot be set for this body: change the element, and reload'
                ' the physics'
            )
        model, data = memory.model, memory.data
        zeroed = ((mark.array(model, data), binding._rows_of(mark)) for mark in self._marks)
        return self.field.array(model, data), rows, tuple(zeroed)

    def _is_fixed(self, memory: Memory, rows: Rows) -> bool:
        """Returns whether MuJoCo compiled a body on the assumption that this is constant."""
        return self.field.name in ALIGNED and bool((memory.model.body_simple[rows] == 1).any())

    def _open(self, binding: Binding) -> Any:
        """Reads the array, and caches a function or view for later accesses."""
        memory, rows = binding._memory, binding._rows_of(self.field)
        array = self.field.array(memory.model, memory.data)
        if isinstance(rows, int) and array.ndim == 1:
            read = binding._reads[self] = partial(array.__getitem__, rows)
            return read()
        fetch: Callable[[], object]
        if self._read_only or self._is_fixed(memory, rows):
            shown = array[rows].view()
            shown.flags.writeable = False
            fetch = partial(array.take, rows, 0, shown.base, 'clip')
        else:
            shown = linked(*self._target(binding), memory, self._outdates)
            fetch = shown.fetch
        if isinstance(rows, np.ndarray):
            binding._reads[self] = lambda: (fetch(), shown)[1]
        else:
            binding._arrays[self] = shown
        return shown


class DemandedQuantity(Quantity):
    """An array that MuJoCo computes only if a sensor needs it; each read computes it if needed."""

    __slots__ = ()

    def __get__(self, binding: Binding | None, owner: type | None = None) -> Any:
        if binding is not None:
            flag, compute = ON_DEMAND[self.field.name]
            binding._memory.demand(flag, compute, self._held_until)
        return super().__get__(binding, owner)


@dataclass(frozen=True, slots=True)
class Quantities:
    """The classes of a binding's attributes."""

    usual: type[Quantity] = Quantity
    on_demand: type[DemandedQuantity] = DemandedQuantity


@cache
def binding_type(kind: str, quantities: Quantities) -> type[Binding]:
    """Returns the binding class for elements of this kind."""
    made = {
        name: (quantities.on_demand if field.name in ON_DEMAND else quantities.usual)(field)
        for name, field in attributes(kind).items()
    }
    namespace = {'__slots__': (), '__module__': __name__, '_kind': kind, **made}
    return type(f'{kind.capitalize()}Binding', (Binding,), namespace)


class EmptyBinding:
    """The binding of an empty collection; its attributes are arrays without rows."""

    __slots__ = ()

    element_id: Sequence[int] = ()
    __iter__ = None
    """Disables iteration: Python would iterate by index and never stop."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith('_'):
            raise AttributeError(name)
        return np.empty(0)

    def __getitem__(self, key: object) -> Any:
        return np.empty(0)

    def __setattr__(self, name: str, value: object) -> None:
        raise ValueError(f'{name} cannot be set: no elements are bound')

    def __setitem__(self, key: object, value: object) -> None:
        raise ValueError(f'{key} cannot be set: no elements are bound')
