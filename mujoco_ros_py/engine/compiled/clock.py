"""Compiled: publishes the times of the physics loop, as often as subscribers need.

A time is due if it is the first at or after a multiple of the period that plugins need, or of the
lockstep's period. Both periods are in simulated time, and their multiples are counted from the
beginning of the epoch. Without a lockstep, other times are also published, with a wall-time rate
limit.
"""

from __future__ import annotations

import numpy as np

from ..message_records import CLOCK, INLETS, LOCKSTEP
from ..records import LOOP, TIMES
from .addresses import record_at
from .own_functions import own_function
from .stamp_memory import set_stamp_at
from .system import (
    acquire,
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
"""The maximum duration of a wait in ns; the watchdog expects `turns` to keep increasing."""
_EARLY = 0.01
"""Tolerance in steps for a time just before a multiple: times are sums of rounded timesteps."""
_NUDGE_S = 1e-9
_MOST_NUDGES = 10
_ANY = -np.inf
"""The `time_due` of a clock that must be woken after each step."""


@own_function()
def note_time(loop: np.record) -> None:
    """Records the time after a step for the clock, and wakes the clock if it is waiting."""
    loop.unsent = 0
    loop.times[loop.time_count & (TIMES - 1)] = loop.ros_time
    release()
    # The time is written first, because the clock reads it as soon as the count has changed.
    loop.time_count += 1
    fence()
    if loop.time_awaited != 0:
        acquire()  # the clock wrote `time_due` before `time_awaited`
        if loop.ros_time >= loop.time_due:
            loop.time_awaited = 0
            signal(loop.time_event)


def run_clock(address: int) -> int:
    """Publishes times as the loop records them, until Python sets `wanted`."""
    clock = record_at(address, CLOCK)
    loop = record_at(clock.loop, LOOP)
    while clock.wanted == 0:
        clock.turns += 1
        lock_mutex(address + _LOCK)
        pause_ns = _send_new(clock, loop)
        loop.time_due = _ANY
        if pause_ns > 0 or loop.lockstep != 0:  # steps in between do not have to wake this thread
            loop.time_due = _next_due(clock, loop)
        unlock_mutex(address + _LOCK)
        release()
        # Written after `time_due`, which the loop reads only if this flag is set.
        loop.time_awaited = 1
        fence()
        # A time that was written before the flag was visible has not woken this thread.
        missed = loop.time_count != clock.looked_count and loop.ros_time >= loop.time_due
        if not missed and clock.wanted == 0:
            wait(loop.time_event, min(pause_ns if pause_ns > 0 else clock.repeat_ns, _LOOK_NS))
    return 0


def send_now(address: int) -> int:
    """Publishes the times that are due, and the current time."""
    clock = record_at(address, CLOCK)
    loop = record_at(clock.loop, LOOP)
    lock_mutex(address + _LOCK)
    before = clock.published
    _send_due(clock, loop)
    if clock.epoch != loop.epoch:
        clock.epoch, clock.origin = loop.epoch, loop.ros_time
    # Time jumped back, so the nudges that were added to later times do not apply.
    if loop.ros_time < clock.sent:
        clock.nudge_s, clock.nudged = 0.0, -1.0
    if clock.published == before or clock.sent != loop.ros_time:
        _send(clock, loop.ros_time)
    clock.looked = loop.ros_time  # the next step is compared with this time, also after a jump
    loop.time_due = _ANY
    unlock_mutex(address + _LOCK)
    return 0


@own_function()
def _sends_each(clock: np.record, loop: np.record) -> bool:
    """Returns whether steps are far enough apart to publish each time."""
    step_ns = loop.step_ns
    each: bool = loop.lockstep == 0 and step_ns > 0 and step_ns * 1.001 >= clock.least_period_ns
    return each


@own_function()
def _send_new(clock: np.record, loop: np.record) -> int:
    """Publishes new times; returns the ns until the newest time can be published, or 0."""
    _send_due(clock, loop)
    passed = monotonic_ns() - clock.sent_ns
    new = loop.lockstep == 0 and clock.sent != clock.looked
    if new and passed < clock.least_period_ns:
        left_ns: int = clock.least_period_ns - passed
        return left_ns
    if new:
        _send(clock, clock.looked)
    elif passed >= clock.repeat_ns:
        _nudge(clock, loop)
        _send(clock, clock.sent if clock.published > 0 else loop.ros_time)
    return 0


@own_function()
def _nudge(clock: np.record, loop: np.record) -> None:
    """Makes a repeated time 1 ns later while a lockstep by arrival holds the loop.

    `sleep_until` of rclcpp and rclpy only wakes when the time changes, and may miss a change
    between reading the time and waiting. All later times are shifted by the same amount, so the
    periods between them stay the same.
    """
    if loop.lockstep == 0 or loop.inlets == 0 or loop.paused != 0:
        return
    if record_at(loop.inlets, INLETS).by_arrival == 0:
        return
    if clock.nudged != clock.sent:
        clock.nudged, clock.nudges = clock.sent, 0
    if clock.nudges < _MOST_NUDGES:
        clock.nudges += 1
        clock.nudge_s += _NUDGE_S


@own_function()
def _send_due(clock: np.record, loop: np.record) -> None:
    """Publishes the new times that are due, in order, or all new times if steps are slow."""
    each, locked_s = _sends_each(clock, loop), _lockstep_period(loop)
    count = loop.time_count
    fence()
    number = clock.looked_count
    while number < count:
        time = loop.times[number & (TIMES - 1)]
        fence()
        # Checks the count after reading the time, because the loop may have overwritten the entry
        # by then. In this case the clock skips all times but the newest.
        if loop.time_count - number >= TIMES:
            count = loop.time_count
            number = count - 1
            last = loop.times[(number - 1) & (TIMES - 1)]
            passed = _multiple(clock, last, clock.period_s)
            passed -= _multiple(clock, clock.looked, clock.period_s)
            clock.left_out += max(0, passed)
            clock.looked = last
            continue
        if time > clock.looked:
            clock.early_s = _EARLY * (time - clock.looked)
        due = _reaches(clock, time, clock.period_s) or _reaches(clock, time, locked_s)
        clock.looked = time
        if each or due:
            _send(clock, time)
        number += 1
    clock.looked_count = count


@own_function()
def _lockstep_period(loop: np.record) -> float:
    """Returns the lockstep's period in s, or 0 without a lockstep."""
    if loop.lockstep == 0:
        return 0.0
    period_s: float = record_at(loop.lockstep, LOCKSTEP).period_s
    return period_s


@own_function()
def _multiple(clock: np.record, time: float, period_s: float) -> int:
    """Returns the number of periods between the beginning of the epoch and a time."""
    if period_s <= 0.0 or time != time:
        return 0
    number: int = np.int64(np.floor((time - clock.origin + clock.early_s) / period_s))
    return number


@own_function()
def _reaches(clock: np.record, time: float, period_s: float) -> bool:
    """Returns whether a time is the first at or after a multiple of the period."""
    before = _multiple(clock, clock.looked, period_s)
    reaches: bool = _multiple(clock, time, period_s) != before
    return reaches


@own_function()
def _next_due(clock: np.record, loop: np.record) -> float:
    """Returns the next due time in simulated time, or inf without a period."""
    due = np.inf
    for period_s in (clock.period_s, _lockstep_period(loop)):
        if period_s > 0.0:
            number = _multiple(clock, clock.looked, period_s) + 1
            due = min(due, clock.origin + number * period_s - clock.early_s)
    return due


@own_function()
def _send(clock: np.record, time: float) -> None:
    set_stamp_at(clock.stamp, time + clock.nudge_s)
    if call_at(clock.publish, clock.handle, clock.message, 0, 0) != 0:
        clock.errors += 1
        call_at(clock.forget_error, 0, 0, 0, 0)
    clock.published += 1
    clock.sent, clock.sent_ns = time, monotonic_ns()
