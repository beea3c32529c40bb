from __future__ import annotations

import ctypes
import logging
import re
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from deadline import DEADLINE_S
from rcl_interfaces.srv import ListParameters
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.parameter import Parameter
from rclpy.qos import qos_profile_sensor_data
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from std_srvs.srv import SetBool, Trigger
from system.harness import PENDULUM, wait_until

from mujoco_ros_py.errors import SimulationError
from mujoco_ros_py.plugins.topic_qos import LATCHED
from mujoco_ros_py.ros.services.deferred import answer_waiting
from mujoco_ros_py.simulation.rendering.backend import open_context

CONTROLLER = '[{type: mujoco_ros_py/JointController}]'

WITH_CAMERA = PENDULUM.replace('<worldbody>', '<worldbody><camera/>')


@pytest.fixture
def unshared_gil() -> Iterator[None]:
    """A thread that holds the GIL keeps it until it blocks."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(60.0)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.slow
def test_a_held_gil_stops_no_step_of_a_server_with_topics_and_a_compiled_plugin(
    unshared_gil, serve
):
    server = serve(mujoco_xml=PENDULUM, MujocoPlugins=CONTROLLER)
    assert server.assembly.host.counts[0] == 1
    simulation = server.simulation
    wait_until(lambda: simulation.status().steps > 100, 'the first steps')

    def steps_meanwhile() -> int:
        before = simulation.status().steps
        ctypes.PyDLL(None).usleep(500_000)  # PyDLL holds the GIL
        return simulation.status().steps - before

    wait_until(lambda: steps_meanwhile() > 20, 'steps while the GIL is held')


ARM = """
<mujoco>
  <worldbody>
    <body name="shelf" pos="1 0 0"><geom size="0.1"/></body>
    <body name="rod"><joint name="hinge" damping="1"/><geom size="0.1" pos="0.3 0 0"/></body>
  </worldbody>
</mujoco>
"""
WITHOUT_HANDLES = """
- {type: mujoco_ros_py/Transforms}
- type: mujoco_ros_py/ForwardCommandController
  name: hinge
  joints: [hinge]
  interface_name: position
"""


@pytest.mark.slow
def test_all_topics_are_there_where_rclpy_tells_no_handles_of_publishers(
    serve, new_node, monkeypatch
):
    tf_message = pytest.importorskip('tf2_msgs.msg', reason='tf2_msgs is not there').TFMessage
    monkeypatch.delattr(rclpy_implementation.Publisher, 'pointer')
    serve(mujoco_xml=ARM, MujocoPlugins=WITHOUT_HANDLES, realtime=5.0)
    client, came = new_node('client'), {}

    def hear(kind: Any, topic: str, qos: Any = 10) -> None:
        client.create_subscription(kind, topic, partial(came.__setitem__, topic), qos)

    hear(JointState, '/joint_states')
    hear(Clock, '/clock', qos_profile_sensor_data)
    hear(tf_message, '/tf')
    hear(tf_message, '/tf_static', LATCHED)
    commands = client.create_publisher(Float64MultiArray, '/hinge/commands', 10)
    wait_until(lambda: len(came) == 4, 'all topics')
    (shelf,) = came['/tf_static'].transforms
    assert (shelf.child_frame_id, shelf.transform.translation.x) == ('shelf', 1.0)

    def moved() -> bool:
        commands.publish(Float64MultiArray(data=[0.5]))
        return abs(came['/joint_states'].position[0] - 0.5) < 0.05

    wait_until(moved, 'the command is followed')


@pytest.mark.slow
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

    monkeypatch.setattr('mujoco_ros_py.simulation.rendering.loop.open_context', opening)
    wait_until(lambda: steps() > 10, 'the first steps')
    server.node.set_parameters([Parameter('mujoco_xml', value=WITH_CAMERA)])
    server.assembly.reload().result(DEADLINE_S)
    assert stepped == [0]


@pytest.mark.slow
@pytest.mark.usefixtures('graphics')
def test_a_reload_that_finds_the_physics_busy_leaves_opengl_to_the_next(
    serve, monkeypatch, caplog
):
    server, free = serve(mujoco_xml=PENDULUM), threading.Event()
    monkeypatch.setattr('mujoco_ros_py.session.loader.START_TIMEOUT_S', 0.1)
    server.simulation.submit(lambda model, data: free.wait(DEADLINE_S))
    server.node.set_parameters([Parameter('mujoco_xml', value=WITH_CAMERA)])
    with pytest.raises(SimulationError, match='busy'):
        server.assembly.reload().result(DEADLINE_S)
    free.set()
    monkeypatch.undo()
    caplog.set_level(logging.INFO)
    server.assembly.reload().result(DEADLINE_S)
    assert sum('rendering with' in text for text in caplog.messages) == 1


@pytest.fixture
def ask(new_node):
    """Returns `ask(kind, name)`: a future of a call of the server's service."""
    node = new_node('asker')

    def call(kind, name):
        client = node.create_client(kind, f'/mujoco_server/{name}')
        assert client.wait_for_service(DEADLINE_S)
        return client.call_async(kind.Request())

    return call


SERVICES = [
    (Trigger, 'reset'),
    (Trigger, 'reload'),
    (Trigger, 'step'),
    (Trigger, 'shutdown'),
    (Trigger, 'load_initial_joint_states'),
    (SetBool, 'set_pause'),
]


@pytest.mark.slow
def test_calls_are_answered_when_the_server_has_closed_and_no_executor_takes_them(serve, ask):
    server = serve(mujoco_xml=PENDULUM, MujocoPlugins='[]')
    assert server.close()
    for kind, name in SERVICES:
        future = ask(kind, name)
        wait_until(future.done, 'an answer')
        if name != 'shutdown':
            assert not future.result().success
            assert re.search('end|shutting down', future.result().message)
    server.node.executor.remove_node(server.node)
    waiting = [ask(kind, name) for kind, name in SERVICES]
    waiting.append(ask(ListParameters, 'list_parameters'))
    wait_until(lambda: _withdrawn(server, waiting), 'answers')

    wait_until(lambda: not list(server.node.services), 'the end of the services')


def _withdrawn(server, waiting) -> bool:
    answer_waiting(server.node, server._services)
    if not all(future.done() for future in waiting):
        return False
    server.withdraw()
    return True


@pytest.mark.slow
def test_a_clock_of_less_than_a_message_a_second_sleeps_in_between(serve):
    server = serve(mujoco_xml=PENDULUM, clock_rate=0.2)
    clock = server._clock
    wait_until(lambda: server.simulation.status().steps > 50, 'the first steps')
    turns = wait_until(lambda: clock.beats, 'the first turns')
    wait_until(lambda: server.simulation.status().steps > 300, 'more steps')
    assert clock.beats - turns < 100  # without the sleep it turns thousands of times
