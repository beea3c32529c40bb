"""Compiled: sends the times that the physics loop has made, each of them or at a limited rate."""

from __future__ import annotations

from typing import Any

from numba import carray, njit

from ..message_records import CLOCK
from ..records import LOOP, TIMES
from .dispatch import pointer_to
from .stamp_memory import set_stamp_at
from .system import (
    call_at,
    fence,
    lock_mutex,
    monotonic_ns,
    release,
    signal,
    unlock_mutex,
    wait,
)

_LOCK = int(CLOCK.fields['lock'][1])  # type: ignore[index]
"""The offset of the mutex in the CLOCK record."""
_LOOK_NS = 500_000_000
"""The longest wait in ns, as whoever watches over the thread looks for turns."""


@njit(nogil=True)
def note_time(loop: Any) -> None:
    """Keeps the time after a step for the clock, and wakes the clock if it waits."""
    loop.times[loop.time_count & (TIMES - 1)] = loop.time
    release()
    loop.time_count += 1
    fence()
    if loop.time_awaited != 0:
        loop.time_awaited = 0
        signal(loop.time_event)


def run_clock(address: int) -> int:
    """Sends the times as they come, until Python is wanted."""
    clock = carray(pointer_to(address), 1, CLOCK)[0]
    loop = carray(pointer_to(clock.loop), 1, LOOP)[0]
    while clock.wanted == 0:
        clock.turns += 1
        lock_mutex(address + _LOCK)
        pause_ns = _send_new(clock, loop)
        unlock_mutex(address + _LOCK)
        if pause_ns > 0:  # a new time has to wait
            wait(loop.time_event, min(pause_ns, _LOOK_NS))
            continue
        loop.time_awaited = 1
        fence()
        if loop.time_count == clock.sent_count and clock.wanted == 0:
            wait(loop.time_event, clock.repeat_ns)
    return 0


def send_now(address: int) -> int:
    """Sends the times that wait, and the present time."""
    clock = carray(pointer_to(address), 1, CLOCK)[0]
    loop = carray(pointer_to(clock.loop), 1, LOOP)[0]
    lock_mutex(address + _LOCK)
    before = clock.published
    if _sends_each(clock, loop):
        _send_each(clock, loop)
    clock.sent_count = loop.time_count
    if clock.published == before or clock.sent != loop.time:
        _send(clock, loop.time)
    unlock_mutex(address + _LOCK)
    return 0


@njit(nogil=True)
def _sends_each(clock: Any, loop: Any) -> bool:
    """Returns whether the steps are so far apart that each time may be sent."""
    step_ns = loop.step_ns
    each: bool = step_ns > 0 and step_ns * 1.001 >= clock.least_period_ns
    return each


@njit(nogil=True)
def _send_new(clock: Any, loop: Any) -> int:
    """Sends the new times; returns how long one of them has to wait in ns, 0 if none does."""
    each = _sends_each(clock, loop)
    if each:
        _send_each(clock, loop)
    passed = monotonic_ns() - clock.sent_ns
    new = not each and (clock.sent_count != loop.time_count or clock.sent != loop.time)
    if new and passed < clock.least_period_ns:
        left_ns: int = clock.least_period_ns - passed
        return left_ns
    if new or passed >= clock.repeat_ns:
        clock.sent_count = loop.time_count
        _send(clock, loop.time)
    return 0


@njit(nogil=True)
def _send_each(clock: Any, loop: Any) -> None:
    """Sends all times since the last one that was sent, as far as they are still known."""
    count = loop.time_count
    fence()
    for number in range(max(clock.sent_count, count - TIMES), count):
        _send(clock, loop.times[number & (TIMES - 1)])
    clock.sent_count = count


@njit(nogil=True)
def _send(clock: Any, time: float) -> None:
    set_stamp_at(clock.stamp, time)
    if call_at(clock.publish, clock.handle, clock.message, 0, 0) != 0:
        clock.errors += 1
        call_at(clock.forget_error, 0, 0, 0, 0)
    clock.published += 1
    clock.sent, clock.sent_ns = time, monotonic_ns()
