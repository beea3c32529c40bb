"""Builds the content of the server's session from its parameters."""

from __future__ import annotations

import time
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace

from rclpy.node import Node

from ...config import (
    NO_GROUP,
    Entry,
    Group,
    PluginConfig,
    Refusal,
    ServerConfig,
    read_list,
    read_plugins,
    register,
)
from ...config.camera import KEY as CAMERA_GROUP
from ...config.wording import unknown
from ...engine.resources import local_path
from ...errors import ConfigError
from ...plugins.host import HostedPlugin
from ...plugins.host.description_files import CAMERAS, JOINT_STATES, Base, PluginDescription
from ...plugins.host.plugin_types import described_types, shipped_types
from ...session import Entity, Plugins, model_source
from ...simulation import InitialState, ModelSource
from .plugin_search import find_plugins
from .server_parameters import Parameters


class ParameterContent:
    """Provides the content of the server's session; each load reads the parameters again."""

    def __init__(
        self, node: Node, parameters: Parameters, added: Sequence[Mapping[str, object]] = ()
    ) -> None:
        """`added` configures plugins that each load appends to the plugins of `MujocoPlugins`."""
        self._node = node
        self._added = read_list(list(added), 'added plugins')
        self._parameters = parameters
        self._since = time.monotonic()
        self._listed: object = ''
        """The value of `MujocoPlugins` in the last load; empty if the parameter was missing."""
        self._found: object = ''
        """The value of `MujocoPlugins` in the load or change that is in progress."""

    @property
    def config(self) -> ServerConfig:
        """The parameters with fixed names."""
        return self._parameters.config

    def source(self) -> ModelSource:
        """Returns the model source that `modelfile` or `mujoco_xml` names."""
        return model_source(self.config)

    def initial(self) -> InitialState:
        """Returns the initial joint states."""
        return self._parameters.initial_state()

    def plugins(
        self, cameras: bool, entities: Sequence[Entity] = (), *, anew: bool = False
    ) -> Plugins:
        """Returns the plugins of `MujocoPlugins` and of the entities, and automatic plugins.

        With `anew`, searches for `MujocoPlugins` again; otherwise, uses the value of the last
        load. With `strict`, raises ConfigError if the last load found the parameter and this
        search does not.
        """
        self._found, missing = self._listed, ''
        if anew:
            found, missing = find_plugins(self._node, self._parameters, self._since)
            self._found = found or ''
        if missing and self._listed and self.config.strict:
            raise ConfigError(f'strict is true, but the server has {missing}')
        configs, refusals = registered(
            self._found, self._parameters, cameras, entities, self._added
        )
        return Plugins(configs=configs, refusals=refusals, missing=missing)

    def loaded(self, plugins: Sequence[HostedPlugin]) -> None:
        """Declares parameters that describe the configuration of these plugins."""
        self._listed = self._found
        self._parameters.adopt(plugins)
        self._parameters.declare_empty_plugins()


Groups = Mapping[str, object]
"""Parameters of the server, or groups of them, that a plugin's configuration can include."""
_JOINT_STATES_RATE = 'joint_states_rate'


def registered(
    listed: object,
    parameters: Parameters,
    cameras: bool,
    entities: Sequence[Entity] = (),
    added: Sequence[Entry] = (),
) -> tuple[list[PluginConfig], list[Refusal]]:
    """Returns the configurations of all plugins in load order, and the refusals.

    Automatic joint states load first, then the listed plugins, then the other automatic plugins.
    `listed` is the value of `MujocoPlugins`, or empty. `cameras` is whether the model has cameras
    and the server can render images. Spawned `entities` bring their own entries; for each entity
    with joints, joint states are published in its namespace. The entries `added` follow the listed
    plugins. Raises ConfigError for a value that cannot be read at all.
    """
    rate_hz = parameters.config.joint_states_rate
    there = {CAMERAS: cameras, JOINT_STATES: rate_hz > 0}
    described = described_types() if listed or entities or any(there.values()) else []
    groups = {CAMERA_GROUP: parameters.cameras(), _JOINT_STATES_RATE: rate_hz}
    brought = (entry for entity in entities for entry in entity.entries)
    found = [*read_plugins(listed, local_path), *added, *brought]
    entries = completed(found, described, groups)
    configs, refusals = register(entries)
    if parameters.config.eval_mode:  # a contestant's package must not add a plugin to the run
        described = shipped_types(Base.SERVER)
    reasons = {each for each in there if there[each]}
    robots = [entity.group for entity in entities if entity.has_joints]
    more = automatic(described, configs, groups, reasons, robots)
    if not more:
        return configs, refusals
    # Registered last, so that listed plugins keep their names. Automatic joint states are loaded
    # first, because listed plugins can act on them.
    listed_names = {config.name for config in configs}
    made, refusals = register([*entries, *more])
    states = {each.name for each in described if each.automatic_with == JOINT_STATES}
    early = [each for each in made if each.type in states and each.name not in listed_names]
    return [*early, *(each for each in made if each not in early)], refusals


def completed(
    entries: Iterable[Entry], described: Iterable[PluginDescription], groups: Groups
) -> list[Entry]:
    """Adds the groups of parameters that each entry's type requests to the entry's keys.

    Keys that an entry already has stay unchanged.
    """
    asking = {each.name: each for each in described if each.parameter_groups}
    return [
        _filled(entry, asking[type_], groups) if (type_ := _type(entry)) in asking else entry
        for entry in entries
    ]


def automatic(
    described: Iterable[PluginDescription],
    listed: Iterable[PluginConfig],
    groups: Groups,
    there: Container[str],
    robots: Iterable[Group] = (),
) -> list[Entry]:
    """Returns entries of the types that load automatically under a condition in `there`.

    Joint states are loaded for the whole model, for each group of plugins and for each of the
    `robots`. Types that load with cameras are loaded once. Types that are already listed are
    skipped.
    """
    there_already = {(config.type, config.group) for config in listed}
    with_joints = dict.fromkeys([NO_GROUP, *(config.group for config in listed), *robots])
    return [
        _filled(_implicit(each, group), each, groups)
        for each in described
        if each.automatic_with in there
        for group in (with_joints if each.automatic_with == JOINT_STATES else [NO_GROUP])
        if (each.name, group) not in there_already
    ]


def _implicit(description: PluginDescription, group: Group) -> Entry:
    struct = {'type': description.name}
    return Entry(place=description.source, struct=struct, implicit=True, group=group)


def _type(entry: Entry) -> str:
    """Returns the type of an entry; an empty string if it has no type."""
    given = entry.struct.get('type') if isinstance(entry.struct, Mapping) else None
    return given if isinstance(given, str) else ''


def _filled(entry: Entry, description: PluginDescription, groups: Groups) -> Entry:
    """Adds the requested groups to an entry, or a fault if the server lacks a group.

    The entry of a spawned robot gets only the parameters of the robot's own elements, by names
    without the robot's prefix.
    """
    for group in description.parameter_groups.values():
        if group not in groups:
            wrong = unknown('group of parameters', group, groups)
            return replace(entry, fault=f'{description.source}: {wrong}')
    asked = description.parameter_groups
    values = {key: _own(groups[group], entry.group.prefix) for key, group in asked.items()}
    assert isinstance(entry.struct, Mapping)
    return replace(entry, struct={**values, **entry.struct})


def _own(values: object, prefix: str) -> object:
    """Returns the entries whose names have the prefix, and removes the prefix from the names."""
    if not isinstance(values, Mapping):
        return values
    return {
        name.removeprefix(prefix): value
        for name, value in values.items()
        if name.startswith(prefix)
    }
