"""Computes a joint's position and effort ranges from the model and the configuration."""

from __future__ import annotations

import math

import mujoco

from ....errors import ConfigError
from .actuator_choice import DrivenJoint
from .actuator_laws import Law
from .drive_config import Gains, JointLimits

Range = tuple[float, float]
"""A lower and an upper bound."""


def position_range(
    model: mujoco.MjModel, joint: DrivenJoint, limits: JointLimits, gains: Gains, *, servo: bool
) -> Range:
    """Returns the range that position commands are clamped to, in rad or m.

    `servo` is whether the actuator's own servo moves the joint. Raises ConfigError if the
    configured range does not overlap the model's range, or if `angle_wraparound` is set for a
    joint with limits.
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
                f'joint_limits.{joint.name}: the position range {least:g} to {most:g} does not'
                f" overlap the model's range {low:g} to {high:g}"
            )
        low, high = max(low, least), min(high, most)
    if gains.angle_wraparound and (low, high) != (-math.inf, math.inf):
        raise ConfigError(
            f'gains.{joint.name}.angle_wraparound needs a joint without position limits, but the'
            f' joint is limited to {low:g} to {high:g}'
        )
    return low, high


def effort_range(
    model: mujoco.MjModel, joint: DrivenJoint, limits: JointLimits, gains: Gains
) -> Range:
    """Returns the joint's effort range in N m or N, from the model and the configuration.

    Raises ConfigError if the actuator's own servo would not respect a configured limit.
    """
    low, high = _efforts_of_model(model, joint)
    least, most = configured_efforts(limits, gains)
    unlimited = joint.actuator is not None and joint.actuator.law is not Law.AFFINE
    if unlimited and (least > low or most < high):
        raise ConfigError(_unlimited(joint, limits))
    return max(low, least), min(high, most)


def configured_efforts(limits: JointLimits, gains: Gains) -> Range:
    """Returns the joint's effort range in N m or N from the configuration alone."""
    most = limits.max_effort if limits.has_effort_limits else math.inf
    return max(gains.u_clamp_min, -most), min(gains.u_clamp_max, most)


def _efforts_of_model(model: mujoco.MjModel, joint: DrivenJoint) -> Range:
    low, high = -math.inf, math.inf
    if model.jnt_actfrclimited[joint.id]:
        low, high = map(float, model.jnt_actfrcrange[joint.id])
    if joint.actuator is not None:
        least, most = joint.actuator.efforts
        low, high = max(low, least), min(high, most)
    return low, high


def _unlimited(joint: DrivenJoint, limits: JointLimits) -> str:
    """Returns the error message for an effort limit that the actuator would not respect."""
    assert joint.actuator is not None
    by_limits = limits.has_effort_limits and limits.max_effort < math.inf
    named = f'joint_limits.{joint.name}.max_effort'
    what = named if by_limits else f'gains.{joint.name}.u_clamp'
    name, reason = joint.actuator.name, joint.actuator.reason
    return (
        f'{what} cannot be enforced with actuator {name}, because {reason}: give the actuator a'
        ' forcerange or the joint an actuatorfrcrange in the model'
    )
