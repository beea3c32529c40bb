"""A ring buffer of samples between the physics loop and the thread that sends messages."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..mujoco_internals import address_of
from . import own_code
from .crash_line import watch
from .data_copies import SpareData
from .guard_block import new_guard
from .linux_waits import new_event
from .message_ends import Outlet
from .message_records import MEMBER, RING, SCHEDULE, SLOT
from .records import structure

RING_CAPACITY = 8
"""The default maximum number of samples that wait for the reader."""
_ALIGNMENT = 16
_AT_ONCE = float('-inf')
_STOP, _FINISH = 1, 2


class SampleRing:
    """The samples of one model for a fixed set of outlets.

    The physics thread creates the ring. One thread reads it.
    """

    def __init__(
        self,
        loop: int,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        outlets: Sequence[Outlet],
        least_period_s: float,
        *,
        inline: bool = False,
        capacity: int = RING_CAPACITY,
        before: SampleRing | None = None,
        spare: SpareData | None = None,
    ) -> None:
        """`loop` is the address of the LOOP record.

        `least_period_s` is the minimum wall time between two samples; it only matters if the
        simulation is so fast that samples would be due more often. With `inline` the loop sends
        the messages itself. `capacity` is a power of two. An outlet that was in the ring `before`,
        or that replaces an outlet of that ring, keeps the due time. `spare` provides data for the
        copies.
        """
        # Outlets that use the copy unchanged come first: the other outlets recompute parts of it.
        self.outlets = sorted(outlets, key=lambda outlet: int(outlet.record.derived))
        self._records = np.zeros(1, RING)
        self._record = structure(RING).from_buffer(self._records)
        self.address = int(self._records.ctypes.data)
        self._guards = new_guard()
        self._model = model
        spare = spare or SpareData()
        # All memory is allocated before the first step: the loop does not allocate.
        self._copies = [spare.copy(model, data) for _ in range(capacity)]
        self._event = new_event()
        self._plan(before)
        self._lay_out(len(self._schedules))
        record = self._record
        names = [outlet.name for outlet in self.outlets]
        watch(self, self.address, RING, 'current', names)
        record.event, record.loop, record.model = self._event, loop, address_of(model)
        record.deliver = own_code.function('deliver').address
        record.least_period_ns = int(least_period_s * 1e9)
        record.epoch, record.inline = -1, int(inline)
        if before is not None:
            record.epoch, record.unthrottled = before._record.epoch, before._record.unthrottled

    def _plan(self, before: SampleRing | None) -> None:
        """Creates the schedules, and assigns each outlet to one of them."""
        planned = [(outlet.period_s, _due_s(outlet, before)) for outlet in self.outlets]
        # Outlets with the same rate and due time share a schedule, so the loop checks fewer due
        # times per step.
        schedules = sorted(set(planned))
        self._schedules = np.zeros(len(schedules), SCHEDULE)
        self._schedules['period_s'] = [period_s for period_s, _ in schedules]
        self._schedules['due_s'] = [due_s for _, due_s in schedules]
        for outlet in self.outlets:
            outlet.before = None
        self._members = np.zeros(len(self.outlets), MEMBER)
        self._members['schedule'] = [schedules.index(each) for each in planned]

    def read(self) -> None:
        """Sends messages until `stop` is called; the calling thread must hold no lock."""
        own_code.call('read_ring')(self.address, self._guards.ctypes.data)

    def send_now(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        passive: NDArray[Any] | None,
        ros_offset: float,
    ) -> None:
        """Sends all messages of one sample on the calling thread; the loop must not be writing.

        `passive` contains the forces of the passive callbacks, and `ros_offset` is the LOOP's
        field.
        """
        mujoco.mj_copyData(self._copies[0], model, data)
        slot, record = self._slots[0], self._record
        slot['derived'], slot['has_passive'] = 0, passive is not None
        slot['ros_offset'] = ros_offset
        if passive is not None:
            self._passive[0, : len(passive)] = passive
        self._due[:] = 1
        # Pretends that the loop has written one sample; the reader sends it and returns.
        record.read, record.written, record.wanted = 0, 1, _FINISH
        self.read()

    def stop(self) -> None:
        """Makes `read` return after the current message."""
        self._want(_STOP)

    def finish(self) -> None:
        """Makes `read` return after sending all samples; the loop must not write any more."""
        if self._record.wanted == 0:
            self._want(_FINISH)

    def due_s(self, outlet: Outlet) -> float:
        """Returns the time in s at which an outlet is due next; -inf if it is not in this ring.

        This is a simulated time, or a wall time if the simulation is unthrottled.
        """
        known = [outlet] if outlet.before is None else [outlet, outlet.before]
        index = next((k for k, each in enumerate(self.outlets) if each in known), None)
        if index is None:
            return _AT_ONCE
        return float(self._schedules[self._members[index]['schedule']]['due_s'])

    @property
    def turns(self) -> int:
        """A number that keeps changing while the ring is read."""
        return int(self._record.turns)

    @property
    def capacity(self) -> int:
        """The maximum number of samples that wait for the reader."""
        return len(self._copies)

    @property
    def left_out(self) -> int:
        """The number of messages that were dropped because the ring was full."""
        samples = self._schedules['left_out']
        return sum(int(samples[member['schedule']]) for member in self._members)

    @property
    def unsent(self) -> int:
        """The number of messages in the samples that wait for the reader."""
        record, schedules = self._record, self._members['schedule']
        samples = self._order[np.arange(record.read, record.written) % self.capacity]
        return int(self._due[samples][:, schedules].sum())

    @property
    def is_busy(self) -> bool:
        """Whether a sample waits to be read or is being read."""
        return bool(self._record.read != self._record.written)

    @property
    def current(self) -> Outlet | None:
        """The outlet whose message is being filled or sent."""
        index = int(self._record.current)
        return self.outlets[index - 1] if index else None

    def _want(self, wanted: int) -> None:
        self._record.wanted = wanted
        os.eventfd_write(self._event, 1)

    def _lay_out(self, schedules: int) -> None:
        """Allocates the memory of each slot and each outlet."""
        model, sizes = self._model, [outlet.copied_bytes for outlet in self.outlets]
        padded = [-(-size // _ALIGNMENT) * _ALIGNMENT for size in sizes]
        offsets = np.concatenate([[0], np.cumsum(padded)]).astype(int)
        for member, outlet, offset in zip(self._members, self.outlets, offsets, strict=False):
            member['outlet'] = outlet.address
            member['copied'] = offset if outlet.copied_bytes else -1
        capacity = len(self._copies)
        self._slots = np.zeros(capacity, SLOT)
        self._passive = np.zeros((capacity, max(1, 2 * model.nv)))
        self._sensors = np.zeros((capacity, max(1, model.nsensordata)))
        self._due = np.zeros((capacity, schedules), np.uint8)
        self._states = np.zeros((capacity, int(offsets[-1]) + _ALIGNMENT), np.uint8)
        for index, slot in enumerate(self._slots):
            slot['data'] = address_of(self._copies[index])
            slot['passive'] = self._passive[index].ctypes.data
            slot['sensors'] = self._sensors[index].ctypes.data
            slot['due'] = self._due[index].ctypes.data
            start = self._states[index].ctypes.data
            # Aligns the first state; the padded sizes align the others.
            slot['states'] = -(-start // _ALIGNMENT) * _ALIGNMENT
        record = self._record
        self._order = np.zeros(capacity, np.int64)
        record.slots, record.order = self._slots.ctypes.data, self._order.ctypes.data
        record.capacity = capacity
        record.schedules, record.schedule_count = self._schedules.ctypes.data, schedules
        record.members, record.member_count = self._members.ctypes.data, len(self._members)

    def __del__(self) -> None:
        os.close(self._event)


def _due_s(outlet: Outlet, before: SampleRing | None) -> float:
    return _AT_ONCE if before is None else before.due_s(outlet)
