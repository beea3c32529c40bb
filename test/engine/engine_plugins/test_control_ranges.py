"""Controls are clipped for engine plugins as for MuJoCo's own actuators."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.engine.engine_plugins import Attribute, Capability, EnginePlugin, register

from .models import arm

RANGE = 'ctrlrange="-0.5 0.25"'


class Follows(EnginePlugin):
    """The force equals the control, and so does the rate of the activation."""

    name = 'test.follows'
    capabilities = Capability.ACTUATOR
    fails = Attribute(False)

    @classmethod
    def parameters(cls, config, instance):
        model = instance.model
        return {
            'fails': config['fails'],
            'controls': model.actuator_ctrladr[instance.actuators],
            'outputs': model.actuator_outadr[instance.actuators],
            'act': int(model.actuator_actadr[instance.actuators[0]]),
        }

    @staticmethod
    def actuator_act_dot(p, model, data):
        if p.act >= 0:
            data.act_dot[p.act] = data.ctrl[p.controls[0]]

    @staticmethod
    def compute_actuator(p, model, data):
        for k in range(len(p.controls)):
            data.actuator_force[p.outputs[k]] = data.ctrl[p.controls[k]]
        if p.fails:
            raise ValueError('afterwards')


@pytest.fixture(autouse=True)
def registered():
    register(Follows)


@pytest.mark.parametrize('control', [-3.0, -0.5, 0.1, 0.25, 7.0])
@pytest.mark.parametrize('extra', ['', RANGE])
def test_the_force_is_that_of_a_motor_of_the_same_range(control, extra):
    model = arm(Follows.name, joints=3, extra=extra)
    motor = mujoco.MjModel.from_xml_string(
        '<mujoco><worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>'
        f'<actuator><motor joint="j" {extra}/></actuator></mujoco>'
    )
    data, wanted = mujoco.MjData(model), mujoco.MjData(motor)
    data.ctrl[:] = 0.0, control, -control
    wanted.ctrl[0] = control
    mujoco.mj_forward(model, data)
    mujoco.mj_forward(motor, wanted)
    assert data.actuator_force[1] == wanted.actuator_force[0]
    assert data.ctrl.tolist() == [0.0, control, -control]


def test_rates_of_activations_see_the_same_control():
    model = arm(Follows.name, extra=f'actdim="1" {RANGE}')
    data = mujoco.MjData(model)
    data.ctrl[0] = 9.0
    mujoco.mj_forward(model, data)
    assert data.act_dot[0] == 0.25
    assert data.ctrl[0] == 9.0


def test_a_model_that_disables_clipping_has_none():
    model = arm(Follows.name, extra=RANGE)
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CLAMPCTRL
    data = mujoco.MjData(model)
    data.ctrl[0] = 9.0
    mujoco.mj_forward(model, data)
    assert data.actuator_force[0] == 9.0


def test_controls_stay_as_they_were_set_when_the_function_raises():
    model = arm(Follows.name, {'fails': 'true'}, extra=RANGE)
    data = mujoco.MjData(model)
    data.ctrl[0] = 9.0
    mujoco.mj_step(model, data, 3)
    assert (data.ctrl[0], data.actuator_force[0]) == (9.0, 0.25)


def test_a_copy_has_the_controls_that_were_set():
    model = arm(Follows.name, joints=2, extra=RANGE)
    data, copy = mujoco.MjData(model), mujoco.MjData(model)
    data.ctrl[:] = 1.0, -1.0
    mujoco.mj_step(model, data)
    mujoco.mj_copyData(copy, model, data)
    mujoco.mj_step(model, copy)
    assert np.array_equal(copy.ctrl, [1.0, -1.0])
    assert np.array_equal(copy.actuator_force, [0.25, -0.5])
