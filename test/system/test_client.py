"""The client of the package itself, for those who have no ROS command line."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import yaml
from deadline import DEADLINE_S

from .harness import PENDULUM

pytestmark = pytest.mark.slow

PLUGINS = [
    {'type': 'mujoco_ros_py/JointController', 'name': 'arm', 'topic': 'targets'},
]


@pytest.fixture
def run(domain):
    """Runs the client; the exit code and what it prints."""

    def run(*words: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, '-m', 'mujoco_ros_py', *words],
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
    assert "has no field 'dada'; known: data" in said

    assert run('publish', '/targets', '{name: [nowhere], position: [0.5]}') == (0, '')
    process.wait_for_output('does not drive nowhere')


def test_a_server_that_is_not_there_is_told(run):
    code, said = run('call', '--timeout', '0.5', 'reset')
    assert code == 1
    assert (
        said == 'mujoco_ros_py call: nobody offers the service /mujoco_server/reset within 0.5 s'
    )
