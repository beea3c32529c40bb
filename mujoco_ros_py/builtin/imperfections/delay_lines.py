"""Compiled: delay lines for numbers that change at each evaluation of the forces.

A line stores pairs of simulated time and number in a ring. Before an evaluation at time t stores
its pair, it removes all pairs with times of t or later. Repeated forward passes and the stages of
RK4 therefore do not change the result.
"""

from __future__ import annotations

import math
from typing import Any

import mujoco

from ...plugins.compiled_code import inlined
from .numbers import EARLY_S

LEAST, MOST = 16, 65_536
"""The minimum and maximum number of pairs in a line."""
_SPARE = 4
_RK4 = int(mujoco.mjtIntegrator.mjINT_RK4)


def capacity(model: mujoco.MjModel, delay_s: float) -> int:
    """Returns how many pairs a delay needs: a power of two, which can exceed `MOST`."""
    needed = max(LEAST, delay_s / _period_s(model) + _SPARE)
    return int(2 ** math.ceil(math.log2(needed)))


def longest_s(model: mujoco.MjModel, size: int) -> float:
    """Returns the longest delay for which `size` pairs are enough."""
    return (size - _SPARE) * _period_s(model)


def _period_s(model: mujoco.MjModel) -> float:
    """Returns the interval at which forces are evaluated: a step, or half a step with RK4."""
    rk4 = model.opt.integrator == _RK4
    return float(model.opt.timestep) / (2 if rk4 else 1)


@inlined
def delayed(line: Any, ring: Any, delay_s: float, value: float, time: float) -> Any:
    """Stores a number, and returns the number from `delay_s` ago.

    `line` has the fields `head`, `stored` and `held`. `ring` has rows of time and value; their
    count is a power of two. Until a stored number is old enough, this returns `held`, the number
    delivered last. If the ring is full, the newest pair is replaced: a number is lost, but the
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
    ring[newest, 0], ring[newest, 1] = time, value
    stored += 1
    due = time - delay_s + EARLY_S
    while stored > 1 and ring[(head + 1) & last, 0] <= due:
        head = (head + 1) & last
        stored -= 1
    if ring[head, 0] <= due:
        line.held = ring[head, 1]
    line.head, line.stored = head, stored
    return line.held
