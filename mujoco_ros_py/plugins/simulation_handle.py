"""The simulation as a plugin sees it: what it may ask, and what it may tell it to do."""

from __future__ import annotations

from concurrent.futures import Future

from ..simulation import SavedState, Simulation, Status


class SimulationHandle:
    """Commands return futures and run between two steps, in the order in which they are given.

    Do not wait for one on the physics thread, which is to carry it out.
    """

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation

    @property
    def time(self) -> float:
        """Simulation time of the newest step, in seconds."""
        return self._simulation.time

    @property
    def epoch(self) -> int:
        """A number that changes with every load, reset, restored state and jump of the time."""
        return self._simulation.epoch

    @property
    def paused(self) -> bool:
        """Whether time stands still, until it is set running or a step is asked for."""
        return self._simulation.paused

    @property
    def realtime(self) -> float:
        """How much is simulated in a second of wall time, in seconds; -1: as much as possible."""
        return self._simulation.realtime

    def status(self) -> Status:
        """How the simulation stands, at once and from any thread."""
        return self._simulation.status()

    def step(self, count: int = 1) -> Future[None]:
        """Makes steps while the simulation is paused; the future is done when they are made."""
        return self._simulation.step(count)

    def set_paused(self, paused: bool) -> Future[None]:
        """Pauses the simulation, or lets it run on."""
        return self._simulation.set_paused(paused)

    def set_realtime(self, realtime: float) -> Future[None]:
        """Sets how many seconds are simulated in one of wall time; -1: as fast as possible."""
        return self._simulation.set_realtime(realtime)

    def reset(self) -> Future[None]:
        """Puts the data back to the start and tells every plugin."""
        return self._simulation.reset()

    def save(self) -> Future[SavedState]:
        """Saves the whole state, with the part of each plugin."""
        return self._simulation.save()

    def restore(self, saved: SavedState) -> Future[list[str]]:
        """Restores a saved state; the future has a sentence for each part that found no plugin."""
        return self._simulation.restore(saved)
