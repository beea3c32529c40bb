"""Goals, topics and a lockstep continue over DDS while entities are spawned and deleted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from deadline import DEADLINE_S
from std_msgs.msg import Float64MultiArray
from system.harness import Client, wait_until
from system.trajectory_robot import ARM, MOVE, ROBOT, SLOW, SUCCEEDED, Robot

from mujoco_ros_py.session.world import Spawn
from mujoco_ros_py.simulation import ModelSource

pytestmark = pytest.mark.slow

CUBE = """
<mujoco>
  <worldbody><body name="base"><freejoint/><geom size="0.1"/></body></worldbody>
</mujoco>
"""
SPAWN = Spawn(source=ModelSource(xml=CUBE), name='cube', position=(0.0, 0.0, 9.0))
WHEEL = """
<mujoco>
  <worldbody><body name="hub"><joint name="turn"/><geom size="0.1"/></body></worldbody>
  <actuator><velocity joint="turn" kv="1"/></actuator>
</mujoco>
"""


def come_and_go(server: Any) -> None:
    """Spawns a cube in the running world, and deletes it again."""
    server.assembly.spawn([SPAWN]).result(DEADLINE_S)
    server.assembly.delete(['cube']).result(DEADLINE_S)


@pytest.fixture
def client(domain: int) -> Iterator[Client]:
    with closing(Client(domain)) as made:
        yield made


def test_a_goal_of_the_action_survives_spawns_and_its_feedback_goes_on(serve, client):
    server = serve(mujoco_xml=ROBOT, MujocoPlugins=json.dumps([ARM]), realtime=1.0)
    robot = Robot(None, client)
    goal = robot.goal(MOVE)
    assert goal.accepted
    come_and_go(server)
    server.assembly.spawn([SPAWN]).result(DEADLINE_S)
    assert goal.end() == (SUCCEEDED, 0, 'the goal has succeeded')
    assert len(goal.feedback) > 5
    again = robot.goal(SLOW)
    wait_until(lambda: again.feedback, 'the goal to be pursued')
    server.assembly.delete(['cube']).result(DEADLINE_S)
    count = len(again.feedback)
    wait_until(lambda: len(again.feedback) > count + 2, 'feedback after the deletion')
    assert server.assembly.host.summary == ['1 of 1 plugins ready']
    again.cancel()


def test_a_live_gain_stays_and_its_parameter_too(serve, client):
    stiff = {**ARM, 'gains': {'turn': {'p': 60.0, 'd': 6.0}}}
    server = serve(mujoco_xml=ROBOT, MujocoPlugins=json.dumps([stiff]), realtime=1.0)
    (result,) = client.set_parameters(arm__gains__turn__p=77.0)
    assert result.successful, result.reason
    (arm,) = [each.plugin for each in server.assembly.host.configured]
    come_and_go(server)
    server.assembly.spawn([SPAWN]).result(DEADLINE_S)
    (after,) = [each.plugin for each in server.assembly.host.configured]
    assert after is arm
    assert arm.state.drive['p'][0] == 77.0
    assert client.get_parameter('arm.gains.turn.p').double_value == 77.0
    (result,) = client.set_parameters(arm__gains__turn__p=88.0)
    assert result.successful, result.reason
    assert arm.state.drive['p'][0] == 88.0


def test_a_controller_that_is_spawned_takes_commands_and_goes_while_the_other_goes_on(
    serve, client
):
    server = serve(mujoco_xml=ROBOT, MujocoPlugins=json.dumps([ARM]), realtime=1.0)
    robot = Robot(None, client)
    goal = robot.goal(SLOW)
    plugin = {'type': 'mujoco_ros_py/ForwardCommandController', 'name': 'speed',
              'joints': ['turn'], 'interface_name': 'velocity'}  # fmt: skip
    wheel = Spawn(source=ModelSource(xml=WHEEL), name='wheel', position=(3.0, 0, 0),
                  plugins=[plugin])  # fmt: skip
    server.assembly.spawn([wheel]).result(DEADLINE_S)
    commands = client.node.create_publisher(Float64MultiArray, '/wheel/speed/commands', 10)

    def turns() -> bool:
        commands.publish(Float64MultiArray(data=[2.0]))
        speed = server.simulation.submit(lambda m, d: float(d.joint('wheel/turn').qvel[0]))
        return abs(speed.result(DEADLINE_S) - 2.0) < 0.1

    wait_until(turns, 'the wheel turns')
    server.assembly.delete(['wheel']).result(DEADLINE_S)
    assert server.assembly.host.summary == ['1 of 1 plugins ready']
    assert not goal.ended
    goal.cancel()


HARDWARE = {'type': 'mujoco_ros_py/TopicBasedHardware', 'name': 'hardware', 'rate': 500.0,
            'joints': {'turn': 'position', 'lift': 'position'}}  # fmt: skip
PERIOD_S = 0.002
CONTROLLER = """
import math
import sys
import numpy as np
import rclpy
from pathlib import Path
from sensor_msgs.msg import JointState

rclpy.init()
node = rclpy.create_node('controller')
commands = node.create_publisher(JointState, '/robot_joint_commands', 10)
path = open(sys.argv[1], 'wb')
last = [-1]


def answer(state):
    stamp = state.header.stamp
    now = stamp.sec * 1_000_000_000 + stamp.nanosec
    time = now * 1e-9
    if now != last[0]:  # a state is repeated until the controller has answered for the first time
        path.write(np.array([time, *state.position, *state.velocity]).tobytes())
        path.flush()
        last[0] = now
    wanted = [math.sin(3.0 * time) - 0.1 * each for each in state.position]
    commands.publish(JointState(header=state.header, name=state.name, position=wanted))


node.create_subscription(JointState, '/robot_joint_states', answer, 10)
rclpy.spin(node)
"""


@contextmanager
def controlled(domain: int, path: Path) -> Iterator[None]:
    """Runs a controller in its own process; it writes its answers to a file."""
    environment = {**os.environ, 'ROS_DOMAIN_ID': str(domain)}
    process = subprocess.Popen([sys.executable, '-c', CONTROLLER, str(path)], env=environment)
    try:
        yield
    finally:
        process.kill()
        process.wait(DEADLINE_S)


def answered(path: Path) -> Any:
    """Returns the time, positions and velocities of each answered period."""
    numbers = np.fromfile(path) if path.exists() else np.zeros(0)
    return numbers[: len(numbers) // 5 * 5].reshape(-1, 5)


@pytest.mark.parametrize('count', [3, pytest.param(10, marks=pytest.mark.nightly)])
def test_a_controller_in_lockstep_misses_no_period_through_spawns_and_deletions(
    serve, domain, tmp_path, count
):
    given = {
        'mujoco_xml': ROBOT, 'MujocoPlugins': json.dumps([HARDWARE]), 'realtime': -1.0,
        'joint_states_rate': 0.0, 'lockstep_period': PERIOD_S, 'lockstep_timeout': 0.0,
        'lockstep_topics': ['/robot_joint_commands'],
    }  # fmt: skip
    server = serve(**given)
    with controlled(domain, one := tmp_path / 'one'):
        wait_until(lambda: len(answered(one)) > 20, 'the first answers')
        for _ in range(count):
            come_and_go(server)
        changed = len(answered(one))
        wait_until(lambda: len(answered(one)) > changed + 20, 'answers after the changes')
    rows = answered(one)
    assert np.diff(rows[:, 0]) == pytest.approx(PERIOD_S, abs=1e-9)
    assert server.assembly.host.summary == ['1 of 1 plugins ready']
    server.close()
    np.testing.assert_array_equal(rows, alone(serve, domain, given, tmp_path / 'two', len(rows)))


def alone(serve: Any, domain: int, given: Any, path: Path, count: int) -> Any:
    """Returns the first `count` rows of a run without spawned entities."""
    serve(**given)
    with controlled(domain, path):
        wait_until(lambda: len(answered(path)) >= count, 'as many answers')
    return answered(path)[:count]
