"""The simulation's state, as defined by simulation_interfaces, and its transitions."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

from simulation_interfaces.msg import SimulationState
from simulation_interfaces.srv import SetSimulationState

from ...session import Assembly
from .results import INCORRECT_STATE, ResultError
from .services import between_loads

STOPPED = SimulationState.STATE_STOPPED
PLAYING = SimulationState.STATE_PLAYING
PAUSED = SimulationState.STATE_PAUSED
QUITTING = SimulationState.STATE_QUITTING
NO_WORLD = SimulationState.STATE_NO_WORLD
LOADING = SimulationState.STATE_LOADING_WORLD
WORDS = {
    STOPPED: 'stopped',
    PLAYING: 'playing',
    PAUSED: 'paused',
    QUITTING: 'quitting',
    NO_WORLD: 'without a world',
    LOADING: 'loading a world',
}
_ALREADY = SetSimulationState.Response.ALREADY_IN_TARGET_STATE
_WRONG_WAY = SetSimulationState.Response.INCORRECT_TRANSITION


class RunState:
    """The state of the simulation; `stopped` means paused at the initial time."""

    def __init__(self, assembly: Assembly, shut_down: Callable[[], Future[None]]) -> None:
        self._assembly, self._shut_down = assembly, shut_down
        self._quitting = False
        self._paused_in = -1
        """The epoch in which a client requested `paused` before the first step, so the state is
        not `stopped`; -1 if no client did."""

    @property
    def now(self) -> int:
        """The current state."""
        simulation = self._assembly.simulation
        if self._quitting or self._assembly.ended:
            return int(QUITTING)
        if self._assembly.loading:
            return int(LOADING)
        if self._assembly.unloaded:
            return int(NO_WORLD)
        status = simulation.status()
        if not status.paused:
            return int(PLAYING)
        at_start = status.time == 0.0 and not status.pending_steps
        return int(STOPPED if at_start and self._paused_in != simulation.epoch else PAUSED)

    def set(self, target: int) -> Future[None]:
        """Changes to another state. Raises ResultError if no transition leads to it."""
        present = self.now
        if target == present:
            raise ResultError(f'the simulation is {WORDS[target]} already', _ALREADY)
        if target not in (STOPPED, PLAYING, PAUSED, QUITTING):
            word = WORDS.get(target, f'state {target}')
            raise ResultError(
                f'the state must be set to stopped, playing, paused or quitting, got {word}',
                _WRONG_WAY,
            )
        if present in (LOADING, NO_WORLD, QUITTING) and not (
            present == NO_WORLD and target == QUITTING
        ):
            raise ResultError(
                f'the simulation is {WORDS[present]}, so it cannot change to {WORDS[target]}',
                _WRONG_WAY,
            )
        return self._go(target)

    def _go(self, target: int) -> Future[None]:
        simulation = self._assembly.simulation
        if target == QUITTING:
            self._quitting = True
            return self._shut_down()
        if target == STOPPED:
            return between_loads(self._assembly, self._stop)
        if target == PAUSED:
            self._paused_in = simulation.epoch
        return simulation.set_paused(target == PAUSED)

    def _stop(self) -> None:
        """Pauses, and restores the initial world and state."""
        assembly = self._assembly
        assembly.carry_out(assembly.simulation.set_paused(True))
        self.restore()

    def restore(self) -> None:
        """Restores the initial world and state, on the loader thread; keeps the pause state."""
        assembly = self._assembly
        assembly.restore_world_here()
        assembly.tell(assembly.carry_out(assembly.simulation.reset()))

    def require_world(self) -> None:
        """Raises ResultError while no world is loaded."""
        if (present := self.now) in (LOADING, NO_WORLD, QUITTING):
            raise ResultError(f'the simulation is {WORDS[present]}', INCORRECT_STATE)
