"""The forward and inverse kinematics of a leg.

All positions are in m, in the body frame: x forward, y left, z up, with the origin in the centre
of the body. `leg` is an index into LEGS.
"""

from __future__ import annotations

from math import acos, atan2, cos, sin, sqrt

Vector = tuple[float, float, float]

LEGS = ('front_left', 'front_right', 'rear_left', 'rear_right')
JOINTS = [f'{leg}_{joint}' for leg in LEGS for joint in ('abduction', 'hip', 'knee')]
"""The joints; all lists of joint positions have this order."""
AHEAD, ASIDE = (0.19, 0.19, -0.19, -0.19), (0.07, -0.07, 0.07, -0.07)
"""The x and y positions of the abduction axes, by leg."""
OFFSET = (0.07, -0.07, 0.07, -0.07)
"""The distances of the leg planes to the left of the abduction axes, by leg."""
THIGH, SHANK = 0.2, 0.2
"""The lengths from the hip to the knee, and from the knee to the centre of the foot, in m."""
RADIUS = 0.022
"""The radius of a foot, in m."""
_LONGEST, _SHORTEST = 0.995 * (THIGH + SHANK), 0.1


def foot_place(leg: int, abduction: float, hip: float, knee: float) -> Vector:
    """Returns the position of the foot for the joint positions (rad)."""
    ahead = -THIGH * sin(hip) - SHANK * sin(hip + knee)
    down = THIGH * cos(hip) + SHANK * cos(hip + knee)
    turn, lean, out = sin(abduction), cos(abduction), OFFSET[leg]
    y, z = out * lean + down * turn, out * turn - down * lean
    return AHEAD[leg] + ahead, ASIDE[leg] + y, z


def joint_positions(leg: int, place: Vector) -> Vector:
    """Returns abduction, hip and knee in rad for a position of the foot; the knee bends backwards.

    A position out of reach is moved towards the hip, or away from it, until the leg can reach it.
    """
    x, y, z = place[0] - AHEAD[leg], place[1] - ASIDE[leg], place[2]
    out = OFFSET[leg]
    down = sqrt(max(y * y + z * z - out * out, 1e-6))
    abduction = atan2(y * down + out * z, out * y - z * down)
    reach = sqrt(x * x + down * down)
    scale = min(max(reach, _SHORTEST), _LONGEST) / reach
    x, down = x * scale, down * scale
    bend = (x * x + down * down - THIGH**2 - SHANK**2) / (2 * THIGH * SHANK)
    knee = -acos(bend)
    hip = atan2(-x, down) - atan2(SHANK * sin(knee), THIGH + SHANK * cos(knee))
    return abduction, hip, knee
