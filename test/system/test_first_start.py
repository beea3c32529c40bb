"""The start of a server with nothing compiled: its progress, its end by Ctrl-C, and `prepare`."""

from __future__ import annotations

import secrets
import signal
from pathlib import Path

import pytest

from .harness import PENDULUM, Process
from .plugin_site import PluginSite

pytestmark = pytest.mark.slow

INTERRUPTED = 130
FIRST = 'compiling the physics loop, 1 of '


@pytest.mark.parametrize(
    'arguments',
    [
        pytest.param([], id='server'),
        pytest.param(['prepare'], id='prepare'),
    ],
)
def test_ctrl_c_ends_a_process_that_compiles(arguments: list[str], tmp_path: Path, domain: int):
    process = Process('mujoco_ros_py', arguments, domain, MUJOCO_ROS_PY_CACHE_DIR=str(tmp_path))
    try:
        process.wait_for_output(FIRST)
        process.signal(signal.SIGINT)
        assert process.wait() == INTERRUPTED, process.output
        assert '2 of 15' not in process.output
        assert 'Traceback' not in process.output
    finally:
        process.end()


PLUGIN = """
from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state

class Counting(MujocoPlugin):
    def load(self, model, data):
        self.state = new_state(count=0)

    @compiled
    def control_callback(state, model, data):
        state.count += NUMBER
"""


def test_after_prepare_a_start_with_the_same_plugins_compiles_nothing(tmp_path: Path, domain: int):
    site = PluginSite(tmp_path)
    site.add_module('counting', PLUGIN.replace('NUMBER', str(secrets.randbits(60))))  # never kept
    (tmp_path / 'pendulum.xml').write_text(PENDULUM)
    (tmp_path / 'plugins.yaml').write_text('[{type: counting/Counting}]')
    given = str(tmp_path / 'pendulum.xml'), str(tmp_path / 'plugins.yaml')
    parameters = f'modelfile:={given[0]}', f'MujocoPlugins:={given[1]}', 'num_steps:=1'
    started = ['--ros-args', *(word for each in parameters for word in ('-p', each))]
    outputs = []
    for arguments in (['prepare', *given], started):
        process = Process('mujoco_ros_py', arguments, domain, **site.environment)
        assert process.wait() == 0, process.output
        outputs.append(process.output)
    assert 'compiling Counting.control_callback' in outputs[0]
    assert ' functions had to be compiled' in outputs[0]
    assert '1 of 1 plugins ready' in outputs[1]
    assert 'compiling' not in outputs[1]
