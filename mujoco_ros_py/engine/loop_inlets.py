"""The inlets of a physics loop, and the lockstep, which waits for messages from some of them."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import own_code
from .crash_line import watch
from .message_ends import Inlet
from .message_records import INLETS, LOCKSTEP
from .records import structure


class InletTable:
    """A list of inlets for compiled code: the addresses of their records, in order."""

    def __init__(self, loop: Any, inlets: Sequence[Inlet] = ()) -> None:
        """`loop` is the LOOP record; it must outlive this object."""
        self.inlets: list[Inlet] = []
        """The inlets of the table. The table keeps them alive."""
        self._tables = np.zeros(1, INLETS)
        self.record = structure(INLETS).from_buffer(self._tables)
        self.record.loop = ctypes.addressof(loop)
        self.address = int(self._tables.ctypes.data)
        self._addresses = np.zeros(1, np.int64)
        self.replace(inlets)

    def replace(self, inlets: Sequence[Inlet]) -> None:
        """Replaces the inlets of the table, which compiled code must not be using."""
        self.inlets = list(inlets)
        self._addresses = np.array([inlet.address for inlet in inlets] or [0], np.int64)
        self.record.addresses, self.record.count = self._addresses.ctypes.data, len(inlets)
        names = [f'the function that reads {inlet.name}' for inlet in inlets]
        # Watched until the array is freed, when the table gets other inlets.
        watch(self._addresses, self.address, INLETS, 'running', names)


class LoopInlets:
    """The inlets of one loop. Only the thread that runs the loop may use them."""

    def __init__(self, loop: Any) -> None:
        """`loop` is the LOOP record; it must outlive this object."""
        self._loop = loop
        self.table = InletTable(loop)
        self._locksteps = np.zeros(1, LOCKSTEP)
        self._lockstep = structure(LOCKSTEP).from_buffer(self._locksteps)

    def take_from(self, inlets: Sequence[Inlet]) -> None:
        """Makes the loop take messages from these inlets, and no others, before each step."""
        if inlets:
            self._loop.take = own_code.function('take_messages').address
            self._loop.take_all = own_code.function('take_all').address
        self.table.replace(inlets)
        self._loop.inlets = self.table.address if inlets else 0

    def lock(self, period_s: float, limit_s: float, *, by_arrival: bool = False) -> None:
        """Makes the loop stop at the end of each period until all awaited inlets have answered.

        `period_s` is simulated time. If answers are still missing after `limit_s` of wall time (0
        for no limit), the loop's `run` returns AWAITED, once per wait. A message answers the state
        with the same stamp or, with `by_arrival`, the latest state before the message arrived.
        """
        lock, table = self._lockstep, self.table.record
        lock.period_s, lock.limit_ns = period_s, round(limit_s * 1e9)
        lock.epoch = table.skipped_ns = -1
        own_code.prepare(own_code.LOCKSTEP)
        loop = self._loop
        for name in ('await_answers', 'take_earlier', 'repeat'):
            setattr(loop, name, own_code.function(name).address)
        lock.take_answers = own_code.function('take_answers').address
        lock.loop = ctypes.addressof(loop)
        table.by_arrival = int(by_arrival)
        loop.lockstep = self._locksteps.ctypes.data

    def pass_period(self) -> None:
        """Makes the loop continue without the missing answers of this period."""
        self._lockstep.go_on = 1

    def await_again(self) -> None:
        """Restarts the wait for this period's answers, sending the state again until they come."""
        self._lockstep.since_ns = self._lockstep.reported = 0
        self._lockstep.resumed = 1

    @property
    def unanswered(self) -> list[str]:
        """The names of the inlets that have not answered the current state."""
        now_ns = round(self._loop.ros_time * 1e9)
        awaited = [each for each in self.table.inlets if each.record.awaited and not each.closed]
        return [inlet.name for inlet in awaited if inlet.record.answered_ns != now_ns]
