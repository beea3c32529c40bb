"""The physics loop as Python sees it: its record, its guard, and one call to run it."""

from __future__ import annotations

import ctypes
import os
from typing import Any

import mujoco
import numpy as np

from . import own_code
from .callback_table import CallbackTable, connect, disconnect
from .foreign.mujoco_internals import address_of, library
from .guard_block import new_guard, text
from .records import LATENESS, LOOP, SNAPSHOT, WARNINGS, Outcome, Point

_PR_SET_TIMERSLACK = 29


class SnapshotSlot:
    """Where one receiver of snapshots asks, and the loop answers: a SNAPSHOT record."""

    def __init__(self) -> None:
        self._records = np.zeros(1, SNAPSHOT)
        self.record = _structure(SNAPSHOT).from_buffer(self._records)
        self.address = int(self._records.ctypes.data)


class Loop:
    """One model and its data, stepped by compiled code on the thread that calls `run`.

    `record` is the LOOP record (see `engine.kernel`); only the thread that runs may use the rest,
    but for `wake`, `steps`, `time` and `lateness`.
    """

    def __init__(self) -> None:
        self._loops = np.zeros(1, LOOP)
        self.record = _structure(LOOP).from_buffer(self._loops)
        self._guards = new_guard()
        self._wake = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._warmstart = np.zeros(1)
        self._passive = np.zeros(1)
        self._table = CallbackTable()
        self._slots: list[SnapshotSlot] = []
        self._places = np.zeros(1, np.int64)
        self._jumps = 0
        self._data: mujoco.MjData | None = None
        self._model: mujoco.MjModel | None = None
        for name in own_code.LOOP:
            own_code.function(name)  # whatever must be compiled is compiled now
        record = self.record
        record.wake = self._wake
        record.step = own_code.function('full_step').address
        record.forward = own_code.function('forward').address
        record.copy = ctypes.c_void_p.from_buffer(library().mj_copyData).value
        record.remaining, record.realtime = -1, -1.0

    def adopt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Steps this model and data from now on, without callbacks until `use` gives some."""
        self.release()
        self._model, self._data = model, data
        self._warmstart = np.zeros(max(1, model.nv))
        self.record.warmstart = self._warmstart.ctypes.data
        self._passive = np.zeros(max(1, model.nv))
        self.record.steps, self.record.failed, self.record.time = 0, 0, data.time
        self.use(CallbackTable())

    def use(self, table: CallbackTable) -> None:
        """Calls these callbacks from now on."""
        assert self._data is not None
        self.record.passive = self._passive.ctypes.data if table.has(Point.PASSIVE) else 0
        table.keep_passive(self.record.passive)
        connect(address_of(self._data), table)
        self._table = table

    def release(self) -> None:
        """Lets go of model, data and callbacks."""
        self._disconnect()
        self._model = self._data = None
        self._table = CallbackTable()

    def serve(self, slot: SnapshotSlot) -> None:
        """Copies the data for this slot from now on, whenever that asks."""
        self._slots.append(slot)
        self._place_slots()

    def forget(self, slot: SnapshotSlot) -> None:
        """Copies nothing for this slot any more; its memory may be freed."""
        self._slots.remove(slot)
        self._place_slots()

    def _place_slots(self) -> None:
        self._places = np.array([slot.address for slot in self._slots] or [0], np.int64)
        self.record.snapshots = self._places.ctypes.data
        self.record.receivers = len(self._slots)

    def run(self) -> Outcome:
        """Runs until Python is needed, without the GIL but in Python callbacks."""
        return Outcome(own_code.call('run')(*self._addresses(), self._table.address))

    def forward(self, *, callbacks: bool = True) -> bool:
        """One forward pass, which fires the callbacks too; False after a fatal error."""
        table = self._table
        if not callbacks:
            self.use(CallbackTable())
        try:
            return not own_code.call('forward_once')(*self._addresses())
        finally:
            if not callbacks:
                self.use(table)

    def take_warnings(self) -> list[str]:
        """MuJoCo's warnings that were not taken yet, of many in one step the newest."""
        count, taken = int(self._guards['warnings'][0]), self.record.warnings
        self.record.warnings = count
        numbers = range(max(taken, count - WARNINGS), count)
        return [text(self._guards, 'warning', number % WARNINGS) for number in numbers]

    def take_jump(self) -> bool:
        """Whether time jumped since the last call: back, or more than a step ahead."""
        jumps, self._jumps = self._jumps, int(self.record.jumps)
        return jumps != self._jumps

    def error(self) -> str:
        """The message of the fatal error."""
        return text(self._guards, 'error')

    def forget_running(self) -> None:
        """Forgets the callback that a fatal error has ended."""
        self._table.forget_running()

    @property
    def running(self) -> int | None:
        """Index of the callback that runs now, from any thread; None between callbacks."""
        return self._table.running

    def wake(self) -> None:
        """Ends a wait of the loop; from any thread."""
        os.eventfd_write(self._wake, 1)

    def lateness_ns(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """How late the newest paced steps began, oldest first, in nanoseconds."""
        count = int(self.record.late_count)
        ring = np.array(self.record.late_ns)
        return ring[:count] if count <= LATENESS else np.roll(ring, -(count % LATENESS))

    def _addresses(self) -> tuple[int, int, int, int]:
        """The addresses of the loop's record, of the guard, of the model and of the data."""
        assert self._model is not None
        assert self._data is not None
        records = self._loops.ctypes.data, self._guards.ctypes.data
        return (*records, address_of(self._model), address_of(self._data))

    def _disconnect(self) -> None:
        if self._data is not None:
            disconnect(address_of(self._data))

    def __del__(self) -> None:
        self._disconnect()  # and nothing more: the interpreter may be at its end
        os.close(self._wake)


def _structure(layout: Any) -> Any:
    """The record as ctypes has it: reading a field takes a tenth of what np.record takes."""
    return np.ctypeslib.as_ctypes_type(layout)


def sharpen_timers() -> None:
    """Lets the calling thread's sleeps end when they should, not up to 50 us later (Linux)."""
    ctypes.CDLL(None).prctl(_PR_SET_TIMERSLACK, 1, 0, 0, 0)
