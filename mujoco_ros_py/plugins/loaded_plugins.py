"""The plugins of one load together: what the host keeps of them, and each of them may look at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import mujoco

from ..simulation import OwnedCallback
from .contract import MujocoPlugin


@dataclass(slots=True)
class LoadedPlugins:
    """The plugins that are loaded, and how far their common life has come."""

    loaded: dict[str, MujocoPlugin[Any]] = field(default_factory=dict)
    """By name, in load order."""
    model: mujoco.MjModel | None = None
    """The model that they are loaded with; None before the load."""
    closed: bool = False
    """They are unloaded."""
    painters: tuple[OwnedCallback, ...] = ()
    """What adds to images, in load order."""
    costs: Callable[[], dict[str, dict[str, float]]] = dict
    """Mean costs of callbacks in nanoseconds, by plugin and method."""
