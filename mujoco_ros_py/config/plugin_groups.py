"""Groups of plugins: one robot of several, with a namespace and names of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import ConfigError
from .wording import kind, shown, unknown

KEY = 'plugins'
"""The key by which an entry of MujocoPlugins is a group."""
_KEYS = ('namespace', 'prefix', KEY)
_NAMESPACE = re.compile(r'[A-Za-z]\w*(/[A-Za-z]\w*)*', re.ASCII)


@dataclass(frozen=True, slots=True)
class Group:
    """What the plugins of a group have in common; without arguments, there is no group."""

    namespace: str = ''
    """The namespace of the plugins' topics, services and actions, in that of the node."""
    prefix: str = ''
    """The beginning of the names of the robot's elements in the model, and of its TF frames."""

    def full_name(self, name: str) -> str:
        """Returns the unique name of a plugin of the group: ``left/arm``."""
        return f'{self.namespace}/{name}' if self.namespace else name


NO_GROUP = Group()


def is_group(struct: object) -> bool:
    """Returns whether an entry is a group."""
    return isinstance(struct, Mapping) and KEY in struct


def read_group(struct: Mapping[Any, object], name: str | None, *, quoted: bool = True) -> Group:
    """Returns the group of a struct; `name` is the namespace unless the struct has one.

    Raises ConfigError for a key that no group has, and for a namespace that ROS does not permit.
    Unless `quoted`, the error does not show what came.
    """
    came = shown if quoted else kind
    for key in struct:
        if key not in _KEYS:
            told = unknown('key', str(key), _KEYS) if quoted else f'a key must be of {_KEYS}'
            raise ConfigError(f'a group of plugins: {told}')
    namespace = struct.get('namespace', name)
    if not isinstance(namespace, str) or not _NAMESPACE.fullmatch(namespace):
        raise ConfigError(
            'namespace of a group must be words of letters, digits and underscores, a letter'
            f' first, with / between them; got {came(namespace)}'
        )
    prefix = struct.get('prefix', f'{namespace}/')
    if not isinstance(prefix, str):
        raise ConfigError(f'prefix of a group must be a string, got {came(prefix)}')
    return Group(namespace, prefix)
