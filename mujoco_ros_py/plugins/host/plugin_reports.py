"""Reads the diagnostics and the switches of a plugin, and sets the switches.

Any thread may call the functions.
"""

from __future__ import annotations

from concurrent.futures import Future

from ...errors import PluginError
from ..mixins import Diagnosable, Switchable
from .hosted_plugin import HostedPlugin


def diagnostics_of(hosted: HostedPlugin) -> dict[str, str]:
    """Returns the values that a plugin adds to its diagnostics."""
    if not isinstance(hosted.plugin, Diagnosable):
        return {}
    values = hosted.tell('diagnostics', lambda plugin: plugin.diagnostics())
    return {name: str(value) for name, value in (values or {}).items()}


def switches_of(hosted: HostedPlugin) -> dict[str, bool]:
    """Returns the parts of a plugin that can be switched, and whether each is on."""
    if not isinstance(hosted.plugin, Switchable):
        return {}
    values = hosted.tell('switches', lambda plugin: plugin.switches())
    return {name: bool(on) for name, on in (values or {}).items()}


def switch(hosted: HostedPlugin, name: str, on: bool) -> Future[None]:
    """Switches a part of a plugin between two steps. Raises PluginError if it has no parts."""
    plugin = hosted.plugin
    if plugin is None or not isinstance(plugin, Switchable) or not hosted.ready:
        raise PluginError(f'plugin {hosted.name!r} has no switches')
    call = plugin.switch
    return plugin.environment.submit(lambda model, data: call(name, on))
