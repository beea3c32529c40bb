"""Two processes that send 10,000 wrong commands a second to a controller move nothing."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builtin.controllers.trajectories.trajectory_messages import trajectory
from deadline import DEADLINE_S
from geometry_msgs.msg import TwistStamped
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

from .harness import wait_until

pytestmark = pytest.mark.nightly

JOINT = '<body pos="{0} 0 0"><joint name="{1}" axis="0 0 1"/><geom size="0.1" mass="1"/></body>'
JOINTS = ('turn', 'lift', 'pan', 'held', 'wheel', 'left', 'right')
ROBOT = (
    '<mujoco><option timestep="0.001"/><worldbody>'
    + ''.join(JOINT.format(number, joint) for number, joint in enumerate(JOINTS))
    + '<body pos="9 0 0"><joint name="fan" axis="0 0 1"/><geom size="0.1" mass="1"/></body>'
    + '</worldbody><actuator><motor name="fan" joint="fan"/></actuator></mujoco>'
)
PLUGINS = [
    {'type': 'mujoco_ros_py/JointTrajectoryController', 'name': 'arm', 'joints': ['turn', 'lift']},
    {'type': 'mujoco_ros_py/ForwardCommandController', 'name': 'pan', 'joints': ['pan'],
     'interface_name': 'position'},
    {'type': 'mujoco_ros_py/ActuatorCommands', 'name': 'fan', 'actuators': ['fan'],
     'topic': 'fan'},
    {'type': 'mujoco_ros_py/JointController', 'name': 'hold', 'joints': ['held']},
    {'type': 'mujoco_ros_py/TopicBasedHardware', 'name': 'hardware',
     'joints': {'wheel': 'velocity'}},
    {'type': 'mujoco_ros_py/DiffDriveController', 'name': 'base', 'left_wheel_names': ['left'],
     'right_wheel_names': ['right'], 'wheel_separation': 0.4, 'wheel_radius': 0.1},
]  # fmt: skip
FLOODS = {
    'arm': (
        '/arm/joint_trajectory',
        trajectory((1.0, (math.nan, 1.0))),
        trajectory((1.0, (1.0, 1.0)), joints=['a', 'b']),
    ),
    'pan': (
        '/pan/commands',
        Float64MultiArray(data=[math.nan]),
        Float64MultiArray(data=[1.0, 1.0]),
    ),
    'fan': ('/fan', Float64MultiArray(data=[math.inf]), Float64MultiArray()),
    'hold': (
        '/hold/joint_commands',
        JointState(name=['held'], position=[math.nan]),
        JointState(name=['nobody'], position=[1.0]),
    ),
    'hardware': (
        '/robot_joint_commands',
        JointState(name=['wheel'], velocity=[math.inf]),
        JointState(name=['nobody'], velocity=[1.0]),
    ),
    'base': ('/cmd_vel', TwistStamped(), TwistStamped()),
}
FLOODS['base'][1].twist.linear.x = math.nan
FLOODS['base'][2].twist.angular.y = math.inf
"""The topic of each plugin, and two messages that it refuses for different reasons."""
ENOUGH = 20_000
MORE = re.compile(r' \([\d,]+ more since it was last logged\)$')
PUBLISHER = """
import importlib
import sys
import time

import rclpy

package, name, topic, message = sys.argv[1:]
kind, message = getattr(importlib.import_module(package), name), bytes.fromhex(message)
rclpy.init()
node = rclpy.create_node('flood')
publisher = node.create_publisher(kind, topic, 10)
while not publisher.get_subscription_count():
    time.sleep(0.01)
begin, sent = time.monotonic(), 0
while True:
    while sent < 10_000 * (time.monotonic() - begin):
        publisher.publish(message)
        sent += 1
    print(sent, time.monotonic() - begin, flush=True)
    time.sleep(0.001)
"""


class Flood:
    """A process that sends a message ten thousand times a second, or as often as it can."""

    def __init__(self, topic: str, message: Any, domain: int, file: Path) -> None:
        self._file = file
        kind = type(message)
        package = f'{kind.__module__.partition(".")[0]}.msg'
        words = [package, kind.__name__, topic, serialize_message(message).hex()]
        environment = {**os.environ, 'ROS_DOMAIN_ID': str(domain)}
        with file.open('w') as output:
            self._process = subprocess.Popen(
                [sys.executable, '-c', PUBLISHER, *words], env=environment, stdout=output
            )

    @property
    def sent(self) -> tuple[int, float]:
        """The number of messages, and the seconds in which they were sent."""
        lines = self._file.read_text().splitlines()[:-1]  # the last may be half written
        assert self._process.poll() is None, 'the flood has ended by itself'
        count, elapsed = lines[-1].split() if lines else ('0', '1')
        return int(count), float(elapsed)

    def end(self) -> None:
        self._process.kill()
        self._process.wait(DEADLINE_S)


@contextmanager
def floods(topic: str, messages: Any, domain: int, folder: Path) -> Iterator[list[Flood]]:
    made = [
        Flood(topic, message, domain, folder / f'flood{number}')
        for number, message in enumerate(messages)
    ]
    try:
        yield made
    finally:
        for flood in made:
            flood.end()


@pytest.mark.parametrize('name', FLOODS)
def test_wrong_commands_of_two_floods_move_nothing_and_are_said_once_a_second(
    share, tmp_path, record_property, name
):
    process, client = share({'mujoco_xml': ROBOT, 'MujocoPlugins': json.dumps(PLUGINS)})
    domain = client.node.context.get_domain_id()
    assert client.pause(False).success
    states = client.collect(JointState, 'joint_states')
    topic, *messages = FLOODS[name]
    begin = time.monotonic()

    def said() -> list[int]:
        """The number of lines of each reason."""
        said = (line.partition(f': {name}: ')[2] for line in process.lines if '[WARN] ' in line)
        reasons = Counter(MORE.sub('', sentence) for sentence in said if sentence)
        return list(reasons.values())

    with floods(topic, messages, domain, tmp_path) as made:
        wait_until(
            lambda: min(flood.sent[0] for flood in made) > ENOUGH, 'floods', process=process
        )
        wait_until(lambda: sum(said()) >= 2, 'what is said', process=process)
        assert max(said()) <= time.monotonic() - begin + 2, process.output
        rate = sum(count / elapsed for count, elapsed in (flood.sent for flood in made))
    record_property('figure', f'{name}: {rate:.0f} wrong commands a second, {sum(said())} lines')
    print(f'{name}: {rate:.0f} wrong commands a second, {sum(said())} lines')
    last = len(states)
    wait_until(lambda: len(states) > last, 'a state after the flood')
    assert np.abs(states[-1].position).max() < 1e-9
    assert client.trigger('reset').success, 'the server answers'
