"""Compiled: moves a reference within limits of velocity and acceleration."""

from __future__ import annotations

import math
from typing import Any

from ....plugins.compiled_code import inlined


@inlined
def stopping_velocity(distance: float, acceleration: float, timestep: float) -> Any:
    """Returns the largest velocity that can be stopped within a distance.

    The velocity is constant within each step, and decreases by acceleration * timestep from step
    to step. After n whole decreases from the velocity v, the distance is
    (n + 1) * timestep * (v - n * acceleration * timestep / 2).
    """
    if math.isinf(acceleration) or math.isinf(distance):
        return distance / timestep
    unit = acceleration * timestep * timestep
    whole = math.floor((math.sqrt(1.0 + 8.0 * distance / unit) - 1.0) / 2.0)
    return distance / ((whole + 1.0) * timestep) + whole * acceleration * timestep / 2.0


@inlined
def approaching_velocity(
    distance: float, target_velocity: float, acceleration: float, timestep: float
) -> Any:
    """Returns the velocity that brings a reference to a possibly moving target.

    `distance` is the distance from the current reference to the target at the end of the step.
    """
    ahead = distance - target_velocity * timestep
    closing = stopping_velocity(abs(ahead), acceleration, timestep)
    return target_velocity + math.copysign(closing, ahead)


@inlined
def limited_velocity(
    wanted: float,
    before: float,
    above: float,
    below: float,
    largest: float,
    acceleration: float,
    timestep: float,
) -> Any:
    """Returns the allowed velocity nearest to `wanted`.

    `before` is the velocity of the last step; `above` and `below` are the distances to the upper
    and lower position limits. The motion must be able to stop before these limits.
    """
    up = min(largest, stopping_velocity(max(above, 0.0), acceleration, timestep))
    down = min(largest, stopping_velocity(max(below, 0.0), acceleration, timestep))
    velocity = max(-down, min(up, wanted))
    change = acceleration * timestep
    return max(before - change, min(before + change, velocity))


@inlined
def stopping_distance(velocity: float, acceleration: float, timestep: float) -> Any:
    """Returns the signed distance that a motion covers while it stops, after the current step.

    `velocity` is the velocity of the current step.
    """
    if math.isinf(acceleration):
        return 0.0
    change = acceleration * timestep
    whole = math.floor(abs(velocity) / change)
    distance = (whole + 1.0) * timestep * (abs(velocity) - whole * change / 2.0)
    return math.copysign(distance - abs(velocity) * timestep, velocity)
