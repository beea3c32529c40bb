"""Overrides of the quality of service: ``qos_overrides.<topic>.publisher.<policy>`` and so on.

Names and values are the same as in rclpy and rclcpp. rclpy ignores unknown names and raises a bare
RuntimeError for wrong values. Here, both are errors at startup that list the alternatives.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

from rclpy.duration import Duration
from rclpy.qos import (
    DurabilityPolicy,
    HistoryPolicy,
    LivelinessPolicy,
    QoSProfile,
    ReliabilityPolicy,
)

from ...config.wording import shown, unknown
from ...errors import ConfigError

PREFIX = 'qos_overrides.'
PUBLISHER, SUBSCRIPTION = 'publisher', 'subscription'
SHOWN = ('history', 'depth', 'reliability', 'durability')
"""The policies that every endpoint shows as parameters."""

_WORDS: dict[str, object] = {
    'history': HistoryPolicy,
    'reliability': ReliabilityPolicy,
    'durability': DurabilityPolicy,
    'liveliness': LivelinessPolicy,
}
"""The policies whose values are words."""
_DURATIONS = ('deadline', 'lifespan', 'liveliness_lease_duration')
_OF_PUBLISHERS = 'lifespan'
_POLICIES = (*_WORDS, *_DURATIONS, 'depth', 'avoid_ros_namespace_conventions')
_MOST = 2**31 - 1
"""The greatest depth: DDS stores it in 32 bits."""

Overrides = Mapping[str, Mapping[str, object]]
"""Maps each endpoint, such as ``/joint_states.publisher``, to its overridden policies."""


def read_overrides(given: Mapping[str, object]) -> Overrides:
    """Returns the overrides among these parameters, and skips other parameters.

    Raises ConfigError for an override with an invalid name, or with a value that its policy does
    not allow.
    """
    read: dict[str, dict[str, object]] = {}
    for name, value in given.items():
        if name.startswith(PREFIX):
            endpoint, policy = _parsed(name)
            read.setdefault(endpoint, {})[policy] = _value(name, policy, value)
    return read


def overridden(qos: QoSProfile, policies: Mapping[str, object]) -> QoSProfile:
    """Returns a copy of the profile with these policies, because the caller may share it."""
    profile = copy.copy(qos)
    for policy, value in policies.items():
        setattr(profile, policy, value)
    return profile


def as_parameter(qos: QoSProfile, policy: str) -> str | int | bool:
    """Returns the value of a policy as a parameter value; durations are in nanoseconds."""
    value: Any = getattr(qos, policy)
    if policy in _WORDS:
        return str(value.short_key)
    return int(value.nanoseconds) if policy in _DURATIONS else value


def _parsed(name: str) -> tuple[str, str]:
    """Returns the endpoint and the policy of a name. Raises ConfigError for an invalid name."""
    topic, entity, policy, *rest = [*name.removeprefix(PREFIX).split('.'), '', '']
    if len(rest) != 2 or not topic.startswith('/'):
        raise ConfigError(
            f'{name} must have the form {PREFIX}</full/name/of/topic>.<publisher or subscription>'
            '.<policy>'
        )
    kind = entity.partition('_')[0]  # rclpy appends the id, if the node has set one
    if kind not in (PUBLISHER, SUBSCRIPTION):
        raise ConfigError(f'{name}: {unknown("entity", entity, (PUBLISHER, SUBSCRIPTION))}')
    known = [each for each in _POLICIES if (kind, each) != (SUBSCRIPTION, _OF_PUBLISHERS)]
    if policy not in known:
        raise ConfigError(f'{name}: {unknown(f"policy of a {kind}", policy, known)}')
    return f'{topic}.{entity}', policy


def _value(name: str, policy: str, value: object) -> object:
    if policy in _WORDS:
        return _word(name, _WORDS[policy], value)
    if policy in _DURATIONS:
        rule = 'must be a number of nanoseconds, at least 0'
        return Duration(nanoseconds=_checked(name, value, int, lambda ns: ns >= 0, rule))
    if policy == 'depth':
        rule = f'must be a number of messages, at least 1 and at most {_MOST}'
        return _checked(name, value, int, lambda depth: 1 <= depth <= _MOST, rule)
    return _checked(name, value, bool, lambda _: True, 'must be true or false')


def _word(name: str, policy: Any, value: object) -> object:
    words = [word for word in policy.short_keys() if word != 'unknown']
    if not isinstance(value, str) or value.lower() not in words:
        raise ConfigError(f'{name} must be one of {", ".join(words)}, got {shown(value)}')
    return policy[value.upper()]


def _checked(
    name: str, value: Any, kind: type[Any], right: Callable[[Any], bool], rule: str
) -> object:
    if type(value) is not kind or not right(value):
        raise ConfigError(f'{name} {rule}, got {shown(value)}')
    return value
