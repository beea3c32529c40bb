"""The physics thread's side of a simulation: what it owns, and what the commands do there.

Nothing here is called from another thread.
"""

from __future__ import annotations

import logging
import time
from concurrent.futures import Future
from typing import TypeVar

import mujoco

from ..engine import CallbackTable, Loop, Outcome
from ..errors import EngineError, SimulationError
from ..log_throttle import Throttle
from ..mujoco_log import collecting
from .listener import Listener
from .models.initial_state import InitialState
from .plugin_set import NoPlugins, PluginSet
from .saved_state import SavedState, restore_state, save_state
from .snapshots import SnapshotReceiver, TimeWaiter
from .threads.command_queue import settle
from .warning_log import WarningLog

_log = logging.getLogger(__name__)
_FOREVER_NS = 2**61
"""The longest wait for a step; a deadline so far in the future is still a 64-bit number."""
Waiter = TypeVar('Waiter', bound=TimeWaiter)


class Physics:
    """Model, data, and what is attached to them."""

    def __init__(self, loop: Loop, listener: Listener) -> None:
        self.loop = loop
        self.model: mujoco.MjModel | None = None
        self.data: mujoco.MjData | None = None
        self.plugins: PluginSet = NoPlugins()
        self.warnings = WarningLog()
        self.failure = ''
        self.loads = self.resets = 0
        self._initial = InitialState()
        self._listener = listener
        self._bursts: list[tuple[int, Future[None]]] = []
        self._receivers: list[TimeWaiter] = []
        self._problems = Throttle()

    def loaded(self) -> tuple[mujoco.MjModel, mujoco.MjData]:
        """Model and data, or a SimulationError."""
        if self.model is None or self.data is None:
            raise SimulationError('no model is loaded')
        return self.model, self.data

    # Commands

    def load(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        plugins: PluginSet,
        initial: InitialState,
        *,
        beside: bool = False,
    ) -> None:
        """Old plugins out, new model in, new plugins in; `beside`: these come in first."""
        table = None
        if beside:
            self._tell('load', _put_at_start(model, data, initial))
            table = plugins.load(model, data)  # raises: nothing has changed here
        else:
            plugins.take_over(self.plugins)
        self.unload()
        self.model, self.data, self.plugins, self._initial = model, data, plugins, initial
        self.loop.adopt(model, data)
        self.loads += 1
        if table is None:
            self._tell('load', _put_at_start(model, data, initial))
        self._start_over()
        for receiver in self._receivers:
            receiver.adopt(model, data)
        self.loop.use(plugins.load(model, data) if table is None else table)
        plugins.after_load(model, data)
        self.loop.record.deadline_ns = 0  # that of a step of another model says nothing
        self._begin(data)

    def reset(self) -> None:
        """Data, then plugins, back to the start."""
        model, data = self.loaded()
        mujoco.mj_resetData(model, data)
        self.resets += 1
        self._tell('reset', _put_at_start(model, data, self._initial))
        self._start_over()
        self.plugins.reset(model, data)
        self._forgive_lateness()
        self._begin(data)

    def save(self) -> SavedState:
        """The whole state, with the parts of the plugins."""
        model, data = self.loaded()
        if self.failure:
            raise EngineError(f'there is no state to save: {self.failure}')
        return save_state(model, data, self.plugins.save())

    def restore(self, saved: SavedState) -> list[str]:
        """Data, then plugins, to another moment; nothing changes where that is impossible.

        Poses and forces are computed without the plugins' callbacks, which would change what
        was just restored.
        """
        model, data = self.loaded()
        restore_state(model, data, saved)
        self._start_over()
        self._forward(callbacks=False)
        problems = self.plugins.restore(saved.plugins)
        self._forgive_lateness()
        self._announce(data)
        return problems

    def apply_initial_state(self, initial: InitialState | None) -> list[str]:
        """The given or the last initial joint states, now."""
        model, data = self.loaded()
        if self.failure:
            raise EngineError(f'cannot set joints, reset or reload first: {self.failure}')
        initial = initial or self._initial
        problems = initial.apply(model, data)
        self._tell('initial joint states', problems)
        self._forward()
        if not self.failure:
            self._initial = initial  # a reset is to succeed after those that do not
        return problems

    def set_paused(self, paused: bool) -> None:
        """Running on drops steps that are still to be made."""
        self.loaded()
        if self.failure and not paused:
            raise EngineError(f'cannot run on, reset or reload first: {self.failure}')
        if not paused:
            self._drop_bursts('the simulation was set running')
            if self.loop.record.paused:
                self._forgive_lateness()
        self.loop.record.paused = paused
        if paused:
            self._listener.on_standstill()

    def step(self, count: int, done: Future[None]) -> None:
        """`done` is told when the steps are made; cancelled before, none is."""
        if not done.set_running_or_notify_cancel():
            return
        self.loaded()
        record = self.loop.record
        if self.failure:
            raise EngineError(f'cannot step, reset or reload first: {self.failure}')
        if not record.paused:
            raise SimulationError('cannot step while running: pause first')
        if record.remaining == 0:
            raise SimulationError('cannot step: the number of steps asked for has been made')
        record.burst += count
        self._bursts.append((int(record.steps + record.burst), done))

    def set_realtime(self, realtime: float) -> None:
        """Takes effect at once: what is left of the wait for the next step lasts accordingly."""
        record, now = self.loop.record, time.monotonic_ns()
        left_ns, before = record.deadline_ns - now, record.realtime
        if before > 0 and realtime > 0 and left_ns > 0:
            record.deadline_ns = now + int(min(left_ns * (before / realtime), _FOREVER_NS))
        elif before < 0 < realtime:
            self._forgive_lateness()
        record.realtime = realtime

    def new_receiver(self, kind: type[Waiter]) -> Waiter:
        """One more receiver of snapshots, or of times."""
        receiver = kind(self.loop)
        if self.model is not None and self.data is not None:
            receiver.adopt(self.model, self.data)
        self._receivers.append(receiver)
        self.loop.serve(receiver.slot)
        return receiver

    def release(self, receiver: TimeWaiter) -> None:
        """One receiver less; whoever has it still gets nothing more."""
        if receiver in self._receivers:
            self._receivers.remove(receiver)
            self.loop.forget(receiver.slot)

    def renew(self, receiver: SnapshotReceiver) -> SnapshotReceiver:
        """Its next snapshot lies in memory of its own."""
        if self.model is not None and self.data is not None:
            receiver.adopt(self.model, self.data)
        return receiver

    def unload(self) -> None:
        """Unloads the plugins; the model stays."""
        self._drop_bursts('the simulation was loaded anew or ended')
        self.plugins.unload()
        if self.model is not None:
            self.loop.use(CallbackTable())
        self.plugins = NoPlugins()

    def close(self) -> None:
        """The end: plugins out, memory freed."""
        self.unload()
        self.loop.release()
        self.model = self.data = None

    # What the loop reports

    def turn(self) -> None:
        """Runs the loop until it wants something; no fault of a listener ends the thread."""
        outcome = self.loop.run()
        try:
            self._handle(outcome)
        except BaseException as error:
            _log.exception('what the loop reported could not be handled')
            self._fail(f'{type(error).__name__}: {error}')

    def _handle(self, outcome: Outcome) -> None:
        """Acts on why the loop returned."""
        for warning in self.loop.take_warnings():
            self._warn(warning)
        if self.loop.take_jump():
            self._time_jumped()
        if outcome == Outcome.ERROR:
            try:
                self._listener.on_standstill()
            finally:
                self._fail(self.loop.error())
        steps = self.loop.record.steps
        made = [done for last, done in self._bursts if last <= steps]
        if made or outcome == Outcome.FINISHED:
            self._listener.on_standstill()
        del self._bursts[: len(made)]  # whom a listener that raises leaves there, `_fail` answers
        for done in made:
            settle(done)
        if outcome == Outcome.FINISHED:
            self.loop.record.paused = 1
            self._drop_bursts('the number of steps asked for has been made')
            self._listener.on_finished()

    def _start_over(self) -> None:
        """The data are those of the start: what the last run left is forgotten."""
        _, data = self.loaded()
        self._drop_bursts('the simulation was reset')
        self._begin_epoch()
        self.failure = ''
        self.warnings.clear()
        record = self.loop.record
        record.failed, record.time = 0, data.time

    def _begin(self, data: mujoco.MjData) -> None:
        """The first forward pass of an epoch; it begins at the time that the plugins set."""
        self._forward()
        self._announce(data)

    def _announce(self, data: mujoco.MjData) -> None:
        """An epoch has begun at this time."""
        self.loop.record.time = data.time
        self._listener.on_time_jump(data.time)

    def _forgive_lateness(self) -> None:
        """The next step is not later than now, and not earlier than it was to be.

        No command makes a step come early: simulated time follows the wall's, whatever is asked.
        """
        record = self.loop.record
        record.deadline_ns = max(record.deadline_ns, time.monotonic_ns())

    def _time_jumped(self) -> None:
        """Whoever set it, MuJoCo itself for unstable data: for all who follow it, a new epoch."""
        self._begin_epoch()
        self._listener.on_time_jump(self.loop.record.time)

    def _begin_epoch(self) -> None:
        self.loop.record.epoch += 1
        for receiver in self._receivers:
            receiver.restart()

    def _forward(self, *, callbacks: bool = True) -> None:
        if not self.loop.forward(callbacks=callbacks):
            self._fail(self.loop.error())

    def _warn(self, text: str) -> None:
        assert self.model is not None
        if 'Time = ' not in text:
            text = f'{text.removesuffix(".")}. Time = {self.loop.record.time:.4f}.'
        message = self.warnings.add(self.model, text)
        if message is not None:
            _log.warning('MuJoCo warns: %s', message)

    def _fail(self, text: str) -> None:
        """A fatal error: the data are undefined, nothing may touch them until they are reset."""
        record = self.loop.record
        running = self.loop.running
        where = '' if running is None else f', in {self.plugins.describe(running)}'
        self.failure = f'{text} (at time {record.time:.4f} s, step {record.steps}{where})'
        self.loop.forget_running()
        record.failed, record.paused = 1, 1
        self._drop_bursts(self.failure)
        _log.error('the simulation stopped, reset or reload it: %s', self.failure)

    def _tell(self, when: str, problems: list[str]) -> None:
        line = self._problems.line('; '.join(problems), when) if problems else None
        if line is not None:
            _log.warning('%s', line)

    def _drop_bursts(self, reason: str) -> None:
        self.loop.record.burst = 0
        for _, done in self._bursts:
            settle(done, error=SimulationError(reason))
        self._bursts.clear()


def _put_at_start(model: mujoco.MjModel, data: mujoco.MjData, initial: InitialState) -> list[str]:
    """Initial joint states into data that have just been reset; what was skipped and why."""
    problems = initial.apply(model, data)
    with collecting():
        mujoco.mj_fwdPosition(model, data)  # poses, but no callbacks yet
    data.warning.number[:] = 0  # MuJoCo tells each once: the loop is to hear it
    return problems
