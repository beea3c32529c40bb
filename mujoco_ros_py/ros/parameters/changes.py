"""Handles requests to set parameters: their permissions, their answers and their log lines."""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from typing import Any

from rcl_interfaces.msg import Parameter as ParameterMessage
from rcl_interfaces.msg import SetParametersResult
from rcl_interfaces.srv import SetParameters, SetParametersAtomically
from rclpy.node import Node
from rclpy.parameter import Parameter

from ...config.wording import listed
from ...errors import ConfigError, MujocoRosError
from ...log_throttle import Throttle
from ..rclpy_internals import parameters_on, replace_callback, undeclared_parameters_allowed
from .descriptors import TYPE_WORDS, plain
from .server_parameters import (
    PLUGINS,
    POSITIONS,
    VELOCITIES,
    Parameters,
    free_type,
    group_of,
)


class ParameterChanges:
    """Sets parameters on request.

    New names are allowed only in the groups of parameters, such as the camera settings. Setting
    MujocoPlugins in one form, a string or structs, removes the other form.
    """

    def __init__(self, node: Node, parameters: Parameters) -> None:
        self._node = node
        self._parameters = parameters

    def make(self, parameters: Sequence[Parameter[Any]]) -> SetParametersResult:
        """Sets parameters atomically. Raises ConfigError for a name that is not allowed.

        New names are not declared first, because rclpy would not undo the declaration if it
        refused a value.
        """
        given = [self._completed(parameter) for parameter in parameters]
        new = [each.name for each in given if not self._node.has_parameter(each.name)]
        for each in given:
            if each.name in new:
                self._check_new(each, {*parameters_on(self._node), *new} - {PLUGINS})
            else:
                self._check_type(each)
        replaced = self._replaced([each.name for each in given])
        with undeclared_parameters_allowed(self._node):
            result = self._node.set_parameters_atomically([*given, *map(Parameter, replaced)])
        if result.successful:
            for name in new:
                described = self._parameters.of_plugins.descriptor(name) or free_type(name)
                self._node.set_descriptor(name, described)
            self._parameters.declare_empty_plugins()
            result.reason = self._told([each.name for each in given], replaced)
        return result

    def _told(self, names: Sequence[str], replaced: Sequence[str]) -> str:
        """Returns a note for the client: parameters that were replaced, or wait for a reload."""
        said = [f'instead of {", ".join(replaced)}'] if replaced else []
        waiting = [name for name in names if self._parameters.waits_for_reload(name)]
        if waiting:
            which = '' if len(names) == 1 else f': {listed(waiting)}'
            said.append(f'takes effect at the next reload{which}')
        return '; '.join(said)

    def _completed(self, parameter: Parameter[Any]) -> Parameter[Any]:
        """Converts a parameter to its declared type, which clients cannot always send."""
        name, value = parameter.name, plain(parameter.value)
        kind = self._parameters.value_type(name)
        if kind is float and type(value) is int:
            return Parameter(name, value=float(value))  # `ros2 param set ... realtime 2`
        if value == [] and (array := self._parameters.array_type(name)) is not None:
            return Parameter(name, array, [])
        if name == PLUGINS and value == []:  # `ros2 param load` makes this from '[]'
            return Parameter(name, value='[]')
        if name == PLUGINS and value is None and self._node.has_parameter(name):
            return Parameter(name, value='')  # a deleted parameter means no plugins
        return parameter

    def _check_new(self, parameter: Parameter[Any], others: Collection[str]) -> None:
        """Raises ConfigError for a new name that is not allowed."""
        name, group = parameter.name, group_of(parameter.name)
        if group is None or name == f'{group}.':
            raise ConfigError(self._parameters.unknown(name))
        if parameter.type_ == Parameter.Type.NOT_SET:
            raise ConfigError(f'{name} cannot be deleted: it is not set')
        if group in (POSITIONS, VELOCITIES) or name == PLUGINS:
            return  # joints may have the names arm and arm.1
        for other in others:
            if other.startswith(f'{name}.') or name.startswith(f'{other}.'):
                raise ConfigError(f'{name} cannot be set next to {other}: delete that one first')

    def _check_type(self, parameter: Parameter[Any]) -> None:
        """Raises ConfigError for a value of another type.

        The error of rclpy would contain only type numbers.
        """
        declared = self._node.describe_parameter(parameter.name)
        if declared.read_only or declared.dynamic_typing:
            return
        wanted, came = (TYPE_WORDS.get(each) for each in (declared.type, parameter.type_.value))
        if wanted and came and came != wanted:
            raise ConfigError(f'{parameter.name} must be {wanted}, got {came}')

    def _replaced(self, names: Collection[str]) -> list[str]:
        """Returns the parameters that `names` replace: the other form of MujocoPlugins."""
        structs = [name for name in names if name.startswith(f'{PLUGINS}.')]
        if PLUGINS in names and structs:
            raise ConfigError(f'{PLUGINS} cannot be set together with {structs[0]}')
        if PLUGINS in names:
            return [f'{PLUGINS}.{name}' for name in self._parameters.group(PLUGINS)]
        return [PLUGINS] if structs and self._node.has_parameter(PLUGINS) else []


_log = logging.getLogger(__name__)
_HASH = 'admin_hash'


class ParameterRequests:
    """Takes over the node's services `set_parameters` and `set_parameters_atomically`.

    The services of rclpy send no response if a check raises, and check only after declaring new
    names. The hash never reaches the node's parameters. Code in this process sets parameters
    through the node's methods, which do not ask for a hash.
    """

    def __init__(self, node: Node, parameters: Parameters) -> None:
        self._authorization = parameters.authorization
        self._failures = Throttle()
        self._changes = ParameterChanges(node, parameters)
        handlers = {
            f'{node.get_name()}/set_parameters': self._set_each,
            f'{node.get_name()}/set_parameters_atomically': self._set_all,
        }
        for service in node.services:
            if service.srv_name in handlers:
                replace_callback(service, handlers[service.srv_name])

    def _set_each(
        self, request: SetParameters.Request, response: SetParameters.Response
    ) -> SetParameters.Response:
        """Sets parameters one after another; a hash in the list permits the next parameter."""
        response.results = [self._answer([message]) for message in request.parameters]
        return response

    def _set_all(
        self, request: SetParametersAtomically.Request, response: SetParametersAtomically.Response
    ) -> SetParametersAtomically.Response:
        response.result = self._answer(request.parameters)
        return response

    def _answer(self, messages: Sequence[ParameterMessage]) -> SetParametersResult:
        try:
            return self._set([Parameter.from_parameter_msg(message) for message in messages])
        except MujocoRosError as error:
            reason = str(error)
        except Exception as error:  # a plugin's callback or rclpy raised
            names = listed([message.name for message in messages])
            line = self._failures.line(f'{names} cannot be set', error, names)
            if line is not None:
                _log.exception('%s', line)
            reason = f'{names} cannot be set: {type(error).__name__}: {error}'
        return SetParametersResult(successful=False, reason=reason)

    def _set(self, parameters: Sequence[Parameter[Any]]) -> SetParametersResult:
        offered = [str(each.value) for each in parameters if each.name == _HASH]
        others = [each for each in parameters if each.name != _HASH]
        names = listed([each.name for each in others])
        self._authorization.admit(offered[-1] if offered else None, names)
        return self._changes.make(others) if others else SetParametersResult(successful=True)
