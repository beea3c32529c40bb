"""A state has all of one moment, by name, and never changes."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.plugins import MujocoPlugin
from mujoco_ros_py.testing import serve

from .testing_robot import ROBOT


@pytest.fixture
def bare():
    """Model and data of MuJoCo alone, after the same steps as `stepped`."""
    model = mujoco.MjModel.from_xml_string(ROBOT)
    data = mujoco.MjData(model)
    data.ctrl[0] = 0.5
    mujoco.mj_step(model, data, 100)
    mujoco.mj_forward(model, data)
    return model, data


@pytest.fixture
def stepped(robot):
    return robot.step(100, ctrl={'motor': 0.5})


def test_time_positions_and_velocities_are_those_of_mujoco_to_the_bit(stepped, bare):
    _, data = bare
    assert stepped.time == data.time
    assert np.array_equal(stepped.qpos, data.qpos)
    assert np.array_equal(stepped.qvel, data.qvel)
    assert stepped.joint('hinge').position == data.joint('hinge').qpos[0]
    assert stepped.joint('hinge').velocity == data.joint('hinge').qvel[0]
    for name in ('float', 'socket'):
        assert np.array_equal(stepped.joint(name).position, data.joint(name).qpos)
        assert np.array_equal(stepped.joint(name).velocity, data.joint(name).qvel)


def test_bodies_and_sites_are_where_the_positions_of_the_same_moment_put_them(stepped, bare):
    model, data = bare
    velocity = np.zeros(6)
    kind = mujoco.mjtObj.mjOBJ_XBODY
    mujoco.mj_objectVelocity(model, data, kind, model.body('ball').id, velocity, 0)
    ball, tip = stepped.body('ball'), stepped.site('tip')
    assert np.allclose(ball.position, data.body('ball').xpos, atol=1e-14)
    assert np.allclose(ball.orientation, data.body('ball').xquat, atol=1e-14)
    assert np.allclose(ball.angular_velocity, velocity[:3], atol=1e-14)
    assert np.allclose(ball.linear_velocity, velocity[3:], atol=1e-14)
    assert np.allclose(tip.position, data.site('tip').xpos, atol=1e-14)
    assert tip.orientation.shape == (4,)


def test_sensors_and_forces_are_those_of_the_same_moment(stepped, bare):
    _, data = bare
    assert stepped.sensor('angle') == stepped.joint('hinge').position
    assert np.allclose(stepped.sensor('place'), data.sensor('place').data, atol=1e-14)
    assert stepped.actuator('motor') == (0.5, 0.5)
    assert stepped.ctrl == [0.5]


def test_a_state_stays_as_it_is_when_the_server_goes_on(robot):
    first = robot.step(10)
    kept = first.time, first.joint('hinge').position, first.body('ball').position.copy()
    robot.step(500)
    robot.reset()
    assert kept[:2] == (first.time, first.joint('hinge').position)
    assert np.array_equal(kept[2], first.body('ball').position)
    robot.reload(model='<mujoco><worldbody/></mujoco>')
    assert np.array_equal(kept[2], first.body('ball').position)


@pytest.mark.parametrize('read', ['qpos', 'ctrl', 'joint', 'body'])
def test_nothing_can_be_written_to_a_state(stepped, read):
    arrays = {
        'qpos': lambda: stepped.qpos,
        'ctrl': lambda: stepped.ctrl,
        'joint': lambda: stepped.joint('float').position,
        'body': lambda: stepped.body('ball').position,
    }
    with pytest.raises(ValueError, match='read-only'):
        arrays[read]()[0] = 1.0


@pytest.mark.parametrize(
    ('kind', 'name', 'said'),
    [
        ('joint', 'hing', r"unknown joint 'hing' \(did you mean 'hinge'\?\); known: float, hinge"),
        ('body', 'hand', "unknown body 'hand'; known: ball, eye, rod, target, world"),
        ('site', 'top', r"unknown site 'top'.*; known: tip"),
        ('sensor', 'force', "unknown sensor 'force'; known: angle, count, place"),
        ('actuator', 'moter', r"unknown actuator 'moter'.*; known: motor"),
    ],
)
def test_an_unknown_name_is_told_with_those_that_there_are(stepped, kind, name, said):
    with pytest.raises(ConfigError, match=said):
        getattr(stepped, kind)(name)


class Spring(MujocoPlugin):
    """Pulls at the hinge, and writes the time into a user sensor."""

    def passive_callback(self, model, data):
        data.qfrc_passive[0] -= 4.0

    def last_stage_callback(self, model, data):
        data.sensor('count').data[0] = 100.0 * data.time


def test_forces_of_passive_callbacks_and_values_of_user_sensors_are_those_of_the_last_step():
    xml = ROBOT.replace('<user', '<jointactuatorfrc name="f" joint="hinge"/><user').replace(
        '<framepos', '<frameangacc name="acc" objtype="body" objname="rod"/><framepos'
    )
    with serve(xml, plugins=[Spring]) as server, serve(xml) as without:
        states = server.step(3), without.step(3)
        assert states[0].sensor('count') == pytest.approx(0.6)
        assert states[1].sensor('count') == 0.0
        assert states[0].sensor('acc')[1] < states[1].sensor('acc')[1] - 1.0


def test_the_text_of_a_state_tells_time_and_joints(robot):
    state = robot.step()
    assert repr(state) == '<State at 0.002 s>'
    assert str(state).startswith('time 0.002 s, hinge 0.0 (velocity 0.0), float [')
