"""Topics of compiled code: what arrives, and how fast answers count in the simulation."""

from __future__ import annotations

import ctypes
import statistics
import subprocess
import sys
import time

import rclpy
from rclpy.qos import QoSProfile
from sensor_msgs.msg import JointState

from mujoco_ros_py.rcl_internals import NativeMessage, publish_function, take_function
from mujoco_ros_py.ros.rclpy_internals import silent_subscription

from .processes import environment, folder, running, server_command
from .result import Result

_PERIOD_S = 0.001
_CLOCK_STEPS = 25_000
_ROUNDS, _TRIPS = 3, 3000
_MODEL = """
<mujoco>
  <option timestep="0.001"/>
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
def answer(state):
    commands.publish(JointState(header=state.header, name=state.name, effort=[-state.position[0]]))
node.create_subscription(JointState, '/echo/states', answer, 10)
executor = EventsExecutor()
executor.add_node(node)
with contextlib.suppress(ExternalShutdownException):
    while True:
        executor.spin_once(timeout_sec=1.0)
"""
_CALL = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 4)


def measure_clock(name: str, limit: float) -> Result:
    """Returns the share of the times of 1 kHz steps that come to a client in compiled code.

    The client is the plugin of another server, which counts what comes on /clock.
    """
    with folder() as prefix:
        model = {'mujoco_xml': _MODEL, 'report_interval': 0.0, 'joint_states_rate': 0.0}
        counter = {'names': ['counter'], 'counter': {'type': 'benchmarks/ClockCounter'}}
        taker = {**model, 'MujocoPlugins': counter, 'num_steps': _CLOCK_STEPS}
        renamed = ('__node:=taker', '/clock:=/own', '/clock_of_the_other:=/clock')
        command = server_command(prefix, taker)
        command += [word for rule in renamed for word in ('-r', rule)]
        told = {**model, 'clock_rate': 1000.0}
        with running(server_command(prefix, told), environment(prefix)):
            done = subprocess.run(
                command, env=environment(prefix), stdout=subprocess.PIPE, text=True, check=True
            )
    words = next(line for line in done.stdout.splitlines() if line.startswith('CLOCK')).split()
    came, made = int(words[1]), int(words[2])
    measured = f'{came} of {made} times'
    return Result(name=name, ratio=came / made, rule='at least', limit=limit, measured=measured)


def measure_lockstep(name: str, limit: float) -> Result:
    """Returns the steps per second in lockstep, over round trips of messages without a server.

    Both are answered by the same process, an echo in rclpy. The round trips are those of rcl,
    called without rclpy's conversion and without waiting in an executor.
    """
    pairs = []
    for _ in range(_ROUNDS):
        pairs.append((_lockstep_hz(), _round_trips_hz()))
    ratio = statistics.median(steps / trips for steps, trips in pairs)
    steps, trips = (statistics.median(each) for each in zip(*pairs, strict=True))
    measured = f'{steps:.0f} steps/s against {trips:.0f} round trips/s'
    return Result(name=name, ratio=ratio, rule='at least', limit=limit, measured=measured)


def _lockstep_hz() -> float:
    with folder() as prefix:
        plugins = {'names': ['echo'], 'echo': {'type': 'benchmarks/Echo'}}
        parameters = {
            'mujoco_xml': _MODEL, 'MujocoPlugins': plugins, 'realtime': -1.0,
            'joint_states_rate': 0.0, 'num_steps': _TRIPS,
            'lockstep_period': _PERIOD_S, 'lockstep_topics': ['/echo/commands'],
            'lockstep_timeout': 0.0,
        }  # fmt: skip
        with running([sys.executable, '-c', _ECHO], environment(prefix)):
            done = subprocess.run(
                server_command(prefix, parameters),
                env=environment(prefix), stdout=subprocess.PIPE, text=True, check=True,
            )  # fmt: skip
    words = next(line for line in done.stdout.splitlines() if line.startswith('ECHO')).split()
    return float(words[1])


def _round_trips_hz() -> float:
    with folder() as prefix, running([sys.executable, '-c', _ECHO], environment(prefix)):
        done = subprocess.run(
            [sys.executable, '-m', 'benchmarks.topics'],
            env=environment(prefix), stdout=subprocess.PIPE, text=True, check=True,
        )  # fmt: skip
    return float(done.stdout.split()[-1])


def _bare_round_trips() -> float:
    """Sends messages and waits for the answer to each, by rcl alone; returns trips per second."""
    rclpy.init()
    node = rclpy.create_node('bare')
    message, came = NativeMessage(JointState), NativeMessage(JointState)
    message.set(JointState(name=['hinge'], position=[0.0], velocity=[0.0], effort=[0.0]))
    publisher = node.create_publisher(JointState, '/echo/states', 10)
    subscription = silent_subscription(node, JointState, '/echo/commands', QoSProfile(depth=10))
    publish, take = _CALL(publish_function()), _CALL(take_function())
    while publisher.get_subscription_count() == 0 or subscription.get_publisher_count() == 0:
        time.sleep(0.01)

    def trip() -> None:
        publish(publisher.handle.pointer, message.address, None, None)
        while take(subscription.pointer, came.address, None, None) != 0:
            pass

    answered = False
    while not answered:  # the echo may not know this process yet
        publish(publisher.handle.pointer, message.address, None, None)
        time.sleep(0.1)
        while take(subscription.pointer, came.address, None, None) == 0:
            answered = True
    for _ in range(_TRIPS // 10):
        trip()
    start = time.perf_counter()
    for _ in range(_TRIPS):
        trip()
    return _TRIPS / (time.perf_counter() - start)


if __name__ == '__main__':
    print(_bare_round_trips(), flush=True)
