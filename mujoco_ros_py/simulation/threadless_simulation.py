"""A simulation without a thread of its own, of which there may be thousands."""

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
_THEIRS = 'the steps of this world are made by the batch that it is in'


class ThreadlessSimulation(Simulation):
    """A simulation whose steps others make, by its `loop`, and whose commands they carry out.

    It is paused, and steps as fast as possible. One thread at a time may use it, outside of the
    steps; only what plugins may call can be called from any thread. What plugins submit is called
    by `carry_out`.
    """

    def __init__(self) -> None:
        super().__init__(paused=True, realtime=-1.0, idle=False, threaded=False)
        self._running.tells = False

    @property
    def loop(self) -> Loop:
        """The loop that makes the steps."""
        return self._loop

    @property
    def data(self) -> mujoco.MjData:
        """The data that are stepped. Raises SimulationError while no model is loaded."""
        return self._running.loaded()[1]

    @property
    def failure(self) -> str:
        """The reason why no more steps are made until a reset; empty while there is none."""
        return self._running.failure

    @property
    def latest_warning(self) -> str:
        """MuJoCo's latest warning since the last reset, with the names of what it numbers."""
        return self._running.warnings.latest

    @property
    def needs_python(self) -> bool:
        """Whether functions wait to be carried out."""
        return bool(self._record.wanted)

    def at_once(self, function: Callable[[], Result]) -> Result:
        """Calls a function on the calling thread, and returns its result."""
        return function()

    def load_here(
        self, prepared: PreparedModel, plugins: PluginSet, initial: InitialState
    ) -> None:
        """Loads model and plugins, as `load` does, on the calling thread.

        Raises PluginError as the plugins do.
        """
        self._load_here(prepared, plugins, initial)
        self.carry_out()

    def reset_here(self, keyframe: str | None, initial: InitialState | None) -> None:
        """Resets the data, as `reset` does, on the calling thread.

        `initial` are the joint states to begin with, by default those of the load.
        Raises SimulationError for a keyframe that is not there.
        """
        self.carry_out()
        self._reset_here(keyframe, initial=initial)
        self.carry_out()

    def save_here(self) -> SavedState:
        """Saves the state, as `save` does, on the calling thread; raises what its future has."""
        self.carry_out()
        return self._save_here()

    def restore_here(self, saved: SavedState) -> list[str]:
        """Restores a state, as `restore` does, on the calling thread; raises what its future has.

        Returns a sentence for each part of a plugin that does not fit.
        """
        self.carry_out()
        return self._restore_here(saved)

    def carry_out(self) -> None:
        """Calls the functions that were submitted; what they submit waits for the next call."""
        if self.needs_python:
            self._thread.carry_out()

    def report(self, outcome: Outcome) -> None:
        """Acts on what made the loop return, as the physics thread does."""
        self._running.report(outcome)

    def fail(self, reason: str) -> None:
        """Makes no more steps until a reset, and keeps the reason."""
        self._running.failure, self._record.failed = reason, 1

    def close(self, timeout_s: float | None = None) -> bool:
        """Unloads the plugins and frees the model, on the calling thread; returns True."""
        self._thread.end()
        self._running.prepared = None
        self.exchange.close()
        return True

    def start(self) -> NoReturn:
        """Raises SimulationError: it has no thread."""
        raise SimulationError(_THEIRS)

    def lend(self) -> Loan:
        """Raises SimulationError: it has no thread that could lend its steps."""
        raise SimulationError(_THEIRS)

    def step(self, count: int = 1) -> Future[None]:
        """Returns a future that has failed: others make the steps."""
        return _refused()

    def set_paused(self, paused: bool) -> Future[None]:
        """Returns a future that has failed: others make the steps."""
        return _refused()

    def set_realtime(self, realtime: float) -> Future[None]:
        """Returns a future that has failed: others make the steps."""
        return _refused()


def for_another(prepared: PreparedModel, model: mujoco.MjModel) -> PreparedModel:
    """Returns a model with the same elements, with data of its own, as prepared as the first."""
    return replace(prepared, model=model, data=mujoco.MjData(model))


def _refused() -> Future[None]:
    future: Future[None] = Future()
    future.set_exception(SimulationError(_THEIRS))
    return future
