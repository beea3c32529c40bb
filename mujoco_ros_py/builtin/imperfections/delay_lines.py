"""Compiled: delay lines for numbers that change at each evaluation of the forces.

A line stores numbers in a ring, each with its simulated time and the time at which it is due.
Before an evaluation at time t stores its number, it removes all numbers with times of t or later.
Repeated forward passes and the stages of RK4 therefore do not change the result.
"""

from __future__ import annotations

import math
from typing import Any

import mujoco
import numpy as np

from ...plugins.compiled_code import inlined, separate
from .numbers import EARLY_S

LEAST, MOST = 16, 65_536
"""The minimum and maximum size of a line."""
_SPARE = 4
_RK4 = int(mujoco.mjtIntegrator.mjINT_RK4)


def capacity(model: mujoco.MjModel, delay_s: float) -> int:
    """Returns the size that a delay needs: a power of two, which can exceed `MOST`."""
    needed = max(LEAST, delay_s / _period_s(model) + _SPARE)
    return int(2 ** math.ceil(math.log2(needed)))


def longest_s(model: mujoco.MjModel, size: int) -> float:
    """Returns the longest delay for which a size is enough."""
    return (size - _SPARE) * _period_s(model)


def _period_s(model: mujoco.MjModel) -> float:
    """Returns the interval at which forces are evaluated: a step, or half a step with RK4."""
    rk4 = model.opt.integrator == _RK4
    return float(model.opt.timestep) / (2 if rk4 else 1)


@inlined
def delayed(line: Any, ring: Any, delay_s: float, value: float, time: float) -> Any:
    """Stores a number, and returns the number from `delay_s` ago.

    `line` has the fields `head`, `stored` and `held`. `ring` has rows of time, value and due time;
    their count is a power of two. Until a stored number is old enough, this returns `held`, the
    number delivered last. If the ring is full, the newest number is replaced: it is lost, but the
    delay stays correct.
    """
    size = len(ring)
    last = size - 1  # also the mask of indices, because the size is a power of two
    # a restored state may contain any numbers
    head, stored = line.head & last, min(max(line.stored, 0), size)
    while stored > 0 and ring[(head + stored - 1) & last, 0] >= time:
        stored -= 1
    stored = min(stored, last)
    newest = (head + stored) & last
    ring[newest, 0], ring[newest, 1], ring[newest, 2] = time, value, time + delay_s
    stored += 1
    due = time - delay_s + EARLY_S
    while stored > 1 and ring[(head + 1) & last, 0] <= due:
        head = (head + 1) & last
        stored -= 1
    if ring[head, 0] <= due:
        line.held = ring[head, 1]
    line.head, line.stored = head, stored
    return line.held


@separate
def delay_each(line: Any, ring: Any, delay_s: float, value: float, time: float) -> None:
    """Stores a number that has its own delay, and sets `held` to the number that arrived last.

    A negative delay stores nothing. Like `delayed`, but `line` also has the fields `keep_order`
    and `due`, the time at which the last number that keeps the order is due.
    """
    last = len(ring) - 1
    head, stored = line.head & last, min(max(line.stored, 0), len(ring))
    while stored > 0 and ring[(head + stored - 1) & last, 0] >= time:
        stored -= 1
    if delay_s >= 0.0:
        stored = min(stored, last)
        due = time + delay_s
        if line.keep_order != 0:
            due = max(due, line.due)
            line.due = due
        newest = (head + stored) & last
        ring[newest, 0], ring[newest, 1], ring[newest, 2] = time, value, due
        stored += 1
    latest = -np.inf
    for n in range(stored):
        place = (head + n) & last
        if latest <= ring[place, 2] <= time + EARLY_S:
            latest, line.held = ring[place, 2], ring[place, 1]
    for n in range(stored):
        place = (head + n) & last
        if ring[place, 2] <= time + EARLY_S:
            ring[place, 2] = np.inf  # has arrived
    while stored > 0 and ring[head, 2] == np.inf:
        head = (head + 1) & last
        stored -= 1
    line.head, line.stored = head, stored
