"""A small client for machines without the ROS command line: `python -m mujoco_ros_py call reset`.

It asks the running nodes for the type of a service or a topic, so only names and values are given.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, TypeVar

import rclpy
from rcl_interfaces.srv import SetParameters
from rclpy.duration import Duration
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.utilities import remove_ros_args

from ..config.yaml_text import load_yaml
from ..errors import ConfigError, MujocoRosError, PublishError
from .node_end import end_node

SERVER = '/mujoco_server'
"""The name of the server's node, unless it is given another one."""
_POLL_S = 0.05
_AGAIN_S = 2.0
"""After so many seconds without an answer a parameter is set again."""
_LINGER_S = 0.2
"""How long the subscriber gets to discover the publisher, and the middleware to send."""
_USAGE = """\
  mujoco_ros_py call reset
  mujoco_ros_py call set_pause '{data: true}'
  mujoco_ros_py set realtime 0.5
  mujoco_ros_py publish /arm/joint_commands '{name: [elbow], position: [0.5]}'"""

Found = TypeVar('Found')


def main(argv: Sequence[str] | None = None) -> int:
    """Carries out a command and returns the exit code.

    It is 0 on success, 1 if the server refuses or nobody answers in time, and 2 for bad arguments.
    """
    args = list(sys.argv[1:] if argv is None else argv)
    given = _parser().parse_args(remove_ros_args(args))
    rclpy.init(args=args)
    node = rclpy.create_node('mujoco_ros_py_client', namespace=None)
    try:
        return int(given.run(node, given))
    except MujocoRosError as error:
        print(f'mujoco_ros_py {given.command}: {error}', file=sys.stderr)
        return 2 if isinstance(error, ConfigError) else 1
    finally:
        end_node(node)
        rclpy.try_shutdown()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        'mujoco_ros_py',
        description=__doc__,
        epilog=_USAGE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest='command', required=True)
    for name, run, takes in (
        ('call', _call, {'name': 'the name of the service', 'value': 'the request in YAML'}),
        ('set', _set, {'name': 'the name of the parameter', 'value': 'the value in YAML'}),
        ('publish', _publish, {'name': 'the name of the topic', 'value': 'the message in YAML'}),
    ):
        part = commands.add_parser(name)
        part.add_argument('name', help=takes['name'])
        optional: dict[str, Any] = {'nargs': '?', 'default': '{}'} if name == 'call' else {}
        part.add_argument('value', help=takes['value'], **optional)
        part.add_argument('--node', default=SERVER, help='the name of the server: %(default)s')
        part.add_argument('--timeout', type=float, default=10.0, metavar='SECONDS')
        part.set_defaults(run=run)
    return parser


def _call(node: Node, given: argparse.Namespace) -> int:
    name = _below(given.node, given.name)
    kind = _await_type(node.get_service_names_and_types, 'service', name, given.timeout)
    answer = _answer(node, kind, name, _filled(kind.Request(), _read(given.value)), given.timeout)
    succeeded = getattr(answer, 'success', True)
    print(getattr(answer, 'message', answer), file=sys.stdout if succeeded else sys.stderr)
    return 0 if succeeded else 1


def _set(node: Node, given: argparse.Namespace) -> int:
    name = f'{given.node}/set_parameters'
    value = Parameter(given.name, value=_read(given.value)).to_parameter_msg()
    request = SetParameters.Request(parameters=[value])
    _await_type(node.get_service_names_and_types, 'service', name, given.timeout)
    (result,) = _answer(node, SetParameters, name, request, given.timeout, _AGAIN_S).results
    if not result.successful:
        print(result.reason, file=sys.stderr)
    return 0 if result.successful else 1


def _publish(node: Node, given: argparse.Namespace) -> int:
    name = _below(given.node, given.name)
    kind = _await_type(node.get_topic_names_and_types, 'topic', name, given.timeout)
    publisher = node.create_publisher(kind, name, 1)
    _await(lambda: publisher.get_subscription_count() or None, f'topic {name}', given.timeout)
    message = _filled(kind(), _read(given.value))
    time.sleep(_LINGER_S)  # a best-effort subscriber loses messages before discovery
    publisher.publish(message)
    publisher.wait_for_all_acked(Duration(seconds=given.timeout))  # by those that are reliable
    time.sleep(_LINGER_S)
    return 0


def _below(node: str, name: str) -> str:
    return name if name.startswith('/') else f'{node}/{name.removeprefix("~/")}'


def _await_type(listed: Callable[[], Any], what: str, name: str, timeout_s: float) -> Any:
    """Waits for a service or a topic, and returns the Python class of its type."""
    (found, *_) = _await(lambda: dict(listed()).get(name), f'{what} {name}', timeout_s)
    package, folder, kind = found.split('/')
    return getattr(import_module(f'{package}.{folder}'), kind)


def _await(look: Callable[[], Found | None], what: str, timeout_s: float) -> Found:
    end = time.monotonic() + timeout_s
    while (found := look()) is None:
        if time.monotonic() > end:
            raise PublishError(f'nobody offers the {what} within {timeout_s:g} s')
        time.sleep(_POLL_S)
    return found


def _answer(
    node: Node,
    kind: Any,
    name: str,
    request: Any,
    timeout_s: float,
    again_s: float = float('inf'),
) -> Any:
    """Calls a service, and calls it again without an answer for `again_s`.

    The middleware drops the answer of a service that has not discovered its client yet; the
    services of the server itself send theirs again.
    """
    client, end = node.create_client(kind, name), time.monotonic() + timeout_s
    client.wait_for_service(timeout_s)
    sent: list[Any] = []
    while not (answers := [each for each in sent if each.done()]):
        left_s = max(0.0, end - time.monotonic())
        if sent and left_s < _POLL_S:  # a wait may end a little early
            raise PublishError(f'{name} did not answer within {timeout_s:g} s')
        sent.append(client.call_async(request))
        rclpy.spin_until_future_complete(node, sent[-1], timeout_sec=min(again_s, left_s))
    return answers[0].result()


def _read(text: str) -> Any:
    return load_yaml(text, 'the value')


def _filled(message: Any, values: Any) -> Any:
    """Writes values into a message, also into messages inside of it, and returns it."""
    if not isinstance(values, Mapping):
        raise ConfigError(f'must be a struct such as {{data: true}}, got {values!r}')
    for field, value in values.items():
        if field not in message.get_fields_and_field_types():
            known = ', '.join(message.get_fields_and_field_types()) or 'none'
            raise ConfigError(f'{type(message).__name__} has no field {field!r}; known: {known}')
        if isinstance(value, Mapping):
            _filled(getattr(message, field), value)
            continue
        try:
            setattr(message, field, value)
        except (AssertionError, TypeError, ValueError) as error:
            raise ConfigError(f'{field}: {error}') from error
    return message
