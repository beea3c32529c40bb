"""What the robot knows of itself at one moment."""

from __future__ import annotations

from dataclasses import dataclass
from math import asin, atan2

from .leg import Vector, foot_place


@dataclass(frozen=True)
class Senses:
    """The measurements of one moment, with what follows from them at once."""

    time: float
    """The stamp of the measurements in s."""
    roll: float
    pitch: float
    yaw: float
    """The attitude in rad: of z-y-x angles, so a positive pitch has the nose down."""
    rotation: Vector
    """The angular velocity in rad/s, in the frame of the body."""
    positions: list[float]
    """The positions of the joints in rad, in the order of JOINTS."""
    feet: tuple[Vector, ...]
    """The places of the feet in m, in the frame of the body."""
    turns: tuple[tuple[float, float], ...]
    """How far each shank is turned about x and y of the body, in rad."""
    forces: tuple[float, ...]
    """The forces on the feet in N."""


def senses(
    time: float,
    orientation: tuple[float, float, float, float],
    rotation: Vector,
    positions: list[float],
    forces: tuple[float, ...],
) -> Senses:
    """Returns the senses of a moment, for the orientation as a quaternion x, y, z, w."""
    x, y, z, w = orientation
    roll = atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
    pitch = asin(max(-1.0, min(1.0, 2 * (w * y - z * x))))
    yaw = atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    legs = [positions[first : first + 3] for first in range(0, len(positions), 3)]
    feet = tuple(foot_place(leg, *joints) for leg, joints in enumerate(legs))
    turns = tuple((abduction, hip + knee) for abduction, hip, knee in legs)
    return Senses(time, roll, pitch, yaw, rotation, positions, feet, turns, forces)
