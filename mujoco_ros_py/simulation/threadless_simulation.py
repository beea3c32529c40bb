"""A simulation without a thread, cheap enough to have thousands of them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from typing import NoReturn, TypeVar

import mujoco

from ..engine import Loop, Outcome
from ..errors import SimulationError
from .loan import Loan
from .models.initial_state import InitialState
from .plugin_set import PluginSet
from .prepared_model import PreparedModel
from .simulation import Simulation
from .states.saved import SavedState

Result = TypeVar('Result')
_THEIRS = 'this world is stepped by its batch'


class ThreadlessSimulation(Simulation):
    """A simulation that the caller steps through its `loop`.

    The simulation is paused, and steps as fast as possible. It may be used by one thread at a
    time, between steps; only methods that plugins may call are thread-safe. Functions that plugins
    submit are called by `carry_out`.
    """

    def __init__(self) -> None:
        super().__init__(paused=True, realtime=-1.0, idle=False, threaded=False)
        self._running.tells = False

    @property
    def loop(self) -> Loop:
        """The loop that runs the steps."""
        return self._loop

    @property
    def data(self) -> mujoco.MjData:
        """The simulated data. Raises SimulationError while no model is loaded."""
        return self._running.loaded()[1]

    @property
    def failure(self) -> str:
        """The failure that stopped the simulation until a reset; empty if it runs."""
        return self._running.failure

    @property
    def latest_warning(self) -> str:
        """MuJoCo's latest warning since the last reset, with the names of numbered objects."""
        return self._running.warnings.latest

    @property
    def needs_python(self) -> bool:
        """Whether submitted functions wait for `carry_out`."""
        return bool(self._record.wanted)

    def at_once(self, function: Callable[[], Result]) -> Result:
        """Calls a function on the calling thread, and returns its result."""
        return function()

    def load_here(
        self, prepared: PreparedModel, plugins: PluginSet, initial: InitialState
    ) -> None:
        """Loads model and plugins on the calling thread; see `load`.

        Raises PluginError if a plugin fails to load.
        """
        self._load_here(prepared, plugins, initial)
        self.carry_out()

    def reset_here(self, keyframe: str | None, initial: InitialState | None) -> None:
        """Resets the data on the calling thread; see `reset`.

        `initial` gives the joint states to start with, by default those of the load. Raises
        SimulationError if the model has no such keyframe.
        """
        self.carry_out()
        self._reset_here(keyframe, initial=initial)
        self.carry_out()

    def save_here(self) -> SavedState:
        """Saves the state on the calling thread; raises the errors of `save`."""
        self.carry_out()
        return self._save_here()

    def restore_here(self, saved: SavedState) -> list[str]:
        """Restores a state on the calling thread; raises the errors of `restore`.

        Returns a message for each plugin state that does not fit.
        """
        self.carry_out()
        return self._restore_here(saved)

    def carry_out(self) -> None:
        """Calls the submitted functions; functions that they submit wait for the next call."""
        if self.needs_python:
            self._thread.carry_out()

    def report(self, outcome: Outcome) -> None:
        """Handles the reason why the loop returned, as the physics thread does."""
        self._running.report(outcome)

    def fail(self, reason: str) -> None:
        """Stops the simulation until a reset, with `reason` as its failure."""
        self._running.failure, self._record.failed = reason, 1

    def close(self, timeout_s: float | None = None) -> bool:
        """Unloads the plugins and frees the model, on the calling thread; returns True."""
        self._thread.end()
        self._running.prepared = None
        self.exchange.close()
        return True

    def start(self) -> NoReturn:
        """Raises SimulationError: this simulation has no thread."""
        raise SimulationError(_THEIRS)

    def lend(self) -> Loan:
        """Raises SimulationError: this simulation has no thread that could lend its steps."""
        raise SimulationError(_THEIRS)

    def step(self, count: int = 1) -> Future[None]:
        """Returns a failed future: the simulation is stepped from outside."""
        return _refused()

    def set_paused(self, paused: bool) -> Future[None]:
        """Returns a failed future: the simulation is stepped from outside."""
        return _refused()

    def set_realtime(self, realtime: float) -> Future[None]:
        """Returns a failed future: the simulation is stepped from outside."""
        return _refused()


def for_another(prepared: PreparedModel, model: mujoco.MjModel) -> PreparedModel:
    """Returns `prepared` with another model that has the same elements, and with new data."""
    return replace(prepared, model=model, data=mujoco.MjData(model))


def _refused() -> Future[None]:
    future: Future[None] = Future()
    future.set_exception(SimulationError(_THEIRS))
    return future
