"""The simulation as a plugin sees it: its clock, its status and its commands."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import numpy as np

from ..simulation import LatenessMeter, SavedState, Simulation, Status

Costs = dict[str, dict[str, float]]


class SimulationHandle:
    """Gives commands to the simulation, which run in order between two steps.

    Each returns a future; the physics thread, which carries it out, must not wait for that.
    """

    def __init__(self, simulation: Simulation, costs: Callable[[], Costs] = dict) -> None:
        self._simulation, self._costs = simulation, costs

    @property
    def time(self) -> float:
        """The simulation time of the newest step in seconds."""
        return self._simulation.time

    @property
    def ros_time(self) -> float:
        """The time of the stamps of the newest step in seconds, as `/clock` has it."""
        return self._simulation.ros_time

    @property
    def ros_offset(self) -> float:
        """The ROS time minus the simulation time in seconds.

        It is 0 unless `time_after_reset` is `continue`, and changes where an epoch begins. The
        physics thread may use it with the time of the data.
        """
        return self._simulation.ros_offset

    @property
    def epoch(self) -> int:
        """A number that changes with every load, reset, restored state and jump of the time."""
        return self._simulation.epoch

    @property
    def paused(self) -> bool:
        """Whether time stands still until the simulation is set running or a step is asked for."""
        return self._simulation.paused

    @property
    def realtime(self) -> float:
        """The simulated seconds per wall second that are asked for; -1: as many as possible."""
        return self._simulation.realtime

    def status(self) -> Status:
        """Tells how the simulation stands, at once; any thread may call it."""
        return self._simulation.status()

    def costs_ns(self) -> Costs:
        """Returns the mean cost of each timed callback in nanoseconds, by plugin and method."""
        return self._costs()

    def lateness_meter(self) -> LatenessMeter:
        """Makes a meter that tells how late steps begin; see `LatenessMeter.measure`."""
        return self._simulation.lateness_meter()

    def step(self, count: int = 1) -> Future[None]:
        """Makes steps while the simulation is paused; the future is done when they are made."""
        return self._simulation.step(count)

    def passive_forces(self) -> np.ndarray[Any, np.dtype[np.float64]] | None:
        """Returns the forces that passive callbacks added last; None without such callbacks.

        The physics thread may call this, in a function that was given to `submit`.
        """
        return self._simulation.passive_forces()

    def set_paused(self, paused: bool) -> Future[None]:
        """Pauses the simulation or runs it."""
        return self._simulation.set_paused(paused)

    def set_realtime(self, realtime: float) -> Future[None]:
        """Sets the simulated seconds per wall second; -1: as many as possible."""
        return self._simulation.set_realtime(realtime)

    def reset(self, keyframe: str | None = None) -> Future[list[str]]:
        """Puts the data back to the start, or to a keyframe, and tells every plugin.

        The future has sentences about plugins that fail, and about initial values that do not fit.
        """
        return self._simulation.reset(keyframe)

    def save(self) -> Future[SavedState]:
        """Saves the whole state, with the part of each plugin."""
        return self._simulation.save()

    def restore(self, saved: SavedState) -> Future[list[str]]:
        """Restores a saved state; the future has a sentence for each part that found no plugin."""
        return self._simulation.restore(saved)
