"""A recording repeats the commands to a server, and compares the states."""

from __future__ import annotations

import json

import numpy as np
import pytest

from mujoco_ros_py.errors import ConfigError, PluginError
from mujoco_ros_py.testing import serve
from mujoco_ros_py.testing.recording import read_recording
from mujoco_ros_py.testing.replay import main, replay

from .test_server_under_test import Failing, Pusher
from .testing_robot import ROBOT

pytestmark = pytest.mark.slow


def recorded(server, tmp_path):
    return server.write_recording(tmp_path / 'recording', test='test_arm')


def test_each_command_is_repeated_and_each_state_is_equal_to_the_bit(tmp_path):
    with serve(ROBOT, plugins=[{'type': Pusher, 'gain': 0.2}]) as server:
        server.step(10)
        server.set(qpos={'hinge': 0.1}, mocap={'target': np.array([1.0, 2.0, 3.0])})
        server.configure('pusher', gain=0.7)
        server.wait_until(lambda state: state.time > 0.1, timeout_s=1.0)
        server.reset(keyframe='home')
        server.step(7, ctrl={'motor': 0.1})
        server.set_state(server.step().sample.values * 1.0)
        folder = recorded(server, tmp_path)
    result = replay(folder)
    assert (result.difference, result.failure) == ('', '')
    assert result.steps == 10 + 40 + 8
    assert main([str(folder)]) == 0


def test_a_recording_has_the_model_the_states_and_the_commands(robot, tmp_path):
    robot.step(3, ctrl={'motor': 0.5})
    robot.step()
    folder = recorded(robot, tmp_path)
    names = {path.name for path in folder.iterdir()}
    assert names == {'model.mjb', 'run.json', 'states.npz', 'server.log'}
    run = json.loads((folder / 'run.json').read_text())
    assert run['about']['test'] == 'test_arm'
    assert run['commands'] == [
        {'row': 0, 'command': 'step', 'arguments': {'ctrl': {'motor': 0.5}}}
    ]
    with np.load(folder / 'states.npz') as arrays:
        assert arrays['steps'].tolist() == [3, 1]
        assert arrays['states'][-1].tolist() == robot.state.sample.values.tolist()


def test_only_the_last_seconds_are_kept_and_they_begin_with_a_saved_state(tmp_path):
    with serve(ROBOT, plugins=[Pusher], recording_s=0.1) as server:
        server.configure('pusher', gain=0.3)
        for _ in range(330):
            server.step()
        folder = recorded(server, tmp_path)
        there = server.state.sample.values.tobytes()
    recording = read_recording(folder)
    assert recording.start is not None
    assert 50 <= len(recording.events) <= 100
    assert recording.events[-1].values.tobytes() == there
    assert replay(folder).difference == ''


def test_a_restored_state_begins_the_recording_anew(robot, tmp_path):
    robot.step(20, ctrl={'motor': 0.5})
    saved = robot.save()
    robot.step(20)
    robot.restore(saved)
    robot.step(5)
    folder = recorded(robot, tmp_path)
    assert read_recording(folder).start.time == saved.time
    assert replay(folder).steps == 5
    assert replay(folder).difference == ''


def test_the_step_that_failed_is_repeated_too(tmp_path):
    with serve(ROBOT, plugins=[Failing]) as server:
        server.step(2)
        with pytest.raises(PluginError):
            server.step(5)
        folder = recorded(server, tmp_path)
    result = replay(folder)
    assert result.difference == ''
    assert 'worn out' in result.failure


def test_a_difference_is_told_with_its_place(robot, tmp_path, capsys):
    robot.step(5)
    robot.step(5)
    folder = recorded(robot, tmp_path)
    with np.load(folder / 'states.npz') as arrays:
        states, steps = arrays['states'].copy(), arrays['steps']
    states[1, 1] += 1e-12
    np.savez(folder / 'states.npz', states=states, steps=steps)
    assert replay(folder).difference.startswith('state 1 at 0.02 s: qpos[0] was 1e-12 and is 0.0')
    assert main([str(folder), '--print']) == 1
    told = capsys.readouterr().out
    assert '0: time 0.01 s, hinge 0.0' in told
    assert '2 states, 10 steps; the first difference: state 1' in told


def test_a_folder_without_a_recording_is_told(tmp_path, capsys):
    with pytest.raises(ConfigError, match='is not a recording'):
        read_recording(tmp_path)
    assert main([str(tmp_path)]) == 2
    assert 'is not a recording' in capsys.readouterr().err


def test_nothing_is_recorded_where_nothing_is_asked_for(tmp_path):
    with serve(ROBOT, recording_s=0) as server:
        server.step(3)
        assert not read_recording(recorded(server, tmp_path)).events


def test_what_a_test_does_later_to_its_own_controls_does_not_change_the_recording(robot, tmp_path):
    ctrl = {'motor': 0.5}
    robot.step(ctrl=ctrl)
    ctrl['motor'] = 0.7
    assert replay(recorded(robot, tmp_path)).difference == ''
