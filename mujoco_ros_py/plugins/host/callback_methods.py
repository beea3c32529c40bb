"""Finds the callbacks of a plugin class, and checks their signatures."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from typing import Any

from ...engine import Point
from ...errors import PluginError
from ..contract import AnyPlugin, CompiledCallback, MujocoPlugin
from ..mixins import MIXINS
from .render_callback import RENDER

_CALLBACKS = tuple(point.method for point in Point)
_MIXIN_OF = {name: mixin for mixin in MIXINS for name in vars(mixin) if not name.startswith('_')}
"""Maps attribute names to mixins. The server uses such an attribute only if the plugin's class
derives from the mixin."""
_OWNER = {
    name: owner
    for owner in (MujocoPlugin, *MIXINS)
    for name, value in vars(owner).items()
    if inspect.isfunction(value) and not name.startswith('_')
}
"""The class that defines each method of the contract."""
_KNOWN = {*dir(MujocoPlugin), *_MIXIN_OF}
_DEFERRED = (
    inspect.iscoroutinefunction,
    inspect.isgeneratorfunction,
    inspect.isasyncgenfunction,
)
"""Predicates for functions whose body does not run when they are called."""
_CLOSE, _SHORT = 0.82, 4
"""The lowest difflib ratio at which a name counts as misspelt (`upload` and `load` reach only
0.8). Short names of the contract, of up to `_SHORT` letters, resemble many other names, such as
`save` and `saved`. A misspelt one must have the same letters in another order."""


def callback_functions(plugin: AnyPlugin) -> dict[Point, Callable[..., Any]]:
    """Returns the callbacks that the plugin's class overrides, by callback point.

    A plugin can set an attribute to None to leave a callback out.
    """
    found = {
        point: getattr(plugin, point.method)
        for point in Point
        if point is not Point.RENDER and _overridden(type(plugin), point.method) is not None
    }
    return {point: function for point, function in found.items() if function is not None}


def render_function(plugin: AnyPlugin) -> Callable[..., Any] | None:
    """Returns the render callback, or None if the plugin's class does not override it."""
    return None if _overridden(type(plugin), RENDER) is None else plugin.render_callback


def check_callbacks(plugin_class: type) -> None:
    """Raises PluginError if a class is not a plugin, or a method has a wrong signature."""
    if not issubclass(plugin_class, MujocoPlugin):
        raise PluginError(f'{plugin_class.__qualname__} does not derive from MujocoPlugin')
    for name, mixin in _MIXIN_OF.items():
        if hasattr(plugin_class, name) and not issubclass(plugin_class, mixin):
            raise PluginError(
                f'{plugin_class.__qualname__}.{name} is used only if the class also derives from'
                f' mujoco_ros_py.plugins.{mixin.__name__}'
            )
    for method in _OWNER:
        function = _overridden(plugin_class, method)
        if function is not None:
            _check_signature(plugin_class, method, function)


def misspelt(plugin_class: type) -> Iterator[str]:
    """Yields a warning for each method whose name looks like a misspelt name of the contract."""
    missing = {_folded(name): name for name in _OWNER if not _overridden(plugin_class, name)}
    for name in dir(plugin_class):
        function = inspect.getattr_static(plugin_class, name)
        own = not name.startswith('_') and name not in _KNOWN
        if not own or not _is_method(function):
            continue
        where = f'{plugin_class.__qualname__}.{name}'
        if meant := _meant(_folded(name), missing):
            yield f'{where} is not called by the server: did you mean {missing[meant]}?'


def _is_method(attribute: Any) -> bool:
    function = getattr(attribute, '__func__', attribute)  # unwraps a static or class method
    return callable(function) and not isinstance(function, type)


def _folded(name: str) -> str:
    """Normalizes a name, so that the C++ name lastStageCallback matches last_stage_callback."""
    return name.replace('_', '').lower()


def _meant(name: str, missing: Iterable[str]) -> str:
    """Returns the missing name that `name` probably stands for; empty if no name is similar."""
    inner = name.removeprefix('on')
    if inner in map(_folded, _OWNER):  # `on_load` means `load`, not the more similar `unload`
        return inner if inner in missing else ''
    swapped = (each for each in missing if sorted(each) == sorted(name))
    long = [each for each in missing if len(each) > _SHORT]
    return next(swapped, '') or ''.join(get_close_matches(name, long, n=1, cutoff=_CLOSE))


def _overridden(plugin_class: type, method: str) -> Any:
    found = (vars(base)[method] for base in plugin_class.__mro__ if method in vars(base))
    function = next(found, None)
    return None if function is vars(_OWNER[method])[method] else function


def _check_signature(plugin_class: type, method: str, function: Any) -> None:
    where = f'{plugin_class.__qualname__}.{method}'
    expected = list(inspect.signature(getattr(_OWNER[method], method)).parameters)
    inner = getattr(function, '__func__', function)
    if isinstance(inner, CompiledCallback):
        if method not in _CALLBACKS:
            raise PluginError(f'{where} is not a callback, and must not be @compiled')
        expected[0], function = 'state', inner.function
    if isinstance(function, staticmethod) and method in _CALLBACKS:
        raise PluginError(f'{where} must be a method, or @staticmethod and @compiled')
    if isinstance(function, staticmethod | classmethod) or not callable(function):
        raise PluginError(f'{where} must be a method')
    if any(deferred(function) for deferred in _DEFERRED):
        raise PluginError(f'{where} must be an ordinary method, not a coroutine or a generator')
    try:
        inspect.signature(function).bind(*expected)
    except TypeError:
        raise PluginError(
            f'{where} must take ({", ".join(expected)}), takes {inspect.signature(function)}'
        ) from None
