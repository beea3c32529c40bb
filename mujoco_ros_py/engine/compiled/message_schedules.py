"""Compiled: decides when the messages of a ring are due, in simulated time.

Each schedule of a ring has a beat: its messages are due at the multiples of its period since the
start of the epoch. If the simulation is unthrottled and not in lockstep, at least one period of
wall time also passes between two messages.
"""

from __future__ import annotations

import numpy as np

from ..message_records import SCHEDULE
from .addresses import array_at
from .own_functions import own_function
from .system import monotonic_ns

_NOW = -np.inf
_EARLY = 0.01
"""Tolerance in timesteps for an early message, because times are sums of rounded timesteps."""
_MOST_LATE = 1e6
"""A schedule that seems late by more periods than this has just started: its due time is `_NOW`,
and it has dropped no messages."""
_LOOK_NS = 20_000
"""Approximate minimum interval in ns between readings of the wall clock. A reading takes about 1 %
of the shortest step."""
_MOST_TURNS = 16
"""Maximum number of loop turns between two readings."""
_ROUNDING = 1e-6
"""Tolerance in periods for rounding errors of a multiple."""


@own_function()
def note_due(loop: np.record, ring: np.record, time: float, timestep: float) -> bool:
    """Records in each schedule whether it is due; returns whether any schedule is due.

    A requested sample (`ring.again`) is due only in two cases: while the loop is paused, so that
    the request has no effect on later steps, and if the loop sends the messages itself (`inline`).
    """
    schedules = array_at(ring.schedules, ring.schedule_count, SCHEDULE)
    unthrottled = np.int64(loop.realtime < 0 and loop.lockstep == 0)
    # `due_s` is a wall time if the simulation is unthrottled, and a simulated time otherwise.
    # Therefore it is recomputed if `unthrottled` has changed.
    if ring.epoch != loop.epoch or ring.unthrottled != unthrottled:
        for index in range(len(schedules)):
            schedule = schedules[index]
            schedule.due_s = _first(loop, ring, schedule.period_s, time, timestep)
        ring.epoch, ring.unthrottled, ring.looks_in = loop.epoch, unthrottled, 0
    now = time
    if unthrottled:
        left = ring.looks_in - 1
        ring.looks_in = left
        if left > 0 and ring.again == 0:
            return False
        now = _look(ring) * 1e-9
    early = _EARLY * timestep
    stands = ring.inline != 0 or (loop.paused != 0 and loop.burst == 0)
    again = ring.again != 0 and stands
    found = False
    for index in range(len(schedules)):
        schedule = schedules[index]
        due = now >= schedule.due_s - early
        # Wall time limits the rate, and the beat of simulated time selects the step, so that two
        # topics with the same rate have equal stamps.
        if due and unthrottled and schedule.due_s != _NOW:
            due = _is_on_beat(time + early - loop.begin, timestep, schedule.period_s)
            if not due:
                ring.looks_in = 0  # looks at each step until one is on the beat
        schedule.due = np.int64(again or due)
        found = found or schedule.due != 0
    return found


@own_function()
def _first(
    loop: np.record, ring: np.record, period_s: float, time: float, timestep: float
) -> float:
    """Returns when the first message is due, after the epoch or `unthrottled` has changed."""
    if ring.epoch != loop.epoch:
        return _NOW
    due_s: float = monotonic_ns() * 1e-9
    if ring.unthrottled != 0:  # still the value before the change
        since = time + _EARLY * timestep - loop.begin
        due_s = loop.begin + _next_beat(since, period_s, 0.0)
    return due_s


@own_function()
def _is_on_beat(since: float, timestep: float, period_s: float) -> bool:
    """Returns whether a step is the first at or after a multiple of the period."""
    on_beat: bool = np.floor(since / period_s) != np.floor((since - timestep) / period_s)
    return on_beat


@own_function()
def _look(ring: np.record) -> int:
    """Reads the wall time in ns, and schedules the next reading."""
    now: int = monotonic_ns()
    passed = now - ring.looked_ns
    if passed < _LOOK_NS:
        ring.looks_each = min(max(ring.looks_each, 1) * 2, _MOST_TURNS)
    # Steps have become slow: reads the clock in each turn again.
    elif passed > 4 * _LOOK_NS:
        ring.looks_each = 1
    ring.looked_ns, ring.looks_in = now, ring.looks_each
    return now


@own_function()
def plan(loop: np.record, ring: np.record, slot: np.record, time: float, timestep: float) -> None:
    """Records in the slot which schedules were due, and computes their next due times.

    A schedule that was due only because the reader requested a sample keeps its due time. If a
    schedule is late, because the ring was full or is new, its next due time is again a multiple of
    its period.
    """
    schedules = array_at(ring.schedules, ring.schedule_count, SCHEDULE)
    due = array_at(slot.due, len(schedules), np.uint8)
    now, least_s = time, ring.least_period_ns * 1e-9 * loop.realtime
    if loop.lockstep != 0:  # a node is waiting for each message
        least_s = 0.0
    elif ring.unthrottled:
        now, least_s = monotonic_ns() * 1e-9, ring.least_period_ns * 1e-9
    early = _EARLY * timestep
    for index in range(len(schedules)):
        schedule = schedules[index]
        due[index] = schedule.due
        if schedule.due == 0 or now < schedule.due_s - early:
            continue
        period_s = max(schedule.period_s, least_s)
        late = max(0.0, (now - schedule.due_s) / period_s)
        if ring.full != 0 and late < _MOST_LATE:
            schedule.left_out += np.int64(late)
        if ring.unthrottled == 0:
            since = now + early - loop.begin
            schedule.due_s = loop.begin + _next_beat(since, schedule.period_s, least_s)
        elif late < _MOST_LATE:
            schedule.due_s += (np.floor(late) + 1.0) * period_s
        else:
            schedule.due_s = now + period_s
    ring.full = 0


@own_function()
def _next_beat(since: float, period_s: float, least_s: float) -> float:
    """Returns the next due time, a multiple of the period.

    Due times are on average at least `least_s` apart. `since` and the result are times since the
    start of the epoch.
    """
    mean_s = max(period_s, least_s)
    wanted: float = (np.floor(since / mean_s) + 1.0) * mean_s
    if mean_s > period_s:
        wanted = np.ceil(wanted / period_s - _ROUNDING) * period_s
    return wanted
