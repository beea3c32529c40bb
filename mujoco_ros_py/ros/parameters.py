"""The server's parameters on the node: declared, described, checked, read again at a reload."""

from __future__ import annotations

import difflib
import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rcl_interfaces.msg import ParameterDescriptor, SetParametersResult
from rclpy.node import Node
from rclpy.parameter import Parameter

from ..config import (
    CameraConfig,
    ServerConfig,
    changed,
    check_plugins,
    parameters_of,
    read,
    read_cameras,
    read_joint_map,
)
from ..config import Parameter as Row
from ..config.cameras import KEY as CAMERAS
from ..config.cameras import nested
from ..engine.resources import resolve
from ..errors import ConfigError, MujocoRosError
from ..simulation import InitialState
from .authorization import Authorization
from .descriptors import descriptor, free_descriptor, plain
from .plugin_parameters import PluginParameters

_log = logging.getLogger(__name__)

PLUGINS = 'MujocoPlugins'
_POSITIONS = 'initial_joint_positions.joint_map'
_VELOCITIES = 'initial_joint_velocities.joint_map'
_GROUPS = {
    PLUGINS: 'Configuration of the plugins; takes effect at the next reload.',
    _POSITIONS: 'Initial position of a joint; takes effect at the next reload.',
    _VELOCITIES: 'Initial velocity of a joint; takes effect at the next reload.',
    CAMERAS: 'Configuration of a camera; takes effect at the next reload.',
}
"""Groups of parameters with free names."""
_CAMERA = parameters_of(CameraConfig)
_FOREIGN = ('use_sim_time', 'qos_overrides.', 'start_type_description_service')


class Parameters:
    """Reads and guards the parameters. Raises ConfigError for what is wrong at the start."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._table = parameters_of(ServerConfig)
        self.config = self._declare()
        self.authorization = Authorization(self.config.eval_mode, self.config.admin_hash)
        self.on_realtime: Callable[[float], object] = lambda realtime: None
        """Called with each new value of `realtime`."""
        self.of_plugins = PluginParameters(node, PLUGINS)
        self._hash_matches = False
        self._admitting = False
        self._admitted_now: list[str] = []
        node.add_pre_set_parameters_callback(self._before_set)
        node.add_on_set_parameters_callback(self._on_set)
        node.add_post_set_parameters_callback(self._after_set)

    def initial_state(self) -> InitialState:
        """The initial joint states as they are set now."""
        return InitialState(
            positions=read_joint_map(self.group(_POSITIONS), _POSITIONS),
            velocities=read_joint_map(self.group(_VELOCITIES), _VELOCITIES),
        )

    def plugins(self) -> Any:
        """The node's own MujocoPlugins: a string, a mapping of dotted names, or None."""
        text = self._node.get_parameter(PLUGINS).value
        return text or self.of_plugins.given(self.group(PLUGINS)) or None

    def cameras(self) -> dict[str, dict[str, Any]]:
        """The struct of each camera that has one."""
        return nested(self.group(CAMERAS))

    def group(self, prefix: str) -> dict[str, Any]:
        """Values below a prefix, by the rest of their names, in the order of declaration."""
        everything = dict(self._node._parameters)  # a copy: other threads may declare meanwhile
        return _below(prefix, {name: plain(each.value) for name, each in everything.items()})

    def _declare(self) -> ServerConfig:
        """Declares what the contract names and what was given in the groups."""
        # The node could declare what is given by itself, but would publish the secret with it.
        overrides = self._node._parameter_overrides
        given = {name: self._given(name, plain(p.value)) for name, p in overrides.items()}
        config = read(ServerConfig, {name: v for name, v in given.items() if name in self._table})
        _check_groups(given)
        for name, row in self._table.items():
            value = row.default if row.secret else getattr(config, name)
            self._declare_one(name, row, value)
        for name, value in given.items():
            if name in self._table or name.startswith(_FOREIGN):
                continue
            if _group(name) is None:
                _log.warning('%s', self._unknown(name))  # one of a plugin, perhaps
            elif value is None:
                raise ConfigError(f'{name} has no value: ROS parameters hold no empty list or map')
            else:
                self._node.declare_parameter(name, value, _free(name), ignore_override=True)
        if not self._node.has_parameter(PLUGINS):
            self._node.declare_parameter(PLUGINS, '', _free(PLUGINS), ignore_override=True)
        return config

    def _declare_one(self, name: str, row: Row[Any], value: Any) -> None:
        if row.value_type is not tuple:
            self._node.declare_parameter(name, value, descriptor(row), ignore_override=True)
            return
        kind = Parameter.Type.STRING_ARRAY  # which an empty list does not tell
        self._node.declare_parameter(name, kind, ignore_override=True)
        self._node.set_parameters([Parameter(name, kind, list(value))])
        described = descriptor(row)  # from here: what is read-only could not be set
        described.type = kind.value
        self._node.set_descriptor(name, described)

    def _given(self, name: str, value: Any) -> Any:
        """An empty list arrives without a value."""
        return [] if value is None and self._is_list(name) else value

    def _is_list(self, name: str) -> bool:
        return name in self._table and self._table[name].value_type is tuple

    def _unknown(self, name: str) -> str:
        known = [*self._table, *_GROUPS]
        near = difflib.get_close_matches(name, known, n=1)
        hint = f': is {near[0]} meant?' if near else f'; those are {", ".join(known)}'
        return f'parameter {name!r} is none of the server{hint}'

    def _before_set(self, parameters: list[Parameter[Any]]) -> list[Parameter[Any]]:
        """Takes the secret out of sight, and lets new names into the groups."""
        offered = [str(each.value) for each in parameters if each.name == 'admin_hash']
        self._hash_matches = bool(offered) and self.authorization.matches(offered[-1])
        self._admitted_now = []
        return [self._admitted(parameter) for parameter in parameters]

    def _admitted(self, parameter: Parameter[Any]) -> Parameter[Any]:
        name, value = parameter.name, parameter.value
        if name == 'admin_hash':
            return Parameter(name, value='')
        if name in self._table and self._table[name].value_type is float and type(value) is int:
            return Parameter(name, value=float(value))  # `ros2 param set ... realtime 2`
        if self._is_list(name) and plain(value) == []:  # of no type, or of another one
            return Parameter(name, Parameter.Type.STRING_ARRAY, [])
        permitted = self._hash_matches or self.authorization.permitted
        if not self._node.has_parameter(name) and _group(name) and permitted:
            self._admitting = True
            try:
                described = self.of_plugins.descriptor(name) or _free(name)
                self._node.declare_parameter(name, value, described)
            finally:
                self._admitting = False
            self._admitted_now.append(name)
        return parameter

    def _on_set(self, parameters: Iterable[Parameter[Any]]) -> SetParametersResult:
        if self.of_plugins.declaring:
            return SetParametersResult(successful=True)
        known = {p.name: p.value for p in parameters if p.name in self._table}
        names = [*known, *(p.name for p in parameters if _group(p.name))]
        try:
            if 'admin_hash' in known:
                self._take_hash()
                known.pop('admin_hash')
            changed(self.config, known)
            if not self._admitting:  # else it is checked when it is set
                changes = {p.name: plain(p.value) for p in parameters}
                _check_groups(changes)
                self.of_plugins.check(changes, self.group(PLUGINS))
            protected = [name for name in names if name != 'admin_hash']
            if protected and not self._admitting:
                self.authorization.require(f'setting {", ".join(protected)}')
        except MujocoRosError as error:
            for name in self._admitted_now:
                self._node.undeclare_parameter(name)
            return SetParametersResult(successful=False, reason=str(error))
        return SetParametersResult(successful=True)

    def _after_set(self, parameters: Iterable[Parameter[Any]]) -> None:
        if self.of_plugins.declaring or self._admitting:
            return
        known = {p.name: p.value for p in parameters if p.name in self._table}
        known.pop('admin_hash', None)
        self.config = changed(self.config, known)
        if 'realtime' in known:
            self.on_realtime(self.config.realtime)
        changes = {p.name: plain(p.value) for p in parameters}
        self.of_plugins.apply(changes, self.group(PLUGINS))

    def _take_hash(self) -> None:
        if not self.authorization.eval_mode:
            raise ConfigError('admin_hash is not needed: eval_mode is false')
        if not self._hash_matches:
            raise ConfigError('admin_hash does not match')
        self.authorization.permit()


def _group(name: str) -> str | None:
    """The group that a name belongs to."""
    if name == PLUGINS:
        return name
    return next((group for group in _GROUPS if name.startswith(f'{group}.')), None)


def _below(prefix: str, values: Mapping[str, Any]) -> dict[str, Any]:
    start = f'{prefix}.'
    return {
        name.removeprefix(start): value for name, value in values.items() if name.startswith(start)
    }


def _check_groups(values: Mapping[str, Any]) -> None:
    """Raises ConfigError for what no model could make sense of."""
    given = {name: value for name, value in values.items() if value is not None}
    for joint_map in (_POSITIONS, _VELOCITIES):
        read_joint_map(_below(joint_map, given), joint_map)
    read_cameras(nested(_below(CAMERAS, given)))
    if PLUGINS in given:
        check_plugins(given[PLUGINS], resolve)


def _free(name: str) -> ParameterDescriptor:
    """The type is free: a whole number passes for a number. Ranges are words, `_on_set` checks."""
    row = _CAMERA.get(name.rpartition('.')[2]) if name.startswith(f'{CAMERAS}.') else None
    if row is None:
        text = _GROUPS[_group(name) or PLUGINS]
        return ParameterDescriptor(description=text, dynamic_typing=True)
    return free_descriptor(row)
