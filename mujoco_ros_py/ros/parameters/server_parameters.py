"""The parameters of the server on its node: declared, described, checked, and read."""

from __future__ import annotations

import difflib
import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rcl_interfaces.msg import ParameterDescriptor, SetParametersResult
from rclpy.node import Node
from rclpy.parameter import Parameter

from ...config import (
    CameraConfig,
    ServerConfig,
    changed,
    check_native,
    check_plugins,
    parameters_of,
    plugin_file,
    read,
    read_cameras,
    read_joint_map,
)
from ...config import Parameter as Row
from ...config.camera import KEY as CAMERAS
from ...config.camera import nested
from ...config.wording import listed, shown
from ...engine.resources import local_path
from ...errors import ConfigError, MujocoRosError
from ...plugins.host import HostedPlugin
from ...simulation import InitialState
from ..rclpy_internals import parameter_overrides, parameters_on
from .authorization import Authorization
from .descriptors import array_type, descriptor, free_descriptor, plain
from .plugin_parameters import PluginParameters
from .qos_overrides import PREFIX as QOS
from .qos_overrides import read_overrides

_log = logging.getLogger(__name__)

PLUGINS = 'MujocoPlugins'
POSITIONS = 'initial_joint_positions.joint_map'
VELOCITIES = 'initial_joint_velocities.joint_map'
_GROUPS = {
    PLUGINS: 'Configuration of the plugins; takes effect at the next reload.',
    POSITIONS: 'Initial position of a joint; takes effect at the next reload.',
    VELOCITIES: 'Initial velocity of a joint; takes effect at the next reload.',
    CAMERAS: 'Configuration of a camera; takes effect at the next reload.',
}
"""The groups of parameters whose names users choose, and their descriptions."""
_CAMERA = parameters_of(CameraConfig)
_FOREIGN = ('use_sim_time', QOS, 'start_type_description_service')


class Parameters:
    """Reads and checks the parameters. Raises ConfigError for invalid values at startup."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._table = parameters_of(ServerConfig)
        self.of_plugins = PluginParameters(node, PLUGINS)
        self.config = self._declare()
        self._first_plugins = self.plugins()
        self._loaded = False
        self.authorization = Authorization(self.config.eval_mode, self.config.admin_hash)
        self.on_realtime: Callable[[float], object] = lambda realtime: None
        """Called with each new value of `realtime`."""
        node.add_on_set_parameters_callback(self._on_set)
        node.add_post_set_parameters_callback(self._after_set)

    def initial_state(self) -> InitialState:
        """Returns the initial joint states according to the current parameters."""
        return InitialState(
            positions=read_joint_map(self.group(POSITIONS), POSITIONS),
            velocities=read_joint_map(self.group(VELOCITIES), VELOCITIES),
        )

    def plugins(self) -> object:
        """Returns the node's own MujocoPlugins: a string, a mapping of dotted names, or None."""
        text = self._node.get_parameter_or(PLUGINS).value
        return text or self.of_plugins.given(self.group(PLUGINS)) or None

    def adopt(self, plugins: Iterable[HostedPlugin]) -> None:
        """Declares the parameters of plugins that have just started."""
        self.of_plugins.adopt(plugins, native=isinstance(self.plugins(), Mapping))
        self.of_plugins.catch_up(self.group(PLUGINS))

    def cameras(self) -> dict[str, dict[str, object]]:
        """Returns the struct of each configured camera, by its name."""
        return nested(self.group(CAMERAS))

    def group(self, prefix: str) -> dict[str, object]:
        """Returns the values below a prefix, in declaration order; the names lose the prefix."""
        everything = parameters_on(self._node).items()
        return _below(prefix, {name: plain(each.value) for name, each in everything})

    def admit_found(self, plugins: object) -> None:
        """Checks the MujocoPlugins that a load has found. Raises ConfigError as `check_file` does.

        The first load accepts any plugin file, even from a parameter server.
        """
        if not self._loaded:
            self._loaded, self._first_plugins = True, plugins
        self.check_file(plugins)

    def check_file(self, plugins: object) -> None:
        """Raises ConfigError for a plugin file that was not set at startup."""
        if self.config.trust_network or plugins == self._first_plugins:
            return
        if isinstance(plugins, str) and plugin_file(plugins, local_path) is not None:
            raise ConfigError(
                f'{PLUGINS} can be set to the path of a file only if trust_network is true:'
                ' otherwise the server reads no plugin file except one named at startup'
            )

    def value_type(self, name: str) -> type[Any] | None:
        """Returns the type of a parameter with a fixed name; None for other names."""
        return self._table[name].value_type if name in self._table else None

    def array_type(self, name: str) -> Parameter.Type | None:
        """Returns the ROS type of a list parameter with a fixed name; None for other names."""
        return array_type(self._table[name]) if name in self._table else None

    def waits_for_reload(self, name: str) -> bool:
        """Returns whether a new value of the parameter takes effect only at the next reload."""
        if name in self._table:
            return self._table[name].when == 'reload'
        return group_of(name) is not None and not self.of_plugins.is_live(name)

    def unknown(self, name: str) -> str:
        """Returns a message about a name that is not a parameter of the server."""
        if name.startswith(QOS):
            return f'{shown(name)[1:-1]} is only read at startup'
        if (of_plugin := self.of_plugins.unknown_of_plugin(name)) is not None:
            return of_plugin
        known = [*self._table, *_GROUPS]
        near = difflib.get_close_matches(name, known, n=1)
        hint = f' (did you mean {near[0]!r}?)' if near else f'; known: {", ".join(known)}'
        return f'unknown parameter {shown(name)}{hint}'

    def declare_empty_plugins(self) -> None:
        """Declares MujocoPlugins as an empty string, unless parameters exist below it."""
        if not self.group(PLUGINS) and not self._node.has_parameter(PLUGINS):
            self._node.declare_parameter(PLUGINS, '', free_type(PLUGINS), ignore_override=True)

    def _declare(self) -> ServerConfig:
        """Declares the parameters with fixed names, and the given parameters of groups."""
        # The node could declare the overrides itself, but would then publish the secret, too.
        overrides = parameter_overrides(self._node).items()
        given = {name: self._given(name, plain(p.value)) for name, p in overrides}
        config = read(ServerConfig, {name: v for name, v in given.items() if name in self._table})
        _check_groups(given)
        read_overrides(given)  # raises an error before the node applies them
        for name, row in self._table.items():
            value = row.default if row.secret else getattr(config, name)
            self._declare_one(name, row, value, config.trust_network)
        for name, value in _one_form(given).items():
            if name in self._table or name.startswith(_FOREIGN):
                continue
            if group_of(name) is None:
                _log.warning('%s', self.unknown(name))  # it may belong to a plugin
            elif value is None:
                raise ConfigError(
                    f'{name} must not be an empty list or map: a ROS parameter cannot hold it'
                )
            else:
                self._node.declare_parameter(name, value, free_type(name), ignore_override=True)
        self.declare_empty_plugins()
        return config

    def _declare_one(self, name: str, row: Row[Any], value: Any, trusted: bool) -> None:
        kind = array_type(row)
        if kind is None:
            described = descriptor(row, trusted)
            self._node.declare_parameter(name, value, described, ignore_override=True)
            return
        self._node.declare_parameter(name, kind, ignore_override=True)
        self._node.set_parameters([Parameter(name, kind, list(value))])
        described = descriptor(row, trusted)  # only now: read-only parameters cannot be set
        described.type = kind.value
        self._node.set_descriptor(name, described)

    def _given(self, name: str, value: object) -> object:
        """Converts the value given for a list parameter to a list; returns others unchanged.

        ROS passes an empty list as None. A single number is also accepted, as ros2_control does
        for `cpu_affinity`.
        """
        kind = self.array_type(name)
        if kind is not None and value is None:
            return []
        return [value] if kind is Parameter.Type.INTEGER_ARRAY and type(value) is int else value

    def _on_set(self, parameters: Iterable[Parameter[Any]]) -> SetParametersResult:
        if self.of_plugins.declaring:
            return SetParametersResult(successful=True)
        changes = {p.name: plain(p.value) for p in parameters}
        try:
            changed(self.config, {n: v for n, v in changes.items() if n in self._table})
            _check_groups(changes)
            self.check_file(changes.get(PLUGINS))
            check_native(_below(PLUGINS, changes))
            self.of_plugins.apply(changes, self.group(PLUGINS))  # last, because it changes plugins
        except MujocoRosError as error:
            return SetParametersResult(successful=False, reason=str(error))
        return SetParametersResult(successful=True)

    def _after_set(self, parameters: Iterable[Parameter[Any]]) -> None:
        if self.of_plugins.declaring:
            return
        known = {p.name: p.value for p in parameters if p.name in self._table}
        self.config = changed(self.config, known)
        if 'realtime' in known:
            self.on_realtime(self.config.realtime)
        self.of_plugins.note(p.name for p in parameters)


def group_of(name: str) -> str | None:
    """Returns the group that a name belongs to; None if it belongs to no group."""
    if name == PLUGINS:
        return name
    return next((group for group in _GROUPS if name.startswith(f'{group}.')), None)


def _below(prefix: str, values: Mapping[str, object]) -> dict[str, object]:
    start = f'{prefix}.'
    return {
        name.removeprefix(start): value for name, value in values.items() if name.startswith(start)
    }


def _one_form(given: Mapping[str, object]) -> dict[str, object]:
    """Returns the parameters with one form of MujocoPlugins only: a string or structs."""
    structs = [name for name in given if name.startswith(f'{PLUGINS}.')]
    if given.get(PLUGINS) and structs:
        _log.warning(
            '%s is a string, so these parameters are not used: %s', PLUGINS, listed(structs)
        )
    out = structs if given.get(PLUGINS) else [PLUGINS] if structs else []
    return {name: value for name, value in given.items() if name not in out}


def _check_groups(values: Mapping[str, object]) -> None:
    """Raises ConfigError for values in groups that are invalid whatever the model is."""
    given = {name: value for name, value in values.items() if value is not None}
    for joint_map in (POSITIONS, VELOCITIES):
        read_joint_map(_below(joint_map, given), joint_map)
    read_cameras(nested(_below(CAMERAS, given)))
    if PLUGINS in given:
        check_plugins(given[PLUGINS], local_path)


def free_type(name: str) -> ParameterDescriptor:
    """Describes a parameter of a group; its type is free, and `_on_set` checks its range."""
    row = _CAMERA.get(name.rpartition('.')[2]) if name.startswith(f'{CAMERAS}.') else None
    if row is None:
        text = _GROUPS[group_of(name) or PLUGINS]
        return ParameterDescriptor(description=text, dynamic_typing=True)
    return free_descriptor(row)
