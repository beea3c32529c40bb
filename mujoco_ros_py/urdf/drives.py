"""What drives a joint, before it becomes an actuator."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .left_out import LeftOut
from .robot import Joint, Robot
from .robot_reading import unknown
from .tag import Tag

POSITION, VELOCITY, EFFORT = 'position', 'velocity', 'effort'
INTERFACES = POSITION, VELOCITY, EFFORT
"""The interfaces by which a joint may be commanded."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Drive:
    """An interface by which a joint is commanded."""

    joint: Joint
    interface: str
    """The interface: position, velocity or effort."""
    name: str = ''
    """The name of the actuator; empty for one from the name of the joint."""
    gear: float = 1.0
    """The turns of the actuator for each turn of the joint."""
    least: float = -math.inf
    """The least command, in units of the actuator; -inf for none but that of the joint."""
    greatest: float = math.inf
    """The greatest command, in units of the actuator; inf for none but that of the joint."""


def driven_joint(tag: Tag, robot: Robot, left_out: LeftOut) -> Joint | None:
    """Returns the joint that an element names; None if no actuator can drive it, which is said.

    Raises UrdfError for a joint that does not exist.
    """
    name = tag.word('name')
    if name not in robot.joints:
        raise tag.error(unknown('joint', name, robot.joints))
    joint = robot.joints[name]
    if not joint.is_single:
        left_out.add(f'commands for joints of type {joint.type}', name)
        return None
    return joint
