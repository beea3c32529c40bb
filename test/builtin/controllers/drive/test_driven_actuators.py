"""Each kind of actuator with each interface: the joint reaches its command, or is refused."""

from __future__ import annotations

import itertools
import math

import mujoco
import pytest
from builtin.controllers.driving import hinge

pytestmark = pytest.mark.slow

NEWER = pytest.mark.skipif(not hasattr(mujoco.mjtGain, 'mjGAIN_PID'), reason='since MuJoCo 4')
AFFINE = {
    'a motor with a gear': '<motor joint="joint" gear="-2"/>',
    'a general actuator': '<general joint="joint" gainprm="3"/>',
    'a constant bias': '<general joint="joint" gainprm="3" biastype="affine" biasprm="1"/>',
    'a servo of positions': '<position joint="joint" kp="50" kv="5" gear="2"/>',
    'a servo of velocities': '<velocity joint="joint" kv="10" gear="-3"/>',
    'a servo with another stiffness than gain': (
        '<general joint="joint" gainprm="20" biastype="affine" biasprm="2 -40 -4"/>'
    ),
    'both servos': '<position joint="joint" kp="50" kv="5"/><velocity joint="joint" kv="10"/>',
    'none': '',
}
PID = '<pid joint="joint" kp="50" kv="5" {}/>'
CASES = [
    *(pytest.param(xml, id=name) for name, xml in AFFINE.items()),
    pytest.param(PID.format(''), id='pid', marks=NEWER),
    pytest.param(PID.format('input="vel ff"'), id='pid of velocities', marks=NEWER),
]
SERVOS = {
    'intvelocity': '<intvelocity joint="joint" kp="50" kv="5" actrange="-5 5"/>',
    'a filtered servo': '<position joint="joint" kp="50" kv="5" timeconst="0.05"/>',
}
EULER, RK4, IMPLICIT = '', 'integrator="RK4"', 'integrator="implicitfast"'
START = {'joint': 0.2}


def cases(*options: str) -> pytest.MarkDecorator:
    """Parametrizes a test by the kinds of actuators, each with one of the integrators."""
    made = [
        pytest.param(*case.values, option, id=case.id, marks=case.marks)
        for case, option in zip(CASES, itertools.cycle(options), strict=False)
    ]
    return pytest.mark.parametrize(('actuators', 'option'), made)


@cases(EULER, RK4, IMPLICIT)
def test_positions_are_held_and_reached(drive, actuators, option):
    driven = drive(hinge(actuators, option=option), 'position', positions=START)
    driven.run(0.3)
    assert driven.position == pytest.approx(0.2, abs=1e-6)
    driven.command(position=-0.4)
    driven.run(2.0)
    assert driven.position == pytest.approx(-0.4, abs=1e-3)


@cases(RK4, IMPLICIT, EULER)
def test_velocities_are_reached_and_kept(drive, actuators, option):
    driven = drive(hinge(actuators, option=option), 'velocity', positions=START)
    driven.run(0.3)
    assert driven.position == pytest.approx(0.2, abs=1e-6)
    driven.command(velocity=-0.7)
    driven.run(2.0)
    assert driven.velocity == pytest.approx(-0.7, abs=1e-3)
    driven.command(velocity=0.0)
    driven.run(1.0)
    assert driven.velocity == pytest.approx(0.0, abs=1e-3)


@cases(EULER, RK4)
def test_an_effort_is_the_force_on_the_joint(drive, actuators, option):
    driven = drive(hinge(actuators, option=option), 'effort', positions=START)
    driven.run(0.3)
    assert driven.position == pytest.approx(0.2, abs=1e-6), 'held until the first command'
    driven.command(effort=0.05)
    driven.run(0.5)
    data = driven.data
    assert data.qfrc_actuator[0] + data.qfrc_applied[0] == pytest.approx(0.05)
    assert driven.velocity == pytest.approx(0.05 / 0.1 * 0.5, rel=1e-3)


@pytest.mark.parametrize('xml', SERVOS.values(), ids=SERVOS)
def test_a_servo_with_an_activation_is_driven_by_position_alone(drive, refusal, xml):
    driven = drive(hinge(xml), 'position', positions=START)
    driven.run(0.5)
    assert driven.position == pytest.approx(0.2, abs=1e-2)
    driven.command(position=-0.4)
    driven.run(2.0)
    assert driven.position == pytest.approx(-0.4, abs=1e-3)
    assert 'joint joint cannot be driven by effort' in refusal(hinge(xml), 'effort')


def test_an_integrating_servo_is_driven_by_velocity(drive):
    driven = drive(hinge(SERVOS['intvelocity']), 'velocity', positions=START)
    driven.run(0.5)
    driven.command(velocity=0.7)
    driven.run(2.0)
    assert driven.velocity == pytest.approx(0.7, abs=1e-3)
    driven.command(velocity=0.0)
    driven.run(1.0)
    assert driven.velocity == pytest.approx(0.0, abs=1e-3)


@NEWER
def test_a_pid_with_an_integral_is_driven_by_position_alone(drive, refusal):
    xml = hinge(PID.format('ki="3"'))
    driven = drive(xml, 'position')
    driven.command(position=0.5)
    driven.run(4.0)
    assert driven.position == pytest.approx(0.5, abs=1e-2)
    assert 'it has a regulator of its own' in refusal(xml, 'velocity')


@pytest.mark.parametrize(
    ('actuator', 'reason'),
    [
        ('<muscle name="m" joint="joint" lengthrange="0 1"/>', 'm: it is a muscle or of a user'),
        ('<general name="m" joint="joint" dyntype="filter" dynprm="0.1"/>', 'm: its force lags'),
        ('<general name="m" joint="joint" dyntype="integrator"/>', 'm: its force lags'),
        ('<motor name="m" joint="joint" gear="0"/>', 'm: its gain or its gear is 0'),
        ('<damper name="m" joint="joint" kv="1" ctrlrange="0 1"/>', 'm: its gain or its gear'),
    ],
)
@pytest.mark.parametrize('interface', ['position', 'velocity', 'effort'])
def test_what_cannot_be_driven_is_refused_with_its_reason(refusal, actuator, reason, interface):
    problem = refusal(hinge(actuator), interface)
    assert f'joint joint cannot be driven by {interface}: {reason}' in problem


def test_a_servo_leads_a_moving_target_by_what_its_damping_takes(drive):
    driven = drive(hinge('<position joint="joint" kp="500" kv="50"/>'), 'position')
    for step in range(1000):
        driven.command(position=0.5 * (step + 1) * 0.001, velocity=0.5)
        driven.step()
    assert driven.position == pytest.approx(0.5, abs=1e-3), 'without a velocity it lags by 0.05'


def test_the_control_of_a_servo_is_the_position_itself(drive):
    driven = drive(hinge('<position joint="joint" kp="50" kv="5"/>'), 'position')
    driven.command(position=0.3)
    driven.step()
    assert driven.data.ctrl[0] == pytest.approx(0.3, abs=1e-12)


def test_a_servo_is_driven_by_the_pid_where_the_configuration_says_so(drive):
    xml = hinge('<position joint="joint" kp="1" kv="0"/>')
    driven = drive(xml, 'position', use_servos=False, gains={'joint': {'p': 20.0, 'd': 2.0}})
    driven.command(position=0.3)
    driven.step()
    assert driven.data.qfrc_actuator[0] == pytest.approx(20.0 * 0.3)


def test_the_other_actuators_of_a_joint_have_no_effect(drive):
    others = '<position joint="joint" kp="80" kv="3"/><velocity joint="joint" kv="7" gear="2"/>'
    alone = drive(hinge('<motor joint="joint"/>'), 'effort')
    among = drive(hinge(f'<motor joint="joint"/>{others}'), 'effort')
    for driven in (alone, among):
        driven.command(effort=0.02)
        driven.run(1.0)
    assert among.position == pytest.approx(alone.position, abs=1e-9)
    assert list(among.data.actuator_force[1:]) == pytest.approx([0.0, 0.0], abs=1e-9)


def test_an_actuator_that_cannot_be_silent_beside_another_is_refused_with_what_to_do(
    refusal, drive
):
    filtered = '<position name="slow" joint="joint" kp="5" timeconst="0.1" group="3"/>'
    both = hinge(f'<motor joint="joint"/>{filtered}')
    assert refusal(both, 'effort').endswith(
        'joint joint can be driven by only one of its actuators, and the others must exert no'
        ' force. Actuator slow cannot be silenced, because its force lags behind its control (an'
        ' activation or a delay): remove slow from the model, or disable its group there'
        ' (actuatorgroupdisable)'
    )
    assert drive(both.replace('<option ', '<option actuatorgroupdisable="3" '), 'effort')


def test_an_actuator_of_a_disabled_group_is_not_there(drive):
    actuators = '<position joint="joint" kp="50" group="3"/><motor joint="joint"/>'
    option = 'actuatorgroupdisable="3"'
    driven = drive(hinge(actuators).replace('<option ', f'<option {option} '), 'position')
    assert driven.plugin.drive.claims.actuators == {'unnamed_actuator_1'}


def test_gravity_is_compensated_where_the_pid_drives_and_not_twice(drive):
    xml = """
    <mujoco>
      <worldbody>
        <body {}>
          <joint name="joint" axis="0 1 0"/>
          <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.02" mass="2"/>
        </body>
      </worldbody>
      <actuator><motor joint="joint"/></actuator>
    </mujoco>
    """
    for gravcomp in ('', 'gravcomp="1"', 'gravcomp="0.5"'):
        driven = drive(xml.format(gravcomp), 'position', positions={'joint': 0.3})
        driven.run(1.0)
        assert driven.position == pytest.approx(0.3, abs=1e-9)
    sinking = drive(xml.format(''), 'position', gravity_compensation=False)
    sinking.run(2.0)
    stiffness = sinking.state.drive[0]['p']
    weight = 2.0 * 9.81 * 0.25 * math.cos(sinking.position)
    assert sinking.position == pytest.approx(weight / stiffness, rel=1e-3)


def test_effort_commands_are_the_whole_effort_unless_gravity_is_added(drive):
    xml = (
        hinge('<motor joint="joint"/>')
        .replace('axis="0 0 1"', 'axis="0 1 0"')
        .replace('inertial pos="0 0 0"', 'inertial pos="0.1 0 0"')
    )
    falling = drive(xml, 'effort')
    falling.command(effort=0.0)
    falling.run(0.2)
    assert falling.position > 0.1
    floating = drive(xml, 'effort', add_gravity_to_effort=True)
    floating.command(effort=0.0)
    floating.run(0.2)
    assert floating.position == pytest.approx(0.0, abs=1e-9)
    floating.session.configure('driving', add_gravity_to_effort=False)
    floating.run(0.2)
    assert floating.position > 0.1
