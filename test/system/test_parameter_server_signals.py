from __future__ import annotations

import signal
from contextlib import closing

import pytest

from .harness import Client, Process, parameter_file

pytestmark = pytest.mark.slow


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_parameter_server_well(number, tmp_path, domain):
    file = parameter_file(tmp_path / 'held.yaml', {'held': 'here'})
    args = ['--ros-args', '--params-file', str(file)]
    process = Process('mujoco_ros_py.ros.parameter_server', args, domain)
    try:
        with closing(Client(domain, '/parameter_server')) as client:
            assert client.get_parameter('held').string_value == 'here'
        process.signal(number)
        assert process.wait() == 0
        assert 'Traceback' not in process.output
    finally:
        process.kill()


@pytest.mark.parametrize(
    ('args', 'said'),
    [
        (['--ros-args', '--nonsense'], 'nonsense'),
        (['--ros-args', '--params-file', '/nothing/there.yaml'], '/nothing/there.yaml'),
    ],
)
def test_arguments_that_cannot_be_used_are_one_line(args, said, domain):
    process = Process('mujoco_ros_py.ros.parameter_server', args, domain)
    try:
        assert process.wait() == 2
    finally:
        process.kill()
    (line,) = [line for line in process.lines if line.startswith('parameter_server: ')]
    assert said in line
    assert 'Traceback' not in process.output
