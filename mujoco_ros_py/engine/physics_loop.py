"""The Python interface of the physics loop: its record, its guard, and the call that runs it."""

from __future__ import annotations

import ctypes
import math
import os

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..mujoco_internals import address_of
from . import own_code
from .callback_table import CallbackTable, connect, disconnect
from .data_copies import SnapshotSlot, SpareData
from .guard_block import new_guard, text
from .libmujoco import library
from .linux_waits import NO_EVENT, new_event
from .loop_clock import LoopClock
from .loop_inlets import InletTable, LoopInlets
from .message_ends import Inlet, Port
from .records import LATENESS, LOOP, WARNINGS, Outcome, Point, structure
from .sample_ring import SampleRing

_OUTCOMES = tuple(Outcome)


class Loop:
    """Steps one model and its data in compiled code, on the thread that calls `run`.

    `record` is the LOOP record of `engine.records`. Only the thread that calls `run` may use the
    other members, except `wake`, `steps`, `time`, `paced` and `lateness_ns`.
    """

    def __init__(self, *, waits: bool = True) -> None:
        """Without `waits`, the loop cannot be woken and can only step as fast as possible."""
        self._loops = np.zeros(1, LOOP)
        self.record = structure(LOOP).from_buffer(self._loops)
        self._guards = new_guard()
        self.address = int(self._loops.ctypes.data)
        """The address of `record`."""
        self._guard = int(self._guards.ctypes.data)
        self.wake_event = new_event() if waits else NO_EVENT
        """The eventfd that ends a wait of the loop."""
        self._kept = np.zeros(1)
        self._passive = np.zeros(1)
        self._table = self._nothing = CallbackTable()
        self._slots: list[SnapshotSlot] = []
        self._slot_addresses = np.zeros(1, np.int64)
        self._rings: list[SampleRing] = []
        self._ring_addresses = np.zeros(1, np.int64)
        self.inlets = LoopInlets(self.record)
        """The inlets from which messages are taken before each step."""
        self._time_event = NO_EVENT
        self._jumps = 0
        self.run_arguments: tuple[int, ...] = ()
        """The arguments of the compiled `run`: the addresses of the loop's record, the guard, the
        model, the data and the callback table. They are stored because looking them up takes
        longer than a step."""
        self.calls_python = False
        """Whether any callback of the stepped model calls into Python."""
        self.command_limit = 0.0
        """Maximum absolute value of controls and applied forces; 0 disables the limit."""
        self.spare = SpareData()
        """Spare mjData for the copies of receivers and rings."""
        self._data: mujoco.MjData | None = None
        self._model: mujoco.MjModel | None = None
        own_code.prepare(own_code.LOOP)
        record = self.record
        record.wake, record.time_event = self.wake_event, NO_EVENT
        record.step = own_code.function('full_step').address
        record.forward = own_code.function('forward').address
        record.copy = ctypes.c_void_p.from_buffer(library().mj_copyData).value
        record.remaining, record.realtime = -1, -1.0

    def adopt(self, model: mujoco.MjModel, data: mujoco.MjData, *, goes_on: bool = False) -> None:
        """Sets the model and data to step. No callbacks run until `use` is called.

        The step count restarts at 0, except with `goes_on`, for a model that replaces another
        model of the same simulation.
        """
        self.release()
        self._model, self._data = model, data
        self._rings = []  # the rings contain copies of the previous data
        self._list_rings()
        self._kept = np.zeros(max(1, model.nv + model.nsensordata))
        self.record.kept = self._kept.ctypes.data
        self._passive = np.zeros(max(1, model.nv))
        if not goes_on:
            self.record.steps = 0
        self.record.failed = 0
        self.set_time(data.time)
        self.use(self._nothing)

    def set_time(self, time_s: float) -> None:
        """Records the time of the data.

        Also sets ROS time to it, unless ROS time continues when simulated time jumps
        (`continues`).
        """
        self.record.time = time_s
        if not self.record.continues:
            self.record.ros_time = time_s

    def begin_epoch(self, time_s: float, ros_time_s: float | None) -> None:
        """Records the simulated time at which an epoch begins.

        If ROS time continues when simulated time jumps (`continues`), the epoch begins at the ROS
        time `ros_time_s`, or at `time_s` if `ros_time_s` is None.
        """
        record = self.record
        if record.continues and math.isfinite(time_s):
            record.ros_offset = 0.0 if ros_time_s is None else ros_time_s - time_s
            record.ros_time = time_s + record.ros_offset
        self.set_time(time_s)

    def use(self, table: CallbackTable) -> None:
        """Makes the loop call the callbacks of this table."""
        assert self._data is not None
        self.record.passive = self._passive.ctypes.data if table.has(Point.PASSIVE) else 0
        table.keep_passive(self.record.passive)
        table.limit_commands(self.command_limit)
        connect(address_of(self._data), table)
        self._table = table
        self.run_arguments = (*self._addresses(), table.address)
        self.calls_python = any(callback.python for callback in table.callbacks)

    def release(self) -> None:
        """Drops the references to model, data and callbacks."""
        self._disconnect()
        self._model = self._data = None
        self._table = self._nothing

    def serve(self, slot: SnapshotSlot) -> None:
        """Makes the loop copy the data whenever the receiver of this slot requests a copy."""
        self._slots.append(slot)
        self._list_slots()

    def forget(self, slot: SnapshotSlot) -> None:
        """Makes the loop ignore a slot; the memory of the slot can then be freed."""
        self._slots.remove(slot)
        self._list_slots()

    def fill(self, ring: SampleRing) -> None:
        """Makes the loop write samples into a ring."""
        self._rings.append(ring)
        self._list_rings()

    def abandon(self, ring: SampleRing) -> None:
        """Makes the loop write no more samples into a ring."""
        self._rings = [each for each in self._rings if each is not ring]
        self._list_rings()

    def take_once(self, inlet: Inlet) -> bool:
        """Takes an inlet's pending messages; returns False after a fatal error."""
        return self._take('take_messages', InletTable(self.record, [inlet]))

    def take_all(self) -> bool:
        """Takes all pending messages; returns False after a fatal error."""
        return not self.record.inlets or self._take('take_all', self.inlets.table)

    def new_clock(
        self, port: Port, stamp: int, *, least_period_s: float, repeat_s: float
    ) -> LoopClock:
        """Creates the clock of the loop (at most one); the loop must outlive its clock."""
        if self._time_event == NO_EVENT:
            self._time_event = self.record.time_event = new_event()
        return LoopClock(
            self.address, self._time_event, port, stamp,
            least_period_s=least_period_s, repeat_s=repeat_s,
        )  # fmt: skip

    def _list_rings(self) -> None:
        self._ring_addresses = np.array([ring.address for ring in self._rings] or [0], np.int64)
        self.record.ring_addresses = self._ring_addresses.ctypes.data
        self.record.rings = len(self._rings)

    def _list_slots(self) -> None:
        self._slot_addresses = np.array([slot.address for slot in self._slots] or [0], np.int64)
        self.record.snapshots = self._slot_addresses.ctypes.data
        self.record.receivers = len(self._slots)

    def run(self) -> Outcome:
        """Runs the loop until Python has to act, and returns the reason.

        Holds the GIL only in Python callbacks.
        """
        outcome: Outcome = _OUTCOMES[own_code.call('run')(*self.run_arguments)]
        return outcome

    def forward(self, *, callbacks: bool = True) -> bool:
        """Makes a forward pass, by default with callbacks; returns False after a fatal error."""
        table = self._table
        if not callbacks:
            self.use(self._nothing)
        try:
            return not own_code.call('forward_once')(*self._addresses())
        finally:
            if not callbacks:
                self.use(table)

    def take_warnings(self) -> list[str]:
        """Returns MuJoCo's warnings since the last call, but at most the newest WARNINGS."""
        count, taken = int(self._guards['warnings'][0]), self.record.warnings
        self.record.warnings = count
        # Older warnings were counted, but overwritten.
        numbers = range(max(taken, count - WARNINGS), count)
        return [text(self._guards, 'warning', number % WARNINGS) for number in numbers]

    def take_jump(self) -> bool:
        """Returns whether time jumped since the last call: back, or ahead by more than a step."""
        jumps, self._jumps = self._jumps, int(self.record.jumps)
        return jumps != self._jumps

    def error(self) -> str:
        """Returns the message of the fatal error."""
        return text(self._guards, 'error')

    def forget_running(self) -> None:
        """Clears the indices of the running callback and inlet after a fatal error."""
        self._table.forget_running()
        self.inlets.table.record.running = 0

    @property
    def running(self) -> int | None:
        """The index of the running callback, or None if no callback is running; thread-safe."""
        return self._table.running

    def wake(self) -> None:
        """Ends a wait of the loop; callable from any thread."""
        if self.wake_event != NO_EVENT:
            os.eventfd_write(self.wake_event, 1)

    def passive_forces(self) -> NDArray[np.float64] | None:
        """Returns the forces that passive callbacks added in the last step; None if none exist."""
        if not self.record.passive or self._model is None:
            return None
        added: NDArray[np.float64] = self._passive[: self._model.nv].copy()
        return added

    @property
    def paced(self) -> int:
        """The number of paced steps, which begin at a due wall time; thread-safe."""
        return int(self.record.late_count)

    def lateness_ns(self, since: int = 0, until: int | None = None) -> NDArray[np.int64]:
        """Returns how late the newest paced steps began, oldest first, in nanoseconds.

        `since` and `until` limit the result to the steps between two values of `paced`.
        """
        end = self.paced if until is None else until
        # A copy, because the loop keeps writing.
        ring = np.array(self.record.late_ns)
        return ring[np.arange(max(since, end - LATENESS), end) % LATENESS]

    def _take(self, name: str, table: InletTable) -> bool:
        """Calls a function that takes messages; returns False after a fatal error."""
        _, guard, model, data = self._addresses()
        take = own_code.function(name).address
        return not own_code.call('call_guarded')(guard, take, table.address, model, data)

    def _addresses(self) -> tuple[int, int, int, int]:
        """Returns the addresses of the loop's record, the guard, the model and the data."""
        assert self._model is not None
        assert self._data is not None
        return self.address, self._guard, address_of(self._model), address_of(self._data)

    def _disconnect(self) -> None:
        if self._data is not None:
            disconnect(address_of(self._data))

    def __del__(self) -> None:
        self._disconnect()  # not `release`: the interpreter may be finalizing
        for event in (self.wake_event, self._time_event):
            if event != NO_EVENT:
                os.close(event)
