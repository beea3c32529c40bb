"""Trajectories that are refused by the rules of ros2_controllers, and their errors."""

from __future__ import annotations

import math

import pytest
from builtin.controllers.trajectories.trajectory_messages import trajectory

from mujoco_ros_py.builtin.controllers.trajectories.trajectory_messages import Reader
from mujoco_ros_py.errors import ConfigError

GOOD = ((1.0, (0.1, 0.2)), (2.0, (0.3, 0.4)))


def read(message, now=0.0, ros_offset=0.0, *, partial=False, moving_end=False):
    reader = Reader(('turn', 'lift'), partial=partial, moving_end=moving_end)
    return reader.read(message, now, ros_offset)


@pytest.mark.parametrize(
    ('message', 'reason'),
    [
        (trajectory(*GOOD, joints=['turn', 'lif']), 'unknown joints: lif; known: turn, lift'),
        (trajectory(*GOOD, joints=[]), 'needs joint_names, and has none'),
        (trajectory(*GOOD, joints=['turn', 'turn']), 'must not contain a name twice'),
        (trajectory((1.0, (0.1,)), joints=['turn']), 'joints are missing: lift'),
        (trajectory(), 'needs points, and has none'),
        (
            trajectory((1.0, (0, 0)), (1.0, (1, 1))),
            'must increase strictly: point 0 has 1 s, but point 1 has 1 s',
        ),
        (trajectory((2.0, (0, 0)), (1.0, (1, 1))), 'must increase strictly'),
        (trajectory((-1.0, (0, 0)), (1.0, (1, 1))), 'must not be negative'),
        (trajectory(*GOOD, stamp=7.5), 'ends in the past: at 9.500 s, but now is 10.000 s'),
        (trajectory((1.0, (0, 0, 0))), 'point 0 must have 2 positions, one for each joint, got 3'),
        (trajectory((1.0, ())), 'point 0 must have 2 positions, one for each joint, got 0'),
        (trajectory((1.0, (0, 0), (0,))), 'point 0 must have 2 velocities'),
        (trajectory((1.0, (0, 0), (0, 0), (0,))), 'point 0 must have 2 accelerations'),
        (trajectory((1.0, (0, 0), (), (), (0,))), 'point 0 must have 2 effort'),
        (trajectory((1.0, (0, math.nan))), 'the positions of point 0 must be finite'),
        (trajectory((1.0, (0, 0), (0, math.inf))), 'the velocities of point 0 must be finite'),
        (trajectory((1.0, (0, 0), (0, 0.1))), 'the velocities of the last point must be 0'),
    ],
)
def test_a_wrong_trajectory_is_refused_with_the_reason(message, reason):
    with pytest.raises(ConfigError) as refused:
        read(message, now=10.0)
    assert reason in str(refused.value)


def test_a_stamp_of_zero_means_now():
    assert math.isnan(read(trajectory(*GOOD), now=10.0).start)


def test_a_stamp_is_ros_time_which_may_be_ahead():
    assert read(trajectory(*GOOD, stamp=111.5), 10.0, 100.0).start == 11.5
    with pytest.raises(
        ConfigError, match=r'ends in the past: at 13\.500 s, but now is 110\.000 s'
    ):
        read(trajectory(*GOOD, stamp=11.5), 10.0, 100.0)


def test_partial_goals_and_moving_ends_can_be_permitted():
    partial = read(trajectory((1.0, (0.1,)), joints=['turn']), partial=True)
    assert partial.coefficients[-1, 0, 0] == 0.1
    assert len(read(trajectory((1.0, (0, 0), (0, 0.1))), moving_end=True).times) == 2


def test_a_trajectory_whose_end_is_still_to_come_is_accepted():
    assert read(trajectory(*GOOD, stamp=8.5), now=10.0).end == 10.5
