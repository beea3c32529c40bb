"""The table of a simulation's callbacks, and how MuJoCo's callback points find it.

A callback is the address of a function with numba's calling convention: either code compiled from
Python, or a trampoline into Python. Both kinds share one table, and one loop calls them.
`mjcb_control` and `mjcb_passive` are global to the process, and MuJoCo calls them for every
mjData. A registry maps the address of each mjData to its table, so that a simulation runs only its
own callbacks.
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
    """The address of the state record; 0 if the callback has no state."""
    python: bool = False
    """Whether the callback calls into Python."""
    keep: Any = None
    """Objects that must stay alive while the address is in use."""
    name: str = 'a callback'
    """The name of the callback in the line that `crash_line` writes."""


def python_callback(point: Point, function: Callable[[], None]) -> Callback:
    """Creates a callback that calls a Python function with the GIL held.

    The function must not raise.
    """

    def trampoline() -> int:
        function()
        return 0

    thunk = _TRAMPOLINE(trampoline)
    # ctypes.cast would create a reference cycle that keeps the thunk and the model alive.
    address = ctypes.c_void_p.from_buffer(thunk).value or 0
    return Callback(point, address, python=True, keep=thunk)


class CallbackTable:
    """The callbacks of one simulation. Callbacks at the same point run in the given order.

    If a compiled callback raises, the stepping thread calls `on_fault(index, exception)` under the
    GIL.
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
        # The callbacks of a point are adjacent, so compiled code runs over a range of indices and
        # does not have to check the point of each callback.
        table['first'] = [bisect_left(points, point) for point in range(len(Point) + 1)]
        # Compiled code uses this address as a Python object without holding a reference, so
        # `_report` must live as long as the table.
        table['reporter'] = id(self._report) if on_fault is not None else 0
        names = [callback.name for callback in self.callbacks]
        watch(self, self.address, TABLE, 'running', names)

    def set_scene(self, address: int) -> None:
        """Sets the address of the mjvScene for the callbacks at RENDER."""
        self._table['scene'] = address

    def has(self, point: Point) -> bool:
        """Returns whether there are callbacks at a point."""
        return any(callback.point == point for callback in self.callbacks)

    def limit_commands(self, limit: float) -> None:
        """Makes compiled code clamp controls and forces to [-limit, limit]; 0 disables clamping.

        Values are clamped after the callbacks at WRITE have run.
        """
        self._table['limit'] = limit

    def keep_passive(self, address: int) -> None:
        """Makes compiled code write the summed forces of PASSIVE callbacks to an address.

        The memory must have room for nv float64 values. Address 0 disables this.
        """
        self._table['passive'] = address

    def disable(self, index: int) -> None:
        """Disables a callback at once; callable from any thread."""
        # A single 8-byte write, so a thread that is about to call reads either the address or 0.
        self._rows['function'][index] = 0

    def cost_ns(self, index: int) -> float | None:
        """Returns the mean duration of a call in ns, or None before the first timed call.

        The mean is an exponential moving average over the timed calls.
        """
        row = self._rows[index]
        return float(row['cost_ns']) if row['calls'] else None

    def forget_running(self) -> None:
        """Clears the index of the running callback after a fatal error aborted the callback."""
        # The error's longjmp skipped the code in `dispatch` that resets these fields.
        self._table['running'] = self._table['points'] = 0

    @property
    def running(self) -> int | None:
        """The index of the running callback; None if no callback is running."""
        return int(self._table['running'][0]) - 1 if self._table['running'][0] else None


def _report(
    on_fault: Callable[[int, BaseException], None], index: int, error: BaseException
) -> None:
    locate(error)
    on_fault(index, error)


def connect(data: int, table: CallbackTable) -> None:
    """Makes MuJoCo call the table's callbacks for the mjData at an address."""
    _register(data, table)
    log_program_callbacks()


@contextmanager
def calling(data: mujoco.MjData, table: CallbackTable) -> Iterator[None]:
    """Makes MuJoCo call only these callbacks for an mjData that belongs to no simulation."""
    place = address_of(data)
    _register(place, table)
    try:
        yield
    finally:
        disconnect(place)


@contextmanager
def without_program_callbacks() -> Iterator[None]:
    """Disables the program's callbacks on this thread.

    Simulations use this for trial steps of models and for forward passes of copies.
    """
    if any_callback():  # loads no code if no callback is set
        _take_over()
    with guarding():
        yield


def disconnect(data: int) -> None:
    """Makes MuJoCo call no callbacks for the mjData at an address."""
    registry.remove(data)


def _register(data: int, table: CallbackTable) -> None:
    registry.put(data, table.address)
    _take_over()


def _take_over() -> None:
    # Repeated each time, because the program may have set its own callbacks since the last call.
    take_over([own_code.function(f'on_{point}').address for point in ('control', 'passive')])
