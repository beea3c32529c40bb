"""The simulation: a physics thread that owns model and data, and the commands that reach it."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass
from typing import Any, TypeVar

import mujoco
import numpy as np

from ..engine import Loop, sharpen_timers
from ..errors import SimulationError
from .listener import Listener
from .models.compilation import try_out
from .models.initial_state import InitialState
from .physics import Physics
from .plugin_set import NoPlugins, PluginSet
from .saved_state import SavedState
from .snapshots import SnapshotReceiver, TimeWaiter
from .threads.command_queue import CommandQueue, settle
from .threads.owner import activity

Result = TypeVar('Result')
_NEVER_NS = 2**62
"""A time on the monotonic clock that does not come."""


@dataclass(frozen=True, slots=True)
class Status:
    """A look at a running simulation from outside."""

    time: float
    """Simulation time, s."""
    steps: int
    """Since the model was loaded."""
    timestep: float
    """Of the model, s; 0 without one."""
    paused: bool
    realtime: float
    """Simulated per wall second that is asked for; -1: as fast as possible."""
    failure: str
    """Why nothing moves until a reset or reload; else empty."""
    warnings: int
    """What MuJoCo warned of since the last load or reset; it tells each kind once."""
    latest_warning: str
    loads: int
    resets: int


class Simulation:
    """Steps one model at a time. Commands return futures and run in order, between two steps.

    Start it, `load` a model, and `close` it at the end. Methods may be called from any thread;
    plugins and listener are called on the physics thread.
    """

    name = 'the physics'

    def __init__(
        self,
        *,
        paused: bool = False,
        realtime: float = 1.0,
        busy_wait_s: float = 1e-4,
        num_steps: int = -1,
        idle: bool = True,
        listener: Listener | None = None,
    ) -> None:
        """`idle`: while paused, a forward pass 60 times a second keeps everything up to date."""
        self._loop = Loop()
        self._record = self._loop.record
        self._record.paused = paused
        self._record.realtime = realtime
        self._record.spin_ns = int(busy_wait_s * 1e9)
        self._record.remaining = num_steps
        if not idle:
            self._record.forward_ns = _NEVER_NS
        self._physics = Physics(self._loop, listener or Listener())
        self._commands = CommandQueue(self._wake)
        self._thread = threading.Thread(target=self._run, name='physics', daemon=True)
        self._ending = self._ended = False
        self._taken = 0
        """How often commands were looked for."""

    def start(self) -> None:
        """Starts the physics thread; it waits for a model."""
        self._thread.start()

    def close(self, timeout_s: float | None = None) -> bool:
        """Unloads the plugins and ends the thread; False if it did not end in time."""
        self._commands.submit(self._end)
        self._thread.join(timeout_s)
        return self._ended

    def submit(
        self, function: Callable[[mujoco.MjModel, mujoco.MjData], Result]
    ) -> Future[Result]:
        """Runs a function between two steps, on the physics thread."""
        return self._commands.submit(lambda: function(*self._physics.loaded()))

    def hold(self, function: Callable[[], Result]) -> Future[Result]:
        """Runs a function on the physics thread, with a model or without; nothing steps then."""
        return self._commands.submit(function)

    def load(
        self,
        model: mujoco.MjModel,
        plugins: PluginSet | None = None,
        initial: InitialState | None = None,
        *,
        beside: bool = False,
    ) -> Future[None]:
        """Swaps the model: unloads the old plugins, loads the new; time starts at 0.

        `beside`: loads the new plugins before the old ones are unloaded, and if these raise,
        nothing is swapped: what runs goes on where it was, and the future has the error.
        Raises ModelError, and swaps nothing, if the model cannot make its first forward pass, or
        has options or an acceleration that are no numbers.
        """
        new = plugins or NoPlugins(), initial or InitialState()
        data = try_out(model, new[1])
        mujoco.mj_resetData(model, data)
        return self._commands.submit(lambda: self._physics.load(model, data, *new, beside=beside))

    def reset(self) -> Future[None]:
        """Data back to the start with the initial joint states, time 0; pause state kept."""
        return self._commands.submit(self._physics.reset)

    def save(self) -> Future[SavedState]:
        """The whole state of this moment, with the part of each plugin.

        The future fails with EngineError while the simulation stands still after a fatal error,
        and with PluginError where a plugin cannot save its part.
        """
        return self._commands.submit(self._physics.save)

    def restore(self, saved: SavedState) -> Future[list[str]]:
        """Goes on from a saved state: a new epoch begins, at the time of that moment.

        The future has a sentence for each plugin without a saved part, and for each part without
        a plugin. It fails with SimulationError, and nothing changes, for a state of another model.
        """
        return self._commands.submit(lambda: self._physics.restore(saved))

    def apply_initial_state(self, initial: InitialState | None = None) -> Future[list[str]]:
        """Writes the given or the last initial joint states now; returns what was skipped."""
        return self._commands.submit(lambda: self._physics.apply_initial_state(initial))

    def set_paused(self, paused: bool) -> Future[None]:
        """Pauses or runs on; idempotent. Running on drops steps that are still to be made."""
        return self._commands.submit(lambda: self._physics.set_paused(paused))

    def step(self, count: int = 1) -> Future[None]:
        """Makes steps while paused, as fast as possible; done when they are made."""
        if count < 1:
            raise SimulationError(f'number of steps must be at least 1, got {count}')
        done: Future[None] = Future()
        begun = self._commands.submit(lambda: self._physics.step(count, done))
        begun.add_done_callback(lambda begun: _pass_failure(begun, done))
        return done

    def set_realtime(self, realtime: float) -> Future[None]:
        """Simulated seconds per wall second; -1: as fast as possible."""
        return self._commands.submit(lambda: self._physics.set_realtime(realtime))

    def receiver(self) -> Future[SnapshotReceiver]:
        """A new receiver of snapshots."""
        return self._commands.submit(lambda: self._physics.new_receiver(SnapshotReceiver))

    def renew(self, receiver: SnapshotReceiver) -> Future[SnapshotReceiver]:
        """The same receiver with data of its own anew: snapshots of before stay as they are."""
        return self._commands.submit(lambda: self._physics.renew(receiver))

    def release(self, receiver: TimeWaiter) -> Future[None]:
        """Ends a receiver, or what waits for times; its memory is free once nobody uses it."""
        return self._commands.submit(lambda: self._physics.release(receiver))

    def time_waiter(self) -> Future[TimeWaiter]:
        """What waits for simulation times."""
        return self._commands.submit(lambda: self._physics.new_receiver(TimeWaiter))

    def status(self) -> Status:
        """How it stands, without waiting for the physics thread."""
        record, physics, model = self._record, self._physics, self._physics.model
        return Status(
            time=float(record.time),
            steps=int(record.steps),
            timestep=float(model.opt.timestep) if model is not None else 0.0,
            paused=bool(record.paused),
            realtime=float(record.realtime),
            failure=physics.failure,
            warnings=physics.warnings.total,
            latest_warning=physics.warnings.latest,
            loads=physics.loads,
            resets=physics.resets,
        )

    @property
    def time(self) -> float:
        """Simulation time of the newest step, s."""
        return float(self._record.time)

    @property
    def epoch(self) -> int:
        """That of snapshots made from now on; in a load or reset, the one that begins.

        Each jump of the time begins one, whoever made it: back, or ahead by more than a step.
        """
        return int(self._record.epoch)

    @property
    def paused(self) -> bool:
        """Time stands still, until it is set running or a step is asked for."""
        return bool(self._record.paused)

    @property
    def realtime(self) -> float:
        """Simulated seconds per wall second that are asked for; -1: as fast as possible."""
        return float(self._record.realtime)

    @property
    def step_period_s(self) -> float:
        """Wall time from one step to the next; 0 while unthrottled."""
        model, realtime = self._physics.model, self.realtime
        return float(model.opt.timestep) / realtime if model and realtime > 0 else 0.0

    def lateness_ns(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """How late the newest paced steps began, oldest first, in nanoseconds."""
        return self._loop.lateness_ns()

    def running_callback(self) -> str | None:
        """The callback that runs now, named; None between callbacks."""
        index = self._loop.running
        return None if index is None else self._physics.plugins.describe(index)

    @property
    def beats(self) -> int | None:
        """Changes as long as the physics thread goes on.

        None while it has nothing to do, and while it does work that may take long, such as the
        compilation of callbacks.
        """
        if self._physics.model is None or self._ended:
            return None
        now = activity(self._thread.ident)
        return None if now is not None and now.lasting else int(self._record.turns) + self._taken

    def doing(self) -> str:
        """What keeps the physics thread: ``control_callback of plugin 'arm'``."""
        if not self._thread.is_alive():
            return 'its thread has ended'
        what = self.running_callback() or activity(self._thread.ident)
        return str(what or 'a load, a reset or a long step')

    def leave_behind(self) -> None:
        """Nobody can go on in its place: it has the data."""

    def _wake(self) -> None:
        self._record.wanted = 1
        self._loop.wake()

    def _end(self) -> None:
        self._ending = True
        self._commands.close('the simulation has ended')
        self._physics.close()

    def _run(self) -> None:
        sharpen_timers()
        while not self._ending:
            if self._physics.model is None:
                self._commands.wait()
                continue
            self._physics.turn()
            self._record.wanted = 0
            self._taken += 1
            self._commands.drain()
        self._ended = True


def _pass_failure(begun: Future[None], done: Future[None]) -> None:
    """A step that could not begin fails."""
    error = begun.exception()
    if error is not None:
        with contextlib.suppress(InvalidStateError):  # its caller took it back
            settle(done, error=error)
