"""What the commands of a simulation do on the physics thread.

Nothing here is called from another thread.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future

import mujoco

from ..engine_faults import avoid_faults
from ..errors import EngineError, SimulationError
from ..log_throttle import Throttle
from ..mujoco_internals import begin_histories
from ..mujoco_log import collecting
from .edits.edit import Edit
from .models.initial_state import DataBefore, InitialState
from .models.object_names import keyframe_id
from .plugin_set import PluginSet
from .prepared_change import PreparedChange
from .prepared_model import PreparedModel
from .running_model import RunningModel, put_at_start
from .saved_state import SavedState, check_model, restore_state, save_state
from .state_checks import check_state
from .state_layout import StateLayout

_log = logging.getLogger(__name__)
_FOREVER_NS = 2**61
"""The longest wait for a step; a deadline so far in the future is still a 64-bit number."""


class PhysicsCommands:
    """Carries out commands between two steps of the model that runs."""

    def __init__(self, running: RunningModel) -> None:
        self.loads = self.resets = 0
        self._running = running
        self._record = running.loop.record
        self._initial = InitialState()
        self.prepared: PreparedModel | None = None
        """The model that runs, as it was prepared; any thread may ask for that."""
        self._problems = Throttle()

    def load(
        self,
        prepared: PreparedModel,
        plugins: PluginSet,
        initial: InitialState,
        *,
        beside: bool = False,
        begin: SavedState | None = None,
    ) -> list[str]:
        """Replaces the model and the plugins, which begin at the start or in a saved state.

        Returns a sentence for each initial value that is skipped or does not fit; with a saved
        state it returns what `restore` says of that.

        With `beside` the new plugins are loaded before the old ones are unloaded; if that raises,
        nothing has changed.
        """
        table, running = None, self._running
        model, data = prepared.model, prepared.data
        if beside:
            skipped = self._skipped('load', put_at_start(model, data, initial))
            table = plugins.load(model, data)
        else:
            running.take_all()  # before the plugins that stay are reset
            plugins.take_over(running.plugins)
        running.adopt(model, data, plugins)
        self.prepared = prepared
        self._initial = initial
        self.loads += 1
        if table is None:
            skipped = self._skipped('load', put_at_start(model, data, initial))
        running.start_over()
        running.renew_receivers()
        running.loop.use(plugins.load(model, data) if table is None else table)
        running.exchange.refresh()
        plugins.after_load(model, data)
        self._record.deadline_ns = 0  # the deadline for a step of another model means nothing
        if begin is not None:
            return self._restored(begin)
        running.forward()
        running.announce()
        return skipped

    def change(
        self,
        change: PreparedChange,
        plugins: PluginSet,
        *,
        beside: bool = False,
    ) -> mujoco.MjData:
        """Goes on with another model, to which the state is carried over; returns the old data.

        Values of the model that were changed while it ran are carried over too. Time, steps and
        epoch go on. With `beside` the new plugins are loaded before any other is unloaded; if that
        raises, nothing has changed.
        """
        running, prepared, transfer = self._running, change.prepared, change.transfer
        before, old = running.loaded()
        model, data = prepared.model, prepared.data
        if failure := running.failure:
            raise EngineError(f'cannot change the model, reset or reload first: {failure}')
        if before is not transfer.before:
            raise SimulationError('another model was loaded meanwhile; nothing was changed')
        if self.prepared is not None:
            self.prepared.tuned.carry(before, model)
            for sentence in avoid_faults(model):  # by an option that was set while it ran
                _log.warning('%s', sentence)
        transfer.carry(old, data)
        with collecting():
            mujoco.mj_fwdPosition(model, data)  # plugins see the poses when they load
        plugins.join(model, data, running.plugins, beside=beside)
        running.loop.spare = change.spare
        running.change(model, data, plugins)
        self.prepared = prepared
        table = plugins.load(model, data)
        running.renew_receivers()
        running.exchange.refresh()
        plugins.after_load(model, data)
        running.forward()  # without callbacks, as the loop has none yet
        running.loop.use(table)
        transfer.carry_forces(old, data)
        transfer.carry_sleep(old, data)
        return old

    def reset(
        self,
        keyframe: str | None = None,
        *,
        keep_time: bool = False,
        initial: InitialState | None = None,
    ) -> list[str]:
        """Puts the data back to the start, or to a keyframe, and then tells the plugins.

        Returns sentences about the plugins that this has cost, and about initial values that are
        skipped or do not fit.

        With `keep_time` the time goes on from where it is. The joints begin as `initial` tells, by
        default as after the load, and at a keyframe as that has them.
        """
        running = self._running
        model, data = running.loaded()
        key = -1 if keyframe is None else keyframe_id(model, keyframe)
        refusals = running.plugins.refusals
        running.take_all()
        time_s = float(data.time)
        mujoco.mj_resetDataKeyframe(model, data, key)  # a negative one: the start
        if keep_time:
            data.time = time_s
        begin_histories(model, data)
        self.resets += 1
        before: DataBefore = 'start' if keyframe is None else 'keyframe'
        start = initial or (self._initial if keyframe is None else InitialState())
        skipped = self._skipped('reset', put_at_start(model, data, start, before))
        running.start_over()
        running.plugins.reset(model, data)
        running.forgive_lateness()
        running.forward()
        running.announce()
        return [*running.plugins.lost(refusals), *skipped]

    def save(self) -> SavedState:
        """Returns the whole state, with the part of each plugin."""
        model, data = self._running.loaded()
        if failure := self._running.failure:
            raise EngineError(f'there is no state to save: {failure}')
        return save_state(model, data, self._layout(), self._running.plugins.save())

    def restore(self, saved: SavedState, *, checked: bool = False) -> list[str]:
        """Takes the data and then the plugins to a saved state, or changes nothing and raises.

        With `checked` the numbers of the state, and the parts of the plugins, are looked at first.
        Poses and forces are computed without the plugins' callbacks, which would change what
        was just restored.
        """
        refusals = self._running.plugins.refusals
        return [*self._restored(saved, checked=checked), *self._running.plugins.lost(refusals)]

    def _restored(self, saved: SavedState, *, checked: bool = False) -> list[str]:
        """Restores a saved state; returns what of it does not fit."""
        running = self._running
        model, data = running.loaded()
        check_model(model, self._layout(), saved)
        if checked:
            check_state(model, saved)
            running.plugins.check_saved(saved.plugins)
        running.take_all()
        restore_state(model, data, saved)
        running.start_over()
        running.forward(callbacks=False)
        problems = running.plugins.restore(saved.plugins)
        running.forgive_lateness()
        running.announce()
        return problems

    def edit(self, change: Callable[[mujoco.MjModel, mujoco.MjData, Edit], None]) -> Edit:
        """Changes the model or the data, and has poses, forces and plugins follow."""
        running = self._running
        model, data = running.loaded()
        if running.failure:
            raise EngineError(f'nothing is changed, reset or reload first: {running.failure}')
        edit, refusals = Edit(), running.plugins.refusals
        change(model, data, edit)
        if edit.changes:
            running.forward(callbacks=False)
            if not running.failure:
                running.plugins.model_changed(model, data, edit.changes)
        if edit.done and not running.failure:
            running.forward()
        if running.failure:
            edit.refused.append(f'the simulation stopped: {running.failure}')
        edit.lost = running.plugins.lost(refusals)
        return edit

    def withdraw_steps(self, done: Future[None]) -> int:
        """Makes no more of the steps that settle this future; returns how many were left."""
        return self._running.steps.withdraw(done)

    def apply_initial_state(self, initial: InitialState | None) -> list[str]:
        """Writes the given or the last initial joint states into the data."""
        running = self._running
        model, data = running.loaded()
        if running.failure:
            raise EngineError(f'cannot set joints, reset or reload first: {running.failure}')
        initial, refusals = initial or self._initial, running.plugins.refusals
        problems = self._skipped('initial joint states', initial.apply(model, data, 'running'))
        running.forward()
        if not running.failure:
            self._initial = initial  # a reset must succeed after a state that does not
        return [*problems, *running.plugins.lost(refusals)]

    def set_paused(self, paused: bool) -> None:
        """Pauses the simulation or runs it; running it drops steps that are still to be made."""
        running = self._running
        running.loaded()
        if running.failure and not paused:
            raise EngineError(f'cannot run on, reset or reload first: {running.failure}')
        if not paused:
            running.steps.drop('the simulation was set running')
            running.loop.inlets.await_again()
            if self._record.paused:
                running.forgive_lateness()
        self._record.paused = paused
        if paused:
            running.listener.on_standstill()

    def step(self, count: int, done: Future[None]) -> None:
        """Has the loop make steps, and settles `done` when they are made.

        If `done` was cancelled before, no step is made.
        """
        if not done.set_running_or_notify_cancel():
            return
        self.check_steps()
        self._running.loop.inlets.await_again()
        self._running.steps.add(count, done)

    def check_steps(self) -> None:
        """Raises SimulationError, with the reason, if no steps can be made now."""
        self._running.loaded()
        if failure := self._running.failure:
            raise EngineError(f'cannot step, reset or reload first: {failure}')
        if not self._record.paused:
            raise SimulationError('cannot step while running: pause first')
        if self._record.remaining == 0:
            raise SimulationError('cannot step: the number of steps asked for has been made')

    def set_realtime(self, realtime: float) -> None:
        """Sets the real-time factor; the rest of the wait for the next step changes with it."""
        record, now = self._record, time.monotonic_ns()
        left_ns, before = record.deadline_ns - now, record.realtime
        if before > 0 and realtime > 0 and left_ns > 0:
            record.deadline_ns = now + int(min(left_ns * (before / realtime), _FOREVER_NS))
        elif before < 0 < realtime:
            self._running.forgive_lateness()
        record.realtime = realtime

    def _layout(self) -> StateLayout:
        """Returns the layout of the state of the model that runs."""
        return {} if self.prepared is None else self.prepared.layout

    def _skipped(self, when: str, problems: list[str]) -> list[str]:
        """Logs these sentences about initial values, and returns them."""
        text = '; '.join(problems)
        if text and (line := self._problems.line(text, when, text)) is not None:
            _log.warning('%s', line)
        return problems
