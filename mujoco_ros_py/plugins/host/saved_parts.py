"""The part that each plugin has in a saved state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...errors import ConfigError, PluginError, SimulationError
from ..contract import AnyPlugin
from ..mixins import Savable, check_saved_state, restore_saved_state, saved_state
from .hosted_plugin import HostedPlugin


def save_parts(plugins: Sequence[HostedPlugin]) -> dict[str, Any]:
    """Returns what each plugin saves, by name. Raises PluginError if one of them cannot."""
    ready = [hosted for hosted in plugins if hosted.ready]
    saved = {each.name: each.tell('save', _save) for each in ready}
    if failed := [each for each in ready if not each.ready]:
        reasons = '; '.join(f'{each.name}: {each.reason}' for each in failed)
        raise PluginError(f'the state is not saved: {reasons}')
    return saved


def check_parts(plugins: Sequence[HostedPlugin], saved: Mapping[str, Any]) -> None:
    """Raises SimulationError for parts that plugins refuse, and restores nothing."""
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
    """Gives each plugin what it has saved; returns a sentence for each that does not fit.

    `configure` gives a plugin its present configuration, as the state may have older live values.
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
        *(f'plugin {name!r} was not there when the state was saved' for name in unsaved),
        *(f'plugin {name!r}, whose state was saved, is not there' for name in gone),
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
