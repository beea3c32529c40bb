"""A joint trajectory that compiled code can sample."""

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
    """The desired state at a time, as arrays with one number per joint.

    Positions are in rad or m, with derivatives per s and s^2; efforts are in N m or N.
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
"""The arrays of a saved trajectory: their data types and axes."""
LIMITED = 'position', 'velocity', 'acceleration', 'effort'
"""The quantities of a trajectory that a joint can have limits for."""
_LEAST_SEGMENTS = 2
"""The segments of the shortest trajectory: a segment to the only point, and a segment that holds
it."""


class Trajectory:
    """A trajectory as splines, from the initial state through all points.

    The first segment leads from the initial state to the first point. Further segments connect the
    points, and the last segment holds the last point. `begin` computes the first segment; after
    that the trajectory does not change.
    """

    def __init__(
        self, times: Array, points: Points, start: float, given: Sequence[int] | None = None
    ) -> None:
        """`times` are the times of the points, in s since `start`; `start` is a simulated time.

        If `start` is NaN, the trajectory starts at the call of `begin`. `given` lists the numbers
        of the joints that the trajectory moves (None for all); other joints hold their positions.
        """
        self.start = start
        self.points = points
        """The points of the message; for a trajectory from `of_parts`, only the last point."""
        joints = points.positions.shape[1]
        self.given = np.full(joints, given is None)
        """For each joint, whether the trajectory moves it."""
        self.given[list(given or ())] = True
        self.times = np.concatenate([times[:1], times])
        """The time at which each segment begins, in s since the start."""
        self.coefficients = np.zeros((len(self.times), joints, COEFFICIENTS))
        """The polynomials of all segments, with shape (segments, joints, 8)."""
        self.coefficients[1:-1] = coefficients(times, points)
        self.coefficients[[0, -1], :, 0] = points.positions[[0, -1]]
        self.coefficients[[0, -1], :, -2] = points.efforts[[0, -1]]

    @classmethod
    def of_parts(cls, parts: Mapping[str, Any], joints: int) -> Trajectory:
        """Restores a trajectory from the result of `parts`, which can come from another process.

        Raises ConfigError if the parts do not describe a trajectory for this number of joints.
        """
        if problem := _fault(parts, joints):
            raise ConfigError(f'a saved trajectory {problem}')
        times, rows = parts['times'], parts['coefficients']
        last = np.full((1, joints), np.nan)
        made = cls.__new__(cls)  # the constructor would compute the coefficients again
        made.start, made.given = float(parts['start']), parts['given']
        made.times, made.coefficients = times, rows
        made.points = Points(rows[-1:, :, 0], parts['end_velocity'][None], last, rows[-1:, :, -2])
        return made

    def parts(self) -> dict[str, Any]:
        """Returns the trajectory as numbers and copies of arrays; call this after `begin`."""
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
        """The velocity of each joint at the last point, in rad/s or m/s; 0 if not given."""
        return np.asarray(np.nan_to_num(self.points.velocities[-1]))

    def begin(
        self,
        now: float,
        position: Array,
        velocity: Array,
        wraps: Array,
        acceleration: Array | float = 0.0,
    ) -> None:
        """Computes the segment from the current state to the first point.

        The first point determines the degree of the segment, so the segment uses `acceleration`
        only if the first point has accelerations. If the first point is in the past, the
        trajectory is joined in the middle. Joints marked in `wraps` turn the shorter way to the
        point where they join: all their points are shifted by whole turns. From there, the points
        determine the direction.
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
        """Returns the number of the point that the joints move to at a simulated time in s."""
        times = self.times[1:]
        return min(int(np.searchsorted(times, time - self.start, 'right')), len(times) - 1)


def _fault(parts: Any, joints: int) -> str:
    """Returns why the parts of a trajectory are invalid; empty if they are valid."""
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
    """Returns the record fields of a controller for the followed trajectory."""
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
    """Makes compiled code follow a trajectory.

    Keep the trajectory alive: the record has only the addresses of its arrays.
    """
    state.times_address = trajectory.times.ctypes.data
    state.coefficients_address = trajectory.coefficients.ctypes.data
    state.segments, state.segment = len(trajectory.times), 0
    state.trajectory_start, state.trajectory_end = trajectory.start, trajectory.end
    state.moves, state.end_velocity = trajectory.given, trajectory.end_velocity
    state.sampled_time = math.nan
