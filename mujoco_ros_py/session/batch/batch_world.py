"""The user's view of one world of a batch."""

from __future__ import annotations

from typing import Any

import mujoco

from ...plugins import MujocoPlugin
from ...simulation import SavedState
from .stepped_world import SteppedWorld
from .world_stepper import WorldStepper


class BatchWorld:
    """One world of a batch, to inspect and change between two calls of the batch."""

    def __init__(self, world: SteppedWorld, stepper: WorldStepper) -> None:
        self._world, self._stepper = world, stepper

    @property
    def index(self) -> int:
        """The index of the world in its batch."""
        return self._world.index

    @property
    def model(self) -> mujoco.MjModel:
        """The model; all worlds use the same object if the batch was made with `share_model`."""
        return self._world.model

    @property
    def data(self) -> mujoco.MjData:
        """The world's MjData; replaced by a new object if a reset follows a plugin's failure."""
        return self._world.data

    @property
    def plugins(self) -> dict[str, MujocoPlugin[Any]]:
        """The ready plugins by name, in load order."""
        return self._world.plugins

    @property
    def time(self) -> float:
        """The simulation time in seconds."""
        return self._world.time

    @property
    def failure(self) -> str:
        """Why the world failed, or ''. A failed world is not stepped until its reset."""
        return self._world.failure

    @property
    def warning(self) -> str:
        """MuJoCo's latest warning since the last reset; empty if it has not warned."""
        return self._world.warning

    def save(self) -> SavedState:
        """Saves the state of the world and of each plugin; a `Session` can restore it too.

        Raises EngineError if the world has failed, and PluginError if a plugin cannot save its
        state.
        """
        with self._stepper.alone():
            return self._world.save()

    def restore(self, saved: SavedState) -> list[str]:
        """Restores a saved state; returns a message for each plugin that it could not restore.

        These are plugins without a part in the state, plugins that exist only in the state, and
        plugins that fail to restore. Raises SimulationError for a state of another model.
        """
        with self._stepper.alone():
            return self._world.restore(saved)
