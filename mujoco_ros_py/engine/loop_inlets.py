"""The inlets of a physics loop, and the lockstep that awaits the messages of some of them."""

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
    """Inlets as compiled code goes through them: the addresses of their records, in order."""

    def __init__(self, loop: Any, inlets: Sequence[Inlet] = ()) -> None:
        """`loop` is the LOOP record, which lives as long as this object."""
        self.inlets: list[Inlet] = []
        """The inlets of the table, which live as long as they are in it."""
        self._tables = np.zeros(1, INLETS)
        self.record = structure(INLETS).from_buffer(self._tables)
        self.record.loop = ctypes.addressof(loop)
        self.address = int(self._tables.ctypes.data)
        self._addresses = np.zeros(1, np.int64)
        self.replace(inlets)

    def replace(self, inlets: Sequence[Inlet]) -> None:
        """Sets these inlets and no others from now on; no compiled code may run meanwhile."""
        self.inlets = list(inlets)
        self._addresses = np.array([inlet.address for inlet in inlets] or [0], np.int64)
        self.record.addresses, self.record.count = self._addresses.ctypes.data, len(inlets)
        names = [f'the function that reads {inlet.name}' for inlet in inlets]
        # With the array as its owner, which is another one for each set of inlets.
        watch(self._addresses, self.address, INLETS, 'running', names)


class LoopInlets:
    """The inlets from which one loop takes messages; only the thread that runs it may use them."""

    def __init__(self, loop: Any) -> None:
        """`loop` is the LOOP record, which lives as long as this object."""
        self._loop = loop
        self.table = InletTable(loop)
        self._locksteps = np.zeros(1, LOCKSTEP)
        self._lockstep = structure(LOCKSTEP).from_buffer(self._locksteps)

    def take_from(self, inlets: Sequence[Inlet]) -> None:
        """Takes messages from these inlets, and from no others, before each step."""
        if inlets:
            self._loop.take = own_code.function('take_messages').address
            self._loop.take_all = own_code.function('take_all').address
        self.table.replace(inlets)
        self._loop.inlets = self.table.address if inlets else 0

    def lock(self, period_s: float, limit_s: float, *, by_arrival: bool = False) -> None:
        """Has the loop make no step past a period without the answers of all awaited inlets.

        `period_s` is simulated time. After `limit_s` of wall time without the answers (0: never),
        `run` of the loop returns AWAITED once. A message answers the state whose stamp it has, or
        `by_arrival` the one before it.
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
        """Has the loop go on without the answers of this period."""
        self._lockstep.go_on = 1

    def await_again(self) -> None:
        """Begins to wait for the answers of this period anew, and repeats the state meanwhile."""
        self._lockstep.since_ns = self._lockstep.reported = 0
        self._lockstep.resumed = 1

    @property
    def unanswered(self) -> list[str]:
        """The names of the inlets whose answer to the state of this moment has not come."""
        now_ns = round(self._loop.ros_time * 1e9)
        awaited = [each for each in self.table.inlets if each.record.awaited and not each.closed]
        return [inlet.name for inlet in awaited if inlet.record.answered_ns != now_ns]
