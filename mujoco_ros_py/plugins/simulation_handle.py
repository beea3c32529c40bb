"""The simulation's clock, status and commands, as plugins access them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import numpy as np

from ..simulation import LatenessMeter, SavedState, Simulation, Status

Costs = dict[str, dict[str, float]]


class SimulationHandle:
    """Sends commands to the simulation, which executes them in order between two steps.

    Each command returns a future. The physics thread must not wait for this future, because it
    executes the commands.
    """

    def __init__(self, simulation: Simulation, costs: Callable[[], Costs] = dict) -> None:
        self._simulation, self._costs = simulation, costs

    @property
    def time(self) -> float:
        """The simulation time of the latest step, in seconds."""
        return self._simulation.time

    @property
    def ros_time(self) -> float:
        """The ROS time of the latest step in seconds, as in stamps and on `/clock`."""
        return self._simulation.ros_time

    @property
    def ros_offset(self) -> float:
        """The ROS time minus the simulation time, in seconds.

        It is 0 unless `time_after_reset` is `continue`, and changes only when a new epoch begins.
        The physics thread can add it to the time of the data.
        """
        return self._simulation.ros_offset

    @property
    def epoch(self) -> int:
        """A number that changes with each load, reset, restored state and jump in time."""
        return self._simulation.epoch

    @property
    def paused(self) -> bool:
        """Whether the simulation is paused and advances only by requested steps."""
        return self._simulation.paused

    @property
    def realtime(self) -> float:
        """The requested simulated seconds per wall second; -1: as fast as possible."""
        return self._simulation.realtime

    def status(self) -> Status:
        """Returns the status of the simulation without waiting. Any thread may call this."""
        return self._simulation.status()

    def costs_ns(self) -> Costs:
        """Returns the mean cost of each timed callback in nanoseconds, by plugin and method."""
        return self._costs()

    def lateness_meter(self) -> LatenessMeter:
        """Returns a meter of how late steps begin; see `LatenessMeter.measure`."""
        return self._simulation.lateness_meter()

    def step(self, count: int = 1) -> Future[None]:
        """Makes `count` steps while paused; the future completes after the last step."""
        return self._simulation.step(count)

    def passive_forces(self) -> np.ndarray[Any, np.dtype[np.float64]] | None:
        """Returns the forces that passive callbacks added last; None if no plugin has one.

        Call this only on the physics thread, in a function passed to `submit`.
        """
        return self._simulation.passive_forces()

    def set_paused(self, paused: bool) -> Future[None]:
        """Pauses or resumes the simulation."""
        return self._simulation.set_paused(paused)

    def set_realtime(self, realtime: float) -> Future[None]:
        """Sets the simulated seconds per wall second; -1: as fast as possible."""
        return self._simulation.set_realtime(realtime)

    def reset(self, keyframe: str | None = None) -> Future[list[str]]:
        """Resets the data to the initial state or to a keyframe, and calls `reset` of all plugins.

        The future returns messages about plugins that failed, and about initial values that do not
        fit the model.
        """
        return self._simulation.reset(keyframe)

    def save(self) -> Future[SavedState]:
        """Saves the complete state, including the saved data of each plugin."""
        return self._simulation.save()

    def restore(self, saved: SavedState) -> Future[list[str]]:
        """Restores a saved state; the future returns a message for each unmatched plugin."""
        return self._simulation.restore(saved)
