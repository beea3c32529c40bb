"""Publishes the times of a physics loop, in compiled code."""

from __future__ import annotations

import ctypes
import os

import numpy as np

from . import own_code
from .message_ends import Port
from .message_records import CLOCK
from .records import structure


class LoopClock:
    """Publishes the times of a loop: every time, or at a limited rate if steps are fast.

    The times at multiples of `period_s` and of the lockstep's period are always published. `run`
    publishes times as the loop produces them, on the thread that calls it. `send_now` can be
    called on any other thread; the times stay in order.
    """

    def __init__(
        self,
        loop: int,
        event: int,
        port: Port,
        stamp: int,
        *,
        least_period_s: float,
        repeat_s: float,
    ) -> None:
        """`loop` is the address of the LOOP record, and `event` its eventfd for new times.

        `stamp` is the address of the time in the message. `least_period_s` is the minimum wall
        time between messages with times that are not at multiples of a period. `repeat_s` is the
        wall time after which an unchanged time is published again.
        """
        for name in ('run_clock', 'send_now'):
            own_code.function(name)
        self._records = np.zeros(1, CLOCK)
        self._record = structure(CLOCK).from_buffer(self._records)
        self._address = int(self._records.ctypes.data)
        self._event, self._port, self._released = event, port, False
        record = self._record
        record.loop, record.stamp = loop, stamp
        # Earlier than any time of the loop. With 0, the time 0 would not count as new.
        record.sent = record.looked = record.nudged = -1.0
        record.epoch = -1
        record.publish, record.handle, record.message = port.call, port.handle, port.message
        record.forget_error = port.forget_error
        record.least_period_ns = int(least_period_s * 1e9)
        record.repeat_ns = int(repeat_s * 1e9)
        lock = self._address + CLOCK.fields['lock'][1]  # type: ignore[index]
        # The mutex is part of the record because compiled code locks it without the GIL.
        ctypes.CDLL(None).pthread_mutex_init(ctypes.c_void_p(lock), None)

    def run(self) -> None:
        """Publishes times until `stop` is called."""
        own_code.call('run_clock')(self._address)

    def stop(self) -> None:
        """Makes `run` return soon."""
        self._record.wanted = 1
        os.eventfd_write(self._event, 1)

    def send_now(self) -> None:
        """Publishes pending times and the current time before returning."""
        own_code.call('send_now')(self._address)

    def release(self) -> None:
        """Releases the port. `run` must have returned, and `send_now` must not be called again."""
        released, self._released = self._released, True
        if not released:
            self._port.release()

    @property
    def period_s(self) -> float:
        """Period of simulated time at whose multiples the time is always sent; 0 disables it."""
        return float(self._record.period_s)

    @period_s.setter
    def period_s(self, period_s: float) -> None:
        self._record.period_s = period_s
        # The thread may be sleeping until a multiple of the old period.
        os.eventfd_write(self._event, 1)

    @property
    def left_out(self) -> int:
        """Number of multiples of `period_s` whose time was overwritten before it was sent."""
        return int(self._record.left_out)

    @property
    def turns(self) -> int:
        """A number that keeps changing while `run` is running."""
        return int(self._record.turns)

    @property
    def published(self) -> int:
        """The number of published messages."""
        return int(self._record.published)
