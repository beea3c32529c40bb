"""The quality of service of a node's publishers and subscriptions, with the users' overrides."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from rclpy.parameter import Parameter
from rclpy.qos import HistoryPolicy, QoSProfile

from ...config.wording import unknown
from ..parameters.descriptors import plain
from ..parameters.qos_overrides import (
    PREFIX,
    SHOWN,
    Overrides,
    as_parameter,
    overridden,
    read_overrides,
)
from ..rclpy_internals import add_read_only, parameter_overrides, parameters_on, remove_parameter

_log = logging.getLogger(__name__)
_UNLIMITED = 2**31
_NOTHING: Mapping[str, Any] = {}
_DESCRIPTION = 'Quality of service. Read at startup.'


@dataclass(frozen=True, slots=True, eq=False)
class Endpoint:
    """The QoS settings with which a publisher or subscription is created."""

    qos: Any
    """The QoS profile."""
    name: str = ''
    """The part of an override's name between ``qos_overrides.`` and the policy, for example
    ``/joint_states.publisher``; empty if the profile cannot be overridden."""

    @property
    def depth(self) -> int:
        """The depth of the queue, in messages."""
        if not isinstance(self.qos, QoSProfile):
            return 1  # rclpy will refuse it
        return _UNLIMITED if self.qos.history == HistoryPolicy.KEEP_ALL else self.qos.depth


def plain_endpoint(qos: Any) -> Endpoint:
    """Returns an endpoint without overrides, from a profile (which is copied) or a depth."""
    return Endpoint(QoSProfile(depth=qos) if isinstance(qos, int) and qos >= 0 else copy(qos))


class TopicEndpoints:
    """Overrides the quality of service of endpoints, and shows it as read-only parameters.

    rclpy can do both, but it applies the settings of a topic's first endpoint to all its later
    endpoints, modifies the caller's profile, and keeps the parameters of destroyed endpoints.
    `soon(function)` calls a function on the thread that lists parameters. Endpoints that rclpy
    creates with the node, before `begin`, have no overrides.
    """

    def __init__(self, soon: Callable[[Callable[[], object]], object]) -> None:
        self._node: Any = None
        self._soon = soon
        self._alive: dict[str, list[Endpoint]] = {}
        self._of: dict[Any, Endpoint] = {}
        """The endpoint of each entity."""

    def begin(self, node: Any) -> None:
        """Applies the overrides of this node from now on."""
        self._node = node

    def close(self) -> None:
        """Applies and shows nothing from now on, because the node is about to be destroyed."""
        self._node = None

    @cached_property
    def overrides(self) -> Overrides:
        """The QoS overrides among the node's parameters. Raises ConfigError for invalid ones."""
        given = parameter_overrides(self._node).items()
        return read_overrides({name: plain(each.value) for name, each in given})

    def endpoint(
        self, kind: str, topic: str, qos: Any, more: Mapping[str, Any] = _NOTHING
    ) -> Endpoint:
        """Returns an endpoint with its overrides; `kind` is `publisher` or `subscription`.

        Without overrides, the endpoint has the profile or the depth `qos`. A `qos` that rclpy
        refuses is passed on unchanged, so creating the entity raises rclpy's own error. `more` are
        the keyword arguments for rclpy. With rclpy's own `qos_overriding_options` among them,
        rclpy applies the overrides instead.
        """
        endpoint = plain_endpoint(qos)
        if self._node is None or 'qos_overriding_options' in more:
            return endpoint
        with suppress(RuntimeError):  # the topic name is invalid
            if isinstance(endpoint.qos, QoSProfile):
                name = f'{self._node.resolve_topic_name(topic)}.{kind}'
                return Endpoint(overridden(endpoint.qos, self.overrides.get(name, {})), name)
        return endpoint

    def created(self, endpoint: Endpoint, entity: Any) -> None:
        """Shows an endpoint's QoS as read-only parameters until its entity is destroyed."""
        if endpoint.name:
            self._of[entity] = endpoint
            self._soon(partial(self._show, endpoint))

    def destroyed(self, entity: Any) -> None:
        """Removes a destroyed entity's parameters; called on the thread that lists parameters."""
        endpoint = self._of.pop(entity, None)
        if endpoint is not None:
            alive = [each for each in self._alive.pop(endpoint.name, []) if each is not endpoint]
            if alive:
                self._alive[endpoint.name] = alive
            self._refresh(endpoint.name)

    def tell_unused(self) -> None:
        """Logs the overrides for topics that the node does not have, such as misspelt ones."""
        if self._node is None:
            return
        names = {endpoint.name for endpoint in list(self._of.values())}
        declared = list(parameters_on(self._node))  # includes the overrides that rclpy applied
        for name in self.overrides.keys() - names:
            if not any(each.startswith(f'{PREFIX}{name}.') for each in declared):
                topic, dot, entity = name.partition('.')
                known = [
                    each.removesuffix(dot + entity) for each in names if each.endswith(entity)
                ]
                wrong = unknown(f'topic of a {entity}', topic, known)
                _log.warning('%s%s has no effect: %s', PREFIX, name, wrong)

    def _show(self, endpoint: Endpoint) -> None:
        self._alive.setdefault(endpoint.name, []).append(endpoint)
        self._refresh(endpoint.name)

    def _refresh(self, name: str) -> None:
        """Updates the parameters to show the newest endpoint with a name."""
        if self._node is None:
            return
        alive, start = self._alive.get(name), f'{PREFIX}{name}.'
        for parameter in parameters_on(self._node):
            if parameter.startswith(start):
                remove_parameter(self._node, parameter)
        if alive:
            for policy in dict.fromkeys((*SHOWN, *self.overrides.get(name, ()))):
                value = as_parameter(alive[-1].qos, policy)
                add_read_only(self._node, Parameter(f'{start}{policy}', value=value), _DESCRIPTION)
