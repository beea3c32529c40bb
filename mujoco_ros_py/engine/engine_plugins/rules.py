"""Checks classes of engine plugins and the results of their methods."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...config.wording import shown
from ...errors import PluginError
from ..engine_plugin_records import Capability, Function
from .engine_plugin import EnginePlugin
from .instance import Instance
from .plugin_attribute import Value

_NEEDED = {
    Capability.ACTUATOR: Function.COMPUTE_ACTUATOR,
    Capability.SENSOR: Function.COMPUTE_SENSOR,
    Capability.PASSIVE: Function.COMPUTE_PASSIVE,
    Capability.SDF: Function.DISTANCE,
}
_ARGUMENTS = {
    Function.RESET: 'p, state',
    Function.VISUALIZE: 'p, model, data, option, scene',
    Function.DISTANCE: 'shape, point',
    Function.GRADIENT: 'shape, point, gradient',
}
_MAX_NAME = 1023
_MAX_ATTRIBUTES = 255


def check_class(plugin: type[EnginePlugin]) -> None:
    """Raises PluginError for a class that cannot be registered."""
    if not isinstance(plugin, type) or not issubclass(plugin, EnginePlugin):
        raise PluginError(f'{shown(plugin)} must be a class derived from EnginePlugin')
    where = plugin.__qualname__
    if not isinstance(getattr(plugin, 'name', None), str) or not plugin.name:
        raise PluginError(f'{where} needs a name')
    _check_names(plugin.name, plugin.attributes)
    if not getattr(plugin, 'capabilities', None):
        known = ', '.join(each.name or '' for each in Capability)
        raise PluginError(f'{where} needs at least one of the capabilities {known}')
    defined = plugin.functions()
    for capability, function in _NEEDED.items():
        if bool(plugin.capabilities & capability) != (function in defined):
            has = 'must not' if function in defined else 'must'
            raise PluginError(
                f'{where} with capabilities {plugin.capabilities!r} {has} define {function.method}'
            )
    if plugin.capabilities & Capability.SDF and _lacks(plugin, 'bounds'):
        raise PluginError(
            f'{where} with capabilities {plugin.capabilities!r} must define bounds(config), a'
            ' classmethod that returns the half sizes of the box around the shape, in metres'
        )
    for function, code in defined.items():
        _check_function(plugin, function, code)


def _lacks(plugin: type[EnginePlugin], method: str) -> bool:
    inherited = inspect.getattr_static(EnginePlugin, method)
    return inspect.getattr_static(plugin, method) is inherited


def check_sizes(
    plugin: type[EnginePlugin], config: Mapping[str, Value], instance: Instance
) -> None:
    """Raises ValueError if the plugin's sizes are not the sizes that the model was compiled with.

    Also raises the exceptions of the plugin's methods, which could not be reported while MuJoCo
    compiled the model.
    """
    model, id_ = instance.model, instance.id
    wanted = size(plugin.state_size(config, instance), 'state_size')
    if model.plugin_statenum[id_] != wanted:
        raise ValueError(
            f'state_size returned {wanted}, but the model was compiled with'
            f' {model.plugin_statenum[id_]}'
        )
    for sensor in instance.sensors:
        wanted = size(plugin.sensor_size(config, instance, int(sensor)), 'sensor_size')
        if model.sensor_dim[sensor] != wanted:
            came = model.sensor_dim[sensor]
            raise ValueError(
                f'sensor_size returned {wanted} for sensor {sensor}, but the model was compiled'
                f' with {came}'
            )


def size(value: Any, method: str) -> int:
    """Checks and returns a plugin's size. Raises ValueError unless it is an integer >= 0."""
    if isinstance(value, (int, np.integer)) and value >= 0:
        return int(value)
    raise ValueError(f'{method} must be an integer >= 0, got {value!r}')


def box(value: Any) -> NDArray[Any]:
    """Returns the centre and half sizes of a plugin's bounds; the default centre is the origin."""
    array = np.asarray(value, float)
    if array.shape not in ((3,), (6,)) or not (np.isfinite(array).all() and min(array[-3:]) > 0):
        raise ValueError(f'bounds must be 3 half sizes, or centre and half sizes, got {value!r}')
    return array if len(array) == 6 else np.append(np.zeros(3), array)


def _check_names(plugin: str, attributes: Iterable[str]) -> None:
    """Raises PluginError for invalid names, for which MuJoCo itself would end the process."""
    names = (plugin, *attributes)
    for name in names:
        if not name.isprintable() or len(name.encode()) > _MAX_NAME:
            rule = f'must be printable and have at most {_MAX_NAME} bytes'
            raise PluginError(f'name {shown(name)} of engine plugin {shown(plugin)} {rule}')
    # `names` starts with the name of the plugin.
    if len(names) > 1 + _MAX_ATTRIBUTES:
        raise PluginError(
            f'engine plugin {plugin!r} must have at most {_MAX_ATTRIBUTES} attributes,'
            f' got {len(names) - 1}'
        )


def _check_function(plugin: type[EnginePlugin], function: Function, code: Any) -> None:
    where = f'{plugin.__qualname__}.{function.method}'
    if not isinstance(inspect.getattr_static(plugin, function.method), staticmethod):
        raise PluginError(f'{where} must be a @staticmethod, because it is compiled')
    wanted = _ARGUMENTS.get(function, 'p, model, data')
    came = ', '.join(inspect.signature(code).parameters)
    # Compares only the number of parameters, because authors can rename them.
    if came.count(',') != wanted.count(','):
        raise PluginError(f'{where} must take ({wanted}), got ({came})')
