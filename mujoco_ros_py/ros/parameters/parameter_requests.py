"""The services that set parameters: permission, answers, and what the log tells of failures."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from rcl_interfaces.msg import SetParametersResult
from rcl_interfaces.srv import SetParameters, SetParametersAtomically
from rclpy.node import Node
from rclpy.parameter import Parameter

from ...config.wording import listed
from ...errors import MujocoRosError
from ...log_throttle import Throttle
from ..rclpy_internals import replace_callback
from .parameter_changes import ParameterChanges
from .server_parameters import Parameters

_log = logging.getLogger(__name__)
_HASH = 'admin_hash'


class ParameterRequests:
    """Takes over the node's services `set_parameters` and `set_parameters_atomically`.

    The services of rclpy give no response if a check raises, and check after they have declared
    new names. The hash never reaches the node's parameters. Code in this process sets parameters
    by the methods of the node, which ask for no hash.
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
        """Sets parameters one after the other; a hash that comes first permits the next one."""
        response.results = [self._answer([message]) for message in request.parameters]
        return response

    def _set_all(
        self, request: SetParametersAtomically.Request, response: SetParametersAtomically.Response
    ) -> SetParametersAtomically.Response:
        response.result = self._answer(request.parameters)
        return response

    def _answer(self, messages: Sequence[Any]) -> SetParametersResult:
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
