"""Compiled: the faults of one measured number, such as the position that an encoder reads."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...plugins.compiled_code import inlined

NUMBER = np.dtype(
    [
        ('begin', np.float64),
        ('end', np.float64),
        ('active', np.int64),
        ('scale', np.float64),
        ('offset', np.float64),
        ('drift', np.float64),
        ('sticks', np.int64),
        ('stuck', np.int64),
        ('held', np.float64),
        ('dead_zone', np.float64),
        ('step', np.float64),
    ]
)
"""The faults of one number, in the order of application. The number is multiplied by `scale`.
`offset` is added, and also `drift` times the time since `begin`. If `sticks` is set, the first
result since `begin` is stored in `held` and replaces all later results; `stuck` is then 1. A
result closer to 0 than `dead_zone` becomes 0. Unless `step` is 0, the result is rounded to
multiples of `step`.

`begin` and `end` are in s of simulated time. Before `begin`, from `end` on, and while `active` is
0, the number is not changed."""

EARLY_S = 1e-6
"""Simulated time is a sum of time steps, so it can be slightly less than the intended time. Times
that differ by less than this count as equal."""


@inlined
def within(row: Any, time: float) -> Any:
    """Returns whether a row with `begin`, `end` and `active` has an effect at a time."""
    return row.active != 0 and row.begin - EARLY_S <= time < row.end - EARLY_S


@inlined
def impaired(row: Any, value: float, time: float) -> Any:
    """Returns a number with the faults of a row of type `NUMBER` at a simulated time in s.

    The result depends only on the arguments, unless the number sticks: the row then stores the
    first result, until the function is called outside the row's time window.
    """
    if not within(row, time):
        row.stuck = 0
        return value
    value = row.scale * value + row.offset + row.drift * (time - row.begin)
    if row.sticks:
        if row.stuck == 0:
            row.held, row.stuck = value, 1
        value = row.held
    if abs(value) < row.dead_zone:
        value = 0.0
    if row.step > 0.0:
        value = np.rint(value / row.step) * row.step
    return value


@inlined
def impaired_velocity(row: Any, velocity: float, time: float) -> Any:
    """Returns the velocity that an encoder would derive from its faulty position.

    The velocity is 0 while the position sticks. Dead zone and rounding do not affect velocities.
    """
    if not within(row, time):
        return velocity
    if row.sticks:
        return 0.0
    return row.scale * velocity + row.drift
