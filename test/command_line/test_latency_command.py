"""The command `latency`: its entry, its errors and its exit codes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import numpy as np
import pytest
import yaml
from deadline import DEADLINE_S

from mujoco_ros_py.builtin.imperfections.timeline import Entry
from mujoco_ros_py.command_line import run as run_command
from mujoco_ros_py.config import read

robot = pytest.importorskip('delayed_robot', reason='mcap or rosbags is not installed')


def stepped(count=12):
    return robot.steps(np.random.default_rng(5), np.full(count, 0.015), noise=0.0005)


@pytest.fixture(scope='module')
def bag(tmp_path_factory):
    return robot.write_run(tmp_path_factory.mktemp('bag') / 'run.mcap', stepped())


def latency(path, *words, commands=robot.COMMANDS, states=robot.STATES):
    return run_command(['latency', str(path), '--commands', commands, '--states', states, *words])


def failed(capsys, path, *words, **topics):
    """Returns the error of a command that must fail."""
    assert latency(path, *words, **topics) == 2
    said = capsys.readouterr()
    assert said.out == ''
    assert said.err.startswith('mujoco_ros_py latency: ')
    return said.err


@pytest.mark.parametrize('name', ['auto', 'constant', 'normal', 'uniform', 'gamma', 'empirical'])
def test_the_output_is_an_entry_of_the_timeline(bag, tmp_path, capsys, name):
    output = tmp_path / 'entry.yaml'
    words = ['--command-field', '1', '--distribution', name, '-o', str(output)]
    assert latency(bag, *words) == 0
    said = capsys.readouterr()
    assert output.read_text() == said.out
    assert '# 12 changes, from each change to the onset of motion' in said.out
    assert '95 % confidence' in said.out
    entry = yaml.safe_load(said.out)['late_commands']
    assert read(Entry, entry).effects == ('latency',)
    assert entry['of'] == robot.COMMANDS
    assert said.err == ''
    if name == 'auto':
        assert entry['latency'] == pytest.approx(0.015, abs=0.0005)
    assert latency(bag, *words) == 2
    assert 'exists; --force overwrites it' in capsys.readouterr().err
    assert latency(bag, *words, '--force') == 0


def test_topics_and_types_that_do_not_fit_are_named(bag, capsys):
    assert (
        "--commands: unknown topic '/arm/comands' (did you mean '/arm/commands'?); known: "
        '/arm/commands, /joint_states' in failed(capsys, bag, commands='/arm/comands')
    )
    assert (
        '--states /arm/commands has the type std_msgs/msg/Float64MultiArray; known: '
        'sensor_msgs/JointState, nav_msgs/Odometry'
        in failed(capsys, bag, commands=robot.STATES, states=robot.COMMANDS)
    )
    assert '--states must differ' in failed(capsys, bag, states=robot.COMMANDS)


@pytest.mark.parametrize(
    ('words', 'said'),
    [
        (['--joint', 'elbo'], "unknown joint 'elbo' (did you mean 'elbow'?); known: elbow"),
        (['--command-field', '2'], '--command-field must be less than 2, got 2'),
        (['--command-field', 'x'], '--command-field must be an index'),
        (['--state', 'velocity'], '--state: the messages have no velocity of the joint'),
        (['--state', 'speed'], "unknown field 'speed'; known: effort, position, velocity"),
        (['--max', '0'], '--max must be greater than 0'),
        (['--command-field', '0'], 'the command changes 0 times, but at least 8 changes'),
        (
            ['--command-field', '1', '--from-onset', '--max', '3'],
            'of 12 changes come at least 3.05 s after the change before',
        ),
    ],
)  # fmt: skip
def test_options_that_do_not_fit_the_messages_are_errors(bag, capsys, words, said):
    assert said in failed(capsys, bag, *words)


def rows(run, shift=0.0):
    return {
        robot.COMMANDS: [
            (time + shift, robot.array([value]))
            for time, value in zip(run.command_times, run.commands, strict=True)
        ],
        robot.STATES: [
            (time, robot.joint_state(time, ['elbow'], [value]))
            for time, value in zip(run.state_times, run.states, strict=True)
        ],
    }


def test_recordings_that_cannot_be_used_say_why(tmp_path, capsys):
    path = tmp_path / 'run.mcap'
    robot.write_bag(path, rows(stepped(4)))
    assert 'the command changes 4 times' in failed(capsys, path)
    robot.write_bag(path, rows(stepped(), shift=1000.0))
    error = failed(capsys, path)
    assert 'commands and states do not overlap: /arm/commands is from' in error
    still = stepped()
    still.states[:] = 0.25
    robot.write_bag(path, rows(still))
    assert 'after 0 of 12 changes the states move visibly' in failed(capsys, path)
    two = {**rows(stepped()), robot.STATES: [(0.0, robot.joint_state(0.0, ['a', 'b'], [0, 0]))]}
    robot.write_bag(path, two)
    assert '--joint must be given; known: a, b' in failed(capsys, path)


def test_jumps_of_the_clock_are_errors(tmp_path, capsys):
    path, run = tmp_path / 'run.mcap', stepped()
    messages = rows(run)
    states = messages[robot.STATES]
    jumped = [
        (time + (3.0 if k >= 500 else 0.0), message) for k, (time, message) in enumerate(states)
    ]
    robot.write_bag(path, {**messages, robot.STATES: jumped})
    assert 'jumps of the receive times or the stamps by 3 s after message 500, 1.996' in failed(
        capsys, path
    )
    back = [
        (time, robot.joint_state(time - (3.0 if k >= 500 else 0.0), ['elbow'], [0.0]))
        for k, (time, _) in enumerate(states)
    ]
    robot.write_bag(path, {**messages, robot.STATES: back})
    assert 'by 3 s after message 500' in failed(capsys, path, '--time', 'stamp')


def test_files_that_are_missing_empty_or_cut_off_say_so(bag, tmp_path, capsys):
    path = tmp_path / 'cut.mcap'
    assert 'cannot be read: No such file' in failed(capsys, path)
    path.write_bytes(b'')
    assert 'is not an MCAP file: it is empty' in failed(capsys, path)
    whole = bag.read_bytes()
    path.write_bytes(whole[:100])
    assert 'has no messages: the file' in failed(capsys, path)
    robot.write_bag(path, {})
    assert f'{path} has no messages' in failed(capsys, path)
    path.write_bytes(whole[: len(whole) * 9 // 10])
    code = latency(path, '--command-field', '1')
    assert code in (0, 2)
    assert 'cut.mcap' in capsys.readouterr().err or code == 0


def test_the_folder_of_a_bag_stands_for_its_file(bag, tmp_path, capsys):
    assert latency(bag.parent, '--command-field', '1') == 0
    assert f'# {bag}: ' in capsys.readouterr().out
    assert 'must have one file .mcap, or a file must be given; known: none' in failed(
        capsys, tmp_path
    )


def test_late_states_are_worth_a_note(tmp_path, capsys):
    messages = rows(stepped())
    late = [(time + 0.007, message) for time, message in messages[robot.STATES]]
    path = robot.write_bag(tmp_path / 'run.mcap', {**messages, robot.STATES: late})
    assert latency(path) == 0
    assert 'was received 7.00 ms after its stamps (median)' in capsys.readouterr().err
    assert latency(path, '--time', 'stamp') == 0
    assert capsys.readouterr().err == ''


def test_arguments_for_ros_are_refused(bag, capsys):
    assert '--ros-args is not for latency' in failed(capsys, bag, '--ros-args')


def test_ctrl_c_ends_with_its_exit_code(tmp_path):
    pipe = tmp_path / 'pipe.mcap'
    os.mkfifo(pipe)
    words = ['latency', str(pipe), '--commands', '/a', '--states', '/b']
    process = subprocess.Popen(
        [sys.executable, '-m', 'mujoco_ros_py', *words], stderr=subprocess.PIPE, text=True
    )
    with pipe.open('wb'):  # returns when the command reads
        process.send_signal(signal.SIGINT)
        assert process.wait(DEADLINE_S) == 130
    assert process.stderr.read() == 'mujoco_ros_py latency: interrupted\n'
    process.stderr.close()
