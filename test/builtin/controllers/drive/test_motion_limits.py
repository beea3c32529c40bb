"""Motion within limits: no reference exceeds them, whatever the command."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest
from builtin.controllers.driving import Driven, Driving, hinge, said
from hypothesis import given, settings
from hypothesis import strategies as st

from mujoco_ros_py.builtin.controllers.drive.reference_motion import (
    approaching_velocity,
    limited_velocity,
    stopping_distance,
    stopping_velocity,
)
from mujoco_ros_py.session import Session

pytestmark = pytest.mark.slow

STEP = 0.002
MOTOR = hinge('<motor joint="joint"/>', joint='range="-3 3" limited="true"')


@settings(deadline=None)
@given(st.floats(0.0, 10.0), st.floats(0.1, 50.0))
def test_a_motion_with_the_stopping_velocity_ends_after_the_distance(distance, acceleration):
    velocity = stopping_velocity(distance, acceleration, STEP)
    assert velocity * STEP <= distance * (1.0 + 1e-12)
    rest = stopping_distance(velocity, acceleration, STEP)
    assert velocity * STEP + rest == pytest.approx(distance, rel=1e-9, abs=1e-12)


@settings(deadline=None)
@given(st.floats(-5.0, 5.0), st.floats(0.1, 50.0))
def test_the_stopping_distance_is_the_sum_of_the_steps_that_are_left(velocity, acceleration):
    left, total = abs(velocity), 0.0
    while left > 0.0:
        left = max(left - acceleration * STEP, 0.0)
        total += left * STEP
    expected = math.copysign(total, velocity)
    assert stopping_distance(velocity, acceleration, STEP) == pytest.approx(expected, abs=1e-9)


def test_without_a_limit_of_acceleration_a_motion_stops_at_once():
    assert stopping_distance(3.0, math.inf, STEP) == 0.0
    assert stopping_velocity(0.1, math.inf, STEP) == pytest.approx(0.1 / STEP)
    assert stopping_velocity(math.inf, 2.0, STEP) == math.inf


COMMANDS = st.lists(
    st.tuples(st.floats(-5.0, 5.0), st.floats(-3.0, 3.0), st.integers(1, 150)),
    min_size=1,
    max_size=20,
)


@settings(max_examples=50, deadline=None)
@given(COMMANDS, st.floats(0.05, 4.0), st.floats(0.1, 30.0))
def test_a_reference_never_exceeds_a_limit(commands, largest, acceleration):
    low, high, position, velocity = -1.0, 2.0, 0.0, 0.0
    for target, target_velocity, steps in commands:
        target = max(low, min(high, target))
        target_velocity = max(-largest, min(largest, target_velocity))
        for _ in range(steps):
            wanted = approaching_velocity(target - position, target_velocity, acceleration, STEP)
            now = limited_velocity(
                wanted, velocity, high - position, position - low, largest, acceleration, STEP
            )
            assert abs(now) <= largest * (1.0 + 1e-12)
            assert abs(now - velocity) <= acceleration * STEP * (1.0 + 1e-9)
            position, velocity = position + now * STEP, now
            assert low - 1e-9 <= position <= high + 1e-9


def test_a_reference_comes_to_rest_at_its_target_without_overshoot():
    position, velocity, path = 0.0, 0.0, []
    for _ in range(2000):
        wanted = approaching_velocity(1.0 - position, 0.0, 4.0, STEP)
        velocity = limited_velocity(wanted, velocity, 2.0, 2.0, 1.5, 4.0, STEP)
        position += velocity * STEP
        path.append(position)
    assert max(path) <= 1.0 + 1e-12
    assert path[-1] == pytest.approx(1.0, abs=1e-12)
    fastest = 1.0 / 1.5 + 1.5 / 4.0  # a trapezoid: distance / velocity + velocity / acceleration
    arrived = next(k for k, place in enumerate(path) if place > 1.0 - 1e-6) * STEP
    assert arrived == pytest.approx(fastest, abs=0.02)


def test_a_target_that_moves_within_the_limits_is_followed_without_lag():
    position = velocity = 0.0
    for step in range(1, 1500):
        time = step * STEP
        target, target_velocity = 0.5 * (1 - math.cos(2 * time)), math.sin(2 * time)
        wanted = approaching_velocity(target - position, target_velocity, 4.0, STEP)
        velocity = limited_velocity(wanted, velocity, 9.0, 9.0, 1.5, 4.0, STEP)
        position += velocity * STEP
        assert position == pytest.approx(target, abs=1e-5)


def test_a_set_point_far_outside_of_the_range_is_clamped_and_said(drive, caplog):
    driven = drive(MOTOR, 'position')
    driven.command(position=50.0)
    positions = driven.traced(2.0)[:, 1]
    assert positions.max() <= 3.0 + 1e-6
    assert positions[-1] == pytest.approx(3.0, abs=1e-4)
    assert said(caplog, driven.session, 'limits') == [
        'driving: the position of joint joint must be from -3 to 3, got 50: clamped to these'
        ' limits'
    ]


SERVO = '<position joint="joint" kp="100" kv="8"/>'
WITHIN_ONE = {'min_position': -1.0, 'max_position': 1.0}


@pytest.mark.parametrize(
    ('actuator', 'position', 'limits'),
    [
        ('<motor joint="joint"/>', 0.5, {}),
        ('<motor joint="joint"/>', 0.99, {'max_velocity': 20.0}),
        ('<motor joint="joint"/>', 1.0, {'max_acceleration': 50.0}),
        (SERVO, 0.5, {'max_acceleration': 50.0}),
        (SERVO, 1.0, {'max_velocity': 20.0}),
        (SERVO, 40.0, {}),
    ],
)
def test_a_velocity_that_goes_along_takes_no_joint_out_of_its_range(
    drive, actuator, position, limits
):
    driven = drive(hinge(actuator), 'position', joint_limits={'joint': WITHIN_ONE | limits})
    for side in (1.0, -1.0):
        driven.command(position=side * position, velocity=side * 1e4)
        positions = side * driven.traced(1.0, every=5)[:, 1]
        assert 0.49 < positions[-1] <= positions.max() <= 1.0 + 1e-4


@pytest.mark.parametrize('actuator', ['<motor joint="joint"/>', SERVO], ids=['motor', 'servo'])
def test_a_set_point_that_leaves_the_range_takes_the_joint_to_its_end(drive, actuator):
    driven = drive(hinge(actuator), 'position', joint_limits={'joint': WITHIN_ONE})
    for step in range(100):
        driven.command(position=5.0 * (step + 1) * 0.01, velocity=5.0, effort=3.0)
        driven.step(10)
        assert driven.position <= 1.0 + 1e-4
    assert driven.position == pytest.approx(1.0, abs=1e-3)


def test_a_velocity_towards_the_range_goes_along_whole(drive):
    driven = drive(hinge(SERVO), 'position', joint_limits={'joint': WITHIN_ONE})
    driven.command(position=1.0, velocity=-2.0, effort=0.5)
    driven.step()
    assert driven.data.ctrl[0] == pytest.approx(1.0 - 2.0 * 8.0 / 100.0 + 0.5 / 100.0)


def test_the_configured_range_counts_where_it_is_narrower(drive):
    limits = {'joint': {'min_position': -0.5, 'max_position': 9.0}}
    driven = drive(MOTOR, 'position', joint_limits=limits)
    for command, reached in ((-2.0, -0.5), (8.0, 3.0)):
        driven.command(position=command)
        driven.run(2.0)
        assert driven.position == pytest.approx(reached, abs=1e-4)


def test_the_control_range_of_a_servo_limits_its_positions(drive):
    servo = '<position joint="joint" kp="50" kv="5" gear="2" ctrlrange="-1 1"/>'
    driven = drive(hinge(servo), 'position')
    driven.command(position=4.0)
    driven.run(2.0)
    assert driven.position == pytest.approx(0.5, abs=1e-4)
    assert driven.state.position_reference[0] == 0.5


def test_a_joint_moves_within_its_velocity_and_acceleration(drive):
    limits = {'joint': {'max_velocity': 0.8, 'max_acceleration': 3.0}}
    driven = drive(MOTOR, 'position', joint_limits=limits)
    driven.command(position=1.0)
    time, position, velocity = driven.traced(2.5).T
    assert position[-1] == pytest.approx(1.0, abs=1e-4)
    assert np.abs(velocity).max() <= 0.8 * 1.001
    acceleration = np.gradient(velocity, time)
    assert np.abs(acceleration).max() <= 3.0 * 1.001
    assert position.max() <= 1.0 + 1e-3


@pytest.mark.parametrize('servo', ['<motor joint="joint"/>', '<velocity joint="joint" kv="5"/>'])
def test_a_velocity_ends_before_the_end_of_the_range(drive, servo):
    driven = drive(hinge(servo, joint='range="-3 3" limited="true"'), 'velocity')
    driven.command(velocity=2.0)
    positions = driven.traced(3.0)[:, 1]
    assert positions.max() <= 3.0 + 1e-5
    assert positions[-1] == pytest.approx(3.0, abs=1e-2)
    driven.command(velocity=-1.0)
    driven.run(1.0)
    assert driven.position < 2.2


def test_velocity_commands_are_clamped_and_ramped(drive):
    limits = {'joint': {'max_velocity': 0.5, 'max_acceleration': 1.0}}
    driven = drive(hinge('<velocity joint="joint" kv="50"/>'), 'velocity', joint_limits=limits)
    driven.command(velocity=9.0)
    driven.run(0.25)
    assert driven.state.velocity_reference[0] == pytest.approx(0.25, abs=2e-3)
    driven.run(0.75)
    assert driven.velocity == pytest.approx(0.5, abs=1e-2)


EFFORTS = {
    'a configured limit': ('<motor joint="joint" gear="4"/>', '', 0.3),
    'a force range through the gear': (
        '<motor joint="joint" gear="-4" forcerange="-.05 .05"/>',
        '',
        0.2,
    ),
    'a control range': ('<motor joint="joint" gear="2" ctrlrange="-.1 .1"/>', '', 0.2),
    'a force range of the joint': (
        '<motor joint="joint"/>',
        'actuatorfrcrange="-.15 .15" actuatorfrclimited="true"',
        0.15,
    ),
    'the same without an actuator': (
        '',
        'actuatorfrcrange="-.15 .15" actuatorfrclimited="true"',
        0.15,
    ),
    'a servo with a configured limit': ('<position joint="joint" kp="80" kv="2"/>', '', 0.3),
}


@pytest.mark.parametrize(('actuator', 'joint', 'limit'), EFFORTS.values(), ids=EFFORTS)
@pytest.mark.parametrize('interface', ['position', 'effort'])
def test_no_effort_exceeds_its_limit(drive, actuator, joint, limit, interface):
    limits = {'joint': {'max_effort': 0.3}}
    driven = drive(hinge(actuator, joint=joint), interface, joint_limits=limits)
    largest = 0.0
    for value in (2.0, -2.0):
        driven.command(**{interface: value})
        for _ in range(30):
            driven.step(5)
            data = driven.data
            largest = max(largest, abs(data.qfrc_actuator[0] + data.qfrc_applied[0]))
    assert largest == pytest.approx(limit, rel=1e-9)


UNLIMITED = {
    'a filtered servo': (
        '<position name="x" joint="joint" kp="80" kv="8" timeconst=".01" {}/>',
        'position',
    ),
    'intvelocity': (
        '<intvelocity name="x" joint="joint" kp="80" actrange="-3 3" {}/>',
        'velocity',
    ),
    'a regulator': ('<pid name="x" joint="joint" kp="80" ki="3" {}/>', 'position'),
}
if not hasattr(mujoco.mjtGain, 'mjGAIN_PID'):  # since MuJoCo 4
    del UNLIMITED['a regulator']


@pytest.mark.parametrize(('actuator', 'interface'), UNLIMITED.values(), ids=UNLIMITED)
@pytest.mark.parametrize(
    ('what', 'config'),
    [
        ('joint_limits.joint.max_effort', {'joint_limits': {'joint': {'max_effort': 2.0}}}),
        ('gains.joint.u_clamp', {'gains': {'joint': {'u_clamp_max': 2.0}}}),
    ],
)
def test_a_limit_of_effort_that_nothing_would_keep_is_refused(
    drive, refusal, actuator, interface, what, config
):
    problem = refusal(hinge(actuator.format('')), interface, **config)
    assert f'{what} cannot be enforced with actuator x, because it' in problem
    assert 'give the actuator a forcerange or the joint an actuatorfrcrange' in problem
    limited = drive(hinge(actuator.format('forcerange="-1.5 1.5"')), interface, **config)
    limited.command(**{interface: 3.0})
    limited.step(100)
    assert abs(limited.data.qfrc_actuator[0]) <= 1.5


def test_a_limit_that_is_left_out_is_none(drive):
    limits = {'joint': {'max_effort': 0.0, 'has_effort_limits': False}}
    filtered, _ = UNLIMITED['a filtered servo']
    driven = drive(hinge(filtered.format('')), 'position', joint_limits=limits)
    driven.command(position=0.5)
    driven.run(2.0)
    assert driven.position == pytest.approx(0.5, abs=1e-3)


def test_a_clamp_of_the_effort_limits_a_servo(drive):
    clamp = {'u_clamp_max': 0.3, 'u_clamp_min': -0.2}
    driven = drive(hinge(SERVO), 'position', gains={'joint': clamp})
    driven.command(position=1.0)
    driven.step()
    assert driven.data.qfrc_actuator[0] == pytest.approx(0.3)
    driven.command(position=-1.0)
    driven.step()
    assert driven.data.qfrc_actuator[0] == pytest.approx(-0.2)


@pytest.mark.parametrize('actuator', ['<motor joint="joint"/>', SERVO, ''])
def test_an_effort_makes_no_joint_faster_than_its_largest_velocity(drive, actuator):
    limits = {'joint': {'max_velocity': 0.5}}
    driven = drive(hinge(actuator), 'effort', joint_limits=limits)
    for effort in (0.4, -0.4):
        driven.command(effort=effort)
        velocities = driven.traced(1.0)[:, 2] * np.sign(effort)
        one_step = 0.4 / 0.1 * 0.001
        assert velocities.max() <= 0.5 + one_step
        assert velocities[-1] == pytest.approx(0.5, abs=one_step)


def test_an_effort_against_too_fast_a_motion_is_applied_whole(drive):
    driven = drive(MOTOR, 'effort', joint_limits={'joint': {'max_velocity': 0.5}})
    driven.session.call(lambda model, data: data.qvel.__setitem__(0, 2.0))
    driven.command(effort=-0.3)
    driven.step()
    assert driven.data.qfrc_actuator[0] == pytest.approx(-0.3)


@settings(max_examples=4, deadline=None, derandomize=True)
@given(data=st.data())
def test_random_commands_never_leave_the_limits(data):
    check_random_commands(data)


@pytest.mark.nightly
@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_many_random_commands_never_leave_the_limits(data):
    check_random_commands(data)


def check_random_commands(data: st.DataObject) -> None:
    interface = data.draw(st.sampled_from(['position', 'velocity', 'effort']))
    limits = {'max_velocity': 1.0, 'max_acceleration': 4.0, 'max_effort': 2.0,
              'min_position': -1.0, 'max_position': 1.0}  # fmt: skip
    plugin = {'type': Driving, 'name': 'driving', 'interfaces': [interface],
              'joint_limits': {'joint': limits}}  # fmt: skip
    xml = hinge('<motor joint="joint"/>', joint='range="-1 1" limited="true"')
    with Session(mujoco.MjModel.from_xml_string(xml), plugins=[plugin]) as session:
        driven = Driven(session)
        values = st.floats(-20.0, 20.0) | st.just(math.nan) | st.just(math.inf)
        before = 0.0
        for value in data.draw(st.lists(values, min_size=1, max_size=8)):
            driven.command(**{interface: value})
            for _ in range(40):
                driven.step()
                row, now = driven.state, driven.data
                assert abs(now.qfrc_actuator[0]) <= 2.0 + 1e-9
                assert np.isfinite(now.ctrl[0])
                if interface != 'effort':
                    reference = float(row.velocity_reference[0])
                    assert abs(reference) <= 1.0 + 1e-9
                    assert abs(row.position_reference[0]) <= 1.0 + 5e-3
                    if reference != 0.0:
                        assert abs(reference - before) <= 4.0 * 0.001 + 1e-9
                    before = reference
