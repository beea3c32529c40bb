"""Plugins and models that several tests use."""

from __future__ import annotations

from collections.abc import Mapping
from platform import machine

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.engine.engine_plugins import Attribute, Capability, EnginePlugin


class WarmMotor(EnginePlugin):
    """A motor with a temperature sensor: the torque, gain u, heats it; it cools by itself."""

    name = 'test.warm_motor'
    capabilities = Capability.ACTUATOR | Capability.SENSOR
    gain = Attribute(1.0, minimum=0.0)
    ambient = Attribute(20.0)
    heating = Attribute(5.0)

    @classmethod
    def state_size(cls, config, instance):
        return 1

    @classmethod
    def parameters(cls, config, instance):
        state = int(instance.model.plugin_stateadr[instance.id])
        found = {'actuators': instance.actuators, 'sensors': instance.sensors}
        return {**config, **found, 'state': state}

    @staticmethod
    def reset(p, state):
        state[0] = p.ambient

    @staticmethod
    def compute_actuator(p, model, data):
        for actuator in p.actuators:
            data.actuator_force[actuator] = p.gain * data.ctrl[actuator]

    @staticmethod
    def compute_sensor(p, model, data):
        for sensor in p.sensors:
            data.sensordata[model.sensor_adr[sensor]] = data.plugin_state[p.state]

    @staticmethod
    def advance(p, model, data):
        power = 0.0
        for actuator in p.actuators:
            power += data.actuator_force[actuator] ** 2
        rate = p.heating * power - (data.plugin_state[p.state] - p.ambient)
        data.plugin_state[p.state] += rate * model.opt.timestep


class Activated(EnginePlugin):
    """An actuator whose force is its activation."""

    capabilities = Capability.ACTUATOR

    @classmethod
    def parameters(cls, config, instance):
        model, actuator = instance.model, instance.actuators[0]
        return {
            'act': int(model.actuator_actadr[actuator]),
            'state': int(model.plugin_stateadr[instance.id]),
        }

    @staticmethod
    def compute_actuator(p, model, data):
        data.actuator_force[0] = data.act[p.act]


def arm(
    plugin: str, config: Mapping[str, object] = {}, *, joints: int = 1, extra: str = ''
) -> mujoco.MjModel:
    """Returns a model of pendulums, each with its own actuator and instance."""
    values = ''.join(f'<config key="{key}" value="{value}"/>' for key, value in config.items())
    bodies = ''.join(
        f'<body pos="{j} 0 0"><joint name="j{j}" axis="0 1 0" damping="0.1"/>'
        f'<geom size="0.1" pos="0.3 0 0" contype="0" conaffinity="0"/></body>'
        for j in range(joints)
    )
    actuators = ''.join(
        f'<plugin name="a{j}" joint="j{j}" plugin="{plugin}" {extra}>{values}</plugin>'
        for j in range(joints)
    )
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><extension><plugin plugin="{plugin}"/></extension>'
        f'<worldbody>{bodies}</worldbody><actuator>{actuators}</actuator></mujoco>'
    )


def warm_motor(name: str = WarmMotor.name, **config: object) -> mujoco.MjModel:
    """Returns a model with one instance for an actuator and a sensor."""
    values = ''.join(f'<config key="{key}" value="{value}"/>' for key, value in config.items())
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><extension><plugin plugin="{name}">'
        f'<instance name="motor">{values}</instance></plugin></extension>'
        '<worldbody><body><joint name="j" axis="0 1 0"/><geom size="0.1" pos="0.3 0 0"/></body>'
        '</worldbody><actuator><plugin name="a" joint="j" instance="motor"/></actuator>'
        '<sensor><plugin name="t" instance="motor"/></sensor>'
        '<keyframe><key name="home" qpos="0.5"/></keyframe></mujoco>'
    )


def run(model: mujoco.MjModel, data: mujoco.MjData, steps: int) -> np.ndarray:
    """Returns qpos, plugin_state and sensordata after each step, under a varying control."""
    rows = []
    for _ in range(steps):
        data.ctrl[:] = np.sin(3 * data.time + np.arange(model.nu))
        mujoco.mj_step(model, data)
        rows.append(np.concatenate([data.qpos, data.act, data.plugin_state, data.sensordata]))
    return np.array(rows)


def behind_another(plugin: str, config: Mapping[str, object], extra: str = '') -> mujoco.MjModel:
    """Returns a model with a two-control actuator, followed by an actuator of the plugin."""
    values = ''.join(f'<config key="{key}" value="{value}"/>' for key, value in config.items())
    return mujoco.MjModel.from_xml_string(f"""
        <mujoco>
          <extension><plugin plugin="{plugin}"/></extension>
          <worldbody><body><joint name="j"/><geom size="0.1"/></body></worldbody>
          <actuator>
            <pid joint="j" input="pos vel"/>
            <plugin joint="j" plugin="{plugin}" {extra}>{values}</plugin>
          </actuator>
        </mujoco>
    """)


def assert_as_in_c(ours: np.ndarray, theirs: np.ndarray) -> None:
    """Asserts that numbers equal those of MuJoCo's C++ plugin, bitwise on x86-64.

    The C++ compiler fuses products and sums if the processor always supports this, as on aarch64.
    """
    if machine() == 'x86_64':
        assert np.array_equal(ours, theirs)
    else:
        assert ours == pytest.approx(theirs, rel=1e-6, abs=1e-9)


def assert_replays(model: mujoco.MjModel, data: mujoco.MjData, steps: int) -> None:
    """Asserts bitwise equal steps from a saved and restored state, and from a copy."""
    copy, other = mujoco.MjData(model), mujoco.MjData(model)
    kind = mujoco.mjtState.mjSTATE_INTEGRATION
    state = np.empty(mujoco.mj_stateSize(model, kind))
    mujoco.mj_getState(model, data, state, kind)
    mujoco.mj_setState(model, other, state, kind)
    mujoco.mj_copyData(copy, model, data)
    rows = run(model, data, steps)
    assert np.ptp(rows[:, : model.nq]) > 0.0
    assert np.array_equal(run(model, other, steps), rows)
    assert np.array_equal(run(model, copy, steps), rows)
