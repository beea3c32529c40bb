"""One world of a batch, as its user sees it."""

from __future__ import annotations

from typing import Any

import mujoco

from ..plugins import MujocoPlugin
from ..simulation import SavedState
from .stepped_world import SteppedWorld
from .world_stepper import WorldStepper


class BatchWorld:
    """One world of a batch, to be looked at and changed between two calls of the batch."""

    def __init__(self, world: SteppedWorld, stepper: WorldStepper) -> None:
        self._world, self._stepper = world, stepper

    @property
    def index(self) -> int:
        """The number of the world in its batch."""
        return self._world.index

    @property
    def model(self) -> mujoco.MjModel:
        """The model, which other worlds have too if the batch shares it."""
        return self._world.model

    @property
    def data(self) -> mujoco.MjData:
        """The data of the world; they are others after a reset that follows a plugin's failure."""
        return self._world.data

    @property
    def plugins(self) -> dict[str, MujocoPlugin[Any]]:
        """The plugins that are ready, by name, in load order."""
        return self._world.plugins

    @property
    def time(self) -> float:
        """The simulation time in seconds."""
        return self._world.time

    @property
    def failure(self) -> str:
        """The reason why the world is stepped no more until its reset; empty if it is."""
        return self._world.failure

    @property
    def warning(self) -> str:
        """MuJoCo's latest warning since the last reset; empty if there was none."""
        return self._world.warning

    def save(self) -> SavedState:
        """Saves the whole state with that of each plugin; a `Session` can restore it too.

        Raises EngineError while the world has failed, and PluginError for a plugin that cannot.
        """
        with self._stepper.alone():
            return self._world.save()

    def restore(self, saved: SavedState) -> list[str]:
        """Goes on from a saved state; returns which plugins had no part in it, are gone or fail.

        Raises SimulationError for the state of another model.
        """
        with self._stepper.alone():
            return self._world.restore(saved)
