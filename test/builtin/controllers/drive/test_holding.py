"""Joints without a command: after a stop, a reset or a time-out, and in a pause."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest
from builtin.controllers.driving import Driving, hinge, said

from mujoco_ros_py.builtin.controllers import note_command, take_commands, withdraw_command
from mujoco_ros_py.session import Session

ACTUATORS = {
    'a motor': '<motor joint="joint"/>',
    'a servo of positions': '<position joint="joint" kp="80" kv="8"/>',
    'a servo of velocities': '<velocity joint="joint" kv="10"/>',
    'none': '',
}
INTERFACES = ('position', 'velocity', 'effort')
HELD = [
    pytest.param(
        interface,
        actuator,
        marks=() if interface == 'position' or name == 'a motor' else pytest.mark.slow,
        id=f'{interface}-{name}',
    )
    for interface in INTERFACES
    for name, actuator in ACTUATORS.items()
]


def moving(drive, interface, actuator='<motor joint="joint"/>', **config):
    """Returns a driven joint in motion."""
    driven = drive(hinge(actuator), interface, positions={'joint': 0.3}, **config)
    driven.command(**{interface: {'position': 2.0, 'velocity': 1.0, 'effort': 0.2}[interface]})
    driven.run(0.15)
    assert driven.velocity > 0.1
    return driven


def stop(driven, stopped=True):
    driven.session.call(lambda m, d: driven.plugin.emergency_stop(m, d, stopped))


@pytest.mark.parametrize(('interface', 'actuator'), HELD)
def test_an_emergency_stop_holds_within_one_step_and_a_reset_forgets_commands(
    drive, interface, actuator
):
    driven = moving(drive, interface, actuator)
    stop(driven)
    there = driven.position
    driven.step()
    assert driven.state.position_reference[0] == there
    assert driven.state.velocity_reference[0] == 0.0
    driven.command(**{interface: 1.5})
    driven.run(2.0)
    assert driven.position == pytest.approx(there, abs=1e-3)
    assert abs(driven.velocity) < 1e-3
    stop(driven, False)
    driven.run(0.5)
    assert driven.position == pytest.approx(there, abs=1e-3), 'what came meanwhile is dropped'
    driven.command(**{interface: 1.0})
    driven.run(0.5)
    assert abs(driven.position - there) > 1e-2
    driven.session.reset()
    driven.run(0.5)
    assert driven.position == pytest.approx(0.3, abs=1e-6)
    assert np.isnan(driven.state[f'{interface}_command'][0])


def test_while_it_is_stopped_arrays_of_commands_are_dropped(drive):
    driven = moving(drive, 'position')
    stop(driven)
    take = driven.session.call(lambda m, d: take_commands(driven.state, d, np.array([1.0])))
    assert take is False
    assert driven.state.drive_refusals == 0, 'such a command is not wrong'
    stop(driven, False)
    assert driven.session.call(lambda m, d: take_commands(driven.state, d, np.array([1.0])))


def test_a_reset_goes_on_with_the_emergency_stop(drive):
    driven = moving(drive, 'position')
    stop(driven)
    driven.session.reset()
    driven.command(position=2.0)
    driven.run(1.0)
    assert driven.position == pytest.approx(0.3, abs=1e-6)


def test_when_the_time_jumps_back_old_commands_are_forgotten(drive):
    driven = moving(drive, 'velocity')

    def back(model, data):
        data.time = 0.0
        data.qvel[:] = 0.0
        return float(data.qpos[0])

    there = driven.session.call(back)
    driven.run(1.0)
    assert driven.position == pytest.approx(there, abs=1e-6)


def test_mujocos_own_reset_of_unstable_data_is_noticed(drive):
    driven = moving(drive, 'position')

    def diverge(model, data):
        data.qvel[0] = math.nan

    driven.session.call(diverge)
    driven.run(1.0)
    assert driven.position == pytest.approx(0.0, abs=1e-6), 'the pose of the model, held'


def test_a_withdrawn_command_leaves_the_joint_where_it_is(drive):
    driven = moving(drive, 'velocity')
    there = driven.position
    driven.session.call(lambda m, d: withdraw_command(driven.state, 0))
    driven.run(2.0)
    assert driven.position == pytest.approx(there, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize('interface', INTERFACES)
def test_a_command_that_is_not_finite_is_none(drive, interface):
    driven = drive(hinge('<motor joint="joint"/>'), interface, positions={'joint': 0.3})
    for value in (math.nan, math.inf, -math.inf):
        driven.command(**{interface: value})
        driven.run(0.2)
        assert driven.position == pytest.approx(0.3, abs=1e-9), value


@pytest.mark.parametrize(
    'values', [[math.nan, 1.0], [1.0, math.inf], [1.0], [1.0, 2.0, 3.0], []], ids=str
)
def test_wrong_arrays_are_refused_as_a_whole_and_said(values, caplog):
    xml = """
    <mujoco>
      <worldbody>
        <body><joint name="a"/><geom size="0.1"/></body>
        <body pos="1 0 0"><joint name="b"/><geom size="0.1"/></body>
      </worldbody>
    </mujoco>
    """
    plugin = {'type': Driving, 'name': 'arm', 'joints': ['a', 'b'], 'interfaces': ['position']}
    with Session(mujoco.MjModel.from_xml_string(xml), plugins=[plugin]) as session:
        state = session.plugins['arm'].state
        for _ in range(100):
            taken = session.call(lambda m, d: take_commands(state, d, np.array(values)))
            assert taken is False
        assert np.isnan(state.position_command).all()
        lines = said(caplog, session, 'a command must')
    came = 'some that are not finite' if len(values) == 2 else f'{len(values)} numbers'
    assert lines == [
        f'arm: a command must have 2 finite numbers, one for each of a, b; got {came}'
    ]


def late(drive, interface, **config):
    """Returns a joint whose commands ended 0.3 s ago, during its motion."""
    driven = moving(drive, interface, command_timeout=0.2, **config)
    driven.session.call(lambda m, d: note_command(driven.state, d))
    driven.run(0.5)
    return driven


def test_late_positions_stay_where_they_were_asked_for(drive, caplog):
    driven = late(drive, 'position')
    driven.run(2.0)
    assert driven.position == pytest.approx(2.0, abs=1e-3)
    assert said(caplog, driven.session, 'no command') == [
        'driving: no command for 0.2 s: the last commands of joint have ended'
    ]


def test_late_positions_within_limits_come_to_rest_on_the_way(drive):
    limits = {'joint': {'max_velocity': 0.5, 'max_acceleration': 1.0}}
    driven = drive(hinge('<motor joint="joint"/>'), 'position', joint_limits=limits,
                   command_timeout=0.2)  # fmt: skip
    driven.session.call(lambda m, d: take_commands(driven.state, d, np.array([2.0])))
    driven.run(3.0)
    # 0.2 s of acceleration to 0.2 m/s, and as long to rest
    assert driven.position == pytest.approx(0.2 * 0.2, abs=2e-3)
    assert abs(driven.velocity) < 1e-6


def test_late_velocities_become_zero(drive):
    driven = late(drive, 'velocity')
    assert driven.velocity == pytest.approx(0.0, abs=1e-2)


def test_late_efforts_become_zero_with_gravity_compensation(drive):
    xml = (
        hinge('<motor joint="joint"/>')
        .replace('axis="0 0 1"', 'axis="0 1 0"')
        .replace('inertial pos="0 0 0"', 'inertial pos="0.1 0 0"')
    )
    config = {'positions': {'joint': 0.3}, 'command_timeout': 0.1}
    for compensates, still in ((True, True), (False, False)):
        driven = drive(xml, 'effort', gravity_compensation=compensates, **config)
        driven.session.call(lambda m, d, s=driven: take_commands(s.state, d, np.array([0.0])))
        driven.run(0.15)
        before = driven.velocity
        driven.run(0.2)
        assert (driven.velocity == pytest.approx(before, abs=5e-2)) is still


def test_a_command_ends_a_time_out(drive):
    driven = late(drive, 'velocity')
    driven.session.call(lambda m, d: take_commands(driven.state, d, np.array([0.4])))
    driven.run(0.15)
    assert driven.velocity == pytest.approx(0.4, abs=1e-2)


def test_a_pause_winds_no_integral_up_and_moves_no_reference(drive):
    limits = {'joint': {'max_velocity': 0.5}}
    gains = {'joint': {'p': 1.0, 'i': 50.0, 'd': 1.0}}
    driven = drive(hinge('<motor joint="joint"/>'), 'position', joint_limits=limits, gains=gains)
    driven.command(position=1.0)
    driven.step(10)

    def passes(model, data):
        for _ in range(100):
            mujoco.mj_forward(model, data)
        return driven.state.copy()

    before = driven.session.call(lambda m, d: driven.state.copy())
    after = driven.session.call(passes)
    for field in ('position_reference', 'velocity_reference', 'drive_time'):
        assert np.array_equal(before[field], after[field])
    for field in ('integral', 'position_reference', 'velocity_reference'):
        assert np.array_equal(before['drive'][field], after['drive'][field])


@pytest.mark.parametrize('option', ['', 'integrator="RK4"', 'integrator="implicit"'])
def test_a_ramp_advances_once_in_a_step_whatever_the_integrator(drive, option):
    limits = {'joint': {'max_velocity': 0.5}}
    driven = drive(hinge('<motor joint="joint"/>', option=option), 'position', joint_limits=limits)
    driven.command(position=1.0)
    driven.step(100)
    assert driven.state.position_reference[0] == pytest.approx(0.5 * 0.1)


@pytest.mark.slow
@pytest.mark.parametrize('interface', INTERFACES)
def test_a_restored_state_goes_on_to_the_bit(drive, interface):
    limits = {'joint': {'max_velocity': 0.7, 'max_acceleration': 2.0}}
    gains = {'joint': {'p': 40.0, 'i': 30.0, 'd': 0.0 if interface == 'velocity' else 4.0}}
    driven = moving(drive, interface, joint_limits=limits, gains=gains, command_timeout=0.4)
    driven.session.call(lambda m, d: note_command(driven.state, d))
    saved = driven.session.save()

    def future():
        rows = driven.traced(0.6)
        return rows, driven.state.copy()

    first, state = future()
    stop(driven)
    driven.command(**{interface: -1.0})
    driven.run(0.2)
    driven.session.restore(saved)
    again, state_again = future()
    np.testing.assert_array_equal(again, first)
    for field in state.dtype.names:
        assert repr(state_again[field]) == repr(state[field]), field


WEIGHT = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <body>
      <joint name="joint" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.02" mass="1"/>
    </body>
  </worldbody>
  <actuator>{}</actuator>
</mujoco>
"""
SERVOS = {
    'a servo': '<position joint="joint" kp="40" kv="6" gear="2"/>',
    'a filtered servo': '<position joint="joint" kp="160" kv="24" timeconst="0.001"/>',
    'an integrating servo': '<intvelocity joint="joint" kp="160" kv="24" actrange="-9 9"/>',
    'a motor': '<motor joint="joint"/>',
}


@pytest.mark.parametrize('actuator', SERVOS.values(), ids=SERVOS)
def test_a_weight_is_held_where_it_is_and_sinks_no_further_with_each_stop(drive, actuator):
    driven = drive(WEIGHT.format(actuator), 'position', positions={'joint': 0.3})
    driven.run(1.0)
    assert driven.position == pytest.approx(0.3, abs=2e-3)
    for _ in range(3):
        stop(driven)
        driven.run(1.0)
        stop(driven, False)
        driven.run(1.0)
    assert driven.position == pytest.approx(0.3, abs=2e-3)


LADEN = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <body name="arm">
      <joint name="joint" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.02" mass="1" contype="0"/>
    </body>
    <body name="load" pos="0.5 0 0"><freejoint/><geom size="0.05" mass="1.5" contype="0"/></body>
  </worldbody>
  <equality><connect body1="arm" body2="load" anchor="0.5 0 0"/></equality>
  <actuator>{}</actuator>
</mujoco>
"""
"""An arm that carries a load that is not part of its own weight (`qfrc_bias`)."""
WITH_AN_INTEGRAL = {'gains': {'joint': {'p': 200.0, 'i': 400.0, 'd': 20.0}}}
LADEN_DRIVES = {
    **{name: (actuator, {}) for name, actuator in SERVOS.items()},
    'no actuator': ('', {}),
    'a motor with an integral': ('<motor joint="joint"/>', WITH_AN_INTEGRAL),
    'a servo that the PID drives': (SERVOS['a servo'], {'use_servos': False}),
    'a servo that compensates no weight': (SERVOS['a servo'], {'gravity_compensation': False}),
    'a motor that compensates no weight': (SERVOS['a motor'], {'gravity_compensation': False}),
}
"""The actuator of the arm, and the configuration of the plugin."""


@pytest.mark.slow
@pytest.mark.parametrize(('actuator', 'config'), LADEN_DRIVES.values(), ids=LADEN_DRIVES)
def test_a_load_sinks_no_further_with_each_stop_and_command_that_is_withdrawn(
    drive, actuator, config
):
    driven = drive(LADEN.format(actuator), 'position', **config)
    driven.command(position=0.2)
    driven.run(5.0)
    there, effort = driven.position, driving_effort(driven)
    for _ in range(2):
        stop(driven)
        driven.run(1.0)
        stop(driven, False)
        driven.run(0.5)
        assert driven.position == pytest.approx(there, abs=1e-3)
        assert driving_effort(driven) == pytest.approx(effort, rel=1e-2)
        driven.command(position=0.2)
        driven.run(2.0)
        driven.session.call(lambda m, d: withdraw_command(driven.state, 0))
        driven.run(1.0)
    assert driven.position == pytest.approx(there, abs=1e-3)


def driving_effort(driven):
    return float(driven.data.qfrc_actuator[0] + driven.data.qfrc_applied[0])


def test_a_load_that_was_held_by_velocity_is_held_by_the_same_effort(drive):
    driven = drive(LADEN.format('<motor joint="joint"/>'), 'velocity')
    driven.command(velocity=0.0)
    driven.run(3.0)
    there, effort = driven.position, driving_effort(driven)
    stop(driven)
    driven.run(2.0)
    assert driven.position == pytest.approx(there, abs=1e-3)
    assert driving_effort(driven) == pytest.approx(effort, rel=1e-2)


TWO_LINKS = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <body>
      <joint name="joint" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.03" mass="1"/>
      <body pos="0.5 0 0">
        <joint name="other" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.03" mass="1"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position joint="joint" kp="200" kv="20"/><position joint="other" kp="100" kv="10"/>
  </actuator>
</mujoco>
"""


def test_an_arm_that_is_stopped_in_a_fast_motion_comes_to_rest_where_the_stop_came(drive):
    driven = drive(TWO_LINKS, 'position', joints=['joint', 'other'])
    driven.command(position=[2.0, -2.5])
    driven.run(0.15)
    assert (np.abs(driven.data.qvel) > 2.0).all(), 'it is pulled along by inertial forces'
    there = driven.data.qpos
    stop(driven)
    driven.run(3.0)
    assert driven.data.qpos == pytest.approx(there, abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize('actuator', ACTUATORS.values(), ids=ACTUATORS)
def test_a_joint_that_has_hardly_begun_to_move_does_not_go_on(drive, actuator):
    driven = drive(hinge(actuator), 'position', positions={'joint': 0.3})
    for steps in (1, 2, 5):
        driven.run(0.1)
        driven.command(position=2.0)
        driven.step(steps)
        there = driven.position
        stop(driven)
        driven.run(1.0)
        assert driven.position == pytest.approx(there, abs=1e-4), steps
        stop(driven, False)
        driven.session.reset()


def test_a_joint_that_creeps_to_a_distant_command_is_stopped(drive):
    damped = '<position joint="joint" kp="10" kv="4000"/>'
    driven = drive(hinge(damped, option='integrator="implicitfast"'), 'position')
    driven.command(position=3.0)
    driven.run(1.0)
    there = driven.position
    assert 1e-3 < driven.velocity < 1e-2
    stop(driven)
    driven.run(5.0)
    assert driven.position == pytest.approx(there, abs=1e-4)
