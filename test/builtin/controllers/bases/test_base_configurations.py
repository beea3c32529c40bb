"""Configurations and models that bases refuse, and their errors."""

from __future__ import annotations

import mujoco
import pytest
from builtin.controllers.bases.moving import (
    FOUR_WHEELS,
    MECANUM,
    OMNI,
    SIDE,
    TWO_SIDES,
    TWO_WHEELS,
    around,
    wheels,
)

from mujoco_ros_py.session import Session

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ('config', 'reason'),
    [
        ({'left_wheel_names': ['w0', 'w1']}, 'must name the same number of wheels, at least one,'
                                             ' got 2 and 1'),
        ({'left_wheel_names': [], 'right_wheel_names': []}, 'at least one, got 0 and 0'),
        ({'left_wheel_names': ['lef']}, "left_wheel_names: unknown joint 'lef'; known: w0, w1"),
        ({'right_wheel_names': ['w0']}, 'joints must not contain a name twice, got w0 twice'),
        ({'wheel_separation': 0.0}, 'wheel_separation must be greater than 0, got 0'),
        ({'wheel_radius': -1.0}, 'wheel_radius must be greater than 0, got -1'),
        ({'cmd_vel_timeout': -1.0}, 'cmd_vel_timeout must be at least 0, got -1'),
        ({'command_timeout': 1.0}, 'use cmd_vel_timeout instead'),
        ({'publish_rate': 0.0}, 'publish_rate must be greater than 0 and at most 10000, got 0'),
        ({'topic': ''}, 'topic must not be empty'),
        ({'use_stamped_vel': 'yes'}, 'use_stamped_vel must be one of auto, True, False, got'),
        ({'base_frame_id': 'odom'}, "odom_frame_id and base_frame_id must differ, got 'odom'"),
        ({'pose_covariance_diagonal': [1.0]}, 'pose_covariance_diagonal must be a list of 6'),
        ({'twist_covariance_diagonal': [-1.0] * 6}, 'must be at least 0, got -1'),
        ({'linear': {'y': {}}}, "linear: unknown parameter 'y'; known: x"),
        ({'linear': {'x': {'max_velocity': -1.0}}}, 'linear.x.max_velocity must be'),
        ({'linear': {'x': {'max_deceleration': 1.0}}},
         'linear.x.max_deceleration must be -inf or at most 0, got 1'),
        ({'angular': {'z': {'max_acceleration': 0.0}}}, 'max_acceleration must not be 0'),
    ],
)  # fmt: skip
def test_a_wrong_configuration_is_refused_with_place_and_rule(refusal, config, reason):
    assert reason in refusal(TWO_WHEELS, {**TWO_SIDES, **config})


def test_wheels_must_be_hinges(refusal):
    reason = refusal(wheels(SIDE, SIDE, kind='slide'), TWO_SIDES)
    assert 'left_wheel_names: joint w0 must be a hinge joint, but is a slide joint' in reason


def test_wheels_must_not_turn_against_each_other(refusal):
    reason = refusal(wheels(SIDE, '0 -1 0'), TWO_SIDES)
    assert 'the axes of w0 and w1 must point to the same side' in reason


def test_the_joints_of_mecanum_wheels_are_named_by_their_place(refusal):
    plugin = {**MECANUM, 'rear_left_wheel_command_joint_name': 'w9'}
    reason = refusal(FOUR_WHEELS, plugin)
    assert "rear_left_wheel_command_joint_name: unknown joint 'w9'" in reason


def test_mecanum_wheels_need_their_geometry(refusal):
    plugin = {**MECANUM, 'kinematics': {'wheels_radius': 0.1}}
    reason = refusal(FOUR_WHEELS, plugin)
    assert 'kinematics.sum_of_robot_center_projection_on_X_Y_axis must be given' in reason


def test_two_omni_wheels_are_too_few(refusal):
    plugin = {'type': OMNI, 'wheel_names': ['w0', 'w1'], 'robot_radius': 0.3, 'wheel_radius': 0.05}
    assert 'wheel_names must name at least 3 wheels, got 2' in refusal(TWO_WHEELS, plugin)


def test_omni_wheels_in_a_wrong_order_are_refused(refusal):
    model, plugin = around(4)
    plugin['wheel_names'] = ['w0', 'w2', 'w1', 'w3']
    reason = refusal(model, plugin)
    assert 'wheel_names must be in anticlockwise order, with axes that point outwards' in reason
    assert 'the axes of w0 and w2 are 180 degrees apart' in reason


def test_a_wheel_belongs_to_one_base():
    listed = [{'name': 'first', **TWO_SIDES}, {'name': 'second', **TWO_SIDES}]
    with Session(mujoco.MjModel.from_xml_string(TWO_WHEELS), plugins=listed) as session:
        (problem,) = session.problems
    assert 'joints w0, w1 belong to first (DiffDriveController)' in problem
