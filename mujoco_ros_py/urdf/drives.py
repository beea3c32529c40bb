"""Describes how a joint is driven, before an actuator is added for it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .left_out import LeftOut
from .robot import Joint, Robot
from .robot_reading import unknown
from .tag import Tag

POSITION, VELOCITY, EFFORT = 'position', 'velocity', 'effort'
INTERFACES = POSITION, VELOCITY, EFFORT
"""The interfaces that can command a joint."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Drive:
    """One command interface of a joint."""

    joint: Joint
    interface: str
    """position, velocity or effort."""
    name: str = ''
    """The name of the actuator; if empty, the actuator is named after the joint."""
    gear: float = 1.0
    """Actuator turns per turn of the joint."""
    least: float = -math.inf
    """The lower command limit in the actuator's units, in addition to the joint's limit."""
    greatest: float = math.inf
    """The upper command limit in the actuator's units, in addition to the joint's limit."""


def driven_joint(tag: Tag, robot: Robot, left_out: LeftOut) -> Joint | None:
    """Returns the joint that an element refers to, or None if no actuator can drive that joint.

    Records undrivable joints in `left_out`. Raises UrdfError for an unknown joint.
    """
    name = tag.word('name')
    if name not in robot.joints:
        raise tag.error(unknown('joint', name, robot.joints))
    joint = robot.joints[name]
    if not joint.is_single:
        left_out.add(f'commands for {joint.type} joints', name)
        return None
    return joint
