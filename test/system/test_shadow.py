"""The Shadow plugin over DDS: it follows a robot that another server simulates."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
import yaml
from builtin.controllers.trajectories.trajectory_messages import trajectory
from builtin.shadow.robots import ARM, HYPOTHESES, NOISE
from diagnostic_msgs.msg import DiagnosticArray
from mujoco_ros_msgs.msg import BodyState
from mujoco_ros_msgs.srv import SetBodyState
from sensor_msgs.msg import JointState
from simulation_interfaces.srv import StepSimulation
from std_msgs.msg import Float64MultiArray
from trajectory_msgs.msg import JointTrajectory

from .harness import Client, free_domain, running_server, wait_until

pytestmark = pytest.mark.slow

COMMANDS = '/commands'
CONTROL = {
    'type': 'mujoco_ros_py/ActuatorCommands',
    'name': 'control',
    'actuators': ['shoulder', 'elbow'],
    'topic': COMMANDS,
}
SHADOW = {
    'type': 'mujoco_ros_py/Shadow',
    'name': 'shadow',
    'states': '/robot/joint_states',
    'noise': {**NOISE, 'effort': 0.05},
    'timing': 0.02,
    'hypotheses': HYPOTHESES,
}
NAMESPACE = '-r', '__ns:=/robot'
LEVELS = {b'\x00': 'OK', b'\x01': 'WARN', b'\x02': 'ERROR'}


TRAJECTORIES = {
    'type': 'mujoco_ros_py/JointTrajectoryController',
    'name': 'arm',
    'joints': ['shoulder', 'elbow'],
}
REMAPPED = '-r', '/arm/joint_trajectory:=/robot/arm/joint_trajectory'


@contextmanager
def server(folder, domain: int, plugins: list[Any], *arguments: str, node: str, unpause: bool):
    folder.mkdir()
    parameters = {'mujoco_xml': ARM, 'MujocoPlugins': yaml.safe_dump(plugins), 'unpause': unpause}
    with running_server(folder, domain, parameters, *arguments, node=node) as (_, client):
        yield client


@contextmanager
def two_servers(tmp_path, controller: dict[str, Any], *arguments: str, unpause: bool = True):
    """Yields clients of the real robot's server and of the server that follows it."""
    with (
        free_domain() as domain,
        server(
            tmp_path / 'robot',
            domain,
            [controller],
            *NAMESPACE,
            node='/robot/mujoco_server',
            unpause=unpause,
        ) as robot,
        server(
            tmp_path / 'shadow',
            domain,
            [controller, SHADOW],
            *arguments,
            node='/mujoco_server',
            unpause=unpause,
        ) as shadow,
    ):
        yield robot, shadow


@pytest.fixture
def clients(tmp_path):
    with two_servers(tmp_path, CONTROL) as found:
        yield found


def state(messages: list[DiagnosticArray]) -> tuple[str, str, dict[str, str]]:
    """Returns level, message and values of the robot's last status."""
    for array in reversed(messages):
        for status in array.status:
            if status.name == 'shadow: robot':
                values = {pair.key: pair.value for pair in status.values}
                return LEVELS[status.level], status.message, values
    return '', '', {}


def command(client: Client, target: list[float]) -> None:
    publisher = client.node.create_publisher(Float64MultiArray, COMMANDS, 10)
    wait_until(lambda: publisher.get_subscription_count() == 2, 'both subscriptions')
    publisher.publish(Float64MultiArray(data=target))


def weigh(robot: Client, mass: float) -> None:
    request = SetBodyState.Request(state=BodyState(name='hand', mass=mass), set_mass=True)
    answer = robot.call(SetBodyState, 'set_body_state', request)
    assert answer.success, answer.status_message


def test_a_payload_of_the_real_robot_is_an_error_with_its_mass(clients):
    robot, shadow = clients
    told = shadow.collect(DiagnosticArray, '/diagnostics')
    residuals = shadow.collect(JointState, '/shadow/residuals')
    bounds = shadow.collect(JointState, '/shadow/bounds')
    command(shadow, [0.3, 0.6])
    wait_until(lambda: state(told)[:2] == ('OK', 'within the bounds'), 'a healthy robot')
    wait_until(lambda: len(residuals) > 30 and len(bounds) > 30, 'residuals')
    assert residuals[-1].name == ['shoulder', 'elbow']
    assert len(residuals[-1].velocity) == len(bounds[-1].position) == 2
    weigh(robot, 0.8)
    wait_until(lambda: state(told)[0] == 'ERROR', 'an error')
    wait_until(lambda: 'payload fits best: 0.' in state(told)[1], 'the payload')
    weigh(robot, 0.3)
    wait_until(lambda: state(told)[0] == 'OK', 'a healthy robot again')


def test_a_silent_robot_is_a_warning(clients):
    robot, shadow = clients
    told = shadow.collect(DiagnosticArray, '/diagnostics')
    wait_until(lambda: state(told)[0] == 'OK', 'a healthy robot')
    robot.pause(True)
    wait_until(lambda: state(told)[1].startswith('no new joint states for'), 'a warning')
    assert state(told)[0] == 'WARN'


def step(client: Client, count: int) -> None:
    answer = client.call(StepSimulation, 'step_simulation', StepSimulation.Request(steps=count))
    assert answer.result.result == 1, answer.result.error_message


def test_a_robot_with_the_same_trajectory_stays_within_the_bounds(tmp_path):
    with two_servers(tmp_path, TRAJECTORIES, *REMAPPED, unpause=False) as (robot, shadow):
        moves = robot.collect(JointState, '/robot/joint_states')
        residuals = shadow.collect(JointState, '/shadow/residuals')
        bounds = shadow.collect(JointState, '/shadow/bounds')
        topic = '/robot/arm/joint_trajectory'
        publisher = shadow.node.create_publisher(JointTrajectory, topic, 10)
        wait_until(lambda: publisher.get_subscription_count() == 2, 'both subscriptions')
        targets = [(0.8, 0.4), (-0.3, 1.0), (0.5, -0.2)]
        points = [(0.6 * (number + 1), target) for number, target in enumerate(targets)]
        motion = trajectory(*points, joints=['shoulder', 'elbow'], stamp=0.5)
        publisher.publish(motion)
        assert publisher.wait_for_all_acked()  # so that both servers begin at its stamp

        def advance() -> bool:  # in step, so that the clocks agree on a busy machine too
            count = len(moves)
            step(robot, 5)
            wait_until(lambda: len(moves) > count, 'a state')
            step(shadow, 5)
            return len(moves) > 250 and len(bounds) >= 15

        wait_until(advance, 'predictions of the motion')
        assert max(abs(message.velocity[0]) for message in moves) > 0.5
        outside = [
            np.any(np.abs(residual.position) > bound.position)
            or np.any(np.abs(residual.velocity) > bound.velocity)
            for residual, bound in zip(residuals, bounds, strict=False)
        ]
        assert sum(outside) <= 1  # where the acceleration jumps, within the time between messages
