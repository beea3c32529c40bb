"""Requests to spawn an entity, and the resulting entities."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np

from ...config import Entry, Group, read_plugins
from ...engine.messages.topic_names import as_topic
from ...engine.resources import local_path
from ...errors import EntityError, SpawnFault
from ...simulation import ModelSource, given_name

_NAME = re.compile(r'[^\s/\x00-\x1f\x7f](?:[^/\x00-\x1f\x7f]{0,253}[^\s/\x00-\x1f\x7f])?')
_LONGEST = 240
"""The maximum number of characters in an entity's name that is derived from a model."""
_NAMESPACE = re.compile(r'/?([A-Za-z]\w*(/[A-Za-z]\w*)*)?/?', re.ASCII)

PluginList = Sequence[Mapping[str, Any] | type[Any]] | str
"""A list of structs with a `type`, YAML text of a list of this form, or a file path."""

Pose = tuple[Sequence[float] | None, Sequence[float] | None]
"""The position of a body in m, and its orientation as a quaternion with w first; None: the value
in the model."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Spawn:
    """A request for an entity: a model with one top-level body, a name, a pose and plugins."""

    source: ModelSource
    """The source of the model; its name appears in messages."""
    name: str = ''
    """The name of the entity; empty: the name of the model."""
    renaming: bool = False
    """Whether a number can be appended to a name that is taken."""
    namespace: str = ''
    """The namespace of the plugins' topics; empty: the entity's name."""
    position: Sequence[float] | None = None
    """The position of the body in the world, in m; None: the position in the model."""
    orientation: Sequence[float] | None = None
    """The orientation of the body in the world, a quaternion with w first; None: the orientation
    in the model."""
    plugins: PluginList = ()
    """The entity's plugins, in the form of `MujocoPlugins`; they are loaded as a group."""

    def __post_init__(self) -> None:
        if self.name and not _NAME.fullmatch(self.name):
            raise EntityError(
                'the name of an entity must have at most 255 characters, without slashes, control'
                f' characters, or blanks at its ends, got {self.name!r}',
                SpawnFault.NAME_INVALID,
            )
        if not _NAMESPACE.fullmatch(self.namespace):
            raise EntityError(
                'the namespace of an entity must be words of letters, digits and underscores that'
                f' begin with a letter, separated by /, got {self.namespace!r}',
                SpawnFault.NAMESPACE_INVALID,
            )
        position, orientation = _pose(self.position, self.orientation)
        object.__setattr__(self, 'position', position)
        object.__setattr__(self, 'orientation', orientation)


@dataclass(frozen=True, kw_only=True, slots=True)
class Entity:
    """A top-level body and everything attached to it."""

    name: str
    """The unique name in the world; for an entity of the loaded model, the name of its body."""
    body: str
    """The name of the body in the running model."""
    spawned: bool = False
    """Whether the entity was spawned, as opposed to being part of the loaded model."""
    namespace: str = ''
    """The namespace of the entity's topics."""
    source: str = field(default='', repr=False)
    """The location or the XML text that the entity was spawned from."""
    urdf: str = field(default='', repr=False)
    """The URDF text that the entity was spawned from; empty for other formats."""
    entries: tuple[Entry, ...] = field(default=(), repr=False)
    """The entries of the entity's plugins, in the form of `MujocoPlugins`."""
    unkept: tuple[str, ...] = ()
    """A message for each option of the entity's model that differs from the world's."""
    has_joints: bool = False
    """Whether the entity has hinge or slide joints, and therefore joint states."""

    @property
    def group(self) -> Group:
        """The plugin group of the entity."""
        return Group(self.namespace, f'{self.name}/')


def valid_name(text: str) -> str:
    """Turns any text into a valid entity name, with room left for an appended number."""
    return re.sub(r'[/\x00-\x1f\x7f]', '_', text.strip())[:_LONGEST].strip() or 'entity'


def namespace_of(spawn: Spawn, name: str) -> str:
    """Returns the namespace of an entity's topics: words separated by slashes."""
    given = spawn.namespace.strip('/')
    if given:
        return given
    made = as_topic(name).strip('/')
    return made if _NAMESPACE.fullmatch(made) else f'entity_{made}'


def entries_of(spawn: Spawn, name: str, namespace: str) -> tuple[Entry, ...]:
    """Returns the entries of an entity's plugins as a group.

    Raises ConfigError if the list of plugins is unreadable.
    """
    if not spawn.plugins:
        return ()
    listed = [entry.struct for entry in read_plugins(spawn.plugins, local_path)]
    if not listed:
        return ()
    group = {'namespace': namespace, 'prefix': f'{name}/', 'plugins': listed}
    return tuple(read_plugins([group], local_path))


def _pose(
    position: Sequence[float] | None, orientation: Sequence[float] | None
) -> tuple[tuple[float, ...] | None, tuple[float, ...] | None]:
    """Returns copies of position and orientation. Raises EntityError for invalid values."""
    place, turn = _numbers('position', position, 3), _numbers('orientation', orientation, 4)
    if turn is not None and math.hypot(*turn) < 1e-6:
        raise EntityError(
            f'the orientation of an entity must be a quaternion, w first, got {orientation!r}',
            SpawnFault.INVALID_POSE,
        )
    return place, turn


def _numbers(what: str, values: Sequence[float] | None, count: int) -> tuple[float, ...] | None:
    """Returns a copy of `count` finite numbers, or None for None. Otherwise raises EntityError."""
    if values is None:
        return None
    with suppress(TypeError, ValueError):
        array = np.asarray(values, float)
        numbers = tuple(array.tolist()) if array.shape == (count,) else ()
        if numbers and all(map(math.isfinite, numbers)):
            return numbers
    raise EntityError(
        f'the {what} of an entity must be {count} finite numbers, got {values!r}',
        SpawnFault.INVALID_POSE,
    )


def prefixes(model: mujoco.MjModel) -> frozenset[str]:
    """Returns the text before the first slash of each name in a model that has a slash."""
    names = bytes(model.names).decode(errors='replace').split('\0')
    return frozenset(name.partition('/')[0] for name in names if '/' in name)


def own_entities(model: mujoco.MjModel) -> Iterator[Entity]:
    """Yields the named bodies whose parent is the world."""
    for body in range(1, model.nbody):
        name = given_name(model, mujoco.mjtObj.mjOBJ_BODY, body)
        if model.body_parentid[body] == 0 and name:
            yield Entity(name=name, body=name)
