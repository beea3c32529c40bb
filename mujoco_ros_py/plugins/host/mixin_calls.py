"""Calls the methods of mixins on the plugins that derive from them.

Covers live values, plugins that stay through a reload, model changes, emergency stops and saved
states. The plugin's lifecycle itself is in `HostedPlugin`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import mujoco

from ...config import NO_GROUP, Group
from ...errors import ConfigError, PluginError, SimulationError
from ...log_throttle import Throttle
from ...simulation import ModelChange
from ..contract import AnyPlugin
from ..mixins import (
    Adaptable,
    Hardware,
    Reconfigurable,
    Savable,
    Stoppable,
    check_saved_state,
    restore_saved_state,
    saved_state,
)
from .hosted_plugin import HostedPlugin

_log = logging.getLogger(__name__)


class LiveValues:
    """Sets live values, and limits how often each refusal is logged. Physics thread only."""

    def __init__(self) -> None:
        self._refusals = Throttle()

    def __call__(self, hosted: HostedPlugin, config: Any) -> ConfigError | None:
        """Applies a configuration with other live values to a plugin.

        Returns the error if the plugin refuses the values, after logging it, or None.
        """

        def configure(plugin: AnyPlugin) -> ConfigError | None:
            try:
                if isinstance(plugin, Reconfigurable):
                    plugin.configure(config)
            except ConfigError as error:
                self._keeps(hosted, error)
                return error
            plugin.config = config
            return None

        refused: ConfigError | None = hosted.tell('configure', configure)
        return refused

    def _keeps(self, hosted: HostedPlugin, error: ConfigError) -> None:
        text = f'plugin {hosted.name!r} keeps its configuration: {error}'
        line = self._refusals.line(text, error, hosted.name)
        if line is not None:
            _log.error('%s', line)


def staying(
    before: Sequence[HostedPlugin], wanted: Sequence[HostedPlugin], *, live: bool
) -> dict[str, HostedPlugin]:
    """Returns the old plugins that can stay with the wanted configurations, by name.

    With `live`, a plugin can also stay if its live values were changed after its construction.
    """
    there = {hosted.name: hosted for hosted in before}
    return {
        new.name: there[new.name]
        for new in wanted
        if new.name in there and _stays(there[new.name], new, live)
    }


def _stays(old: HostedPlugin, new: HostedPlugin, live: bool) -> bool:
    """Returns whether the old plugin matches the new configuration and can adapt."""
    before, after = old.plugin, new.plugin
    return (
        old.ready
        and before is not None
        and after is not None
        and type(before) is type(after)
        and _adapts(type(before))
        and (before.config == after.config or (live and old.given == after.config))
        and old.config.group == new.config.group
    )


def _adapts(kind: type[AnyPlugin]) -> bool:
    """Returns whether plugins of a class can adapt to another model.

    A class that overrides `load` but not `adapt` cannot: its `load` may look up more in the model
    than the inherited `adapt` repeats.
    """
    if not issubclass(kind, Adaptable) or kind.adapt is Adaptable.adapt:
        return False
    owners = {name: _place(kind, name) for name in ('adapt', 'load')}
    return owners['adapt'] <= owners['load']


def _place(kind: type[Any], name: str) -> int:
    """Returns the index, in the method resolution order, of the class that defines a method."""
    return next(k for k, base in enumerate(kind.__mro__) if name in vars(base))


def stop_plugins(
    plugins: Sequence[HostedPlugin],
    model: mujoco.MjModel,
    data: mujoco.MjData,
    stopped: bool,
    group: Group,
) -> list[str]:
    """Stops or releases each plugin of a group that overrides `emergency_stop`.

    Returns the names of the plugins, without those that fail in the call.
    """
    able = [
        each
        for each in plugins
        if each.ready and _can_be_stopped(each) and group in (each.config.group, NO_GROUP)
    ]
    for hosted in able:
        _stop(hosted, model, data, stopped)
    return [hosted.name for hosted in able if hosted.ready]


def start_again(hosted: HostedPlugin, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Restarts a plugin that stayed through a reload, and releases it from an emergency stop."""
    if _can_be_stopped(hosted):
        _stop(hosted, model, data, False)
    hosted.reset(model, data)


def _can_be_stopped(hosted: HostedPlugin) -> bool:
    """Returns whether the plugin overrides `emergency_stop`."""
    plugin = hosted.plugin
    return (
        isinstance(plugin, Stoppable)
        and type(plugin).emergency_stop is not Stoppable.emergency_stop
    )


def _stop(hosted: HostedPlugin, model: mujoco.MjModel, data: mujoco.MjData, stopped: bool) -> None:
    def told(plugin: AnyPlugin) -> None:
        if isinstance(plugin, Stoppable):
            plugin.emergency_stop(model, data, stopped)

    hosted.tell('emergency_stop', told)


def tell_changes(
    plugins: Sequence[HostedPlugin],
    model: mujoco.MjModel,
    data: mujoco.MjData,
    changes: Sequence[ModelChange],
) -> None:
    """Notifies plugins of the elements of the model whose values have changed."""

    def told(plugin: AnyPlugin) -> None:
        if isinstance(plugin, Adaptable):
            for change in changes:
                plugin.model_changed(model, data, change)

    for hosted in plugins:
        hosted.tell('model_changed', told)


def restore_model(
    plugins: Sequence[HostedPlugin], model: mujoco.MjModel, data: mujoco.MjData
) -> None:
    """Makes plugins restore the values of the model that they have changed in callbacks."""

    def told(plugin: AnyPlugin) -> None:
        if isinstance(plugin, Hardware):
            plugin.restore_model(model, data)

    for hosted in plugins:
        hosted.tell('restore_model', told)


def save_parts(plugins: Sequence[HostedPlugin]) -> dict[str, Any]:
    """Returns each plugin's saved data, by name. Raises PluginError if one fails to save."""
    ready = [hosted for hosted in plugins if hosted.ready]
    saved = {each.name: each.tell('save', _save) for each in ready}
    if failed := [each for each in ready if not each.ready]:
        reasons = '; '.join(f'{each.name}: {each.reason}' for each in failed)
        raise PluginError(f'the state is not saved: {reasons}')
    return saved


def check_parts(plugins: Sequence[HostedPlugin], saved: Mapping[str, Any]) -> None:
    """Raises SimulationError if a plugin refuses its saved data; restores nothing."""
    refused = []
    for hosted in plugins:
        if hosted.ready and hosted.plugin is not None and hosted.name in saved:
            try:
                with hosted.owner.at('check_saved'):
                    _check(hosted.plugin, saved[hosted.name])
            except ConfigError as error:
                refused.append(f'plugin {hosted.name!r}: {error}')
            except BaseException as error:
                hosted.fail('check_saved', error)
                refused.append(f'plugin {hosted.name!r}: {hosted.reason}')
    if refused:
        raise SimulationError(f'the saved state does not fit the plugins: {"; ".join(refused)}')


def restore_parts(
    plugins: Sequence[HostedPlugin],
    saved: Mapping[str, Any],
    configure: Callable[[HostedPlugin, Any], object],
) -> list[str]:
    """Restores each plugin's saved data; returns a message for each unmatched plugin.

    `configure` passes the current configuration to a plugin, because the saved state may contain
    older live values.
    """
    ready = [hosted for hosted in plugins if hosted.ready]
    for hosted in ready:
        if hosted.name in saved:
            hosted.tell('restore', lambda plugin: _restore(plugin, saved[plugin.name]))
            if hosted.plugin is not None:
                configure(hosted, hosted.plugin.config)
    unsaved = [each.name for each in ready if each.name not in saved]
    gone = [name for name in saved if name not in {each.name for each in ready}]
    return [
        *(f'plugin {name!r} has no part in the saved state' for name in unsaved),
        *(f'plugin {name!r} has a part in the saved state, but is not loaded' for name in gone),
    ]


def _save(plugin: AnyPlugin) -> Any:
    return plugin.save() if isinstance(plugin, Savable) else saved_state(plugin.state)


def _check(plugin: AnyPlugin, saved: Any) -> None:
    if isinstance(plugin, Savable):
        plugin.check_saved(saved)
    else:
        check_saved_state(saved, saved_state(plugin.state))


def _restore(plugin: AnyPlugin, saved: Any) -> None:
    if isinstance(plugin, Savable):
        plugin.restore(saved)
    else:
        restore_saved_state(plugin.state, saved)
