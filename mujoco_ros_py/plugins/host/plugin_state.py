"""The states of a plugin, from its registration to its end."""

from __future__ import annotations

from enum import Enum


class PluginState(Enum):
    """The state of a plugin in its lifecycle."""

    REGISTERED = 'registered'
    INSTANTIATED = 'instantiated'
    LOADED = 'loaded'
    """The plugin is ready: it gets callbacks and resets."""
    REFUSED = 'refused'
    """The plugin could not be made or did not load; it gets nothing until a reload."""
    FAILED = 'failed'
    """The plugin raised while it ran; it gets nothing but `unload`."""
    UNLOADED = 'unloaded'


ALIVE = (PluginState.REGISTERED, PluginState.INSTANTIATED, PluginState.LOADED)
"""The states of a plugin that is neither refused nor failed nor unloaded."""
