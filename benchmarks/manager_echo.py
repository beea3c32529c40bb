"""The delay from a state to the effect of the command that was computed from it."""

from __future__ import annotations

import ctypes
import statistics
import sys
import time
from collections.abc import Iterable
from typing import Any

import rclpy
from rclpy.qos import qos_profile_sensor_data
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState

from mujoco_ros_py.rcl_internals import NativeMessage, publish_function, take_function
from mujoco_ros_py.ros.rclpy_internals import silent_subscription

from .control_echo import MODEL
from .domains import second_domain
from .processes import QUIET, answer, plugins, running, server_command
from .rounds import Rounds

_TIMESTEP_S, _UPDATE_HZ = 0.001, 200.0
_WINDOW_S = 2.0
_POLL_S = 5e-5
_CALL = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 4)


def measure() -> Rounds:
    """Compares a controller manager in another process with a manager inside the simulation.

    Both run 200 updates per simulated second in real time, and each update commands a different
    effort. The row measures the mean simulated time from the state that an update reads to the
    first state that shows its effort. The minimum is one step, which is 1 ms.
    """
    model = MODEL.format(_TIMESTEP_S)
    hardware = {
        'type': 'mujoco_ros_py/TopicBasedHardware', 'joints': {'hinge': 'effort'},
        'update_rate': _UPDATE_HZ, 'rate': 1.0 / _TIMESTEP_S,
    }  # fmt: skip
    inside = {'type': 'benchmarks/ManagerInside', 'update_rate': _UPDATE_HZ}
    outside = {**QUIET, 'mujoco_xml': model, **plugins(hardware=hardware)}
    within = {**QUIET, 'mujoco_xml': model, 'unpause': False, **plugins(manager=inside)}
    manager = [sys.executable, '-m', 'benchmarks.manager_echo']
    with (
        running(server_command(outside)), running(manager) as ours,
        running(server_command(within), **second_domain()) as theirs,
    ):  # fmt: skip
        while True:
            yield ours.ask(_WINDOW_S)[0], theirs.ask(_WINDOW_S)[0]


class _Manager:
    """Acts like a manager with a JointStateTopicSystem; uses rcl directly, as fast as C++."""

    def __init__(self) -> None:
        rclpy.init()
        self._node = node = rclpy.create_node('manager')
        self._publisher = node.create_publisher(JointState, '/robot_joint_commands', 1)
        self._clock, self._states = (
            silent_subscription(node, kind, topic, qos_profile_sensor_data)
            for kind, topic in ((Clock, '/clock'), (JointState, '/robot_joint_states'))
        )
        self._time, self._state = NativeMessage(Clock), NativeMessage(JointState)
        self._command = NativeMessage(JointState)
        self._publish, self._take = _CALL(publish_function()), _CALL(take_function())
        self._effort = 0.0
        while not self._publisher.get_subscription_count():
            time.sleep(0.05)

    def delay_s(self, seconds: float) -> Iterable[float]:
        """Runs updates when they are due; returns the mean delay in s."""
        begin, next_s, read_s = time.perf_counter(), 0.0, 0.0
        since: dict[float, float] = {}
        delays: list[float] = []
        while time.perf_counter() < begin + seconds or not delays:
            news = False
            while self._took(self._states, self._state):
                news, state = True, self._state.get()
                read_s = _seconds(state.header.stamp)
                if (sent_s := since.pop(state.effort[0], None)) is not None:
                    delays.append(read_s - sent_s)
            while self._took(self._clock, self._time):
                news, now = True, self._time.get().clock
                if _seconds(now) >= next_s and read_s:
                    next_s = _seconds(now) + (1.0 - 1e-9) / _UPDATE_HZ
                    since[self._update(now)] = read_s
            if not news:
                time.sleep(_POLL_S)
        return (statistics.fmean(delays),)

    def _update(self, stamp: Any) -> float:
        """Commands a new effort, and returns it."""
        self._effort += 1.0
        command = JointState(name=['hinge'], effort=[self._effort])
        command.header.stamp = stamp
        self._command.set(command)
        self._publish(self._publisher.handle.pointer, self._command.address, None, None)
        return self._effort

    def _took(self, subscription: Any, message: NativeMessage) -> bool:
        return self._take(subscription.pointer, message.address, None, None) == 0


def _seconds(stamp: Any) -> float:
    return float(stamp.sec) + stamp.nanosec / 1e9


if __name__ == '__main__':
    answer(_Manager().delay_s)
