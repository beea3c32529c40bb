"""The tolerances of the configuration, and how a goal changes them."""

from __future__ import annotations

import math

import pytest
from builtin.controllers.trajectories.trajectory_messages import duration

pytest.importorskip('control_msgs', reason='control_msgs is not there')
from control_msgs.action import FollowJointTrajectory
from control_msgs.msg import JointTolerance

from mujoco_ros_py.builtin.controllers.trajectories.trajectory_config import (
    JointConstraints,
    default_tolerances,
    goal_tolerances,
)
from mujoco_ros_py.errors import ConfigError

JOINTS = ('turn', 'lift')
CONSTRAINTS = {'goal_time': 0.5, 'turn': JointConstraints(trajectory=0.05, goal=0.01)}
DEFAULTS = default_tolerances(CONSTRAINTS, JOINTS)


def resolved(*path, goal=(), goal_time=0.0):
    """Returns the tolerances of a goal; each tolerance is (joint, position[, speed])."""
    message = FollowJointTrajectory.Goal()
    for given, field in ((path, message.path_tolerance), (goal, message.goal_tolerance)):
        for name, position, *velocity in given:
            speed = velocity[0] if velocity else 0.0
            field.append(JointTolerance(name=name, position=position, velocity=speed))
    duration(goal_time, message.goal_time_tolerance)
    return goal_tolerances(DEFAULTS, message, JOINTS)


def test_the_configuration_gives_the_defaults():
    given = DEFAULTS
    assert list(given.path_position) == [0.05, 0.0]
    assert list(given.goal_position) == [0.01, 0.0]
    assert list(given.goal_velocity) == [0.01, 0.01], 'stopped_velocity_tolerance'
    assert given.goal_time == 0.5


def test_zero_is_the_default_and_minus_one_is_none():
    given = resolved(('turn', 0.0), ('lift', 0.3), goal=[('turn', -1.0, -1.0)])
    assert list(given.path_position) == [0.05, 0.3]
    assert list(given.goal_position) == [0.0, 0.0]
    assert list(given.goal_velocity) == [0.0, 0.01]


PATH, GOAL = ('lift', 0.3), ('turn', 0.2)


@pytest.mark.parametrize(
    'wrong',
    [
        {'path': [PATH, ('turn', -0.5)]},
        {'path': [PATH, ('elbow', 0.1)]},
        {'goal': [GOAL, ('lift', 0.1, -0.5)]},
        {'goal': [GOAL, ('elbow', 0.1)]},
        {'goal_time': -3.0},
    ],
)
def test_another_negative_number_or_an_unknown_joint_means_all_defaults_of_all_kinds(wrong):
    asked = {'path': [PATH], 'goal': [GOAL], 'goal_time': 2.5, **wrong}
    assert resolved(*asked.pop('path'), **asked) is DEFAULTS


def test_what_is_not_a_number_is_the_default():
    assert list(resolved(PATH, ('turn', math.nan)).path_position) == [0.05, 0.3]


@pytest.mark.parametrize(('asked', 'meant'), [(0.0, 0.5), (2.5, 2.5), (-1.0, 0.0)])
def test_the_time_for_the_goal_follows_the_same_rules(asked, meant):
    assert resolved(goal_time=asked).goal_time == meant


@pytest.mark.parametrize(
    ('constraints', 'reason'),
    [
        ({'elbow': JointConstraints()}, "unknown joint or constraint 'elbow'"),
        ({'turn': 0.1}, 'turn must be a struct with trajectory and goal'),
        ({'goal_time': JointConstraints()}, 'goal_time must be a number'),
        ({'goal_time': -1.0}, 'goal_time must be at least 0, got -1'),
    ],
)
def test_wrong_constraints_are_refused(constraints, reason):
    with pytest.raises(ConfigError, match=reason):
        default_tolerances(constraints, JOINTS)
