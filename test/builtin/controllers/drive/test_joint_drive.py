"""Joints that can be driven, and the errors of joints that cannot."""

from __future__ import annotations

import mujoco
import pytest
from builtin.controllers.driving import hinge, said

from mujoco_ros_py.builtin.controllers import DriveConfig, Gains, JointLimits
from mujoco_ros_py.config import read
from mujoco_ros_py.errors import ConfigError

JOINTS = """
<mujoco>
  <worldbody>
    <body><freejoint name="base"/><geom size="0.1"/></body>
    <body pos="1 0 0"><joint name="socket" type="ball"/><geom size="0.1"/></body>
    <body pos="2 0 0"><joint name="left" type="slide"/><geom size="0.1"/></body>
    <body pos="3 0 0"><joint name="right" type="slide"/><geom size="0.1"/></body>
    <body pos="4 0 0"><joint name="stuck"/><geom size="0.1"/></body>
    <body pos="5 0 0"><joint/><geom size="0.1"/></body>
  </worldbody>
  <equality>
    <joint joint1="right" joint2="left"/><joint joint1="stuck"/>
    <joint joint1="left" joint2="stuck" active="false"/>
  </equality>
</mujoco>
"""
LIMITED = hinge('<motor joint="joint"/>', joint='range="-1 1" limited="true"')


@pytest.mark.parametrize(
    ('joint', 'reason'),
    [
        ('base', 'joint base must be a hinge or slide joint, but is a free joint'),
        ('socket', 'joint socket must be a hinge or slide joint, but is a ball joint'),
        ('right', 'joint right cannot be driven: it follows left by an equality constraint'),
        ('stuck', 'joint stuck cannot be driven: it follows a constant by an equality constraint'),
        ('lefd', "unknown joint 'lefd' (did you mean 'left'?); known: left, right, stuck"),
    ],
)
def test_a_joint_that_cannot_be_driven_is_refused_with_a_sentence(refusal, joint, reason):
    assert refusal(JOINTS, 'position', joints=[joint]).endswith(reason)


def test_the_joint_that_others_follow_is_driven(drive):
    driven = drive(JOINTS, 'position', joints=['left'])
    assert driven.plugin.drive.joints == ('left',)


@pytest.mark.slow
@pytest.mark.parametrize(
    ('config', 'reason'),
    [
        ({'joints': []}, 'joints must not be empty'),
        ({'joints': ['joint', 'joint']}, 'joints must not contain a name twice, got joint twice'),
        ({'gains': {'elbow': {}}}, "gains: unknown joint 'elbow'; known: joint"),
        ({'joint_limits': {'elbow': {}}}, "joint_limits: unknown joint 'elbow'; known: joint"),
        (
            {'joint_limits': {'joint': {'min_position': 2.0}}},
            "joint_limits.joint: the position range 2 to inf does not overlap the model's range"
            ' -1 to 1',
        ),
        (
            {'gains': {'joint': {'angle_wraparound': True}}},
            'gains.joint.angle_wraparound needs a joint without position limits, but the joint is'
            ' limited to -1 to 1',
        ),
        (
            {'interfaces': ['position', 'velocity']},
            'interfaces must have one entry for each of the 1 joints, got 2',
        ),
    ],
)
def test_a_configuration_that_does_not_fit_is_refused(refusal, config, reason):
    interfaces = config.pop('interfaces', ['position'])
    assert refusal(LIMITED, *interfaces, **config).endswith(reason)


def test_a_velocity_has_no_derivative_gain(refusal):
    reason = refusal(LIMITED, 'velocity', gains={'joint': {'p': 1.0, 'd': 0.5}})
    assert 'gains.joint.d must be 0 for a joint with velocity commands, got 0.5' in reason


def test_a_joint_without_an_actuator_is_refused_if_asked_for(refusal):
    reason = refusal(hinge(), 'position', direct_effort=False)
    assert 'joint joint has no actuator: set direct_effort' in reason


THREE = """
<mujoco>
  <compiler angle="radian" autolimits="true"/>
  <worldbody>
    <body><joint name="a" range="-1 1"/><geom size="0.1"/></body>
    <body pos="1 0 0"><joint name="b" range="-1 2"/><geom size="0.1"/></body>
    <body pos="2 0 0"><joint name="c" range="-3 1"/><geom size="0.1"/></body>
  </worldbody>
</mujoco>
"""
RANGES = {'a': '-1 to 1', 'b': '-1 to 2', 'c': '-3 to 1'}


def test_every_joint_whose_command_is_clamped_is_named(drive, caplog):
    driven = drive(THREE, 'position', joints=list(RANGES))
    driven.command(position=[1.0, -1.0, 1.0 + 1e-15])
    driven.step(500)
    assert not caplog.messages, 'these are the limits'
    driven.command(position=[5.0, 5.0, 5.0])
    for joint, limits in RANGES.items():
        text = f'the position of joint {joint} must be from {limits}, got 5: clamped'
        assert said(caplog, driven.session, text)


def test_joints_that_begin_outside_of_their_limits_are_named(drive, caplog):
    narrow = {'b': {'max_position': 0.5}}
    begin = {'a': 0.5, 'b': 1.0, 'c': 1.5}
    driven = drive(THREE, 'position', joints=list(RANGES), joint_limits=narrow, positions=begin)
    driven.session.reset()
    starts = [message for message in caplog.messages if 'starts at' in message]
    assert starts == [
        'driving: joint b starts at 1, outside its limits (-1 to 0.5): its next command moves it'
        ' back inside',
        'driving: joint c starts at 1.5, outside its limits (-3 to 1): its next command moves it'
        ' back inside',
    ]
    named = "initial positions outside of the ranges of their joints: 'c' 1.5 (-3 to 1)"
    assert named in caplog.messages


def test_efforts_that_are_applied_directly_are_announced(drive, caplog):
    caplog.set_level('INFO')
    drive(hinge(), 'position')
    assert any(
        record.message == 'driving: no actuator drives joint, so efforts are applied directly'
        ' (qfrc_applied)'
        for record in caplog.records
    )


def test_a_model_that_disables_actuation_is_refused(refusal):
    option = '<option timestep="0.001"><flag actuation="disable"/></option>'
    xml = LIMITED.replace('<option timestep="0.001" />', option)
    assert mujoco.MjModel.from_xml_string(xml).opt.disableflags
    assert 'the model disables actuation' in refusal(xml, 'position')


@pytest.mark.parametrize(
    ('values', 'message'),
    [
        ({'p': -1.0}, 'p must be at least 0, got -1'),
        ({'k': 1.0}, "unknown parameter 'k'"),
        ({'antiwindup_strategy': 'magic'}, 'antiwindup_strategy must be one of none, back_calc'),
    ],
)
def test_gains_are_read_strictly(values, message):
    with pytest.raises(ConfigError, match=message):
        read(Gains, values)


def test_a_file_of_moveit_fits():
    limits = read(
        JointLimits,
        {'has_velocity_limits': True, 'max_velocity': 2.5, 'has_acceleration_limits': False,
         'max_acceleration': 0},
    )  # fmt: skip
    assert (limits.max_velocity, limits.has_acceleration_limits) == (2.5, False)


@pytest.mark.parametrize(
    ('values', 'message'),
    [
        ({'max_velocity': 0.0}, 'max_velocity must be greater than 0, got 0: the joint cannot'),
        ({'min_position': 1.0, 'max_position': 0.0}, r'min_position must be at most max_position'),
    ],
)
def test_limits_that_make_no_sense_are_refused(values, message):
    with pytest.raises(ConfigError, match=message):
        read(DriveConfig, {'joint_limits': {'elbow': values}})


def test_a_field_of_ones_own_must_not_have_the_name_of_one_of_the_drive(drive):
    driven = drive(LIMITED, 'position')
    with pytest.raises(TypeError, match='the drive already has a state field stopped'):
        driven.session.call(lambda m, d: driven.plugin.drive.new_state(stopped=1.0))
