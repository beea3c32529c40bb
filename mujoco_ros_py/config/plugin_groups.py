"""Groups of plugins: one for each of several robots, with a namespace and a name prefix."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import ConfigError
from .wording import kind, shown, unknown

KEY = 'plugins'
"""The key that makes an entry of MujocoPlugins a group."""
_KEYS = ('namespace', 'prefix', KEY)
_NAMESPACE = re.compile(r'[A-Za-z]\w*(/[A-Za-z]\w*)*', re.ASCII)


@dataclass(frozen=True, slots=True)
class Group:
    """The settings that the plugins of a group share; the defaults stand for no group."""

    namespace: str = ''
    """The namespace of the plugins' topics, services and actions, relative to the node's."""
    prefix: str = ''
    """The prefix of the names of the robot's elements in the model, and of its TF frames."""

    def full_name(self, name: str) -> str:
        """Returns the unique name of a plugin in the group: ``left/arm``."""
        return f'{self.namespace}/{name}' if self.namespace else name


NO_GROUP = Group()


def is_group(struct: object) -> bool:
    """Returns whether an entry is a group."""
    return isinstance(struct, Mapping) and KEY in struct


def read_group(struct: Mapping[Any, object], name: str | None, *, quoted: bool = True) -> Group:
    """Returns the group of a struct; `name` is the default namespace.

    Raises ConfigError for an unknown key, or for a namespace that ROS does not permit. Unless
    `quoted`, the error does not show the invalid value.
    """
    came = shown if quoted else kind
    for key in struct:
        if key not in _KEYS:
            told = unknown('key', str(key), _KEYS) if quoted else f'keys must be from {_KEYS}'
            raise ConfigError(f'a group of plugins: {told}')
    namespace = struct.get('namespace', name)
    if not isinstance(namespace, str) or not _NAMESPACE.fullmatch(namespace):
        raise ConfigError(
            'namespace of a group must be words of letters, digits and underscores that begin'
            f' with a letter, separated by /, got {came(namespace)}'
        )
    prefix = struct.get('prefix', f'{namespace}/')
    if not isinstance(prefix, str):
        raise ConfigError(f'prefix of a group must be a string, got {came(prefix)}')
    return Group(namespace, prefix)
