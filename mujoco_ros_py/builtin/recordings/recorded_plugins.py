"""The plugins, parameters and versions of a run, as stored in its recording."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from typing import Any

import mujoco
import numpy as np

from ... import __version__
from ...config import ServerConfig, parameters_of
from ...engine_faults import known_faults
from ...plugins import Hardware, MujocoPlugin
from ...plugins.host.plugin_types import known_types

_OF_PLUGINS = 'MujocoPlugins'
_CALLBACKS: Mapping[str, type[Any]] = {
    'read_callback': Hardware,
    'control_callback': MujocoPlugin,
    'write_callback': Hardware,
    'passive_callback': MujocoPlugin,
    'last_stage_callback': MujocoPlugin,
}
"""The callbacks of the physics thread, and the classes that define them."""


def versions() -> dict[str, str]:
    """Returns the versions of everything that a run depends on."""
    return {
        'mujoco_ros_py': __version__,
        'mujoco': mujoco.__version__,
        'numpy': np.__version__,
        'python': platform.python_version(),
        'machine': platform.machine(),
        'system': platform.platform(),
    }


def restore_model(
    plugins: Mapping[str, MujocoPlugin[Any]], model: mujoco.MjModel, data: mujoco.MjData
) -> bool:
    """Restores the values of the model that plugins change; returns whether any plugin does.

    The plugins change the values again in the next evaluation of the forces.
    """
    changing = [
        each
        for each in plugins.values()
        if isinstance(each, Hardware) and type(each).restore_model != Hardware.restore_model
    ]
    for each in changing:
        each.restore_model(model, data)
    return bool(changing)


def engine_faults() -> dict[str, str]:
    """Returns the known faults of this MuJoCo by name, and how affected models run instead."""
    return {fault.name: f'{fault}: {fault.instead}' for fault in known_faults()}


def parameters(node: Any) -> dict[str, str]:
    """Returns the server node's parameters as JSON, by name, without secrets.

    Plugins and their configurations are omitted, because each section of a recording lists them.
    """
    secret = {name for name, each in parameters_of(ServerConfig).items() if each.secret}
    values = node.get_parameters_by_prefix('')
    return {
        name: json.dumps(each.value, default=_plain)
        for name, each in sorted(values.items())
        if name.partition('.')[0] not in {*secret, _OF_PLUGINS}
    }


def recorded_plugins(plugins: Mapping[str, MujocoPlugin[Any]]) -> list[dict[str, Any]]:
    """Returns the name, type, configuration and callbacks of each plugin, in load order."""
    types = {(each.module, each.qualname): name for name, each in known_types().items()}
    return [_recorded(plugin, types) for plugin in plugins.values()]


def _recorded(plugin: MujocoPlugin[Any], types: Mapping[tuple[str, str], str]) -> dict[str, Any]:
    kind, environment = type(plugin), plugin.environment
    config = plugin.config
    if is_dataclass(config) and not isinstance(config, type):
        hidden = {name for name, each in parameters_of(type(config)).items() if each.secret}
        values = {name: value for name, value in asdict(config).items() if name not in hidden}
    else:
        values = dict(config)
    return {
        'name': plugin.name,
        'type': types.get((kind.__module__, kind.__qualname__), ''),
        'class': f'{kind.__module__}:{kind.__qualname__}',
        'namespace': environment.namespace,
        'prefix': environment.prefix,
        'config': json.loads(json.dumps(values, default=_plain)),
        'callbacks': [
            name
            for name, owner in _CALLBACKS.items()
            if issubclass(kind, owner) and getattr(kind, name) is not getattr(owner, name)
        ],
    }


def _plain(value: Any) -> Any:
    """Converts arrays and similar objects to lists, and other values to text."""
    return value.tolist() if hasattr(value, 'tolist') else str(value)
