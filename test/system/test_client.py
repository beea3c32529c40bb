"""The client of the package itself, for those who have no ROS command line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest
import yaml
from deadline import DEADLINE_S

from mujoco_ros_py import command_line

from .harness import PENDULUM, Process

pytestmark = pytest.mark.slow

PLUGINS = [
    {'type': 'mujoco_ros_py/JointController', 'name': 'arm', 'topic': 'targets'},
]


@pytest.fixture
def run(domain):
    """Runs the client; the exit code and what it prints."""

    def run(command: str, *words: str) -> tuple[int, str]:
        waiting = [command, '--timeout', str(DEADLINE_S)]  # the last --timeout counts
        done = subprocess.run(
            [sys.executable, '-m', 'mujoco_ros_py', *waiting, *words],
            env={**os.environ, 'ROS_DOMAIN_ID': str(domain)},
            capture_output=True, text=True, timeout=DEADLINE_S,
        )  # fmt: skip
        return done.returncode, (done.stdout + done.stderr).strip()

    return run


def test_it_calls_services_sets_parameters_and_publishes(start, run):
    process, client = start({'mujoco_xml': PENDULUM, 'MujocoPlugins': yaml.safe_dump(PLUGINS)})
    assert run('call', 'set_pause', '{data: true}') == (0, 'paused')
    assert run('call', '/mujoco_server/step') == (0, 'one step made')
    assert run('set', 'realtime', '0.5') == (0, '')
    assert client.get_parameter('realtime').double_value == 0.5

    code, said = run('set', 'realtime', '-3')
    assert code == 1
    assert 'realtime' in said
    code, said = run('call', 'set_pause', '{dada: true}')
    assert code == 2
    assert "unknown field 'dada' (did you mean 'data'?); known: data" in said

    assert run('publish', '/targets', '{name: [nowhere], position: [0.5]}') == (0, '')
    process.wait_for_output('does not drive nowhere')


@pytest.fixture
def ask(domain, monkeypatch, capsys):
    """Runs the client in this process; the exit code and what it prints."""
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))

    def ask(*words: str) -> tuple[int, str]:
        code = command_line.run([*words, '--timeout', str(DEADLINE_S)])
        printed = capsys.readouterr()
        return code, (printed.out + printed.err).strip()

    return ask


def test_it_does_what_the_command_line_of_ros_does(start, ask):
    plugins = [*PLUGINS, {'type': 'mujoco_ros_py/Transforms'}]
    start(
        {
            'mujoco_xml': PENDULUM, 'unpause': False, 'realtime': -1.0,
            'initial_joint_positions.joint_map.hinge': 0.5,
            'MujocoPlugins': yaml.safe_dump(plugins),
        }
    )  # fmt: skip
    it_calls_services(ask)
    it_reads_and_sets_parameters(ask)
    it_tells_what_is_there(ask)


def it_calls_services(ask):
    code, said = ask('call', 'rest')
    assert (code, said.split(';')[0]) == (
        1,
        'mujoco_ros_py call: /mujoco_server has no service rest (did you mean reset?)',
    )
    code, said = ask('call', 'set_pause', '{data: 3}')
    assert (code, said) == (2, 'mujoco_ros_py call: data must be true or false, got 3')
    code, said = ask('call', 'get_simulation_state')
    assert (code, yaml.safe_load(said)['state']['state']) == (0, 0)
    code, said = ask('call', 'set_simulation_state', '{state: {state: 7}}')
    assert (code, yaml.safe_load(said)['result']['result'] != 1) == (1, True)


def it_reads_and_sets_parameters(ask):
    assert ask('get', 'realtime') == (0, '-1.0')
    assert ask('get', 'viewer', 'cpu_affinity') == (0, 'viewer: none\ncpu_affinity: []')
    code, said = ask('get', 'realtme')
    assert (code, "unknown parameter 'realtme' (did you mean 'realtime'?)" in said) == (2, True)
    code, said = ask('get', 'realtime', 'realtme')
    assert (code, "unknown parameter 'realtme'" in said) == (2, True)
    code, said = ask('param', 'describe', 'realtime', 'realtme')
    assert (code, "unknown parameter 'realtme'" in said) == (2, True)
    assert ask('set', 'realtime', 'fast') == (1, 'realtime must be a number, got a string')
    assert ask('set', 'modelfile', '3') == (1, 'modelfile must be a string, got a whole number')
    assert ask('set', 'modelfile', 'a.xml') == (0, 'takes effect at the next reload')
    assert ask('param', 'list', 'lockstep_p') == (0, 'lockstep_period')
    assert ask('param', 'describe', 'realtime')[1].startswith('realtime: a number\n  Simulated')
    dumped = yaml.safe_load(ask('param', 'dump')[1])['/mujoco_server']['ros__parameters']
    assert (dumped['modelfile'], dumped['num_steps']) == ('a.xml', -1)


def it_tells_what_is_there(ask):
    code, said = ask('list', 'actions')
    assert (code, said.split()[-2]) == (0, '/mujoco_server/step')
    code, said = ask('list')
    assert {line.split()[0] for line in said.splitlines()} == {
        'node', 'service', 'topic', 'action',
    }  # fmt: skip
    assert '/mujoco_server/describe_parameters' not in said
    code, said = ask('list', 'services', '--node', '/other')
    assert (code, '/mujoco_server/reset ' in said) == (0, True)
    assert said.endswith('the services of /other were not found')
    state = yaml.safe_load(ask('echo', '/joint_states', '--once')[1].removesuffix('---'))
    assert (state['name'], state['position']) == (['hinge'], [0.5])
    assert ask('tf') == (0, 'world\n  rod')
    code, said = ask('tf', 'rod', 'world')
    assert code == 0
    turned = 'translation: [0.479426, 0, -0.877583]\n'
    assert said == f'{turned}quaternion (x, y, z, w): [0, -0.247404, 0, 0.968912]'
    code, said = ask('action', 'step', '{num_steps: 3}')
    assert (code, said) == (0, 'succeeded\n{success: true}')
    code, said = ask('action', 'step', '{num_steps: many}')
    assert (code, said.partition(': ')[2]) == (
        2, "num_steps must be a whole number from 0 to 65535, got 'many'",
    )  # fmt: skip


def test_ctrl_c_ends_a_client_with_130(start, domain):
    process, _ = start({'mujoco_xml': PENDULUM})
    process.wait_for_output(': loaded ')
    with subprocess.Popen(
        [sys.executable, '-m', 'mujoco_ros_py', 'echo', '/joint_states'],
        env={**os.environ, 'ROS_DOMAIN_ID': str(domain)}, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    ) as client:  # fmt: skip
        assert client.stdout is not None
        assert client.stdout.readline() == 'header:\n'
        client.send_signal(signal.SIGINT)
        _, said = client.communicate(timeout=DEADLINE_S)
    assert (client.returncode, said) == (130, 'mujoco_ros_py echo: interrupted\n')


def test_a_parameter_file_for_another_node_is_told(start, domain, tmp_path):
    file = tmp_path / 'other.yaml'
    file.write_text('/lab/mujoco_server: {ros__parameters: {num_steps: 1}}')
    process = Process('mujoco_ros_py', ['--ros-args', '--params-file', str(file)], domain)
    try:
        process.wait_for_output(
            f'{file} has no effect: it is for /lab/mujoco_server, and this node is /mujoco_server;'
            ' /** stands for every node'
        )
    finally:
        process.signal(signal.SIGINT)
        process.wait()


def test_a_server_that_is_not_there_is_told(run):
    code, said = run('call', '--timeout', '0.5', 'reset')
    assert code == 1
    assert (
        said == 'mujoco_ros_py call: no node offers the service /mujoco_server/reset within 0.5 s'
    )
