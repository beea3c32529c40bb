"""What a controller process in Python takes to answer a state, and what it costs the steps."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

import rclpy
from rclpy.experimental.events_executor import EventsExecutor
from sensor_msgs.msg import JointState

from .processes import environment, folder, running, server_command
from .result import Result

_ROUNDS = 3
_RATE_HZ, _STEPS_HZ, _SECONDS = 200.0, 5000.0, 8.0
_LOADED_STEPS = 6000
_TRIPS = 1500
_MODEL = """
<mujoco>
  <option timestep="{}"/>
  <worldbody>
    <body><joint name="hinge"/><geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.02"/></body>
  </worldbody>
  <actuator><motor joint="hinge"/></actuator>
</mujoco>
"""
_ECHO = """
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


def measure_echo(name: str, limit: float) -> Result:
    """Returns the median from a joint state to the step with its answer, over a bare round trip.

    The same process answers both. Steps are made at 5 kHz, so that an answer waits for its step
    for 0.1 ms at most on average; the bare round trip is that of two rclpy nodes.
    """
    pairs = [(_echo_us(), _trip_us()) for _ in range(_ROUNDS)]
    ratio = statistics.median(ours / bare for ours, bare in pairs)
    ours, bare = (statistics.median(each) for each in zip(*pairs, strict=True))
    measured = f'p50 {ours:.0f} us against {bare:.0f} us'
    return Result(name=name, ratio=ratio, rule='at most', limit=limit, measured=measured)


def measure_loaded(name: str, limit: float) -> Result:
    """Returns the p99 lateness of steps with compiled topics over that with topics by rclpy.

    Both servers make steps of 1 ms and answer a controller process at 1 kHz, while a plugin
    computes in Python all the time.
    """
    pairs = [(_late_us(compiled=True), _late_us(compiled=False)) for _ in range(_ROUNDS)]
    ratio = statistics.median(ours / plain for ours, plain in pairs)
    ours, plain = (statistics.median(each) for each in zip(*pairs, strict=True))
    measured = f'p99 {ours:.0f} us against {plain:.0f} us'
    return Result(name=name, ratio=ratio, rule='at most', limit=limit, measured=measured)


def _echo_us() -> float:
    steps = int(_STEPS_HZ * _SECONDS)
    return _told('ECHO', timestep=1.0 / _STEPS_HZ, rate=_RATE_HZ, num_steps=steps)


def _late_us(*, compiled: bool) -> float:
    return _told(
        'LATE', 'burner', timestep=1e-3, rate=1000.0, num_steps=_LOADED_STEPS,
        compiled_topics=compiled,
    )  # fmt: skip


def _told(word: str, *others: str, timestep: float, rate: float, **parameters: object) -> float:
    """Runs a server beside the echo; returns the number that one of its plugins prints."""
    plugins = {'names': ['echo', *others], 'echo': {'type': 'benchmarks/TimedEcho', 'rate': rate}}
    plugins |= {other: {'type': f'benchmarks/{other.title()}'} for other in others}
    given = {
        'mujoco_xml': _MODEL.format(timestep), 'MujocoPlugins': plugins, 'realtime': 1.0,
        'joint_states_rate': 0.0, 'report_interval': 0.0, **parameters,
    }  # fmt: skip
    with folder() as prefix, running([sys.executable, '-c', _ECHO], environment(prefix)):
        done = subprocess.run(
            server_command(prefix, given), env=environment(prefix),
            stdout=subprocess.PIPE, text=True, check=True,
        )  # fmt: skip
    return float(
        next(line for line in done.stdout.splitlines() if line.startswith(word)).split()[1]
    )


def _trip_us() -> float:
    with folder() as prefix, running([sys.executable, '-c', _ECHO], environment(prefix)):
        done = subprocess.run(
            [sys.executable, '-m', 'benchmarks.control_echo'], env=environment(prefix),
            stdout=subprocess.PIPE, text=True, check=True,
        )  # fmt: skip
    return float(done.stdout.split()[-1])


def _bare_trips() -> float:
    """Sends messages by rclpy and waits for the answer to each; returns the median in us."""
    rclpy.init()
    node = rclpy.create_node('bare')
    message = JointState(name=['hinge'], position=[0.0], velocity=[0.0], effort=[0.0])
    came: list[float] = []
    node.create_subscription(
        JointState, '/echo/commands', lambda _: came.append(time.perf_counter()), 10
    )
    publisher = node.create_publisher(JointState, '/echo/states', 10)
    executor = EventsExecutor()
    executor.add_node(node)
    while publisher.get_subscription_count() == 0:
        executor.spin_once(timeout_sec=0.05)
    spent: list[float] = []
    while len(spent) < _TRIPS:
        time.sleep(1.0 / _RATE_HZ)
        came.clear()
        start = time.perf_counter()
        publisher.publish(message)
        while not came and time.perf_counter() - start < 1.0:
            executor.spin_once(timeout_sec=0.1)
        if came:
            spent.append(came[0] - start)
    return statistics.median(spent[_TRIPS // 10 :]) * 1e6


if __name__ == '__main__':
    print(_bare_trips(), flush=True)
