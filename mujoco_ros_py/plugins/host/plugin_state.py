"""The states in the lifecycle of a plugin."""

from __future__ import annotations

from enum import Enum


class PluginState(Enum):
    """The state of a plugin in its lifecycle."""

    REGISTERED = 'registered'
    INSTANTIATED = 'instantiated'
    LOADED = 'loaded'
    """Ready: the plugin receives callbacks and resets."""
    REFUSED = 'refused'
    """The plugin could not be constructed or loaded; it stays unused until a reload."""
    FAILED = 'failed'
    """The plugin raised an exception while running; only `unload` is still called."""
    UNLOADED = 'unloaded'


ALIVE = (PluginState.REGISTERED, PluginState.INSTANTIATED, PluginState.LOADED)
"""The states in which a plugin is not refused, failed or unloaded."""
