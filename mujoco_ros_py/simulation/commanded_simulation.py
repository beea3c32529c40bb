"""The commands to a simulation that keep its model: the run, the state, and edits."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError

import mujoco

from ..errors import EngineError, SimulationError
from ..log_throttle import Throttle
from ..mujoco_internals import begin_histories
from .edits.edit import Edit
from .models.initial_state import DataBefore, InitialState
from .models.object_names import keyframe_id
from .physics_thread import PhysicsThread
from .readable_simulation import ReadableSimulation
from .running_model import RunningModel
from .states.checks import check_state
from .states.layout import StateLayout
from .states.saved import SavedState, check_model, restore_state, save_state
from .step_requests import check_steps
from .threads.command_queue import settle

_log = logging.getLogger(__name__)
_FOREVER_NS = 2**61
"""The longest wait for a step; a deadline so far in the future is still a 64-bit number."""


class CommandedSimulation(ReadableSimulation):
    """A simulation whose commands return futures, and are carried out in order between two steps.

    Methods may be called from any thread. The functions that they submit, and the methods that end
    with `_here`, are called on the thread that has model and data.
    """

    def __init__(self, running: RunningModel, thread: PhysicsThread) -> None:
        super().__init__(running, thread)
        self._initial = InitialState()
        self._problems = Throttle()

    def edit(self, change: Callable[[mujoco.MjModel, mujoco.MjData, Edit], None]) -> Future[Edit]:
        """Calls `change(model, data, edit)` between two steps, and has all else follow from it.

        Poses and forces are computed anew, and plugins hear what was changed of the model. The
        future fails with EngineError while the simulation stands still after a fatal error.
        """
        running = self._running

        def carry_out() -> Edit:
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

        return self._queue.submit(carry_out)

    def reset(self, keyframe: str | None = None, *, keep_time: bool = False) -> Future[list[str]]:
        """Puts the data back to the initial joint states and time 0; the pause state is kept.

        The future has sentences about the plugins that this has cost, and about initial values
        that are skipped or do not fit.

        With the name of a keyframe of the model the data begin with its state and its time
        instead. The future fails with SimulationError for a keyframe that is not there. With
        `keep_time` the time goes on; an epoch begins all the same.
        """
        return self._queue.submit(lambda: self._reset_here(keyframe, keep_time=keep_time))

    def _reset_here(
        self,
        keyframe: str | None,
        *,
        keep_time: bool = False,
        initial: InitialState | None = None,
    ) -> list[str]:
        """Puts the data back to the start, or to a keyframe, and then tells the plugins.

        The joints begin as `initial` tells, by default as after the load, and at a keyframe as
        that has them.
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
        self._resets += 1
        before: DataBefore = 'start' if keyframe is None else 'keyframe'
        start = initial or (self._initial if keyframe is None else InitialState())
        skipped = self._skipped('reset', start.begin(model, data, before))
        running.start_over()
        running.plugins.reset(model, data)
        running.forgive_lateness()
        running.forward()
        running.announce()
        return [*running.plugins.lost(refusals), *skipped]

    def save(self) -> Future[SavedState]:
        """Saves the whole state of this moment, with the part of each plugin.

        The future fails with EngineError while the simulation stands still after a fatal error,
        and with PluginError where a plugin cannot save its part.
        """
        self._layout()  # made beside the physics
        return self._queue.submit(self._save_here)

    def _save_here(self) -> SavedState:
        model, data = self._running.loaded()
        if failure := self._running.failure:
            raise EngineError(f'there is no state to save: {failure}')
        return save_state(model, data, self._layout(), self._running.plugins.save())

    def restore(self, saved: SavedState, *, checked: bool = False) -> Future[list[str]]:
        """Goes on from a saved state: a new epoch begins, at the time of that moment.

        With `checked`, which a state from outside needs, it is refused with SimulationError where
        its numbers are none to go on with, or its parts do not fit the plugins.

        The future has a sentence for each plugin without a saved part, for each part without a
        plugin, and for each plugin that fails over its part. It fails with SimulationError, and
        nothing changes, for a state of another model.
        """
        self._layout()  # made beside the physics
        return self._queue.submit(lambda: self._restore_here(saved, checked=checked))

    def _restore_here(self, saved: SavedState, *, checked: bool = False) -> list[str]:
        refusals = self._running.plugins.refusals
        return [*self._restored(saved, checked=checked), *self._running.plugins.lost(refusals)]

    def _restored(self, saved: SavedState, *, checked: bool = False) -> list[str]:
        """Takes the data and then the plugins to a saved state, or changes nothing and raises.

        Poses and forces are computed without the plugins' callbacks, which would change what
        was just restored. Returns what of the state does not fit.
        """
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

    def apply_initial_state(self, initial: InitialState | None = None) -> Future[list[str]]:
        """Writes the given or the last initial joint states now; returns what was skipped."""

        def apply() -> list[str]:
            running = self._running
            model, data = running.loaded()
            if running.failure:
                raise EngineError(f'cannot set joints, reset or reload first: {running.failure}')
            given, refusals = initial or self._initial, running.plugins.refusals
            problems = self._skipped('initial joint states', given.apply(model, data, 'running'))
            running.forward()
            if not running.failure:
                self._initial = given  # a reset must succeed after a state that does not
            return [*problems, *running.plugins.lost(refusals)]

        return self._queue.submit(apply)

    def set_paused(self, paused: bool) -> Future[None]:
        """Pauses the simulation or runs it; running it drops steps that are still to be made."""
        return self._queue.submit(lambda: self._set_paused_here(paused))

    def _set_paused_here(self, paused: bool) -> None:
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

    def step(self, count: int = 1) -> Future[None]:
        """Makes steps while paused, as fast as possible; the future is done when they are made.

        Raises SimulationError for a count below 1; the future fails with it unless the simulation
        is paused. If it is cancelled before the physics thread has seen it, no step is made.
        """
        check_steps(count)
        done: Future[None] = Future()

        def begin() -> None:
            if not done.set_running_or_notify_cancel():
                return
            self._check_steps_here()
            self._running.loop.inlets.await_again()
            self._running.steps.add(count, done)

        begun = self._queue.submit(begin)
        begun.add_done_callback(lambda begun: _pass_failure(begun, done))
        return done

    def _check_steps_here(self) -> None:
        """Raises SimulationError, with the reason, if no steps can be made now."""
        self._running.loaded()
        if failure := self._running.failure:
            raise EngineError(f'cannot step, reset or reload first: {failure}')
        if not self._record.paused:
            raise SimulationError('cannot step while running: pause first')
        if self._record.remaining == 0:
            raise SimulationError('cannot step: the number of steps asked for has been made')

    def withdraw_steps(self, steps: Future[None]) -> Future[int]:
        """Makes no more of the steps of this future of `step`; the new one has how many are left.

        The future of `step` fails with SimulationError if some are left.
        """
        return self._queue.submit(lambda: self._running.steps.withdraw(steps))

    def set_realtime(self, realtime: float) -> Future[None]:
        """Sets the simulated seconds per second of wall time; -1: as many as possible.

        The rest of the wait for the next step changes with it.
        """

        def set_factor() -> None:
            record, now = self._record, time.monotonic_ns()
            left_ns, before = record.deadline_ns - now, record.realtime
            if before > 0 and realtime > 0 and left_ns > 0:
                record.deadline_ns = now + int(min(left_ns * (before / realtime), _FOREVER_NS))
            elif before < 0 < realtime:
                self._running.forgive_lateness()
            record.realtime = realtime

        return self._queue.submit(set_factor)

    def _layout(self) -> StateLayout:
        """Returns the layout of the state of the model that runs."""
        prepared = self._running.prepared
        return {} if prepared is None else prepared.layout

    def _skipped(self, when: str, problems: list[str]) -> list[str]:
        """Logs these sentences about initial values, and returns them."""
        text = '; '.join(problems)
        if text and (line := self._problems.line(text, when, text)) is not None:
            _log.warning('%s', line)
        return problems


def _pass_failure(begun: Future[None], done: Future[None]) -> None:
    """Makes the future of steps fail where these could not begin."""
    error = begun.exception()
    if error is not None:
        with contextlib.suppress(InvalidStateError):  # its caller cancelled it
            settle(done, error=error)
