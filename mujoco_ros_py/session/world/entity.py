"""The request to spawn something, and the entity that it becomes."""

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
from ...engine.resources import local_path
from ...errors import EntityError, SpawnFault
from ...messages.topic_names import as_topic
from ...simulation import ModelSource, given_name

_NAME = re.compile(r'[^\s/\x00-\x1f\x7f](?:[^/\x00-\x1f\x7f]{0,253}[^\s/\x00-\x1f\x7f])?')
_LONGEST = 240
"""The largest number of characters of a name that comes from a model."""
_NAMESPACE = re.compile(r'/?([A-Za-z]\w*(/[A-Za-z]\w*)*)?/?', re.ASCII)

PluginList = Sequence[Mapping[str, Any] | type[Any]] | str
"""A list of structs with a `type`, or YAML text of such a list, or the path of a file."""

Pose = tuple[Sequence[float] | None, Sequence[float] | None]
"""The position of a body in m, and its orientation as a quaternion with w first; None: as in the
model."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Spawn:
    """A request for an entity: a model with one top-level body, its name, pose and plugins."""

    source: ModelSource
    """The model; its name in messages is that of the resource."""
    name: str = ''
    """The name of the entity; empty: the name of the model."""
    renaming: bool = False
    """Whether a number may be added to a name that is taken."""
    namespace: str = ''
    """The namespace of the topics of the plugins; empty: that of the name."""
    position: Sequence[float] | None = None
    """The position of the body in the world, in m; None: as in the model."""
    orientation: Sequence[float] | None = None
    """The orientation of the body in the world, a quaternion with w first; None: as in the
    model."""
    plugins: PluginList = ()
    """The plugins of the robot, as in `MujocoPlugins`; they are loaded as a group."""

    def __post_init__(self) -> None:
        if self.name and not _NAME.fullmatch(self.name):
            raise EntityError(
                'the name of an entity has at most 255 characters, no slash, no control'
                f' characters, and no blanks at its ends; got {self.name!r}',
                SpawnFault.NAME_INVALID,
            )
        if not _NAMESPACE.fullmatch(self.namespace):
            raise EntityError(
                'the namespace of an entity has words of letters, digits and underscores, a'
                f' letter first, with / between them; got {self.namespace!r}',
                SpawnFault.NAMESPACE_INVALID,
            )
        position, orientation = _pose(self.position, self.orientation)
        object.__setattr__(self, 'position', position)
        object.__setattr__(self, 'orientation', orientation)


@dataclass(frozen=True, kw_only=True, slots=True)
class Entity:
    """A top-level body with all that hangs on it."""

    name: str
    """The unique name in the world; an entity of the loaded model has that of its body."""
    body: str
    """The name of the body in the model that runs."""
    spawned: bool = False
    """Whether the entity was spawned, and is not of the model that was loaded."""
    namespace: str = ''
    """The namespace of the topics of the entity."""
    source: str = field(default='', repr=False)
    """The place or the text that the entity was spawned from."""
    urdf: str = field(default='', repr=False)
    """The text of the URDF that the entity was spawned from; empty for other models."""
    entries: tuple[Entry, ...] = field(default=(), repr=False)
    """The entries of its plugins, as in `MujocoPlugins`."""
    unkept: tuple[str, ...] = ()
    """A sentence for each option of its model that the world has otherwise."""
    has_joints: bool = False
    """Whether the entity has hinge or slide joints, and so joint states."""

    @property
    def group(self) -> Group:
        """The group of the plugins of the entity."""
        return Group(self.namespace, f'{self.name}/')


def valid_name(text: str) -> str:
    """Returns the name that an entity may have in place of any text, with room for a number."""
    return re.sub(r'[/\x00-\x1f\x7f]', '_', text.strip())[:_LONGEST].strip() or 'entity'


def namespace_of(spawn: Spawn, name: str) -> str:
    """Returns the namespace of the topics of an entity: words with a slash between them."""
    given = spawn.namespace.strip('/')
    if given:
        return given
    made = as_topic(name).strip('/')
    return made if _NAMESPACE.fullmatch(made) else f'entity_{made}'


def entries_of(spawn: Spawn, name: str, namespace: str) -> tuple[Entry, ...]:
    """Returns the entries of the plugins of an entity, as those of a group.

    Raises ConfigError if the plugins cannot be read at all.
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
    """Returns copies of position and orientation. Raises EntityError for what is no pose."""
    place, turn = _numbers('position', position, 3), _numbers('orientation', orientation, 4)
    if turn is not None and math.hypot(*turn) < 1e-6:
        raise EntityError(
            f'the orientation of an entity is a quaternion with w first, got {orientation!r}',
            SpawnFault.INVALID_POSE,
        )
    return place, turn


def _numbers(what: str, values: Sequence[float] | None, count: int) -> tuple[float, ...] | None:
    """Returns a copy of so many finite numbers; None for None. Raises EntityError for others."""
    if values is None:
        return None
    with suppress(TypeError, ValueError):
        array = np.asarray(values, float)
        numbers = tuple(array.tolist()) if array.shape == (count,) else ()
        if numbers and all(map(math.isfinite, numbers)):
            return numbers
    raise EntityError(
        f'the {what} of an entity has {count} finite numbers, got {values!r}',
        SpawnFault.INVALID_POSE,
    )


def prefixes(model: mujoco.MjModel) -> frozenset[str]:
    """Returns what stands before the first slash of the names of a model."""
    names = bytes(model.names).decode(errors='replace').split('\0')
    return frozenset(name.partition('/')[0] for name in names if '/' in name)


def own_entities(model: mujoco.MjModel) -> Iterator[Entity]:
    """Yields the named bodies whose parent is the world."""
    for body in range(1, model.nbody):
        name = given_name(model, mujoco.mjtObj.mjOBJ_BODY, body)
        if model.body_parentid[body] == 0 and name:
            yield Entity(name=name, body=name)
