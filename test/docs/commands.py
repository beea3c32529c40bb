"""Carries out the documentation's `ros2` commands with rclpy, because ros2cli is not on PyPI."""

from __future__ import annotations

import shlex
from importlib import import_module
from typing import Any

import yaml
from action_msgs.msg import GoalStatus
from deadline import DEADLINE_S
from rcl_interfaces.srv import DescribeParameters, SetParameters
from rclpy.parameter import get_parameter_value
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from system.harness import Client, answered_goal, parameter_message, wait_until

from mujoco_ros_py.plugins.topic_qos import LATCHED

_NO_PARAMETER = 0
_OPTIONS = '--feedback', '--once', '--verbose'
_RATE = '--rate'


def run(command: str, client: Client) -> None:
    """Runs a `ros2 service`, `param`, `topic` or `action` command; AssertionError if it fails."""
    _, what, *words = shlex.split(command)
    verb, *arguments = (word for word in words if word not in _OPTIONS)
    given = {}
    if _RATE in arguments:
        place = arguments.index(_RATE)
        given['rate_hz'] = float(arguments[place + 1])
        del arguments[place : place + 2]
    _COMMANDS[what, verb](client, *arguments, **given)


def _service_call(client: Client, name: str, kind: str, fields: str = '{}') -> None:
    service = interface(kind)
    answer = client.call(service, name, filled(service.Request(), yaml.safe_load(fields)))
    if hasattr(answer, 'success'):
        assert answer.success, f'{name}: {answer.message}'
    elif hasattr(answer, 'result'):
        assert answer.result.result == 1, f'{name}: {answer.result.error_message}'


def _param_set(client: Client, node: str, name: str, value: str) -> None:
    parameter = parameter_message(name, None)
    parameter.value = get_parameter_value(value)
    request = SetParameters.Request(parameters=[parameter])
    (result,) = client.call(SetParameters, f'{node}/set_parameters', request).results
    assert result.successful, f'{name}: {result.reason}'


def _param_look(client: Client, node: str, name: str) -> None:
    request = DescribeParameters.Request(names=[name])
    answer = client.call(DescribeParameters, f'{node}/describe_parameters', request)
    assert [each.type for each in answer.descriptors] != [_NO_PARAMETER], f'no parameter {name}'


def _topic_pub(
    client: Client, topic: str, kind: str, fields: str, rate_hz: float | None = None
) -> None:
    """Publishes a message once, or with `--rate` until the client is closed."""
    message = filled(interface(kind)(), yaml.safe_load(fields))
    publisher = client.node.create_publisher(type(message), topic, 10)
    wait_until(publisher.get_subscription_count, f'a subscription of {topic}')
    publisher.publish(message)
    if rate_hz is not None:
        client.node.create_timer(1.0 / rate_hz, lambda: publisher.publish(message))


def _action_send_goal(client: Client, name: str, kind: str, fields: str) -> None:
    goals = interface(kind)
    actions = client.actions(goals, name)
    assert actions.wait_for_server(DEADLINE_S), f'{name} is not offered'
    goal = answered_goal(actions, filled(goals.Goal(), yaml.safe_load(fields)))
    assert goal.accepted, f'{name} has rejected the goal'
    result = goal.get_result_async()
    wait_until(result.done, f'a result of {name}')
    assert result.result().status == GoalStatus.STATUS_SUCCEEDED, result.result()


def _topic_look(client: Client, topic: str) -> None:
    def kinds() -> list[str]:
        return dict(client.node.get_topic_names_and_types()).get(topic, [])

    (kind,) = wait_until(kinds, f'the topic {topic}')
    messages: list[Any] = []
    ends = client.node.get_publishers_info_by_topic(topic)
    latched = {each.qos_profile.durability for each in ends} == {DurabilityPolicy.TRANSIENT_LOCAL}
    qos = LATCHED if latched else QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
    client.node.create_subscription(interface(kind), topic, messages.append, qos)
    wait_until(lambda: messages, f'a message on {topic}')


def _topic_info(client: Client, topic: str) -> None:
    wait_until(lambda: client.node.get_publishers_info_by_topic(topic), f'a publisher of {topic}')


_COMMANDS = {
    ('service', 'call'): _service_call,
    ('param', 'set'): _param_set,
    ('param', 'get'): _param_look,
    ('param', 'describe'): _param_look,
    ('action', 'send_goal'): _action_send_goal,
    ('topic', 'pub'): _topic_pub,
    ('topic', 'echo'): _topic_look,
    ('topic', 'hz'): _topic_look,
    ('topic', 'info'): _topic_info,
}


def interface(kind: str) -> Any:
    """Returns the class of `package/srv/Name`."""
    package, group, name = kind.split('/')
    return getattr(import_module(f'{package}.{group}'), name)


def filled(message: Any, fields: dict[str, Any]) -> Any:
    """Returns the message with these fields; AttributeError for an unknown field."""
    for name, value in fields.items():
        assert hasattr(message, name), f'{type(message).__name__} has no field {name}'
        if isinstance(value, dict):
            filled(getattr(message, name), value)
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            element = message.get_fields_and_field_types()[name].removeprefix('sequence<')[:-1]
            kind = interface(element.replace('/', '/msg/'))
            setattr(message, name, [filled(kind(), each) for each in value])
        else:
            setattr(message, name, value)
    return message
