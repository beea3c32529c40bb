"""Faults of forces against Newton's law, for all kinds of actuators and integrators."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mujoco_ros_py.errors import PluginError
from mujoco_ros_py.session import Session

from .wheel import INTEGRATORS, LINEAR, MOTOR, PUSHING, motor, skip_before_mujoco_4, xml
from .worn import session


def spin(made: Session, speed: float) -> None:
    made.call(lambda model, data: data.qvel.__setitem__(0, speed))


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


def test_two_runs_are_equal_to_the_bit():
    timeline = [motor(scale=0.7, at=0.1), motor(saturate={'force': 0.5, 'velocity': 0.2})]

    def run() -> bytes:
        with session(xml(integrator='RK4'), *timeline, before=[PUSHING]) as made:
            made.step(500)
            data = made.snapshot().data
            return data.qpos.tobytes() + data.qvel.tobytes()

    assert run() == run()


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
        with session(xml(servo, joint='ball'), motor(**effects),
                     before=[PUSHING]) as made:  # fmt: skip
            made.step()
            norms.append(np.linalg.norm(made.snapshot().data.actuator_force))
    whole = 3.0 * math.sqrt(3.0)
    assert norms == pytest.approx([whole, 0.5 * whole, 0.7, 0.0], rel=1e-12)
    with pytest.raises(PluginError, match='each with its own speed'):
        session(xml(servo, joint='ball'), motor(saturate={'velocity': 1.0}))
