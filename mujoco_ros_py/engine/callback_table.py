"""The table of a simulation's callbacks, and how MuJoCo's callback points find it.

A callback is an address in numba's own calling convention, which is either compiled from Python or
a trampoline back to it: both kinds are in one table and are called by one loop. `mjcb_control` and
`mjcb_passive` are global to the process and fire for every mjData. A registry finds the table by
the address of the data, so that simulations do not get each other's callbacks.
"""

from __future__ import annotations

import ctypes
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import mujoco
import numpy as np

from ..mujoco_internals import address_of
from . import own_code
from .callback_registry import registry
from .crash_line import watch
from .exception_places import locate
from .program_callbacks import any_callback, guarding, log_program_callbacks, take_over
from .records import CALLBACK, TABLE, Point

_TRAMPOLINE = ctypes.CFUNCTYPE(ctypes.c_int)


@dataclass(frozen=True, slots=True)
class Callback:
    """One callback of one plugin."""

    point: Point
    address: int
    state: int = 0
    """The address of the state record; 0 if there is none."""
    python: bool = False
    """Whether the callback leads back to Python."""
    keep: Any = None
    """The objects that must stay alive as long as the address is used."""
    name: str = 'a callback'
    """What the line of a crash calls it."""


def python_callback(point: Point, function: Callable[[], None]) -> Callback:
    """Makes a callback that calls a Python function under the GIL; the function must not raise."""

    def trampoline() -> int:
        function()
        return 0

    thunk = _TRAMPOLINE(trampoline)
    # after ctypes.cast the thunk would keep itself and the model alive
    address = ctypes.c_void_p.from_buffer(thunk).value or 0
    return Callback(point, address, python=True, keep=thunk)


class CallbackTable:
    """The callbacks of one simulation, in the given order at each point.

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
        for row, callback in zip(self._rows, self.callbacks, strict=False):
            row['function'], row['state'] = callback.address, callback.state
            row['python'] = callback.python
        self._table = np.zeros(1, TABLE)
        self.address = int(self._table.ctypes.data)
        """The address of the TABLE record."""
        table = self._table[0]
        table['callbacks'] = self._rows.ctypes.data
        points = [callback.point for callback in self.callbacks]
        # The callbacks of a point lie side by side: the loop goes from one index to another and
        # tests nothing.
        table['first'] = [bisect_left(points, point) for point in range(len(Point) + 1)]
        # Compiled code takes this for the address of a Python object, without a reference of its
        # own: `_report` must live as long as the table.
        table['reporter'] = id(self._report) if on_fault is not None else 0
        names = [callback.name for callback in self.callbacks]
        watch(self, self.address, TABLE, 'running', names)

    def set_scene(self, address: int) -> None:
        """Sets the mjvScene, by its address, for the callbacks at RENDER."""
        self._table['scene'] = address

    def has(self, point: Point) -> bool:
        """Returns whether there are callbacks at a point."""
        return any(callback.point == point for callback in self.callbacks)

    def limit_commands(self, limit: float) -> None:
        """Limits controls and applied forces to -limit to limit after CONTROL; 0: any are used."""
        self._table['limit'] = limit

    def keep_passive(self, address: int) -> None:
        """Sets the address to which the sum of what PASSIVE callbacks add is written; 0 for none.

        The memory there must have room for nv float64 numbers.
        """
        self._table['passive'] = address

    def disable(self, index: int) -> None:
        """Disables a callback at once; every thread may call this."""
        # One write of 8 bytes: a thread that is about to call sees the address or 0, and nothing
        # between.
        self._rows['function'][index] = 0

    def cost_ns(self, index: int) -> float | None:
        """Returns the mean duration of a call in ns, or None before the first timed call.

        It is an exponential moving average over the timed calls.
        """
        row = self._rows[index]
        return float(row['cost_ns']) if row['calls'] else None

    def forget_running(self) -> None:
        """Clears the index of the running callback, after a jump out of it."""
        # The jump has left `dispatch` before it could put them back.
        self._table['running'] = self._table['points'] = 0

    @property
    def running(self) -> int | None:
        """The index of the callback that is running now."""
        return int(self._table['running'][0]) - 1 if self._table['running'][0] else None


def _report(
    on_fault: Callable[[int, BaseException], None], index: int, error: BaseException
) -> None:
    locate(error)
    on_fault(index, error)


def connect(data: int, table: CallbackTable) -> None:
    """Makes the callback points of the mjData at an address call the table's callbacks."""
    _register(data, table)
    log_program_callbacks()


@contextmanager
def calling(data: mujoco.MjData, table: CallbackTable) -> Iterator[None]:
    """Has MuJoCo call these callbacks alone for data that belong to no simulation."""
    place = address_of(data)
    _register(place, table)
    try:
        yield
    finally:
        disconnect(place)


@contextmanager
def without_program_callbacks() -> Iterator[None]:
    """Has MuJoCo call no callback of the program on this thread, for what simulations compute.

    These are trial steps of models, and forward passes of copies.
    """
    if any_callback():  # otherwise no code has to be loaded
        _take_over()
    with guarding():
        yield


def disconnect(data: int) -> None:
    """Makes the callback points of the mjData at an address call nothing."""
    registry.remove(data)


def _register(data: int, table: CallbackTable) -> None:
    registry.put(data, table.address)
    _take_over()


def _take_over() -> None:
    # Each time, as the program may have set callbacks of its own since then.
    take_over([own_code.function(f'on_{point}').address for point in ('control', 'passive')])
