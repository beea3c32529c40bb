"""Which callbacks a plugin has, and whether they can be called."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ..engine import PHYSICS, Point
from ..errors import PluginError
from .contract import CompiledCallback, MujocoPlugin
from .painting import RENDER

_METHODS = ('load', 'reset', 'unload')


def callback_functions(plugin: MujocoPlugin) -> dict[Point, Callable[..., Any]]:
    """The callbacks that the plugin's class overrides, by point."""
    return {
        point: getattr(plugin, point.method)
        for point in PHYSICS
        if _overridden(type(plugin), point.method) is not None
    }


def render_function(plugin: MujocoPlugin) -> Callable[..., Any] | None:
    """The render callback, if the plugin's class overrides it."""
    return None if _overridden(type(plugin), RENDER) is None else plugin.render_callback


def check_callbacks(plugin_class: type) -> None:
    """Raises PluginError if the class is no plugin or a method cannot be called as it will be."""
    if not issubclass(plugin_class, MujocoPlugin):
        raise PluginError(f'{plugin_class.__qualname__} does not derive from MujocoPlugin')
    for method in (*_METHODS, *(point.method for point in Point)):
        function = _overridden(plugin_class, method)
        if function is not None:
            _check_signature(plugin_class, method, function)


def _overridden(plugin_class: type, method: str) -> Any:
    function = inspect.getattr_static(plugin_class, method)
    return None if function is inspect.getattr_static(MujocoPlugin, method) else function


def _check_signature(plugin_class: type, method: str, function: Any) -> None:
    expected = list(inspect.signature(getattr(MujocoPlugin, method)).parameters)
    if isinstance(function, CompiledCallback) and method in _METHODS:
        raise PluginError(f'{plugin_class.__qualname__}.{method} is no callback: not @compiled')
    if isinstance(function, CompiledCallback):
        expected[0], function = 'state', function.function
    if isinstance(function, staticmethod | classmethod) or not callable(function):
        raise PluginError(f'{plugin_class.__qualname__}.{method} must be a method')
    try:
        inspect.signature(function).bind(*expected)
    except TypeError:
        raise PluginError(
            f'{plugin_class.__qualname__}.{method} must take ({", ".join(expected)}), '
            f'takes {inspect.signature(function)}'
        ) from None
