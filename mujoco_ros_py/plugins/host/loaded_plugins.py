"""The plugins of one load, as their host keeps them and as each of them may see them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import mujoco

from ...config import Group
from ..contract import AnyPlugin
from .render_callback import Painter


@dataclass(slots=True)
class LoadedPlugins:
    """The plugins that are loaded together; the host changes it as their life goes on."""

    by_name: dict[str, AnyPlugin] = field(default_factory=dict)
    """The plugins that are ready, in load order."""
    model: mujoco.MjModel | None = None
    """The model with which the plugins are loaded; None before the load."""
    urdfs: Mapping[str, str] = field(default_factory=dict)
    """The texts of URDF that robots were read from, by the prefix of their names in the model."""
    closed: bool = False
    """Whether the plugins have been unloaded."""
    painters: tuple[Painter, ...] = ()
    """The render callbacks of the plugins, in load order."""
    stop: Callable[[mujoco.MjModel, mujoco.MjData, bool, Group], list[str]] = lambda *_: []
    """Stops or releases the plugins of a group that can be stopped, and returns their names."""
    costs: Callable[[], dict[str, dict[str, float]]] = dict
    """Returns the mean cost of each callback in nanoseconds, by plugin and method."""
