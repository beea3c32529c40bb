"""The server of a test steps, sets, waits, saves, reloads, and is strict."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.errors import (
    ConditionError,
    ConfigError,
    ModelError,
    PluginError,
    SimulationError,
)
from mujoco_ros_py.plugins import MujocoPlugin, Reconfigurable, compiled, new_state, ranged
from mujoco_ros_py.session import Session
from mujoco_ros_py.testing import serve
from mujoco_ros_py.testing.replay import replay

from .testing_robot import ROBOT


class Refusing(MujocoPlugin):
    def load(self, model, data):
        raise ValueError('no gripper')


class Failing(MujocoPlugin):
    """Fails when it has been called often enough."""

    def load(self, model, data):
        self.calls = 0

    def last_stage_callback(self, model, data):
        self.calls += 1
        if self.calls > 3:
            raise ValueError('worn out')


@dataclass(frozen=True, kw_only=True, slots=True)
class Gain:
    """The configuration of a pusher."""

    gain: float = ranged(1.0, minimum=0.0, live=True)


class Pusher(MujocoPlugin[Gain], Reconfigurable):
    """Pushes the hinge, from compiled code."""

    def load(self, model, data):
        self.state = new_state(gain=self.config.gain, resets=0)

    def configure(self, config):
        self.state.gain = config.gain

    def reset(self, model, data):
        self.state.resets += 1

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        data.ctrl[0] = state.gain


def test_many_steps_are_those_of_a_session_with_the_same_plugins_to_the_bit():
    plugins = [{'type': Pusher, 'gain': 0.3}]
    with serve(ROBOT, plugins=plugins) as server:
        with Session(mujoco_xml=ROBOT, plugins=plugins) as session:
            session.step(250)
            there = session.save().integration
        server.step(249)
        assert server.step().sample.values.tobytes() == there.tobytes()
        assert server.state.ctrl == [0.3]


def test_controls_stay_until_they_are_set_again_and_may_be_given_in_order(robot):
    assert robot.step(2, ctrl={'motor': 1}).ctrl == [1.0]
    assert robot.step(2).ctrl == [1.0]
    assert robot.step(2, ctrl=[0.25]).ctrl == [0.25]
    assert robot.step(2, ctrl=np.array([0.5])).ctrl == [0.5]


@pytest.mark.parametrize(
    ('ctrl', 'said'),
    [
        ({'moter': 1.0}, "unknown actuator 'moter'.*known: motor"),
        ({'motor': float('nan')}, "ctrl of actuator 'motor' must be a finite number, got nan"),
        ({'motor': 'fast'}, "ctrl of actuator 'motor' must be a finite number, got 'fast'"),
        ([1.0, 2.0], 'ctrl must be a finite number, got'),
    ],
)
def test_controls_that_cannot_be_are_refused_and_no_step_is_made(robot, ctrl, said):
    with pytest.raises(ConfigError, match=said):
        robot.step(ctrl=ctrl)
    assert robot.step().time == 0.002


def test_a_count_below_1_is_refused(robot):
    with pytest.raises(SimulationError, match='at least 1, got 0'):
        robot.step(0)


def test_positions_velocities_controls_and_mocap_bodies_are_set_by_name(robot):
    turned = [0.0, 1.0, 0.0, 0.0]
    state = robot.set(
        qpos={'hinge': 0.4, 'float': [1, 2, 3, 1, 0, 0, 0]},
        qvel={'socket': (0.1, 0.2, 0.3)},
        ctrl={'motor': -0.5},
        mocap={'target': [1, 2, 3, *turned]},
    )
    assert state.joint('hinge').position == 0.4
    assert state.body('ball').position.tolist() == [1.0, 2.0, 3.0]
    assert state.joint('socket').velocity.tolist() == [0.1, 0.2, 0.3]
    assert state.ctrl == [-0.5]
    assert state.body('target').position.tolist() == [1.0, 2.0, 3.0]
    assert state.body('target').orientation.tolist() == turned
    state = robot.set(mocap={'target': (0, 0, 1)}, qvel=np.ones(10))
    assert state.body('target').position.tolist() == [0.0, 0.0, 1.0]
    assert state.body('target').orientation.tolist() == turned
    assert state.qvel.tolist() == [1.0] * 10
    assert state.time == 0.0


@pytest.mark.parametrize(
    ('values', 'said'),
    [
        ({'qpos': {'hing': 1.0}}, "unknown joint 'hing'"),
        ({'qpos': {'float': 1.0}}, "qpos of joint 'float' must be 7 finite numbers, got 1.0"),
        ({'qvel': {'float': [1.0] * 7}}, "qvel of joint 'float' must be 6 finite numbers"),
        ({'mocap': {'ball': [1, 2, 3]}}, "unknown mocap body 'ball'; known: target"),
        ({'mocap': {'target': [1, 2]}}, "mocap of 'target' .* must be 3 finite numbers"),
    ],
)
def test_what_cannot_be_set_is_refused_and_nothing_is_set(robot, values, said):
    with pytest.raises(ConfigError, match=said):
        robot.set(**{'ctrl': {'motor': 1.0}, **values})
    assert robot.step().ctrl == [0.0]


def test_a_reset_goes_to_the_start_or_to_a_keyframe_and_tells_every_plugin():
    with serve(ROBOT, plugins=[Pusher], positions={'hinge': 0.1}) as server:
        assert server.reset(keyframe='home').joint('hinge').position == 0.7
        assert server.reset().joint('hinge').position == 0.1
        assert server.backend.session.plugins['pusher'].state.resets == 2
        with pytest.raises(SimulationError, match=r"unknown keyframe 'hom'.*known: home"):
            server.reset(keyframe='hom')


def test_a_keyframe_sets_controls_too(robot):
    assert robot.reset(keyframe='home').ctrl == [0.2]


def test_a_saved_state_is_restored_and_the_same_steps_follow(robot):
    robot.step(100, ctrl={'motor': 0.5})
    saved = robot.save()
    there = robot.step(50).sample.values.tobytes()
    assert robot.restore(saved).time == pytest.approx(0.2)
    assert robot.step(50).sample.values.tobytes() == there


def test_a_restored_state_without_a_part_for_a_plugin_is_an_error_if_strict(robot):
    saved = robot.save()
    robot.reload(plugins=[Pusher])
    with pytest.raises(SimulationError, match=r'strict is true: .*pusher'):
        robot.restore(saved)


def test_a_reload_brings_another_model_and_a_failed_one_changes_nothing(robot):
    robot.step(10)
    with pytest.raises(ModelError):
        robot.reload(model='<mujoco><worldbody><body/></worldbody>')
    assert robot.step().time == pytest.approx(0.022)
    with pytest.raises(ConfigError, match="unknown argument of reload 'modell'"):
        robot.reload(modell='robot.xml')
    state = robot.reload(model=ROBOT.replace('hinge', 'elbow'), positions={'elbow': 0.3})
    assert (state.time, state.joint('elbow').position) == (0.0, 0.3)
    assert robot.model.joint('elbow').id == 0


def test_live_values_are_configured():
    with serve(ROBOT, plugins=[Pusher]) as server:
        server.configure('pusher', gain=0.25)
        assert server.step().ctrl == [0.25]
        with pytest.raises(ConfigError, match='gain'):
            server.configure('pusher', gain=-1.0)


def test_a_condition_is_waited_for_in_simulated_time(robot):
    state = robot.wait_until(lambda s: s.time > 0.101, timeout_s=1.0)
    assert state.time == pytest.approx(0.102)
    assert robot.wait_until(lambda s: s.time > 0.101, timeout_s=0.0) is state
    assert robot.wait_until(lambda s: s.time > 0.2, timeout_s=1.0, every=10).time > 0.2


def test_a_condition_that_does_not_come_true_is_told_with_the_last_state(robot):
    robot.step(50)
    with pytest.raises(ConditionError) as raised:
        robot.wait_until(lambda s: s.joint('hinge').position > 1, timeout_s=0.5)
    assert robot.time == pytest.approx(0.6)
    text = str(raised.value)
    assert text.startswith('condition <lambda> (test_server_under_test.py:')
    assert 'was not true within 0.5 s of simulated time (from 0.1 s to 0.6 s)' in text
    assert 'the last state: time 0.6 s, hinge 0.0 (velocity 0.0), float [' in text
    assert isinstance(raised.value, AssertionError)


def test_a_plugin_that_is_refused_is_an_error_unless_it_is_said_otherwise():
    with pytest.raises(PluginError, match=r'refusing.*no gripper'):
        serve(ROBOT, plugins=[Refusing])
    with serve(ROBOT, plugins=[Refusing], strict=False) as server:
        assert 'no gripper' in server.problems[0]
        server.step()


def test_a_plugin_that_fails_later_is_an_error_of_that_step_unless_it_is_said_otherwise():
    with serve(ROBOT, plugins=[Failing]) as server:
        server.step(3)
        with pytest.raises(PluginError, match=r'strict is true.*failing.*worn out'):
            server.step()
    with serve(ROBOT, plugins=[Failing], strict=False) as server:
        server.step(5)
        assert 'worn out' in server.problems[0]


def test_two_servers_at_once_do_not_hear_each_other(robot):
    with serve(ROBOT, plugins=[Pusher]) as other:
        other.step(100)
        assert robot.time == 0.0
        robot.step(10)
        assert other.time == pytest.approx(0.2)
        assert robot.state.ctrl == [0.0]


@pytest.mark.parametrize('kind', ['text', 'path', 'spec', 'model'])
def test_a_model_is_given_as_text_as_a_path_or_as_an_object(kind, tmp_path):
    path = tmp_path / 'robot.xml'
    path.write_text(ROBOT)
    models = {
        'text': ROBOT,
        'path': path,
        'spec': mujoco.MjSpec.from_string(ROBOT),
        'model': mujoco.MjModel.from_xml_string(ROBOT),
    }
    with serve(models[kind]) as server:
        assert server.step().joint('hinge').position == 0.0


def test_a_model_that_changes_while_it_runs_is_read_by_its_new_names(robot, tmp_path):
    robot.step(5)
    box = '<mujoco><worldbody><body><freejoint/><geom size="0.1"/></body></worldbody></mujoco>'
    robot.backend.session.spawn(mujoco.MjSpec.from_string(box), 'box', position=(0, 3, 1))
    state = robot.step(5)
    (name,) = {robot.model.body(i).name for i in range(robot.model.nbody)} - {
        'world', 'rod', 'ball', 'eye', 'target',
    }  # fmt: skip
    assert state.time == pytest.approx(0.02)
    assert state.body(name).position[1] == 3.0
    robot.step(5)
    folder = robot.write_recording(tmp_path / 'recording')
    assert replay(folder).difference == ''


def test_an_unknown_option_is_refused():
    with pytest.raises(ConfigError, match='strickt'):
        serve(ROBOT, strickt=True)


def test_a_joint_that_the_model_does_not_have_is_refused(robot):
    with pytest.raises(ConfigError, match="initial position of unknown joint 'elbow'; known: "):
        serve(ROBOT, positions={'elbow': 1.0})
    with pytest.raises(ConfigError, match="initial velocity of unknown joint 'elbow'"):
        robot.reload(velocities={'elbow': 1.0})
    robot.step()


def test_what_is_logged_is_kept():
    with serve(ROBOT, strict=False, positions={'elbow': 1.0}) as server:
        assert 'unknown joint' in server.log


def test_a_closed_server_refuses_commands(robot):
    robot.close()
    robot.close()
    with pytest.raises(SimulationError):
        robot.step()
