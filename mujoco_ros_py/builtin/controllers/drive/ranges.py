"""The ranges of a joint's positions and efforts, from the model and the configuration."""

from __future__ import annotations

import math

import mujoco

from ....errors import ConfigError
from .config import Gains, JointLimits
from .driven_joint import DrivenJoint

Range = tuple[float, float]
"""A lower and an upper bound."""


def position_range(
    model: mujoco.MjModel, joint: DrivenJoint, limits: JointLimits, gains: Gains, *, servo: bool
) -> Range:
    """Returns the range of the positions that may be asked for, in rad or m.

    `servo` tells whether the actuator's own servo moves the joint. Raises ConfigError if the
    configured range has nothing in common with that of the model, and for a joint that is to turn
    the shorter way round and has limits.
    """
    low, high = -math.inf, math.inf
    if model.jnt_limited[joint.id]:
        low, high = map(float, model.jnt_range[joint.id])
    if servo and joint.actuator is not None:
        least, most = joint.actuator.positions
        low, high = max(low, least), min(high, most)
    if limits.has_position_limits:
        least, most = limits.min_position, limits.max_position
        if least > high or most < low:
            raise ConfigError(
                f'joint_limits.{joint.name}: positions from {least:g} to {most:g} are all outside'
                f' of those of the model, {low:g} to {high:g}'
            )
        low, high = max(low, least), min(high, most)
    if gains.angle_wraparound and (low, high) != (-math.inf, math.inf):
        raise ConfigError(
            f'gains.{joint.name}.angle_wraparound needs a joint without position limits, and it'
            f' has {low:g} to {high:g}'
        )
    return low, high


def effort_range(
    model: mujoco.MjModel, joint: DrivenJoint, limits: JointLimits, gains: Gains
) -> Range:
    """Returns the range of the effort in N m or N that model and configuration permit."""
    low, high = gains.u_clamp_min, gains.u_clamp_max
    if limits.has_effort_limits:
        low, high = max(low, -limits.max_effort), min(high, limits.max_effort)
    if model.jnt_actfrclimited[joint.id]:
        least, most = map(float, model.jnt_actfrcrange[joint.id])
        low, high = max(low, least), min(high, most)
    if joint.actuator is not None:
        least, most = joint.actuator.efforts
        low, high = max(low, least), min(high, most)
    return low, high
