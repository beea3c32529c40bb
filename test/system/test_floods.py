"""Whoever sends what is refused, again and again, does not fill the log."""

from __future__ import annotations

import time
from itertools import cycle

import pytest
from rcl_interfaces.msg import Parameter, ParameterValue
from rcl_interfaces.srv import SetParametersAtomically
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState

from mujoco_ros_py.log_throttle import LONGEST

from .harness import PENDULUM, wait_until

pytestmark = pytest.mark.slow

PLUGINS = '[{type: mujoco_ros_py/JointController, name: arm}]'
MANY = [f'joint{number}\nof many' for number in range(5000)]
NOT_UTF_8 = serialize_message(JointState(name=['@@@@'], position=[0.0])).replace(
    b'@@@@', b'\xff' * 4
)
CALLS = 50
COMMANDS = {
    r'drive joint0\nof many; it drives hinge': JointState(name=MANY, position=[0.0] * len(MANY)),
    'one position for each name': JointState(name=['hinge']),
    'drive \ufffd\ufffd\ufffd\ufffd; it drives hinge': NOT_UTF_8,
}
"""Wrong commands, by what the log says of them."""


@pytest.fixture
def server(share):
    """A server that runs, whose initial joints include many that are not there."""
    wrong = {f'initial_joint_positions.joint_map.joint{number}': 0.0 for number in range(500)}
    process, client = share({'mujoco_xml': PENDULUM, 'MujocoPlugins': PLUGINS, **wrong})
    assert client.pause(False).success
    return process, client


def test_wrong_commands_are_told_once_a_second_in_a_short_line(server):
    process, client = server
    begin, lines = time.monotonic(), len(process.lines)
    publisher = client.node.create_publisher(JointState, 'arm/joint_commands', 1)
    wait_until(publisher.get_subscription_count, 'the subscription')

    def told(what: str) -> int:
        return sum(what in line for line in process.lines[lines:])

    kinds = cycle(COMMANDS.values())

    def flooded() -> bool:
        message = next(kinds)
        for _ in range(20):
            publisher.publish(message)
        return all(told(what) >= 2 for what in COMMANDS)  # so a second has passed

    wait_until(flooded, 'a flood', process=process)

    wait_until(lambda: client.trigger('reset').success, 'an answer')
    for what in COMMANDS:
        assert told(what) <= time.monotonic() - begin + 2, what
    assert max(len(line) for line in process.lines[lines:]) < LONGEST + 100
    states = client.collect(JointState, 'joint_states')
    wait_until(lambda: states, 'joint states')
    assert abs(states[-1].position[0]) < 0.5, 'no message took effect, not even in part'


def test_refused_calls_are_answered_and_told_once_a_second(server):
    process, client = server
    begin = time.monotonic()
    answers = [client.trigger('step') for _ in range(CALLS)]
    assert {answer.message for answer in answers} == {'cannot step while running: pause first'}
    assert not any(answer.success for answer in answers)
    told = process.output.count('~/step: cannot step while running')
    assert 1 <= told <= time.monotonic() - begin + 1, process.output


def test_resets_with_many_wrong_initial_joints_tell_them_once_a_second_in_a_short_line(server):
    process, client = server
    begin, before = time.monotonic(), len(process.lines)

    def told() -> list[str]:
        assert client.trigger('reset').success
        return [line for line in process.lines[before:] if 'of unknown joint' in line]

    wait_until(lambda: len(told()) > 1, 'they are told again')
    assert len(told()) <= time.monotonic() - begin + 2, process.output
    assert '490 more' in told()[-1]
    assert max(map(len, told())) < LONGEST + 100


def test_parameters_that_cannot_be_read_are_told_once_a_second_in_a_short_line(server):
    process, client = server
    begin, before = time.monotonic(), len(process.lines)
    no_type = ParameterValue(type=99)
    wrong = [Parameter(name=name, value=no_type) for name in MANY]
    for _ in range(CALLS // 5):
        request = SetParametersAtomically.Request(parameters=wrong)
        result = client.call(SetParametersAtomically, 'set_parameters_atomically', request).result
        assert not result.successful
    assert len(result.reason) < LONGEST
    new = process.lines[before:]
    told = sum('and 4,994 more cannot be set' in line for line in new)
    assert 1 <= told <= time.monotonic() - begin + 1, ''.join(new)
    assert max(map(len, new)) < LONGEST
