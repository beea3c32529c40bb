"""Activations of plugins: derivatives, and the states that dyntype adds."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.engine.extensions import Capability, EnginePlugin, register

from .models import arm


def test_derivatives_by_finite_differences_see_the_activation_of_a_plugin():
    class Lag(EnginePlugin):
        name = 'test.lag'
        capabilities = Capability.ACTUATOR

        @classmethod
        def parameters(cls, config, instance):
            return {'act': int(instance.model.actuator_actadr[instance.actuators[0]])}

        @staticmethod
        def actuator_act_dot(p, model, data):
            data.act_dot[p.act] = 10.0 * (data.ctrl[0] - data.act[p.act])

        @staticmethod
        def compute_actuator(p, model, data):
            data.actuator_force[0] = data.act[p.act]

    register(Lag)
    model = arm(Lag.name, extra='actdim="1"')
    data = mujoco.MjData(model)
    A, B = np.zeros((3, 3)), np.zeros((3, 1))  # noqa: N806 (x' = A x + B u)
    mujoco.mjd_transitionFD(model, data, 1e-6, True, A, B, None, None)
    h = model.opt.timestep
    assert A[2, 2] == pytest.approx(1 - 10 * h, abs=1e-6)
    assert B[2, 0] == pytest.approx(10 * h, abs=1e-6)
    force = np.ones((1, 1))
    mujoco.mj_forward(model, data)
    mujoco.mj_solveM(model, data, force, force.copy())
    assert A[1, 2] == pytest.approx(h * force[0, 0], rel=1e-2)


@pytest.mark.parametrize('dyntype', ['integrator', 'filter', 'filterexact'])
def test_what_dyntype_adds_lies_behind_the_states_of_the_plugin(dyntype):
    class Two(EnginePlugin):
        name = f'test.two_{dyntype}'
        capabilities = Capability.ACTUATOR

        @classmethod
        def parameters(cls, config, instance):
            return {'act': int(instance.model.actuator_actadr[instance.actuators[0]])}

        @staticmethod
        def actuator_act_dot(p, model, data):
            data.act_dot[p.act] = 1.0
            data.act_dot[p.act + 1] = 2.0

        @staticmethod
        def compute_actuator(p, model, data):
            data.actuator_force[0] = data.act[p.act + 2]

    register(Two)
    model = arm(Two.name, extra=f'actdim="3" dyntype="{dyntype}" dynprm="0.5"')
    data = mujoco.MjData(model)
    data.ctrl[0] = 1.0
    mujoco.mj_step(model, data, 50)
    tau, time = 0.5, data.time
    expected = {
        'integrator': time,
        'filter': 1 - (1 - model.opt.timestep / tau) ** 50,
        'filterexact': 1 - math.exp(-time / tau),
    }
    if dyntype == 'filterexact':  # MuJoCo integrates all states of such an actuator like this
        time *= tau / model.opt.timestep * (1 - math.exp(-model.opt.timestep / tau))
    assert data.act.tolist() == pytest.approx([time, 2 * time, expected[dyntype]])
