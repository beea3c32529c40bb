"""The delay of a Python controller process, and its effect on the lateness of steps."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterable, Mapping
from typing import Any

import rclpy
from rclpy.experimental.events_executor import EventsExecutor
from sensor_msgs.msg import JointState

from .domains import second_domain
from .lateness import PRIORITY, permitted
from .processes import QUIET, answer, plugins, running, server_command
from .rounds import LeftOutError, Rounds

_RATE_HZ, _STEPS_HZ = 200.0, 5000.0
_LOADED_HZ = 1000.0
_WINDOW_S = 1.5
MODEL = """
<mujoco>
  <option timestep="{}"/>
  <worldbody>
    <body><joint name="hinge"/><geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.02"/></body>
  </worldbody>
  <actuator><motor joint="hinge"/></actuator>
</mujoco>
"""
"""A model; format it with the timestep in s."""
ECHO = """
import contextlib
import rclpy
from rclpy.executors import ExternalShutdownException
from rclpy.experimental.events_executor import EventsExecutor
from rclpy.node import Node
from sensor_msgs.msg import JointState
rclpy.init()
node = Node('controller')
commands = node.create_publisher(JointState, '/echo/commands', 10)
node.create_subscription(JointState, '/echo/states', commands.publish, 10)
executor = EventsExecutor()
executor.add_node(node)
with contextlib.suppress(ExternalShutdownException):
    while True:
        executor.spin_once(timeout_sec=1.0)
"""
_ECHO = [sys.executable, '-c', ECHO]


def measure_echo() -> Rounds:
    """Compares the delay from a joint state to the step with the answer with a bare round trip.

    An rclpy echo answers in both cases. The simulation steps at 5 kHz, so a command waits 0.1 ms
    for its step on average. The round trip is between two bare rclpy nodes. Both are medians.
    """
    parameters = _parameters(_STEPS_HZ, _RATE_HZ, 'EchoTimer')
    bare = [sys.executable, '-m', 'benchmarks.control_echo']
    with (
        running(_ECHO), running(server_command(parameters)) as server,
        running(_ECHO, **second_domain()), running(bare, **second_domain()) as nodes,
    ):  # fmt: skip
        while True:
            yield server.ask(_WINDOW_S)[0], nodes.ask(_WINDOW_S)[0]


def measure_loaded() -> Rounds:
    """Compares the p99 lateness of steps between compiled topics and rclpy topics.

    Both servers step at 1 kHz and exchange messages with a controller process at 1 kHz, while a
    plugin keeps a Python thread busy. Their physics threads run in the real-time class. In the
    normal class both wait milliseconds for a core, which would hide the cost of rclpy's topics:
    waiting for the GIL.
    """
    if not permitted(PRIORITY):
        raise LeftOutError('needs SCHED_FIFO: sudo prlimit --pid $$ --rtprio=99')
    parameters = {
        **_parameters(_LOADED_HZ, _LOADED_HZ, 'Burner'), 'thread_priority': PRIORITY,
    }  # fmt: skip
    by_rclpy = {**parameters, 'compiled_topics': False}
    with (
        running(_ECHO), running(server_command(parameters)) as server,
        running(_ECHO, **second_domain()),
        running(server_command(by_rclpy), **second_domain()) as slow,
    ):  # fmt: skip
        while True:
            yield server.ask(_WINDOW_S)[-1], slow.ask(_WINDOW_S)[-1]


def _parameters(steps_hz: float, rate_hz: float, runner: str) -> Mapping[str, Any]:
    return {
        **QUIET, 'mujoco_xml': MODEL.format(1.0 / steps_hz), 'unpause': False,
        **plugins(
            echo={'type': 'benchmarks/Echo', 'rate': rate_hz},
            runner={'type': f'benchmarks/{runner}', 'topics': ['/echo/states']},
        ),
    }  # fmt: skip


class _Trips:
    """Sends messages with rclpy, and waits for the answer to each message."""

    def __init__(self) -> None:
        rclpy.init()
        node = rclpy.create_node('bare')
        self._answers: list[float] = []
        node.create_subscription(
            JointState, '/echo/commands', lambda _: self._answers.append(time.perf_counter()), 10
        )
        self._publisher = node.create_publisher(JointState, '/echo/states', 10)
        self._executor = EventsExecutor()
        self._executor.add_node(node)

    def median_s(self, seconds: float) -> Iterable[float]:
        """Returns the median round-trip time."""
        message = JointState(name=['hinge'], position=[0.0], velocity=[0.0], effort=[0.0])
        spent: list[float] = []
        end = time.perf_counter() + seconds
        while time.perf_counter() < end or not spent:
            time.sleep(1.0 / _RATE_HZ)
            self._answers.clear()
            start = time.perf_counter()
            self._publisher.publish(message)
            while not self._answers and time.perf_counter() - start < 1.0:
                self._executor.spin_once(timeout_sec=0.1)
            spent += [self._answers[0] - start] if self._answers else []
        return (statistics.median(spent),)


if __name__ == '__main__':
    answer(_Trips().median_s)
