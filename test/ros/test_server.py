from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Iterator

import pytest
from rclpy.parameter import Parameter
from system.harness import DEADLINE_S, PENDULUM, wait_until

from mujoco_ros_py.rendering.backend import open_context

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


@pytest.mark.usefixtures('graphics')
def test_nothing_steps_while_a_reload_opens_opengl(serve, monkeypatch):
    server, stepped = serve(mujoco_xml=PENDULUM), []

    def steps() -> int:
        return server.simulation.status().steps

    def opening(backend: str):
        before = steps()
        time.sleep(0.1)
        stepped.append(steps() - before)
        return open_context(backend)

    monkeypatch.setattr('mujoco_ros_py.rendering.loop.open_context', opening)
    wait_until(lambda: steps() > 10, 'the first steps')
    with_camera = PENDULUM.replace('<worldbody>', '<worldbody><camera/>')
    assert with_camera != PENDULUM
    server.node.set_parameters([Parameter('mujoco_xml', value=with_camera)])
    server.reload().result(DEADLINE_S)
    assert stepped == [0]
