"""The measurements of the robot at one time stamp."""

from __future__ import annotations

from dataclasses import dataclass
from math import asin, atan2

from .leg import Vector, foot_place


@dataclass(frozen=True)
class Senses:
    """The measurements at one time stamp, and quantities computed from them."""

    time: float
    """The time stamp of the measurements, in s."""
    roll: float
    pitch: float
    yaw: float
    """The attitude as z-y-x Euler angles, in rad; with a positive pitch the nose points down."""
    rotation: Vector
    """The angular velocity in the body frame, in rad/s."""
    positions: list[float]
    """The joint positions in rad, in the order of JOINTS."""
    feet: tuple[Vector, ...]
    """The positions of the feet in the body frame, in m."""
    turns: tuple[tuple[float, float], ...]
    """The rotations of each shank about the body's x and y axes, in rad."""
    forces: tuple[float, ...]
    """The forces on the feet, in N."""


def senses(
    time: float,
    orientation: tuple[float, float, float, float],
    rotation: Vector,
    positions: list[float],
    forces: tuple[float, ...],
) -> Senses:
    """Returns the Senses for the measurements; `orientation` is a quaternion x, y, z, w."""
    x, y, z, w = orientation
    roll = atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
    pitch = asin(max(-1.0, min(1.0, 2 * (w * y - z * x))))
    yaw = atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    legs = [positions[first : first + 3] for first in range(0, len(positions), 3)]
    feet = tuple(foot_place(leg, *joints) for leg, joints in enumerate(legs))
    turns = tuple((abduction, hip + knee) for abduction, hip, knee in legs)
    return Senses(time, roll, pitch, yaw, rotation, positions, feet, turns, forces)
