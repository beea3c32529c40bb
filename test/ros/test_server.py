from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator

import pytest
from system.harness import PENDULUM, wait_until

CONTROLLER = '[{type: mujoco_ros_py/JointController}]'


@pytest.fixture
def unshared_gil() -> Iterator[None]:
    """Who has the GIL keeps it until he waits for something."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(60.0)
    yield
    sys.setswitchinterval(interval)


def test_a_held_gil_stops_no_step_of_a_server_with_topics_and_a_compiled_plugin(
    unshared_gil, serve
):
    server = serve(mujoco_xml=PENDULUM, MujocoPlugins=CONTROLLER)
    assert server.host.loaded == 1
    simulation = server.simulation
    wait_until(lambda: simulation.status().steps > 100, 'the first steps')
    before = simulation.status().steps
    ctypes.PyDLL(None).usleep(500_000)  # PyDLL keeps the GIL
    assert simulation.status().steps - before > 20, 'of 250, if the machine has time for it'
