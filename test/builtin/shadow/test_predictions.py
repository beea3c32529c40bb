"""The predictions of a measured state, and the effects of hypotheses."""

from __future__ import annotations

import copy

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.builtin.shadow.known_uncertainty import Uncertainty
from mujoco_ros_py.builtin.shadow.measurements import Measured
from mujoco_ros_py.builtin.shadow.model_numbers import Number
from mujoco_ros_py.builtin.shadow.predictions import Predictor, Run
from mujoco_ros_py.builtin.shadow.recorded_steps import Steps
from mujoco_ros_py.builtin.shadow.shadow_config import MeasuredNoise

SLIDER = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <body name="cart"><joint name="x" type="slide" axis="1 0 0"/><geom size="0.1" mass="2"/></body>
    <body name="other" pos="0 2 0">
      <joint name="y" type="slide" axis="1 0 0"/>
      <geom size="0.1" mass="1"/>
    </body>
  </worldbody>
  <actuator><motor name="push" joint="x"/></actuator>
</mujoco>
"""
FORCE, LENGTH = 6.0, 0.1


@pytest.fixture
def model():
    return mujoco.MjModel.from_xml_string(SLIDER)


def predicted(model, hypotheses=(), noise=None, first=(0.0, 0.0), last=(0.0, 0.0), **options):
    """Returns a prediction of the cart, which is pushed with a constant force."""
    count = 400
    steps = Steps(
        times=0.001 * np.arange(1, count + 1),
        qpos=np.zeros((count, 2)),
        qvel=np.zeros((count, 2)),
        act=np.zeros((count, 0)),
        ctrl=np.full((count, 1), FORCE),
        applied=np.zeros((count, 2)),
    )
    states = [
        Measured(
            stamp=50.0 + time, time=0.1 + time, positions=np.array(state[:1]),
            velocities=np.array(state[1:]), aligned=True, span=0.0,
        )
        for time, state in ((0.0, first), (LENGTH, last))
    ]  # fmt: skip
    joint = [model.joint('x').id]
    predictor = Predictor(
        model, mujoco.MjData(model), joint, ['x'], noise or MeasuredNoise(),
        options.get('known', Uncertainty()), options.get('timing', 0.0),
    )  # fmt: skip
    return predictor.predict(*states, steps, hypotheses)


def test_the_residual_is_the_measured_state_minus_the_motion_of_the_model(model):
    speed = FORCE / 2 * LENGTH
    found = predicted(model, last=(0.5, 0.5))
    assert found.residual == pytest.approx([0.5 - speed * LENGTH / 2, 0.5 - speed], rel=0.02)


def test_the_covariance_is_that_of_the_noise_carried_along(model):
    noise = MeasuredNoise(position=0.001, velocity=0.02)
    found = predicted(model, noise=noise)
    velocity = 0.02 * LENGTH
    assert found.covariance == pytest.approx(
        np.array([[2 * 0.001**2 + velocity**2, velocity * 0.02], [velocity * 0.02, 2 * 0.02**2]]),
        rel=1e-3,
    )


def test_efforts_outside_the_model_widen_the_covariance(model):
    noise = MeasuredNoise(position=1e-6, velocity=1e-6, effort=0.4)
    found = predicted(model, noise=noise)
    assert np.sqrt(found.covariance[1, 1]) == pytest.approx(0.4 / 2 * LENGTH, rel=1e-3)


def test_parameters_widen_the_covariance_with_their_correlation(model):
    noise = MeasuredNoise(position=1e-6, velocity=1e-6)
    mass = [(Number('body_mass', model.body('cart').id, 0, 1.0), 0.01)]
    less = [(Number('body_mass', model.body('cart').id, 0, 1.0), -0.01)]
    widths = []
    for correlation in (-0.999, 0.0, 0.999):
        known = Uncertainty(
            changes=[mass, less], correlation=np.array([[1, correlation], [correlation, 1]])
        )
        widths.append(predicted(model, noise=noise, known=known).covariance[1, 1] ** 0.5)
    one = 0.01 * FORCE / 4 * LENGTH
    assert widths == pytest.approx([2 * one, np.sqrt(2) * one, np.sqrt(0.002) * one], rel=0.05)


@pytest.mark.parametrize('step', [0.05, 1.0])
def test_a_mass_acts_on_joints_whose_inertia_is_constant(model, step):
    assert model.body_simple[model.body('cart').id]
    run = Run(changes=[(Number('body_mass', model.body('cart').id, 0, 1.0), step)])
    (effect,) = predicted(model, [[run]]).effects
    wanted = FORCE * LENGTH / (2 + step) - FORCE * LENGTH / 2
    assert effect[1, 0] == pytest.approx(wanted, rel=1e-6)
    assert predicted(model, [[run]]).residual == pytest.approx(predicted(model).residual)


def test_a_force_acts_at_the_centre_of_a_body_in_the_axes_of_the_world(model):
    runs = [Run(force=(model.body('cart').id, axis)) for axis in np.eye(3)]
    (effect,) = predicted(model, [runs]).effects
    assert effect[1] == pytest.approx([LENGTH / 2, 0, 0], abs=1e-9)


def test_the_model_of_the_simulation_is_not_changed(model):
    before = copy.copy(model)
    run = Run(changes=[(Number('body_mass', model.body('cart').id, 0, 1.0), 1.0)])
    predicted(model, [[run]])
    assert np.array_equal(model.body_mass, before.body_mass)
    assert np.array_equal(model.dof_M0, before.dof_M0)
    assert np.array_equal(model.body_sameframe, before.body_sameframe)
