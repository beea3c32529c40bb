"""The table of a simulation's callbacks, and how MuJoCo's callback points find it.

A callback is an address in numba's own calling convention, compiled from Python or a trampoline
back to it: both kinds stand in one table and are called by one loop. `mjcb_control` and
`mjcb_passive` are global to the process and fire for every mjData: a registry tells by the data's
address which table is meant, so that simulations do not hear each other's callbacks.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..errors import SimulationError
from . import own_code
from .exception_places import locate
from .foreign.llvmlite_internals import add_symbol
from .foreign.mujoco_internals import callback_pointer
from .records import CALLBACK, REGISTRY_CAPACITY, TABLE, Point
from .symbols import REGISTRY

_TRAMPOLINE = ctypes.CFUNCTYPE(ctypes.c_int)


@dataclass(frozen=True, slots=True)
class Callback:
    """One callback of one plugin."""

    point: Point
    address: int
    state: int = 0
    """Address of the state record; 0 for none."""
    python: bool = False
    """Whether it leads back to Python."""
    keep: Any = None
    """What the address needs alive."""


def python_callback(point: Point, function: Callable[[], None]) -> Callback:
    """A callback that calls a Python function under the GIL; the function must not raise."""

    def trampoline() -> int:
        function()
        return 0

    thunk = _TRAMPOLINE(trampoline)
    # not ctypes.cast, after which the thunk would keep itself, and the model, alive
    address = ctypes.c_void_p.from_buffer(thunk).value or 0
    return Callback(point, address, python=True, keep=thunk)


class CallbackTable:
    """The callbacks of one simulation, each point's in the order given.

    `on_fault(index, exception)` is called under the GIL, on the stepping thread, when a compiled
    callback raises.
    """

    def __init__(
        self,
        callbacks: Sequence[Callback] = (),
        on_fault: Callable[[int, BaseException], None] | None = None,
    ) -> None:
        self.callbacks = sorted(callbacks, key=lambda callback: callback.point)
        self._report = None if on_fault is None else partial(_report, on_fault)
        self._rows = np.zeros(max(1, len(self.callbacks)), CALLBACK)
        self._rows['function'][: len(self.callbacks)] = [c.address for c in self.callbacks]
        self._rows['state'][: len(self.callbacks)] = [c.state for c in self.callbacks]
        self._rows['python'][: len(self.callbacks)] = [c.python for c in self.callbacks]
        self._table = np.zeros(1, TABLE)
        table = self._table[0]
        table['callbacks'] = self._rows.ctypes.data
        points = [callback.point for callback in self.callbacks]
        table['first'] = np.searchsorted(points, range(len(Point) + 1))
        table['reporter'] = id(self._report) if on_fault is not None else 0

    @property
    def address(self) -> int:
        """Address of the TABLE record."""
        return int(self._table.ctypes.data)

    def set_scene(self, address: int) -> None:
        """Sets the mjvScene for the callbacks at RENDER, by its address."""
        self._table['scene'] = address

    def has(self, point: Point) -> bool:
        """Whether there are callbacks at a point."""
        return any(callback.point == point for callback in self.callbacks)

    def keep_passive(self, address: int) -> None:
        """Sets the address at which the sum of what PASSIVE callbacks add is kept; 0: nowhere.

        It has room for a number for each degree of freedom.
        """
        self._table['passive'] = address

    def disable(self, index: int) -> None:
        """Takes a callback out at once; any thread may do so."""
        self._rows['function'][index] = 0

    def cost_ns(self, index: int) -> float | None:
        """Mean cost of a call, moving average over the timed ones; None before the first."""
        row = self._rows[index]
        return float(row['cost_ns']) if row['calls'] else None

    def forget_running(self) -> None:
        """Forgets which callback runs, after a jump out of it."""
        self._table['running'] = self._table['points'] = 0

    @property
    def running(self) -> int | None:
        """Index of the callback that runs now."""
        return int(self._table['running'][0]) - 1 if self._table['running'][0] else None


def _report(
    on_fault: Callable[[int, BaseException], None], index: int, error: BaseException
) -> None:
    locate(error)
    on_fault(index, error)


class _Registry:
    """Which table belongs to which mjData, readable by compiled code."""

    def __init__(self) -> None:
        self.rows = np.zeros((REGISTRY_CAPACITY, 2), np.int64)
        self._lock = threading.Lock()
        self._pointer = ctypes.c_int64(self.rows.ctypes.data)
        add_symbol(REGISTRY, ctypes.addressof(self._pointer))

    def put(self, data: int, table: int) -> None:
        with self._lock:
            taken = np.flatnonzero(self.rows[:, 0] == data)
            free = np.flatnonzero(self.rows[:, 0] == 0)
            if not len(taken) and not len(free):
                raise SimulationError(f'more than {REGISTRY_CAPACITY} simulations in one process')
            row = int((taken if len(taken) else free)[0])
            self.rows[row, 1] = table
            self.rows[row, 0] = data

    def remove(self, data: int) -> None:
        with self._lock:
            self.rows[self.rows[:, 0] == data, 0] = 0


_registry = _Registry()  # before compiled code that refers to the symbol is loaded


def connect(data: int, table: CallbackTable) -> None:
    """Has the callback points of the mjData at an address call the table's callbacks."""
    _registry.put(data, table.address)
    for point in ('control', 'passive'):
        address = own_code.function(f'on_{point}').address
        callback_pointer(f'mjcb_{point}').value = address


def disconnect(data: int) -> None:
    """Has the mjData at an address call no callbacks any more."""
    _registry.remove(data)
