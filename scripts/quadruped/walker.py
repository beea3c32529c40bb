"""The state machine of the robot: it rises, stands, walks a distance, and stands again."""

from __future__ import annotations

from math import cos, hypot, pi

from .course import FASTEST, Course
from .gait import Trot, nominal
from .leg import LEGS, Vector, joint_positions
from .odometry import LOADED
from .senses import Senses

RISE_S, STAND_S, PATIENCE_S = 1.5, 0.5, 2.0
"""The time to rise, the time to stand still before the next phase, and the time limit for coming
to a stand, in s."""
LONGEST_S = 0.05
"""The maximum time step of the gait, after a gap in the measurements, in s."""
TILT, STILL = 0.5, 0.3
"""The tilt (rad) above which the robot counts as fallen, and the angular velocity (rad/s) below
which it counts as standing still."""


class Walker:
    """Walks `distance` m at `speed` m/s; a negative distance walks backwards."""

    def __init__(self, distance: float, speed: float) -> None:
        """Raises ValueError if the speed is out of range."""
        if not 0 < speed <= FASTEST:
            raise ValueError(f'speed must be > 0 and at most {FASTEST:g} m/s, got {speed:g}')
        self.phase = ''
        """The current phase: rise, get ready, walk, halt or rest; empty before the first step."""
        self.course: Course | None = None
        """The course; None before the robot starts to walk."""
        self._distance, self._speed = distance, speed
        self._trot = Trot()
        self._crouched: list[float] = []
        self._since = self._moved = self._last = 0.0

    def step(self, now: Senses) -> list[float]:
        """Returns the joint positions after the next time step, in the order of JOINTS.

        Raises RuntimeError if the robot falls, or does not come to a stand in time.
        """
        if cos(now.roll) * cos(now.pitch) < cos(TILT):
            raise RuntimeError(f'fell over: roll {now.roll:.2f} rad, pitch {now.pitch:.2f} rad')
        if not self.phase:
            self._crouched, self._last = now.positions, now.time
            self._enter('rise', now)
        dt, self._last = min(now.time - self._last, LONGEST_S), now.time
        if self.phase == 'rise':
            return self._rise(now)
        if self.phase == 'walk' and self.course is not None:
            return _joints(self._walk(self.course, now, dt))
        self._watch(now)
        return _joints(self._trot.stand(now, dt))

    def _enter(self, phase: str, now: Senses) -> None:
        self.phase, self._since, self._moved = phase, now.time, now.time
        if phase == 'walk':
            self.course = Course(self._distance, self._speed, now)

    def _rise(self, now: Senses) -> list[float]:
        """Interpolates from the initial joint positions to the standing pose."""
        part = (now.time - self._since) / RISE_S
        if part >= 1:
            self._enter('get ready', now)
        risen = (1 - cos(pi * min(part, 1.0))) / 2
        upright = _joints([nominal(leg) for leg in range(len(LEGS))])
        pairs = zip(self._crouched, upright, strict=True)
        return [begin + risen * (end - begin) for begin, end in pairs]

    def _watch(self, now: Senses) -> None:
        """Enters the next phase once the robot has stood still on all feet for STAND_S."""
        if min(now.forces) < LOADED or hypot(*now.rotation) > STILL:
            self._moved = now.time
        if now.time - self._moved >= STAND_S and self.phase != 'rest':
            self._enter('walk' if self.phase == 'get ready' else 'rest', now)
        elif now.time - self._since > PATIENCE_S and self._moved == now.time:
            forces = ', '.join(f'{force:.0f}' for force in now.forces)
            raise RuntimeError(f'the robot does not stand still; the foot forces are {forces} N')

    def _walk(self, course: Course, now: Senses, dt: float) -> list[Vector]:
        """Trots along the course; halts at its end, once all feet are on the ground."""
        wanted = course.step(now, dt)
        if course.arrived and self._trot.together:
            self._enter('halt', now)
        return self._trot.step(now, dt, wanted, course.odometry.velocity)


def _joints(feet: list[Vector]) -> list[float]:
    """Returns the joint positions for the positions of the feet."""
    return [each for leg, place in enumerate(feet) for each in joint_positions(leg, place)]
