"""A trajectory of joints in time, as compiled code samples it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....config.wording import shown
from ....errors import ConfigError
from ....plugins import State
from .following import evaluate
from .splines import COEFFICIENTS, Array, Points, coefficients


@dataclass(frozen=True, slots=True)
class Sample:
    """The desired state at a time, as arrays with a number for each joint.

    Positions are in rad or m, their derivatives per s and s^2, and efforts in N m or N.
    """

    position: Array
    velocity: Array
    acceleration: Array
    effort: Array


_SHAPES = {
    'times': (np.float64, ('segments',)),
    'coefficients': (np.float64, ('segments', 'joints', 'coefficients')),
    'given': (np.bool_, ('joints',)),
    'end_velocity': (np.float64, ('joints',)),
}
"""The arrays of a trajectory that is saved: the type of their numbers, and their axes."""
LIMITED = 'position', 'velocity', 'acceleration', 'effort'
"""The quantities of a trajectory that joints have limits of."""
_LEAST_SEGMENTS = 2
"""The segments of the shortest trajectory: one to its only point, and one that holds it."""


class Trajectory:
    """A trajectory as splines, from the state in which it begins through all of its points.

    There is a segment from the first state to the first point, one between each two points, and
    one for the time after the last point, which holds that point. `begin` makes the first segment;
    after that nothing changes.
    """

    def __init__(
        self, times: Array, points: Points, start: float, given: Sequence[int] | None = None
    ) -> None:
        """`times` are the times of the points in s since `start`, which is a simulated time.

        `start` is NaN for a trajectory that starts when it begins. `given` are the numbers of the
        joints that the trajectory moves; other joints hold their position.
        """
        self.start = start
        self.points = points
        """The points as they came; of a trajectory that is made of parts, the last one."""
        joints = points.positions.shape[1]
        self.given = np.full(joints, given is None)
        """Whether the trajectory moves each joint."""
        self.given[list(given or ())] = True
        self.times = np.concatenate([times[:1], times])
        """The time at which each segment begins, in s since the start."""
        self.coefficients = np.zeros((len(self.times), joints, COEFFICIENTS))
        """The polynomials of each segment, with shape (segments, joints, 8)."""
        self.coefficients[1:-1] = coefficients(times, points)
        self.coefficients[[0, -1], :, 0] = points.positions[[0, -1]]
        self.coefficients[[0, -1], :, -2] = points.efforts[[0, -1]]

    @classmethod
    def of_parts(cls, parts: Mapping[str, Any], joints: int) -> Trajectory:
        """Makes a trajectory that has begun from what `parts` has returned, maybe elsewhere.

        Raises ConfigError for parts that are not those of a trajectory of so many joints.
        """
        if problem := _fault(parts, joints):
            raise ConfigError(f'a saved trajectory {problem}')
        times, rows = parts['times'], parts['coefficients']
        last = np.full((1, joints), np.nan)
        made = cls.__new__(cls)  # there is nothing to compute
        made.start, made.given = float(parts['start']), parts['given']
        made.times, made.coefficients = times, rows
        made.points = Points(rows[-1:, :, 0], parts['end_velocity'][None], last, rows[-1:, :, -2])
        return made

    def parts(self) -> dict[str, Any]:
        """Returns all of a trajectory that has begun, as numbers and copies of arrays."""
        return {
            'start': self.start,
            'times': self.times.copy(),
            'coefficients': self.coefficients.copy(),
            'given': self.given.copy(),
            'end_velocity': self.end_velocity.copy(),
        }

    @property
    def end(self) -> float:
        """The simulated time of the last point, in s."""
        return self.start + float(self.times[-1])

    @property
    def end_velocity(self) -> Array:
        """The velocity of each joint at the last point, in rad/s or m/s; 0 if that has none."""
        return np.asarray(np.nan_to_num(self.points.velocities[-1]))

    def begin(
        self,
        now: float,
        position: Array,
        velocity: Array,
        wraps: Array,
        acceleration: Array | float = 0.0,
    ) -> None:
        """Makes the segment from the present state to the first point.

        The segment has the degree of the other segments, so it begins with the acceleration if the
        first point has accelerations. If the first point lies in the past, the trajectory begins
        in its midst. The joints that `wraps` marks turn the shorter way to where the trajectory
        begins: all of it is moved by whole turns. From there, the way is the points' own.
        """
        if math.isnan(self.start):
            self.start = now
        missing = ~self.given
        self.coefficients[:, missing, 0] = position[missing]
        elapsed, first = now - self.start, float(self.times[1])
        begin = self.sample(self.start + max(elapsed, first)).position
        turns = np.round((position - begin) / (2 * np.pi))
        self.coefficients[:, :, 0] += np.where(wraps, 2 * np.pi * turns, 0.0)
        if elapsed >= first:
            return
        point = self.points.part(slice(0, 1))
        lead = Points(
            np.stack([position, self.coefficients[1, :, 0]]),
            np.stack([velocity, point.velocities[0]]),
            np.stack([np.broadcast_to(acceleration, position.shape), point.accelerations[0]]),
            np.repeat(point.efforts, 2, axis=0),
        )
        self.times[0] = elapsed
        self.coefficients[:1] = coefficients(np.array([elapsed, first]), lead)

    def sample(self, time: float) -> Sample:
        """Returns the desired state at a simulated time in s."""
        wanted = Sample(*np.zeros((4, self.coefficients.shape[1])))
        elapsed = time - self.start
        segment = max(0, int(np.searchsorted(self.times, elapsed, 'right')) - 1)
        t = max(0.0, elapsed - float(self.times[segment]))
        evaluate(
            self.coefficients.reshape(-1), segment, t,
            wanted.position, wanted.velocity, wanted.acceleration, wanted.effort,
        )  # fmt: skip
        return wanted

    def segment(self, time: float) -> int:
        """Returns the number of the point to which the joints move at a simulated time in s."""
        times = self.times[1:]
        return min(int(np.searchsorted(times, time - self.start, 'right')), len(times) - 1)


def _fault(parts: Any, joints: int) -> str:
    """Returns what is wrong with the parts of a trajectory; empty if nothing is."""
    if not isinstance(parts, Mapping) or set(parts) != {*_SHAPES, 'start'}:
        return f'must have start, {", ".join(_SHAPES)}, got {shown(parts)}'
    segments, start = len(np.atleast_1d(parts['times'])), parts['start']
    sizes = {'segments': segments, 'joints': joints, 'coefficients': COEFFICIENTS}
    for name, (kind, axes) in _SHAPES.items():
        array, shape = parts[name], tuple(sizes[axis] for axis in axes)
        if not isinstance(array, np.ndarray) or (array.dtype, array.shape) != (kind, shape):
            came = f'{array.dtype} {array.shape}' if isinstance(array, np.ndarray) else array
            return (
                f'must have {name} of {np.dtype(kind)} with the shape {shape}, got {shown(came)}'
            )
        if not np.isfinite(array).all():
            return f'must have finite {name}'
    if not isinstance(start, float) or not math.isfinite(start):
        return f'must have a finite start, got {shown(start)}'
    if segments < _LEAST_SEGMENTS or (np.diff(parts['times']) < 0).any():
        return f'must have at least {_LEAST_SEGMENTS} times in order'
    return ''


def trajectory_record(joints: int) -> dict[str, Any]:
    """Returns the fields of a controller's state for the trajectory that it follows."""
    wanted = ('desired_position', 'desired_velocity', 'desired_acceleration', 'desired_effort')
    limits = ('path_position', 'path_velocity', 'goal_position', 'goal_velocity')
    return {
        **{name: np.zeros(joints) for name in (*wanted, *limits, 'end_velocity', 'fed_inertia')},
        **{f'outside_{name}': np.full(joints, math.nan) for name in LIMITED},
        'moves': np.zeros(joints, np.uint8),
        'judges_speed': False,
        'phase': 0,
        'failure': 0,
        'failures': 0,
        'violator': 0,
        'violation': 0.0,
        'violation_is_speed': False,
        'goal_time': 0.0,
        'times_address': 0,
        'coefficients_address': 0,
        'segments': 0,
        'segment': 0,
        'trajectory_start': 0.0,
        'trajectory_end': 0.0,
        'sampled_time': math.nan,
        'by_velocity': False,
        'position_gain': 0.0,
    }


def use(state: State, trajectory: Trajectory) -> None:
    """Has compiled code follow a trajectory, which must outlive its use."""
    state.times_address = trajectory.times.ctypes.data
    state.coefficients_address = trajectory.coefficients.ctypes.data
    state.segments, state.segment = len(trajectory.times), 0
    state.trajectory_start, state.trajectory_end = trajectory.start, trajectory.end
    state.moves, state.end_velocity = trajectory.given, trajectory.end_velocity
    state.sampled_time = math.nan
