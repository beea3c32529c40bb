"""The velocity ramps, called from Python: with random commands, all limits are kept."""

from __future__ import annotations

import math
import random
from types import SimpleNamespace

import numpy as np
import pytest

from mujoco_ros_py.builtin.controllers.bases.base_config import AxisLimits
from mujoco_ros_py.builtin.controllers.bases.twist_commands import plan_axis

TIMESTEP_S = 0.002
STEPS = 1500
"""Enough to reach any velocity within the limits."""
ROUNDING = 1e-9


def ramps(limits: AxisLimits, wanted: list[float]) -> tuple[list[np.ndarray], np.ndarray]:
    """Returns the velocities on the way to each wanted velocity, and all velocities in a row."""
    row = limits.row
    jerk = math.isfinite(row['max_jerk']) or math.isfinite(row['min_jerk'])
    axis = SimpleNamespace(**row, has_jerk=jerk, velocity=0.0, acceleration=0.0)
    ways = []
    for each in wanted:
        way = [axis.velocity]
        for _ in range(STEPS):
            plan_axis(axis, each, TIMESTEP_S)
            axis.velocity, axis.acceleration = axis.next_velocity, axis.next_acceleration
            way.append(axis.velocity)
        ways.append(np.array(way))
    return ways, np.concatenate([[0.0, 0.0], *(way[1:] for way in ways)])


@pytest.mark.parametrize('seed', range(6))
@pytest.mark.parametrize('jerky', [False, True])
def test_random_velocities_are_reached_within_all_limits_and_without_overshoot(seed, jerky):
    draw = random.Random(seed)
    rates = {
        'max_acceleration': draw.uniform(0.5, 4.0),
        'max_deceleration': -draw.uniform(0.5, 4.0),
        'max_acceleration_reverse': -draw.uniform(0.5, 4.0),
        'max_deceleration_reverse': draw.uniform(0.5, 4.0),
    }
    jerks = {'max_jerk': draw.uniform(5.0, 40.0), 'min_jerk': -draw.uniform(5.0, 40.0)}
    limits = AxisLimits(**rates, **(jerks if jerky else {}))
    wanted = [draw.uniform(-1.0, 1.0) for _ in range(5)]
    ways, velocities = ramps(limits, wanted)

    for way, target in zip(ways, wanted, strict=True):
        assert way[-1] == target
        low, high = sorted((way[0], target))
        assert low - ROUNDING <= way.min() <= way.max() <= high + ROUNDING
    rate = np.diff(velocities) / TIMESTEP_S
    most = max(rates['max_acceleration'], rates['max_deceleration_reverse'])
    least = min(rates['max_deceleration'], rates['max_acceleration_reverse'])
    assert least - ROUNDING <= rate.min() <= rate.max() <= most + ROUNDING
    if jerky:
        jerk = np.diff(rate) / TIMESTEP_S
        assert jerks['min_jerk'] - 1e-6 <= jerk.min() <= jerk.max() <= jerks['max_jerk'] + 1e-6
