"""One plugin as the host sees it: where in its life it is, and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from ..config import PluginConfig
from ..engine import Point
from ..simulation import Owner
from .contract import MujocoPlugin
from .painting import RenderCallback


class PluginState(Enum):
    """Where in its life a plugin is."""

    REGISTERED = 'registered'
    INSTANTIATED = 'instantiated'
    LOADED = 'loaded'
    """Ready: gets callbacks and resets."""
    REFUSED = 'refused'
    """Could not be made or did not load; gets nothing until a reload."""
    FAILED = 'failed'
    """Raised while it ran; gets nothing but `unload`."""
    UNLOADED = 'unloaded'


ALIVE = (PluginState.REGISTERED, PluginState.INSTANTIATED, PluginState.LOADED)
"""Neither refused nor failed nor at its end."""


@dataclass(slots=True)
class HostedPlugin:
    """What the host knows of one plugin."""

    config: PluginConfig
    state: PluginState = PluginState.REGISTERED
    reason: str = ''
    """Why it was refused or failed."""
    plugin: MujocoPlugin[Any] | None = None
    load_time_s: float = 0.0
    reset_time_s: float | None = None
    """How long its last reset took; None before the first."""
    rows: dict[Point, int] = field(default_factory=dict)
    """Where its callbacks stand in the table."""
    render: RenderCallback | None = None
    owner: Owner = field(init=False)
    """Whom the plugin's functions belong to, on whichever thread they are called."""

    @property
    def name(self) -> str:
        """The plugin's name in the server."""
        return self.config.name

    @property
    def ready(self) -> bool:
        """Gets callbacks and resets."""
        return self.state is PluginState.LOADED
