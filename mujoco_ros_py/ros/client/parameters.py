"""Reads and sets the parameters of a running server."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import yaml
from rcl_interfaces.msg import ParameterDescriptor, ParameterType
from rcl_interfaces.srv import DescribeParameters, GetParameters, ListParameters, SetParameters
from rclpy.parameter import Parameter, parameter_value_to_python

from ...config.wording import unknown
from ...config.yaml_text import load_yaml
from ...errors import ConfigError
from ..parameters.descriptors import TYPE_WORDS
from .client_node import Client


def set_value(client: Client, name: str, text: str) -> bool:
    """Sets a parameter and prints the node's remark, if any; returns whether it was accepted."""
    value = load_yaml(text, 'the value')
    try:
        given = Parameter(name, value=value).to_parameter_msg()
    except (AssertionError, TypeError, ValueError) as error:
        raise ConfigError(f'{name}: a ROS parameter cannot hold {value!r}') from error
    request = SetParameters.Request(parameters=[given])
    (result,) = _call(client, SetParameters, 'set_parameters', request).results
    if result.reason:
        print(result.reason, file=sys.stdout if result.successful else sys.stderr)
    return bool(result.successful)


def get_values(client: Client, names: Sequence[str]) -> None:
    """Prints the value of a parameter, or the names and values of several parameters.

    Raises ConfigError for an unknown name.
    """
    values = _values(client, names)
    known = [] if all(name in values for name in names) else _names(client)
    for name in names:
        if name not in values:
            raise ConfigError(unknown('parameter', name, known))
    print(_written(values if len(names) > 1 else values[names[0]]))


def list_parameters(client: Client, prefix: str = '') -> None:
    """Prints the names of the parameters that begin with a prefix."""
    print(*(name for name in _names(client) if name.startswith(prefix)), sep='\n')


def describe_parameters(client: Client, names: Sequence[str]) -> None:
    """Prints the purpose, type and range of parameters. Raises ConfigError for unknown names."""
    request = DescribeParameters.Request(names=list(names))
    answer = _call(client, DescribeParameters, 'describe_parameters', request)
    found = {
        each.name: each
        for each in answer.descriptors
        if each.type != ParameterType.PARAMETER_NOT_SET
    }
    if not all(name in found for name in names):  # rclpy describes nothing if a name is unknown
        known = _names(client)
        wrong = next((name for name in names if name not in known), names[0])
        raise ConfigError(unknown('parameter', wrong, known))
    for name in names:
        print('\n'.join(_described(found[name])))


def dump_parameters(client: Client) -> None:
    """Prints all parameters as a parameter file for the node."""
    values = _values(client, _names(client))
    print(_written({client.server: {'ros__parameters': values}}))


def _call(client: Client, kind: Any, service: str, request: Any) -> Any:
    name = f'{client.server}/{service}'
    client.type_of('service', name)
    return client.call(kind, name, request, again=True)


def _names(client: Client) -> list[str]:
    answer = _call(client, ListParameters, 'list_parameters', ListParameters.Request())
    return sorted(answer.result.names)


def _values(client: Client, names: Sequence[str]) -> dict[str, Any]:
    request = GetParameters.Request(names=list(names))
    found = _call(client, GetParameters, 'get_parameters', request).values
    if len(found) < len(names) and len(names) > 1:  # rclpy returns nothing if one is unset
        return {name: value for each in names for name, value in _values(client, [each]).items()}
    return {
        name: parameter_value_to_python(value)
        for name, value in zip(names, found, strict=False)
        if value.type != ParameterType.PARAMETER_NOT_SET
    }


def _described(described: ParameterDescriptor) -> list[str]:
    kind = TYPE_WORDS.get(described.type, 'any value')
    lines = [f'{described.name}: {kind}{", read-only" if described.read_only else ""}']
    texts = (described.description, described.additional_constraints)
    lines += [f'  {text}' for text in texts if text]
    for each in (*described.integer_range, *described.floating_point_range):
        lines.append(f'  from {each.from_value:g} to {each.to_value:g}')
    return lines


def _written(value: Any) -> str:
    plain = [*value] if not isinstance(value, str | dict | int | float | None) else value
    text = yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, default_flow_style=None)
    return text.removesuffix('...\n').strip()
