"""The trajectories that a JointTrajectoryController refuses, as its clients see it over DDS."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from builtin.controllers.trajectories.trajectory_messages import trajectory

from .trajectory_robot import ARM, MOVE, REST, SLOW, SUCCEEDED, THERE, Robot, robots, stamped

pytestmark = pytest.mark.slow
REJECTED = {
    'unknown joints: elbow': trajectory((1.0, (*THERE, 0.1)), joints=['turn', 'lift', 'elbow']),
    'joints are missing: lift': trajectory((1.0, (1.0,)), joints=['turn']),
    'must not contain a name twice': trajectory((1.0, THERE), joints=['turn', 'turn']),
    'needs points': trajectory(),
    'must increase strictly': trajectory((1.0, THERE), (1.0, REST)),
    'ends in the past': trajectory((0.001, THERE), stamp=0.001),
    'must have 2 positions': trajectory((1.0, (1.0,))),
    'velocities of the last point must be 0': trajectory((1.0, THERE, (0.0, 0.5))),
    'must be finite': trajectory((1.0, (math.nan, 0.0))),
}
"""Trajectories by the reason for their rejection; the first of them is told."""


@pytest.fixture
def robot(start) -> Callable[..., Robot]:
    """Makes robots; see `robots`."""
    return robots(start)


def test_what_ros2_controllers_reject_is_rejected_and_said_and_what_runs_goes_on_as_before(robot):
    made = robot()
    made.until(0.1)
    running = made.goal(SLOW)
    before = made.query(30.0)
    assert before.success
    for reason, message in REJECTED.items():
        assert not made.goal(message).accepted, reason
        made.publish(message)
    for what in 'a goal was rejected', 'a trajectory was refused':
        made.process.wait_for_output(f'arm: {what}: unknown joints: elbow')
    made.until(made.time + 0.2)
    assert not running.ended
    assert list(made.query(30.0).position) == list(before.position)
    last = made.states[-1]  # the servo of lift gives way to the weight by 0.0074 rad
    assert made.positions_of(last) == pytest.approx(made.query(stamped(last)).position, abs=0.01)


def test_a_trajectory_with_an_unknown_joint_moves_none_of_those_that_are_known(robot):
    made = robot({**ARM, 'allow_partial_joints_goal': True})
    unknown = trajectory((0.5, THERE, REST), joints=['turn', 'elbow'])
    assert not made.goal(unknown).accepted
    made.publish(unknown)
    made.process.wait_for_output('arm: a trajectory was refused: unknown joints: elbow')
    made.until(made.time + 1.0)
    assert max(abs(place) for each in made.states for place in each.position) < 1e-3
    assert made.goal(MOVE).end()[:2] == (SUCCEEDED, 0)
