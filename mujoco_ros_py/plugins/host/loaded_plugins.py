"""The plugins of one load, shared by their host and their environments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import mujoco

from ...config import Group
from ..contract import AnyPlugin
from .render_callback import Painter


@dataclass(slots=True)
class LoadedPlugins:
    """The plugins that were loaded together, kept up to date by their host."""

    by_name: dict[str, AnyPlugin] = field(default_factory=dict)
    """The ready plugins, in load order."""
    model: mujoco.MjModel | None = None
    """The model that the plugins were loaded with; None before the load."""
    urdfs: Mapping[str, str] = field(default_factory=dict)
    """Maps the prefix of a robot's names in the model to its URDF text, which is empty if the
    robot was not read from URDF."""
    closed: bool = False
    """Whether the plugins have been unloaded."""
    painters: tuple[Painter, ...] = ()
    """The render callbacks of the plugins, in load order."""
    stop: Callable[[mujoco.MjModel, mujoco.MjData, bool, Group], list[str]] = lambda *_: []
    """Stops or releases the stoppable plugins of a group, and returns their names."""
    costs: Callable[[], dict[str, dict[str, float]]] = dict
    """Returns the mean cost of each callback in nanoseconds, by plugin and method."""
