"""Finds the parameter MujocoPlugins on the node, or on parameter servers up to the root."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from typing import Any

from rcl_interfaces.srv import GetParameters, ListParameters
from rclpy.node import Node
from rclpy.parameter import parameter_value_to_python
from rclpy.task import Future

from ...errors import ConfigError
from .descriptors import plain
from .server_parameters import PLUGINS, Parameters

_log = logging.getLogger(__name__)

PARAMETER_SERVER = 'parameter_server'
"""The name of the node to ask in each namespace."""

_DISCOVERY_S = 4.0
"""How many seconds a new node may need to discover all others: DDS announces nodes every 3 s."""
_ANSWER_S, _AGAIN_S = 5.0, 1.0
"""The longest wait for an answer, and the time after which a request is repeated, in s."""


def find_plugins(node: Node, parameters: Parameters, since: float) -> tuple[object, str]:
    """Returns MujocoPlugins, or None and a message about the nodes that were asked.

    The value of MujocoPlugins is a string or a mapping of dotted names. The message is empty if a
    node has MujocoPlugins.

    `since` is the creation time of the node, on the clock of `time.monotonic`: for a new node, the
    function waits until parameter servers are discovered. An executor must spin the node on
    another thread, because the function also waits for their answers. Raises ConfigError if a
    parameter server does not answer, or if the value is a plugin file that was not set at startup.
    """
    plugins, missing = _find(node, parameters, since)
    if missing:
        _log.warning('%s', missing)
    parameters.admit_found(plugins)
    return plugins, missing


def _find(node: Node, parameters: Parameters, since: float) -> tuple[object, str]:
    """Asks the node and then the parameter servers."""
    own = parameters.plugins()
    if own is not None:
        return own, ''
    if parameters.config.eval_mode:
        return None, f'no parameter {PLUGINS}: in eval_mode no other node is asked for it'
    _log.info(
        "looking for a %s because %s is not set ('[]' means no plugins)", PARAMETER_SERVER, PLUGINS
    )
    for server in _servers(node, since + _DISCOVERY_S):
        value = _ask(node, server)
        if value:
            _log.info('%s comes from %s', PLUGINS, server)
            return value, ''
    return None, (
        f'no parameter {PLUGINS}, neither here nor on a {PARAMETER_SERVER} up to /: running'
        ' without plugins'
    )


def _namespaces(namespace: str) -> list[str]:
    """Returns the namespace and its parents, innermost first: /a/b, /a, and the root."""
    parts = [part for part in namespace.split('/') if part]
    return ['/' + '/'.join(parts[:count]) if count else '' for count in range(len(parts), -1, -1)]


def _servers(node: Node, deadline: float) -> Iterator[str]:
    """Yields the running parameter servers, innermost first; waits until each is discovered."""
    for space in _namespaces(node.get_namespace()):
        server = f'{space}/{PARAMETER_SERVER}'
        while not (ready := _ready(node, server)) and time.monotonic() < deadline:
            time.sleep(0.02)
        if ready:
            yield server


def _ready(node: Node, server: str) -> bool:
    services = {name for name, _ in node.get_service_names_and_types()}
    return f'{server}/get_parameters' in services and f'{server}/list_parameters' in services


def _ask(node: Node, server: str) -> object:
    listed = _call(
        node,
        ListParameters,
        f'{server}/list_parameters',
        ListParameters.Request(prefixes=[PLUGINS]),
    )
    names = list(listed.result.names)
    if not names:
        return None
    request = GetParameters.Request(names=names)
    answer = _call(node, GetParameters, f'{server}/get_parameters', request)
    values = [plain(parameter_value_to_python(value)) for value in answer.values]
    found = dict(zip(names, values, strict=True))
    if PLUGINS in found:
        return found[PLUGINS]
    return {name.removeprefix(f'{PLUGINS}.'): value for name, value in found.items()}


def _call(node: Node, kind: type[Any], name: str, request: object) -> Any:
    """Calls a service.

    Repeats the request, because the response is lost if the service has not discovered the client.
    """
    client = node.create_client(kind, name)
    try:
        if not client.wait_for_service(_ANSWER_S):
            raise ConfigError(f'the service {name} does not exist')
        sent: list[Future[Any]] = []
        begin = time.monotonic()
        while (waited := time.monotonic() - begin) < _ANSWER_S:
            if waited >= len(sent) * _AGAIN_S:
                sent.append(client.call_async(request))
            if answers := [future for future in sent if future.done()]:
                return answers[0].result()
            time.sleep(0.005)
        raise ConfigError(f'{name} does not answer within {_ANSWER_S:g} s')
    finally:
        node.destroy_client(client)
