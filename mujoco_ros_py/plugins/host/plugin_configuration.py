"""Creates a plugin's configuration: the dataclass that its class specifies, or the mapping."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, get_args, get_origin

from ...config import read
from ...errors import PluginError
from ..contract import AnyPlugin, MujocoPlugin


def configuration(plugin_class: type[AnyPlugin], values: Mapping[str, Any]) -> Any:
    """Returns the value of `self.config`. Raises ConfigError for invalid values."""
    config = config_class(plugin_class)
    return values if config is None else read(config, values)


def config_class(plugin_class: type[AnyPlugin]) -> Any:
    """Returns `Config` of a class derived from `MujocoPlugin[Config]`; None if not specified.

    Raises PluginError if `Config` is not a frozen dataclass.
    """
    for each in plugin_class.__mro__:
        for base in each.__dict__.get('__orig_bases__', ()):
            origin = get_origin(base)
            if isinstance(origin, type) and issubclass(origin, MujocoPlugin):
                argument = get_args(base)[0]
                if not isinstance(argument, TypeVar):
                    return _checked(plugin_class, argument)
    return None


def _checked(plugin_class: type, config: Any) -> Any:
    if get_origin(config) is not None or config is Any:  # MujocoPlugin[Mapping[str, Any]]
        return None
    made = getattr(config, '__dataclass_params__', None)
    if made is None or not made.frozen:
        name = getattr(config, '__qualname__', config)
        raise PluginError(
            f'{plugin_class.__qualname__}: the configuration {name} must be a frozen dataclass'
        )
    return config
