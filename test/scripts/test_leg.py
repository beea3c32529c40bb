import mujoco
import numpy as np
import pytest
from quadruped import LEGS, senses
from quadruped.leg import foot_place, joint_positions

from .simulated_quadruped import MODEL

RANDOM = np.random.default_rng(0)
POSTURES = RANDOM.uniform((-0.6, -0.4, -2.3), (0.6, 1.2, -0.6), (20, 3))


def test_the_lengths_are_those_of_the_model():
    model = mujoco.MjModel.from_xml_path(MODEL)
    data = mujoco.MjData(model)
    for posture in POSTURES:
        data.qpos[2], data.qpos[7:] = 0.0, np.tile(posture, len(LEGS))
        mujoco.mj_kinematics(model, data)
        for leg, name in enumerate(LEGS):
            assert foot_place(leg, *posture) == pytest.approx(data.site(f'{name}_foot').xpos)


@pytest.mark.parametrize('leg', range(len(LEGS)))
def test_joint_positions_bring_the_foot_to_its_place(leg):
    for posture in POSTURES:
        assert joint_positions(leg, foot_place(leg, *posture)) == pytest.approx(tuple(posture))


def test_a_foot_that_is_to_be_too_far_away_goes_as_far_as_the_leg_reaches():
    x, y, z = foot_place(0, *joint_positions(0, (0.59, 0.14, -0.4)))
    assert y == pytest.approx(0.14)
    assert (x - 0.19, z) == pytest.approx((0.398 / 2**0.5, -0.398 / 2**0.5))


@pytest.mark.parametrize(('axis', 'name'), [(0, 'roll'), (1, 'pitch'), (2, 'yaw')])
def test_the_attitude_is_that_of_the_orientation(axis, name):
    turn = [0.0, 0.0, 0.0, np.cos(0.15)]
    turn[axis] = np.sin(0.15)
    felt = senses(0.0, tuple(turn), (0.0, 0.0, 0.0), [0.0, 0.8, -1.6] * 4, (30.0,) * 4)
    assert getattr(felt, name) == pytest.approx(0.3)
    assert felt.roll + felt.pitch + felt.yaw == pytest.approx(0.3), 'the others are 0'
