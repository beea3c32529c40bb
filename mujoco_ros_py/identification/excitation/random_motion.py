"""Random motions, with which a designed motion is compared."""

from __future__ import annotations

import numpy as np

from ..sequences import Array
from .joint_limits import JointLimits
from .sines import Motion

_MOST_VELOCITY, _MOST_ACCELERATION = 1.875, 5.7735
"""The largest velocity and acceleration of a quintic polynomial from 0 to 1 in 1 s, at rest at
both ends."""


def random_motion(
    random: np.random.Generator, start: Array, limits: JointLimits, times: Array
) -> Motion:
    """Returns moves between random positions, each as fast as the limits permit."""
    q, v, a = (np.zeros((len(times), len(start))) for _ in range(3))
    begin, at = 0.0, start
    while begin < times[-1]:
        target = random.uniform(limits.low, limits.high)
        way = target - at
        duration = float(
            np.max(
                np.maximum(
                    _MOST_VELOCITY * np.abs(way) / limits.velocity,
                    np.sqrt(_MOST_ACCELERATION * np.abs(way) / limits.acceleration),
                )
            )
        )
        inside = (times >= begin) & (times <= begin + duration)
        part = ((times[inside] - begin) / duration)[:, None]
        q[inside] = at + way * (part**3 * (10.0 - 15.0 * part + 6.0 * part**2))
        v[inside] = way * 30.0 * part**2 * (1.0 - part) ** 2 / duration
        a[inside] = way * 60.0 * part * (1.0 - part) * (1.0 - 2.0 * part) / duration**2
        begin, at = begin + duration, target
    return Motion(times, q, v, a)
