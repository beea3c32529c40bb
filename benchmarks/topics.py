"""Topics of compiled code: the share of received messages, and the speed of lockstep."""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Iterable, Mapping
from typing import Any

import rclpy
from rclpy.qos import QoSProfile
from sensor_msgs.msg import JointState

from mujoco_ros_py.rcl_internals import NativeMessage, publish_function, take_function
from mujoco_ros_py.ros.rclpy_internals import silent_subscription

from .control_echo import ECHO, MODEL
from .domains import second_domain
from .processes import QUIET, answer, plugins, running, server_command
from .rounds import Rounds
from .sensors import chain

_PERIOD_S = 0.001
_WINDOW_S = 2.0
_TRIPS_S = 1.0
_SENSORS = 20
_CALL = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 4)


def measure_clock() -> Rounds:
    """Compares the numbers of received and of published /clock messages, at 1 kHz."""
    published = {'mujoco_xml': MODEL.format(_PERIOD_S), 'clock_rate': 1.0 / _PERIOD_S}
    return _received(
        published, {'type': 'benchmarks/ClockCounter'}, '-r', '/clock_of_the_other:=/clock'
    )


def measure_sensors() -> Rounds:
    """Compares the numbers of received and of published messages of 20 sensors at 1 kHz."""
    sensors = {'type': 'mujoco_ros_py/Sensors', 'update_rate': 1.0 / _PERIOD_S}
    published = {'mujoco_xml': chain(_SENSORS, _PERIOD_S), **plugins(told=sensors)}
    topics = [f'/told/s{k}' for k in range(_SENSORS)]
    return _received(published, {'type': 'benchmarks/SensorCounter', 'topics': topics})


def _received(published: Mapping[str, Any], counter: Mapping[str, Any], *renamed: str) -> Rounds:
    """Counts the messages from a continuously running server, in compiled code."""
    receiver = {'mujoco_xml': MODEL.format(_PERIOD_S), **plugins(counter=counter)}
    words = '-r', '__node:=receiver', '-r', '/clock:=/own', *renamed
    with (
        running(server_command({**QUIET, **published})),
        running(server_command({**QUIET, **receiver}, *words)) as client,
    ):
        while True:
            received, sent = client.ask(_WINDOW_S)
            yield received, sent


def measure_lockstep() -> Rounds:
    """Compares steps per second in lockstep with message round trips without a server.

    An rclpy echo answers both. The counterpart calls rcl directly, without message conversion in
    rclpy and without an executor.
    """
    echo = [sys.executable, '-c', ECHO]
    parameters = {
        **QUIET, 'mujoco_xml': MODEL.format(_PERIOD_S), 'realtime': -1.0, 'unpause': False,
        'lockstep_period': _PERIOD_S, 'lockstep_topics': ['/echo/commands'],
        'lockstep_timeout': 0.0,
        **plugins(
            echo={'type': 'benchmarks/Echo', 'rate': 1.0 / _PERIOD_S},
            runner={'type': 'benchmarks/Runner', 'topics': ['/echo/states']},
        ),
    }  # fmt: skip
    with (
        running(echo), running(server_command(parameters)) as server,
        running(echo, **second_domain()),
        running([sys.executable, '-m', 'benchmarks.topics'], **second_domain()) as bare,
    ):  # fmt: skip
        while True:
            steps, seconds, _ = server.ask(_TRIPS_S)
            (trips_hz,) = bare.ask(_TRIPS_S)
            yield steps / seconds, trips_hz


class _Trips:
    """Sends messages and waits for the answer to each message; uses rcl directly."""

    def __init__(self) -> None:
        """Sends messages until the echo answers."""
        rclpy.init()
        self._node = node = rclpy.create_node('bare')
        self._message, self._answer = NativeMessage(JointState), NativeMessage(JointState)
        self._message.set(JointState(name=['hinge'], position=[0.0], velocity=[0.0], effort=[0.0]))
        self._publisher = node.create_publisher(JointState, '/echo/states', 10)
        qos = QoSProfile(depth=10)
        self._subscription = silent_subscription(node, JointState, '/echo/commands', qos)
        self._publish, self._take = _CALL(publish_function()), _CALL(take_function())
        while not self._answered():
            self._send()
            time.sleep(0.1)
        while self._answered():
            pass

    def per_second(self, seconds: float) -> Iterable[float]:
        """Returns the number of round trips per second."""
        trips, start = 0, time.perf_counter()
        while time.perf_counter() - start < seconds:
            self._send()
            while not self._answered():
                pass
            trips += 1
        return (trips / (time.perf_counter() - start),)

    def _send(self) -> None:
        self._publish(self._publisher.handle.pointer, self._message.address, None, None)

    def _answered(self) -> bool:
        return self._take(self._subscription.pointer, self._answer.address, None, None) == 0


if __name__ == '__main__':
    answer(_Trips().per_second)
