"""Who is told which model runs."""

from __future__ import annotations

from typing import Protocol

import mujoco


class ModelFollower(Protocol):
    """Follows which model runs; its methods are called on the physics thread."""

    @property
    def copies(self) -> int:
        """How many copies of the data it has; any thread may ask."""

    def adopt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Is called when the loop has another model or other data."""

    def refresh(self) -> None:
        """Is called when the plugins of a model have been loaded."""


class NoFollower:
    """A follower that does nothing."""

    copies = 0

    def adopt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Does nothing."""

    def refresh(self) -> None:
        """Does nothing."""
