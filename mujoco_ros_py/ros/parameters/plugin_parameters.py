"""The ROS parameters of the running plugins, from which their configurations are built."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import is_dataclass
from typing import Any

from rcl_interfaces.msg import ParameterDescriptor
from rclpy.node import Node

from ...config import (
    NO_GROUP,
    Parameter,
    nested_struct,
    parameters_of,
    read,
    with_live,
    with_value,
)
from ...config.wording import unknown
from ...errors import ConfigError, MujocoRosError, PluginError
from ...plugins.host import HostedPlugin
from .descriptors import free_descriptor, plain

_log = logging.getLogger(__name__)

Values = Mapping[str, object]
Configure = Callable[[HostedPlugin, object], ConfigError | None]
"""Passes a configuration with changed live values to a plugin; returns its error, if any."""
_NO_KEYS = ('type', 'name')
"""The keys of a plugin's struct that do not belong to its configuration."""


class PluginParameters:
    """Describes and checks the parameters, and passes live values to the running plugins.

    In the native form of MujocoPlugins, the names are `MujocoPlugins.<plugin>.<key>`. If the
    configuration of a plugin is a dataclass, all its fields are declared after a load, including
    fields with default values, which `given` omits. In the other forms, only the live fields are
    parameters, named `<plugin>.<key>`, and changed values are lost at the next load.
    """

    def __init__(self, node: Node, prefix: str) -> None:
        self._node = node
        self._native_prefix = f'{prefix}.'
        self._prefix = ''
        self._hosted: dict[str, HostedPlugin] = {}
        self._rows: dict[str, Parameter[Any]] = {}
        self._defaults: set[str] = set()
        """The names that were declared here with a default value and have not been set since."""
        self._own: set[str] = set()
        """The names that were declared here as `<plugin>.<key>`, without `MujocoPlugins`."""
        self._thread = threading.local()
        self.configure: Configure = lambda hosted, config: None

    @property
    def declaring(self) -> bool:
        """Whether this thread is declaring plugins' parameters, whose values need no check."""
        return getattr(self._thread, 'declaring', False)

    def adopt(self, plugins: Iterable[HostedPlugin], *, native: bool) -> None:
        """Declares the parameters of these plugins after a load."""
        with self._declared_here():
            for name in self._defaults | self._own:
                if self._node.has_parameter(name):
                    self._node.undeclare_parameter(name)
            self._prefix = self._native_prefix if native else ''
            hosted = {each.name: each for each in plugins if self._described(each)}
            leaves = {
                f'{self._prefix}{name}.{key}': (row, value)
                for name, each in hosted.items()
                for key, row, value, live in _leaves(_config(each))
                if native or live
            }
            self._rows = {name: row for name, (row, _) in leaves.items()}
            self._defaults, self._own = set(), set()
            declared = self._defaults if native else self._own
            for name, (row, value) in leaves.items():
                self._describe(name, row, value, declared)
        self._hosted = hosted

    def catch_up(self, values: Values) -> None:
        """Applies values that were set while the plugins were loading; called after `adopt`."""
        for name, hosted in self._hosted.items() if self._prefix else ():
            with suppress(MujocoRosError):  # the next reload reports the error
                self.apply({f'{self._prefix}{name}.type': hosted.config.type}, values)

    def given(self, values: Values) -> dict[str, object]:
        """Returns the values that somebody has set, without declared defaults.

        The names in `values` and in the result have no prefix.
        """
        return {
            n: v for n, v in values.items() if f'{self._native_prefix}{n}' not in self._defaults
        }

    def descriptor(self, name: str) -> ParameterDescriptor | None:
        """Returns the descriptor of a running plugin's parameter; None if it is unknown."""
        row = self._rows.get(name)
        return None if row is None else free_descriptor(row)

    def is_live(self, name: str) -> bool:
        """Returns whether the parameter is a live value of a running plugin."""
        plugin, _, key = name.removeprefix(self._prefix).partition('.')
        hosted = self._hosted.get(plugin) if name.startswith(self._prefix) else None
        return hosted is not None and hosted.ready and _is_live(_config(hosted), key)

    def unknown_of_plugin(self, name: str) -> str | None:
        """Returns the error for an unknown name that begins with a plugin's name, else None."""
        plugin = name.partition('.')[0]
        if self._prefix or plugin not in self._hosted:
            return None
        known = _below(plugin, dict.fromkeys(self._own, True))
        told = unknown('parameter', name.removeprefix(f'{plugin}.'), known)
        return f'{plugin}: {told}; other fields are read at a reload'

    def apply(self, changes: Values, values: Values) -> None:
        """Passes changed live values to their plugins; if one plugin refuses, nothing changes.

        `changes` maps full names to the new values, None for a deleted parameter. `values` maps
        names without the prefix to the current values. Raises ConfigError if a plugin refuses a
        value or could not load with it, and SimulationError if the physics thread does not apply
        the change.
        """
        made = [
            (hosted, _config(hosted), with_live(_config(hosted), pending))
            for hosted, pending in self._pending(changes, values)
        ]
        for hosted, _, config in made:
            try:
                hosted.check_live(config)
            except ConfigError as error:
                raise ConfigError(f'{self._prefix}{hosted.name}.{error}') from None
        done: list[tuple[HostedPlugin, object]] = []
        try:
            for hosted, before, config in made:
                if config != before:
                    self._give(hosted, config)
                    done.append((hosted, before))
        except MujocoRosError:
            for hosted, before in reversed(done):
                self.configure(hosted, before)
            raise

    def note(self, names: Iterable[str]) -> None:
        """Records that these parameters have been set, so they do not count as defaults."""
        self._defaults -= set(names)

    def _give(self, hosted: HostedPlugin, config: object) -> None:
        """Passes a configuration to a plugin. Raises MujocoRosError if the plugin refuses it."""
        if (error := self.configure(hosted, config)) is not None:
            raise ConfigError(f'{self._prefix}{hosted.name}: {error}')
        if not hosted.ready:
            raise PluginError(f'{self._prefix}{hosted.name}: {hosted.reason}')

    def _pending(self, changes: Values, values: Values) -> Iterator[tuple[HostedPlugin, object]]:
        """Yields each affected plugin, with the configuration that a reload would give it."""
        own = {
            name.removeprefix(self._prefix): value
            for name, value in changes.items()
            if name.startswith(self._prefix) and (self._prefix or name in self._own)
        }
        for plugin in dict.fromkeys(name.partition('.')[0] for name in own):
            hosted = self._hosted.get(plugin)
            if hosted is None or not hosted.ready:
                continue  # its configuration is not known
            made = self._native(hosted, own, values) if self._prefix else self._merged(hosted, own)
            if made is not None:
                yield hosted, read(type(_config(hosted)), made, where=f'{self._prefix}{plugin}')

    def _native(self, hosted: HostedPlugin, own: Values, values: Values) -> Values | None:
        """Returns the struct that a reload would read; None if the plugin's type would change."""
        keys = _below(hosted.name, {**self.given(values), **own})
        if keys.get('type') != hosted.config.type:
            return None
        return nested_struct({k: v for k, v in keys.items() if k not in _NO_KEYS})

    def _merged(self, hosted: HostedPlugin, own: Values) -> Values:
        """Returns the struct from the load, updated with all values set since then."""
        node = self._node
        now = {name: plain(node.get_parameter(name).value) for name in self._own}
        struct = hosted.config.config
        for key, value in _below(hosted.name, {**now, **own}).items():
            struct = with_value(struct, key, value)
        return struct

    def _described(self, hosted: HostedPlugin) -> bool:
        """Returns whether the plugin's configuration can be shown as parameters."""
        if not hosted.ready or _config(hosted) is None:
            return False
        if self._prefix and hosted.config.group != NO_GROUP:
            return False  # its keys are not below MujocoPlugins.<name>
        if self._prefix or not self._node.get_parameters_by_prefix(hosted.name):
            return True
        _log.warning(
            'the configuration of plugin %r is not shown as parameters, because other parameters'
            ' begin with its name',
            hosted.name,
        )
        return False

    def _describe(self, name: str, row: Parameter[Any], value: Any, declared: set[str]) -> None:
        if self._node.has_parameter(name):
            self._node.set_descriptor(name, free_descriptor(row))
        elif _is_parameter(value) and not row.secret:
            value = list(value) if isinstance(value, tuple) else value
            self._node.declare_parameter(name, value, free_descriptor(row), ignore_override=True)
            declared.add(name)

    @contextmanager
    def _declared_here(self) -> Iterator[None]:
        self._thread.declaring = True
        try:
            yield
        finally:
            self._thread.declaring = False


def _config(hosted: HostedPlugin) -> object:
    """Returns the current configuration of the plugin if it is a dataclass, else None."""
    config = None if hosted.plugin is None else hosted.plugin.config
    return config if is_dataclass(config) else None


def _is_live(config: object, key: str) -> bool:
    """Returns whether a dotted key of a configuration is a live value, or inside a live value."""
    name, _, inner = key.partition('.')
    row = parameters_of(config).get(name)
    if row is None or row.live:
        return row is not None
    value = getattr(config, name)
    return is_dataclass(value) and bool(inner) and _is_live(value, inner)


def _leaves(config: Any, live: bool = False) -> Iterator[tuple[str, Parameter[Any], Any, bool]]:
    """Yields each value's dotted name, its description, the value, and whether it is live.

    Values inside a live value are live too.
    """
    for name, row in parameters_of(config).items():
        for key, leaf in _inside(name, getattr(config, name)):
            if is_dataclass(leaf):
                inner = _leaves(leaf, live or row.live)
                yield from ((f'{key}.{below}', *others) for below, *others in inner)
            else:
                yield key, row, leaf, live or row.live


def _inside(name: str, value: object) -> Iterator[tuple[str, object]]:
    """Yields a value and its name, or for a mapping its entries with their dotted names."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from _inside(f'{name}.{key}', each)
    else:
        yield name, value


def _is_parameter(value: object) -> bool:
    """Returns whether ROS has a type for the value; not for None, empty lists or mixed lists."""
    if isinstance(value, tuple):
        return len({type(each) for each in value}) == 1 and _is_parameter(value[0])
    return isinstance(value, bool | int | float | str)


def _below(plugin: str, values: Values) -> dict[str, object]:
    start = f'{plugin}.'
    return {
        name.removeprefix(start): value
        for name, value in values.items()
        if name.startswith(start) and value is not None
    }
