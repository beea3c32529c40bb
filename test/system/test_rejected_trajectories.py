"""The trajectories that a JointTrajectoryController refuses, as its clients see it over DDS."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from builtin.controllers.trajectories.trajectory_messages import trajectory

from .trajectory_robot import ARM, MOVE, REST, SLOW, SUCCEEDED, THERE, Robot, robots, stamped

pytestmark = pytest.mark.slow


@pytest.fixture
def robot(start) -> Callable[..., Robot]:
    """Makes robots; see `robots`."""
    return robots(start)


@pytest.mark.parametrize(
    ('message', 'reason'),
    [
        (trajectory((1.0, THERE), joints=['turn', 'elbow']), 'unknown joints: elbow'),
        (trajectory((1.0, (*THERE, 0.1)), joints=['turn', 'lift', 'elbow']), 'joints: elbow'),
        (trajectory((1.0, (1.0,)), joints=['turn']), 'joints are missing: lift'),
        (trajectory((1.0, THERE), joints=['turn', 'turn']), 'must not name the same twice'),
        (trajectory(), 'needs points'),
        (trajectory((1.0, THERE), (1.0, REST)), 'must increase strictly'),
        (trajectory((0.001, THERE), stamp=0.001), 'ends in the past'),
        (trajectory((1.0, (1.0,))), 'must have 2 positions'),
        (trajectory((1.0, THERE, (0.0,))), 'must have 2 velocities'),
        (trajectory((1.0, THERE, (0.0, 0.5))), 'velocities of the last point must be 0'),
        (trajectory((1.0, (math.nan, 0.0))), 'must be finite'),
    ],
    ids=['unknown', 'unknown among all', 'missing', 'duplicate', 'no points', 'times', 'past',
         'sizes', 'velocities', 'end', 'NaN'],
)  # fmt: skip
def test_what_ros2_controllers_reject_is_rejected_and_said_and_what_runs_goes_on_as_before(
    robot, message, reason
):
    made = robot()
    made.until(0.1)
    running = made.goal(SLOW)
    before = made.query(30.0)
    assert before.success
    assert not made.goal(message).accepted
    made.process.wait_for_output('arm: a goal was rejected: ')
    assert reason in made.process.output
    made.publish(message)
    made.process.wait_for_output('arm: a trajectory was refused: ')
    assert made.process.output.count(reason) == 2
    made.until(made.time + 1.0)
    assert not running.ended
    assert list(made.query(30.0).position) == list(before.position)
    last = made.states[-1]  # the servo of lift gives way to the weight by 0.0074 rad
    assert made.positions_of(last) == pytest.approx(made.query(stamped(last)).position, abs=0.01)


@pytest.mark.parametrize('partial', [False, True])
def test_a_trajectory_with_an_unknown_joint_moves_none_of_those_that_are_known(robot, partial):
    made = robot({**ARM, 'allow_partial_joints_goal': partial})
    unknown = trajectory((0.5, THERE, REST), joints=['turn', 'elbow'])
    assert not made.goal(unknown).accepted
    made.publish(unknown)
    made.process.wait_for_output('arm: a trajectory was refused: unknown joints: elbow')
    made.until(made.time + 1.0)
    assert max(abs(place) for each in made.states for place in each.position) < 1e-3
    assert made.goal(MOVE).end()[:2] == (SUCCEEDED, 0)
