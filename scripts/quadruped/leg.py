"""The geometry of a leg: where its foot is, and which joint positions bring it to a place.

All places are in m, in the frame of the body: x ahead, y to the left, z up, from its middle.
A leg is named by its number in LEGS.
"""

from __future__ import annotations

from math import acos, atan2, cos, sin, sqrt

Vector = tuple[float, float, float]

LEGS = ('front_left', 'front_right', 'rear_left', 'rear_right')
JOINTS = [f'{leg}_{joint}' for leg in LEGS for joint in ('abduction', 'hip', 'knee')]
"""The joints in the order of all lists of their positions."""
AHEAD, ASIDE = (0.19, 0.19, -0.19, -0.19), (0.07, -0.07, 0.07, -0.07)
"""Where the axes of the abductions are."""
OFFSET = (0.07, -0.07, 0.07, -0.07)
"""How far to the left of the abduction the leg stands."""
THIGH, SHANK = 0.2, 0.2
"""The lengths from the hip to the knee, and from the knee to the middle of the foot, in m."""
RADIUS = 0.022
"""The radius of a foot, in m."""
_LONGEST, _SHORTEST = 0.995 * (THIGH + SHANK), 0.1


def foot_place(leg: int, abduction: float, hip: float, knee: float) -> Vector:
    """Returns where the foot is, for the positions of the joints in rad."""
    ahead = -THIGH * sin(hip) - SHANK * sin(hip + knee)
    down = THIGH * cos(hip) + SHANK * cos(hip + knee)
    turn, lean, out = sin(abduction), cos(abduction), OFFSET[leg]
    y, z = out * lean + down * turn, out * turn - down * lean
    return AHEAD[leg] + ahead, ASIDE[leg] + y, z


def joint_positions(leg: int, place: Vector) -> Vector:
    """Returns abduction, hip and knee in rad for a foot at a place, with the knee behind.

    A foot that the leg cannot reach goes as near as it can on the line from the hip.
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
