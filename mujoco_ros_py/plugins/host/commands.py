"""Sends commands to plugins by name, and lists which plugin drives each actuator."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import mujoco

from ...config import listed
from ...config.wording import summary, unknown
from ...errors import ConfigError, MujocoRosError, PluginError
from ..contract import AnyPlugin
from ..mixins import Commandable

Plugins = Mapping[str, AnyPlugin]


def give_command(plugins: Plugins, name: str, topic: str, fields: Mapping[str, Any]) -> None:
    """Sends a command to the plugin `name`, and returns when the plugin has processed it.

    If `topic` is empty, the plugin's `take_command` receives the fields. If `topic` is given, or
    the plugin has no `take_command`, a message with these fields is injected into the plugin's
    subscription, which requires ROS. Any thread except the physics thread may call this.

    Raises ConfigError for an unknown plugin, topic or field, or if the plugin refuses the command.
    Raises PluginError if the command makes the plugin fail.
    """
    if name not in plugins:
        raise ConfigError(unknown('plugin', name, plugins))
    plugin = plugins[name]
    try:
        take = plugin.take_command if isinstance(plugin, Commandable) else None
        if topic or take is None:
            _deliver(plugin, topic, fields)
        else:
            _have_taken(plugin, take, fields)
    except ConfigError as error:
        raise ConfigError(f'command of {name}: {error}') from None


def actuator_owners(plugins: Plugins) -> dict[str, str]:
    """Returns a mapping from each driven actuator to the name and type of its plugin."""
    return {
        actuator: f'{name} ({type(plugin).__name__})'
        for name, plugin in plugins.items()
        if isinstance(plugin, Commandable)
        for actuator in plugin.driven_actuators
    }


def _deliver(plugin: AnyPlugin, topic: str, fields: Mapping[str, Any]) -> None:
    if not plugin.ros:
        what = f'topic {topic!r}' if topic else 'a plugin without take_command'
        instead = '' if topic else ', or derive the plugin from Commandable'
        raise ConfigError(f'{what} needs ROS: start the server with process=True{instead}')
    plugin.ros.inbox.deliver(topic, fields)
    # The callback may have submitted functions to the physics thread: waits until they have run.
    plugin.environment.submit(lambda model, data: None).result()


def _have_taken(plugin: AnyPlugin, take: Callable[..., None], fields: Mapping[str, Any]) -> None:
    """Calls a plugin's `take_command` between two steps."""
    _check_names(take, fields)

    def call(model: mujoco.MjModel, data: mujoco.MjData) -> Exception | None:
        try:
            take(model, data, **fields)
        except (MujocoRosError, TypeError, ValueError) as error:
            return error
        return None

    try:
        refused = plugin.environment.submit(call).result()
    except MujocoRosError:
        raise
    except Exception as error:
        raise PluginError(f'take_command of {plugin.name} raised {summary(error)}') from error
    if refused is not None:
        raise ConfigError(str(refused))


def _check_names(take: Callable[..., None], fields: Mapping[str, Any]) -> None:
    """Raises ConfigError for an unknown field, or if a required field is missing."""
    parameters = inspect.signature(take).parameters.values()
    if any(each.kind is each.VAR_KEYWORD for each in parameters):
        return
    known = {each.name: each for each in parameters if each.kind is each.KEYWORD_ONLY}
    if strange := [name for name in fields if name not in known]:
        raise ConfigError(unknown('field', strange[0], known))
    required = (name for name, each in known.items() if each.default is each.empty)
    if missing := [name for name in required if name not in fields]:
        raise ConfigError(f'{listed(missing)} must be given; known: {listed(known)}')
