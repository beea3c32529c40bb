"""Compiled: the motion of a reference within limits of velocity and acceleration."""

from __future__ import annotations

import math
from typing import Any

from ....plugins.compiled_code import inlined


@inlined
def stopping_velocity(distance: float, acceleration: float, timestep: float) -> Any:
    """Returns the largest velocity from which steps can come to rest within a distance.

    A step of constant velocity v is followed by one of v - acceleration timestep, and so on: with
    n whole steps of deceleration the distance is (n + 1) timestep (v - n acceleration timestep/2).
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
    """Returns the velocity that brings a reference to a target which may move.

    `distance` is that from the reference now to the target at the end of the step.
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
    """Returns the velocity nearest to the wanted one that all limits permit.

    `before` is the velocity of the last step; `above` and `below` are the distances to the upper
    and the lower limit of the position, before which the motion must come to rest.
    """
    up = min(largest, stopping_velocity(max(above, 0.0), acceleration, timestep))
    down = min(largest, stopping_velocity(max(below, 0.0), acceleration, timestep))
    velocity = max(-down, min(up, wanted))
    change = acceleration * timestep
    return max(before - change, min(before + change, velocity))


@inlined
def stopping_distance(velocity: float, acceleration: float, timestep: float) -> Any:
    """Returns how far a motion still goes, with its sign, after a step of this velocity."""
    if math.isinf(acceleration):
        return 0.0
    change = acceleration * timestep
    whole = math.floor(abs(velocity) / change)
    distance = (whole + 1.0) * timestep * (abs(velocity) - whole * change / 2.0)
    return math.copysign(distance - abs(velocity) * timestep, velocity)
