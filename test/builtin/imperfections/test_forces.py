"""Faults of forces against Newton's law, for all kinds of actuators and integrators."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.errors import PluginError
from mujoco_ros_py.plugins import Adaptable, MujocoPlugin, compiled
from mujoco_ros_py.session import Session

from .worn import session, worn

MODEL = """
<mujoco>
  <option timestep="0.001" gravity="0 0 0" integrator="{integrator}"/>
  <worldbody>
    <body>
      <joint name="wheel" type="{joint}" axis="0 1 0"/>
      <inertial pos="0 0 0" mass="1" diaginertia="2 2 2"/>
      <geom size="0.1"/>
    </body>
  </worldbody>
  <actuator>{actuator}</actuator>
  <sensor><actuatorfrc name="force" actuator="motor"/></sensor>
</mujoco>
"""
MOTOR = '<motor name="motor" joint="wheel" gear="2"/>'
BALL = """
<mujoco>
  <worldbody><body name="ball"><freejoint/><geom size="0.1"/></body></worldbody>
</mujoco>
"""
INTEGRATORS = 'Euler', 'RK4', 'implicit', 'implicitfast'
LINEAR = {
    'motor': MOTOR,
    'limited motor': '<motor name="motor" joint="wheel" forcerange="-0.2 0.7"/>',
    'position servo': '<position name="motor" joint="wheel" kp="30" kv="4"/>',
    'velocity servo': '<velocity name="motor" joint="wheel" kv="4"/>',
    'integrated velocity': '<intvelocity name="motor" joint="wheel" kp="9" actrange="-1 1"/>',
    'damper': '<damper name="motor" joint="wheel" kv="4" ctrlrange="0 3"/>',
    'filter': """
      <general name="motor" joint="wheel" dyntype="filterexact" dynprm="0.1" gaintype="affine"
        gainprm="1 2 3" biastype="affine" biasprm="0.3 -4 -5"/>
    """,
    'muscle': '<muscle name="motor" joint="wheel" lengthrange="-2 2" force="5"/>',
    'muscle with a scale': '<muscle name="motor" joint="wheel" lengthrange="-2 2" scale="4"/>',
    'pid': '<pid name="motor" joint="wheel" kp="30" kv="4" ki="9" imax="0.2"/>',
}
NEW = {name: 'pid' in name for name in LINEAR}
"""The kinds of actuators that are new in MuJoCo 4."""


class Pushing(MujocoPlugin):
    @staticmethod
    @compiled
    def control_callback(state, model, data):
        for k in range(len(data.ctrl)):
            data.ctrl[k] = 1.0


class Gains(MujocoPlugin, Adaptable):
    """Reads the gain of each model, as controllers do."""

    def load(self, model, data):
        self.seen = [float(model.actuator_gainprm[0, 0])]

    def adapt(self, model, data):
        self.seen.append(float(model.actuator_gainprm[0, 0]))


PUSHING = {'type': Pushing, 'name': 'pushing'}


def xml(actuator: str = MOTOR, integrator: str = 'Euler', joint: str = 'hinge') -> str:
    return MODEL.format(actuator=actuator, integrator=integrator, joint=joint)


def motor(**effects: object) -> dict[str, object]:
    return {'of': {'actuator': 'motor'}, **effects}


def numbers(made: Session) -> dict[str, list[float]]:
    """The numbers of the actuators in the model."""
    fields = 'gainprm', 'biasprm', 'forcerange', 'forcelimited'
    model = made.snapshot().model
    return {name: getattr(model, f'actuator_{name}').tolist() for name in fields}


def spin(made: Session, speed: float) -> None:
    made.call(lambda model, data: data.qvel.__setitem__(0, speed))


def skip_before_mujoco_4(*kinds: str) -> None:
    if any(NEW.get(kind) for kind in kinds) and not hasattr(mujoco.mjtGain, 'mjGAIN_PID'):
        pytest.skip('MuJoCo 4 has this kind of actuator')


@pytest.mark.parametrize('integrator', INTEGRATORS)
def test_half_of_the_torque_is_half_of_the_acceleration(integrator):
    timeline = [motor(scale=0.5, at=0.1, until=0.3)]
    with session(xml(integrator=integrator), *timeline, before=[PUSHING]) as made:
        speeds = []
        for _ in range(4):
            made.step(100)
            speeds.append(made.snapshot().data.qvel[0])
    # 2 N m on 2 kg m^2; the effect begins and ends with a step
    assert np.diff([0.0, *speeds]) == pytest.approx([0.1, 0.05, 0.05, 0.1], abs=2e-4)


@pytest.mark.parametrize('kind', LINEAR)
def test_the_force_of_each_kind_of_actuator_is_scaled_exactly(kind):
    skip_before_mujoco_4(kind)
    rng = np.random.default_rng(1)
    states = rng.normal(size=(40, 2))

    def forces(*timeline: dict[str, object]) -> np.ndarray:
        with session(xml(LINEAR[kind], 'implicit'), *timeline, before=[PUSHING]) as made:
            found = []
            for position, velocity in states:

                def put(model, data, position=position, velocity=velocity):
                    data.qpos[0], data.qvel[0] = position, velocity

                made.call(put)
                made.step()
                found.append(made.snapshot().data.actuator_force[0])
            return np.array(found)

    whole = forces(motor(active=False, scale=0.3))
    assert whole.any()
    assert forces(motor(scale=0.3)) == pytest.approx(0.3 * whole, rel=1e-12, abs=1e-15)
    assert forces(motor(stop=True)) == pytest.approx(0.0 * whole)


@pytest.mark.parametrize('integrator', ['implicit', 'implicitfast'])
def test_derivatives_are_scaled_too(integrator):
    # a stiff velocity servo: with the derivative of the whole gain, it would be too slow
    servo = '<velocity name="motor" joint="wheel" kv="{}"/>'
    ends = []
    for gain, scale in ((5000, 0.1), (500, 1.0)):
        model = xml(servo.format(gain), integrator)
        with session(model, motor(scale=scale), before=[PUSHING]) as made:
            made.step(20)
            ends.append(made.snapshot().data.qvel[0])
    assert ends[0] == pytest.approx(ends[1], rel=1e-12)


def test_a_brown_out_weakens_a_whole_group():
    two = MOTOR + '<motor name="other" joint="wheel" group="1"/>'
    timeline = [{'name': 'brownout', 'of': {'actuator_group': 0}, 'scale': 0.3}]
    with session(xml(two), *timeline, before=[PUSHING]) as made:
        made.step()
        assert list(made.snapshot().data.actuator_force) == [0.3, 1.0]


@pytest.mark.parametrize('integrator', INTEGRATORS)
def test_a_saturated_motor_reaches_its_force_and_its_speed(integrator):
    timeline = [motor(saturate={'force': 0.5, 'velocity': 0.4})]
    with session(xml(integrator=integrator), *timeline, before=[PUSHING]) as made:
        made.step(200)
        data = made.snapshot().data
        assert data.actuator_force[0] == 0.5
        assert data.qvel[0] == pytest.approx(0.2 * 0.5, rel=1e-9)  # 2 * 0.5 N m on 2 kg m^2
        made.step(800)
        # the speed of the motor is twice that of the wheel, and overshoots by one step at most
        assert data.qvel[0] <= made.snapshot().data.qvel[0] <= 0.2 + 0.001 * 0.5
        assert made.snapshot().data.qvel[0] == pytest.approx(0.2, abs=0.0006)


@pytest.mark.parametrize(('speed', 'force'), [(0.19, 1.0), (0.21, 0.0), (-5.0, 1.0)])
def test_beyond_its_speed_a_motor_only_brakes(speed, force):
    with session(xml(), motor(saturate={'velocity': 0.4}), before=[PUSHING]) as made:
        spin(made, speed)
        made.step()
        assert made.snapshot().data.actuator_force[0] == force


def test_limits_of_the_model_hold_within_a_saturation_and_scale_along():
    limited = '<motor name="motor" joint="wheel" forcerange="-0.2 0.7"/>'
    for effects, force in (
        ({'saturate': {'force': 0.9}}, 0.7),
        ({'saturate': {'force': 0.4}}, 0.4),
        ({'scale': 0.5}, 0.35),
        ({'scale': -0.5}, -0.35),
        ({'scale': 0.5, 'saturate': {'force': 0.3}}, 0.3),
    ):
        with session(xml(limited), motor(**effects), before=[PUSHING]) as made:
            made.step()
            assert made.snapshot().data.actuator_force[0] == pytest.approx(force, rel=1e-12)


def test_snapshots_compute_sensors_with_the_fault():
    with session(xml(), motor(scale=0.5), before=[PUSHING]) as made:
        made.step()
        assert list(made.snapshot().sensors()) == [0.5]


@pytest.mark.parametrize('way', ['time', 'switch', 'reset', 'reload', 'unload'])
def test_the_model_has_its_numbers_again_afterwards(way):
    timeline = [motor(scale=0.5, until=0.005, at=0.001, saturate={'force': 0.1})]
    servo = LINEAR['position servo']
    compiled_model = mujoco.MjModel.from_xml_string(xml(servo))
    with Session(compiled_model, plugins=[PUSHING, worn(*timeline)], strict=True) as made:
        before = numbers(made)
        made.step(3)
        assert numbers(made) != before
        if way == 'time':
            made.step(4)
        elif way == 'switch':
            plugin = made.plugins['worn']
            made.call(lambda model, data: plugin.state.force_faults['active'].fill(0))
            made.step()
        elif way == 'reset':
            made.reset()
        elif way == 'reload':
            made.reload()
        else:
            made.change(plugins=[PUSHING])
            made.step()
        assert numbers(made) == before


def test_a_plugin_that_fails_gives_the_model_and_the_control_back():
    timeline = [motor(scale=0.5, offset=2.0)]
    with session(xml(), *timeline) as made:
        made.call(lambda model, data: data.ctrl.__setitem__(0, 1.0))
        made.step(3)
        assert made.snapshot().data.ctrl[0] == 3.0
        made.plugins['worn'].environment.submit(lambda model, data: 1 / 0)
        made.step(2)
        assert len(made.problems) == 1
        assert made.snapshot().model.actuator_gainprm[0, 0] == 1.0
        assert made.snapshot().data.ctrl[0] == 1.0


def test_controllers_read_the_numbers_of_the_model_when_an_entity_comes():
    before = [{'type': Gains, 'name': 'gains'}, PUSHING]
    with session(xml(), motor(scale=0.5), before=before) as made:
        made.step(2)
        for number in range(2):
            made.spawn(BALL, f'ball{number}', position=[0, number, 1])
            made.step()
            assert made.snapshot().data.actuator_force[0] == 0.5
        assert made.plugins['gains'].seen == [1.0, 1.0, 1.0]


def test_a_saved_state_fits_the_model_whenever_it_is_restored():
    timeline = [motor(scale=0.5, at=0.010, until=0.020)]
    with session(xml(), *timeline, before=[PUSHING]) as made:
        before = numbers(made)
        states = {}
        for time_ms in (5, 15, 25):
            made.step(time_ms - round(1000 * made.time))
            states[time_ms] = made.save()

        def rest(time_ms: int) -> bytes:
            made.restore(states[time_ms])
            made.step(30 - time_ms)
            return made.snapshot().data.qvel.tobytes()

        ends = {rest(time_ms) for time_ms in (5, 15, 25, 15, 5, 25, 5)}
        assert len(ends) == 1
        assert numbers(made) == before


def test_two_runs_are_equal_to_the_bit():
    timeline = [motor(scale=0.7, at=0.1), motor(saturate={'force': 0.5, 'velocity': 0.2})]

    def run() -> bytes:
        with session(xml(integrator='RK4'), *timeline, before=[PUSHING]) as made:
            made.step(500)
            data = made.snapshot().data
            return data.qpos.tobytes() + data.qvel.tobytes()

    assert run() == run()


@pytest.mark.parametrize(
    ('actuator', 'effects', 'message'),
    [
        (
            '<dcmotor name="motor" joint="wheel" motorconst="0.1" resistance="1"/>',
            {'scale': 0.5},
            r"timeline.e0\.scale is not possible for actuator 'motor': it is a DC motor, whose"
            ' currents and friction are not scaled alike; use stop or saturate',
        ),
        (
            '<pid name="motor" joint="wheel" input="pos vel ff"/>',
            {'scale': 0.5},
            r'timeline.e0\.scale is not .*: no parameter scales its feedforward input',
        ),
        (
            '<general name="motor" joint="wheel" biastype="user"/>',
            {'scale': 0.5},
            r'timeline.e0\.scale is not .*: a callback of the program computes its force',
        ),
        (
            LINEAR['muscle'],
            {'scale': -1.0},
            r"timeline.e0\.scale must be at least 0 for actuator 'motor', which is a muscle,"
            ' got -1',
        ),
    ],
)
def test_a_fault_that_an_actuator_cannot_have_is_refused(actuator, effects, message):
    if 'dcmotor' in actuator or 'pid' in actuator:
        skip_before_mujoco_4('pid')
    with pytest.raises(PluginError, match=message):
        session(xml(actuator), motor(**effects))


@pytest.mark.parametrize('effects', [{'stop': True}, {'saturate': {'force': 0.0}}])
def test_a_dc_motor_can_be_stopped_and_saturated(effects):
    skip_before_mujoco_4('pid')
    dc_motor = '<dcmotor name="motor" joint="wheel" motorconst="0.1" resistance="1"/>'
    with session(xml(dc_motor), motor(**effects), before=[PUSHING]) as made:
        made.step(10)
        data = made.snapshot().data
        assert (data.actuator_force[0], data.qvel[0]) == (0.0, 0.0)


def test_the_torque_of_an_orientation_servo_is_weakened_and_limited_in_its_norm():
    skip_before_mujoco_4('pid')
    servo = '<orientation name="motor" joint="wheel" kp="3" kv="1"/>'
    norms = []
    for effects in ({'scale': 1.0}, {'scale': 0.5}, {'saturate': {'force': 0.7}}, {'stop': True}):
        with session(xml(servo, joint='ball').replace(SENSOR, ''), motor(**effects),
                     before=[PUSHING]) as made:  # fmt: skip
            made.step()
            norms.append(np.linalg.norm(made.snapshot().data.actuator_force))
    whole = 3.0 * math.sqrt(3.0)
    assert norms == pytest.approx([whole, 0.5 * whole, 0.7, 0.0], rel=1e-12)
    with pytest.raises(PluginError, match='no single speed'):
        session(xml(servo, joint='ball').replace(SENSOR, ''), motor(saturate={'velocity': 1.0}))


SENSOR = '<sensor><actuatorfrc name="force" actuator="motor"/></sensor>'
