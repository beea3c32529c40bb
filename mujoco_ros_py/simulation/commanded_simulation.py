"""Commands that do not replace the model: stepping, state, pause, speed and edits."""

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
"""The longest wait for a step; a deadline this far in the future still fits into 64 bits."""


class CommandedSimulation(ReadableSimulation):
    """A simulation with commands that run in order, between steps, and return futures.

    Any thread can call the methods. Submitted functions, and methods with names that end in
    `_here`, run on the thread that owns model and data.
    """

    def __init__(self, running: RunningModel, thread: PhysicsThread) -> None:
        super().__init__(running, thread)
        self._initial = InitialState()
        self._problems = Throttle()

    def edit(self, change: Callable[[mujoco.MjModel, mujoco.MjData, Edit], None]) -> Future[Edit]:
        """Calls `change(model, data, edit)` between two steps, and updates everything it affects.

        Recomputes poses and forces, and notifies the plugins of changed model elements. The future
        fails with EngineError while the simulation is stopped by a fatal error.
        """
        running = self._running

        def carry_out() -> Edit:
            model, data = running.loaded()
            if running.failure:
                raise EngineError(
                    f'cannot edit after a fatal error; reset or reload first: {running.failure}'
                )
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
        """Resets the data to the initial joint states at time 0, and keeps the pause state.

        With the name of a keyframe, resets the data to the state and time of this keyframe. The
        future fails with SimulationError if the model has no such keyframe. With `keep_time`,
        simulation time continues, but a new epoch still begins.

        The result lists messages about plugins that failed during the reset, and about initial
        values that are skipped or do not fit.
        """
        return self._queue.submit(lambda: self._reset_here(keyframe, keep_time=keep_time))

    def _reset_here(
        self,
        keyframe: str | None,
        *,
        keep_time: bool = False,
        initial: InitialState | None = None,
    ) -> list[str]:
        """Resets the data to the initial state or to a keyframe, and then resets the plugins.

        `initial` overrides the initial joint states. By default these are the states of the last
        load, or the keyframe's own.
        """
        running = self._running
        model, data = running.loaded()
        key = -1 if keyframe is None else keyframe_id(model, keyframe)
        refusals = running.plugins.refusals
        running.take_all()
        time_s = float(data.time)
        mujoco.mj_resetDataKeyframe(model, data, key)  # a negative key selects the initial state
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
        """Saves the full current state, including the state of each plugin.

        The future fails with EngineError while the simulation is stopped by a fatal error, and
        with PluginError if a plugin cannot save its part.
        """
        self._layout()  # computed here instead of on the physics thread
        return self._queue.submit(self._save_here)

    def _save_here(self) -> SavedState:
        model, data = self._running.loaded()
        if failure := self._running.failure:
            raise EngineError(
                f'cannot save the state after a fatal error; reset or reload first: {failure}'
            )
        return save_state(model, data, self._layout(), self._running.plugins.save())

    def restore(self, saved: SavedState, *, checked: bool = False) -> Future[list[str]]:
        """Continues from a saved state. A new epoch begins at the time of that state.

        If the state is of another model, the future fails with SimulationError and nothing
        changes. Pass `checked` for states from outside: the future then also fails if a number is
        invalid, or if a saved state does not fit its plugin.

        The result lists a message for each plugin without a saved state, for each saved state
        without a plugin, and for each plugin that fails to restore its state.
        """
        self._layout()  # computed here instead of on the physics thread
        return self._queue.submit(lambda: self._restore_here(saved, checked=checked))

    def _restore_here(self, saved: SavedState, *, checked: bool = False) -> list[str]:
        refusals = self._running.plugins.refusals
        return [*self._restored(saved, checked=checked), *self._running.plugins.lost(refusals)]

    def _restored(self, saved: SavedState, *, checked: bool = False) -> list[str]:
        """Restores first the data and then the plugins.

        Computes poses and forces without the plugins' callbacks, which would change the restored
        values. Returns a message for each plugin state that does not fit. Raises SimulationError,
        and changes nothing, under the conditions in `restore`.
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
        """Applies initial joint states, by default the latest, to the running simulation.

        The result lists a message for each value that is skipped or does not fit.
        """

        def apply() -> list[str]:
            running = self._running
            model, data = running.loaded()
            if running.failure:
                raise EngineError(
                    'cannot set joints after a fatal error; reset or reload first:'
                    f' {running.failure}'
                )
            given, refusals = initial or self._initial, running.plugins.refusals
            problems = self._skipped('initial joint states', given.apply(model, data, 'running'))
            running.forward()
            if not running.failure:
                self._initial = given  # last: a reset must not repeat a state that failed
            return [*problems, *running.plugins.lost(refusals)]

        return self._queue.submit(apply)

    def set_paused(self, paused: bool) -> Future[None]:
        """Pauses or unpauses the simulation. Unpausing drops pending steps."""
        return self._queue.submit(lambda: self._set_paused_here(paused))

    def _set_paused_here(self, paused: bool) -> None:
        running = self._running
        running.loaded()
        if running.failure and not paused:
            raise EngineError(
                f'cannot unpause after a fatal error; reset or reload first: {running.failure}'
            )
        if not paused:
            running.steps.drop('the simulation was unpaused')
            running.loop.inlets.await_again()
            if self._record.paused:
                running.forgive_lateness()
        self._record.paused = paused
        if paused:
            running.listener.on_standstill()

    def step(self, count: int = 1) -> Future[None]:
        """Advances a paused simulation by `count` steps, as fast as possible.

        The future is done after the last step; it fails with SimulationError if the simulation is
        not paused. Cancelling the future before the physics thread starts on the request prevents
        all steps. Raises SimulationError for a count below 1.
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
        """Raises SimulationError, with the reason, if the simulation cannot step now."""
        self._running.loaded()
        if failure := self._running.failure:
            raise EngineError(f'cannot step after a fatal error; reset or reload first: {failure}')
        if not self._record.paused:
            raise SimulationError('cannot step while running: pause first')
        if self._record.remaining == 0:
            raise SimulationError('cannot step: num_steps has been reached')

    def withdraw_steps(self, steps: Future[None]) -> Future[int]:
        """Cancels the remaining steps of the `step` call that returned the future `steps`.

        The result is the number of cancelled steps. If any remained, `steps` fails with
        SimulationError.
        """
        return self._queue.submit(lambda: self._running.steps.withdraw(steps))

    def set_realtime(self, realtime: float) -> Future[None]:
        """Sets the real-time factor: simulated seconds per wall second; -1: as fast as possible.

        The remaining wait for the next step is scaled accordingly.
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
        """Returns the state layout of the running model; empty while no model is loaded."""
        prepared = self._running.prepared
        return {} if prepared is None else prepared.layout

    def _skipped(self, when: str, problems: list[str]) -> list[str]:
        """Logs messages about initial values, and returns them."""
        text = '; '.join(problems)
        if text and (line := self._problems.line(text, when, text)) is not None:
            _log.warning('%s', line)
        return problems


def _pass_failure(begun: Future[None], done: Future[None]) -> None:
    """Fails the future of `step` if its steps could not begin."""
    error = begun.exception()
    if error is not None:
        with contextlib.suppress(InvalidStateError):  # the caller has cancelled the future
            settle(done, error=error)
