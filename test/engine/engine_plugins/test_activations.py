"""Activations of plugins: derivatives, the states that dyntype adds, and `advance`."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.engine.engine_plugins import register

from .models import Activated, arm


@pytest.mark.slow
def test_derivatives_by_finite_differences_see_the_activation_of_a_plugin():
    class Lag(Activated):
        name = 'test.lag'

        @staticmethod
        def actuator_act_dot(p, model, data):
            data.act_dot[p.act] = 10.0 * (data.ctrl[0] - data.act[p.act])

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
    class Two(Activated):
        name = f'test.two_{dyntype}'

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
    if dyntype == 'filterexact':  # MuJoCo integrates all states of this actuator in this way
        time *= tau / model.opt.timestep * (1 - math.exp(-model.opt.timestep / tau))
    assert data.act.tolist() == pytest.approx([time, 2 * time, expected[dyntype]])


def test_advance_comes_after_time_is_integrated_and_may_overwrite_act():
    class Clamped(Activated):
        name = 'test.clamped'

        @classmethod
        def state_size(cls, config, instance):
            return 1

        @staticmethod
        def actuator_act_dot(p, model, data):
            data.act_dot[p.act] = 100.0

        @staticmethod
        def advance(p, model, data):
            data.plugin_state[p.state] = data.act[p.act]
            data.act[p.act] = min(data.act[p.act], 0.5)

    register(Clamped)
    model = arm(Clamped.name, extra='actdim="1"')
    data = mujoco.MjData(model)
    seen = []
    for _ in range(5):
        mujoco.mj_step(model, data)
        seen.append((data.plugin_state[0], data.act[0]))
    h = 100.0 * model.opt.timestep
    assert np.allclose(seen[:2], [(h, h), (2 * h, 2 * h)])
    assert seen[-1] == pytest.approx((0.5 + h, 0.5))
