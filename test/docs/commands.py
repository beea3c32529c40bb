"""Carries out the documentation's shell commands by rclpy, as ros2cli is not on PyPI."""

from __future__ import annotations

import shlex
from importlib import import_module
from typing import Any

import yaml
from rcl_interfaces.srv import DescribeParameters, SetParameters
from rclpy.parameter import get_parameter_value
from rclpy.qos import QoSProfile, ReliabilityPolicy
from system.harness import Client, parameter_message, wait_until

_NO_PARAMETER = 0


def run(command: str, client: Client) -> None:
    """Runs a `ros2 service`, `ros2 param` or `ros2 topic` command; AssertionError if it fails."""
    _, what, *words = shlex.split(command)
    verb, *arguments = (word for word in words if word != '--once')
    _COMMANDS[what, verb](client, *arguments)


def _service_call(client: Client, name: str, kind: str, fields: str = '{}') -> None:
    service = interface(kind)
    answer = client.call(service, name, filled(service.Request(), yaml.safe_load(fields)))
    assert answer.success, f'{name}: {answer.message}'


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


def _topic_pub(client: Client, topic: str, kind: str, fields: str) -> None:
    message = filled(interface(kind)(), yaml.safe_load(fields))
    publisher = client.node.create_publisher(type(message), topic, 10)
    wait_until(publisher.get_subscription_count, f'a subscription of {topic}')
    publisher.publish(message)


def _topic_look(client: Client, topic: str) -> None:
    def kinds() -> list[str]:
        return dict(client.node.get_topic_names_and_types()).get(topic, [])

    (kind,) = wait_until(kinds, f'the topic {topic}')
    messages: list[Any] = []
    qos = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
    client.node.create_subscription(interface(kind), topic, messages.append, qos)
    wait_until(lambda: messages, f'a message on {topic}')


_COMMANDS = {
    ('service', 'call'): _service_call,
    ('param', 'set'): _param_set,
    ('param', 'get'): _param_look,
    ('param', 'describe'): _param_look,
    ('topic', 'pub'): _topic_pub,
    ('topic', 'echo'): _topic_look,
    ('topic', 'hz'): _topic_look,
}


def interface(kind: str) -> Any:
    """Returns the class of `package/srv/Name`."""
    package, group, name = kind.split('/')
    return getattr(import_module(f'{package}.{group}'), name)


def filled(message: Any, fields: dict[str, Any]) -> Any:
    """Returns the message with these fields; AttributeError for an unknown field."""
    for name, value in fields.items():
        if isinstance(value, dict):
            filled(getattr(message, name), value)
        else:
            assert hasattr(message, name), f'{type(message).__name__} has no field {name}'
            setattr(message, name, value)
    return message
