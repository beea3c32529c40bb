"""Writes a motion as a trajectory that a JointTrajectoryController plays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..sequences import Array
from .sines import Motion

_REST_S = 1.0
"""The rest before and after the motion, at which recordings are cut."""
_DIGITS = 5


def trajectory_yaml(
    joints: Sequence[str], motion: Motion, *, approach_s: float = 3.0, rate_hz: float = 20.0
) -> str:
    """Returns a `trajectory_msgs/JointTrajectory` as YAML.

    It moves to the start within `approach_s`, rests, and has positions, velocities and
    accelerations `rate_hz` times per s, between which a controller interpolates by polynomials of
    degree 5.
    """
    lines = [f'joint_names: [{", ".join(joints)}]', 'points:']
    lines += _points(motion, approach_s, rate_hz)
    return '\n'.join(lines) + '\n'


def _points(motion: Motion, approach_s: float, rate_hz: float) -> Iterator[str]:
    still = np.zeros(motion.q.shape[1])
    yield _point(approach_s, motion.q[0], still, still)
    begin = approach_s + _REST_S
    wanted = np.linspace(0.0, motion.times[-1], int(motion.times[-1] * rate_hz) + 1)
    for place in np.unique(np.searchsorted(motion.times, wanted - 1e-9)):
        ends = place in (0, len(motion.times) - 1)
        yield _point(
            begin + float(motion.times[place]), motion.q[place],
            still if ends else motion.v[place], still if ends else motion.a[place],
        )  # fmt: skip
    yield _point(begin + float(motion.times[-1]) + _REST_S, motion.q[-1], still, still)


def _point(time: float, q: Array, v: Array, a: Array) -> str:
    sec, nanosec = divmod(round(time * 1e9), 10**9)
    return (
        f'- {{positions: {_numbers(q)}, velocities: {_numbers(v)}, accelerations: {_numbers(a)},'
        f' time_from_start: {{sec: {sec}, nanosec: {nanosec}}}}}'
    )


def _numbers(values: Array) -> str:
    rounded = (round(float(each), _DIGITS) + 0.0 for each in values)
    return f'[{", ".join(repr(each) for each in rounded)}]'
