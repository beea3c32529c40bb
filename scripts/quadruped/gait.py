"""A trot: computes when each foot stands and swings, and where it moves."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, sin, tau

from .leg import AHEAD, ASIDE, LEGS, OFFSET, Vector
from .odometry import LOADED
from .senses import Senses

HEIGHT = 0.28
"""The height of the body above the centres of the feet, in m."""
PERIOD, DUTY = 0.44, 0.55
"""The period of the gait in s, and the fraction of it in stance."""
LIFT = 0.05
"""The height of a step, in m."""
_OFFSETS = (0.0, 0.5, 0.5, 0.0)
"""The phase offsets of the feet: diagonal pairs swing together."""
_CATCH = 0.12
"""The shift of a foothold for an error of the velocity, in m per m/s."""
_LEVEL, _DAMP = 0.4, 0.04
"""The gains of stance feet against a tilt of the body, in rad per rad and in rad per rad/s."""
_SETTLE = 0.04
"""The time constant for blending between stance and swing, in s."""


@dataclass
class Foot:
    """The planned state of a foot."""

    leg: int
    place: list[float]
    """The position of the foot in the body frame, if the body were level."""
    lifted: list[float]
    """The position where the foot left the ground."""
    swinging: bool = False
    landed: bool = False
    """Whether the foot has touched the ground earlier than planned."""
    level: float = _LEVEL
    """The gain against the tilt of the body; -1 keeps the foot level instead."""
    damp: float = _DAMP
    """The gain against the tilt rate of the body, in s."""


class Trot:
    """Plans the positions of the feet for a velocity of the body."""

    def __init__(self) -> None:
        self.phase = 0.0
        self.feet = [Foot(leg, list(nominal(leg)), list(nominal(leg))) for leg in range(len(LEGS))]

    @property
    def together(self) -> bool:
        """Whether all feet are on the ground."""
        return not any(foot.swinging for foot in self.feet)

    def step(
        self, now: Senses, dt: float, wanted: Vector, measured: tuple[float, float]
    ) -> list[Vector]:
        """Returns the positions of the feet after the next time step.

        `wanted` has the forward and left velocity in m/s and the yaw rate in rad/s; `measured` has
        the measured forward and left velocity.
        """
        self.phase = (self.phase + dt / PERIOD) % 1.0
        for foot in self.feet:
            phase = (self.phase + _OFFSETS[foot.leg]) % 1.0
            swung = (phase - DUTY) / (1 - DUTY)
            if swung < 0:
                foot.swinging = foot.landed = False
            elif not foot.swinging and not foot.landed:
                foot.swinging, foot.lifted = True, list(foot.place)
            elif swung > 0.5 and now.forces[foot.leg] > 3 * LOADED:
                foot.swinging, foot.landed = False, True
            if foot.swinging:
                _swing(foot, swung, wanted, measured)
            else:
                _push(foot, dt, wanted)
            _weigh(foot, dt)
        return [_tilted(foot, now) for foot in self.feet]

    def stand(self, now: Senses, dt: float) -> list[Vector]:
        """Returns the positions of the feet after the next time step, for standing still."""
        for foot in self.feet:
            foot.swinging = foot.landed = False
            _push(foot, dt, (0.0, 0.0, 0.0))
            _weigh(foot, dt)
        return [_tilted(foot, now) for foot in self.feet]


def nominal(leg: int) -> Vector:
    """Returns the position of a foot below its hip, in the body frame."""
    return AHEAD[leg], ASIDE[leg] + OFFSET[leg], -HEIGHT


def _push(foot: Foot, dt: float, wanted: Vector) -> None:
    """Moves a stance foot against the wanted velocity, which pushes the body forward."""
    x, y, z = foot.place
    ahead, aside, turn = wanted
    foot.place[0] = x - (ahead - turn * y) * dt
    foot.place[1] = y - (aside + turn * x) * dt
    foot.place[2] = z + (-HEIGHT - z) * min(1.0, dt / _SETTLE)


def _swing(foot: Foot, swung: float, wanted: Vector, measured: tuple[float, float]) -> None:
    """Moves a swing foot from its lift-off position to its foothold.

    Both positions move with the ground. The foothold is half a stance ahead, and farther if the
    body is too fast (M. H. Raibert, Legged robots that balance, 1986).
    """
    x, y, _ = nominal(foot.leg)
    ahead, aside, turn = wanted
    over = ahead - turn * y, aside + turn * x
    half, air = PERIOD * DUTY / 2, PERIOD * (1 - DUTY)
    part = swung - sin(tau * swung) / tau
    for k, under in enumerate((x, y)):
        land = under + half * over[k] + _CATCH * (measured[k] - wanted[k])
        begin = foot.lifted[k] - over[k] * swung * air
        end = land + over[k] * (1 - swung) * air
        foot.place[k] = begin + part * (end - begin)
    height = foot.lifted[2] + part * (-HEIGHT - foot.lifted[2])
    foot.place[2] = height + LIFT * (1 - cos(tau * swung)) / 2


def _weigh(foot: Foot, dt: float) -> None:
    """Blends the gains: stance feet push against a tilt, swing feet stay level."""
    part = min(1.0, dt / _SETTLE)
    foot.level += part * ((-1.0 if foot.swinging else _LEVEL) - foot.level)
    foot.damp += part * ((0.0 if foot.swinging else _DAMP) - foot.damp)


def _tilted(foot: Foot, now: Senses) -> Vector:
    """Returns the position of a foot, corrected for the tilt of the body."""
    x, y, z = foot.place
    tilt = y * now.roll - x * now.pitch
    turn = y * now.rotation[0] - x * now.rotation[1]
    return x, y, z + foot.level * tilt + foot.damp * turn
