"""Gives up steps that take too long, and returns to an earlier state."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future

from .prepared_model import PreparedModel
from .running_model import RunningModel
from .states.saved import SavedState, save_state

_log = logging.getLogger(__name__)
_KEEP_S = 1.0
"""The minimum time in seconds between two saved states."""
_ENDING_S = 5.0
"""How long a step may continue after its solvers were ended before it counts as hanging, in s."""
_STOPPED_S = 2.0
"""A longer gap between two checks, in s, means that the process was stopped. The gap does not
count towards the duration of the step."""
_ADVICE = (
    'lower iterations or raise tolerance, in <option> of the model or with set_options; then'
    ' unpause, reset or reload'
)


class StepLimit:
    """Limits the duration of steps. A thread other than the physics thread calls `look` often.

    Time in callbacks does not count: callbacks cannot be ended, and the watchdog reports those
    that hang. Steps that another thread makes with a `Loan` are not limited.
    """

    def __init__(
        self,
        running: RunningModel,
        go_back: Callable[[SavedState], None],
        submit: Callable[[Callable[[], None]], Future[None]],
        wake: Callable[[], None],
        limit_s: float,
    ) -> None:
        """`go_back` restores a state and pauses; it is called on the physics thread.

        `submit` calls a function on the physics thread, and `wake` makes the loop return. A limit
        of 0 or less disables the check.
        """
        self._running, self._go_back = running, go_back
        self._submit, self._wake = submit, wake
        self._limit_s = limit_s
        self._rule = running.solver_time.rule = (
            f'a step took longer than {limit_s:g} s (step_time_limit) and was given up; {_ADVICE}'
        )
        self._record = running.loop.record
        self._place: tuple[int, ...] = ()
        """The counts of entries into libmujoco and of turns of the loop, at the last look."""
        self._since = self._kept_at = self._looked_at = 0.0
        self._ended_at: float | None = None
        self._states: list[tuple[int, int, SavedState]] = []
        """Up to two saved states, each with its epoch and count of steps; the newest last."""
        self._prepared: PreparedModel | None = None
        """The model whose state layout has been computed, which may take long."""
        self._keeping: Future[None] | None = None
        self._given_up = 0, 0
        """The epoch and the count of steps when the step was given up."""

    def look(self) -> None:
        """Ends the solvers of a step that has taken too long."""
        model = self._running.model
        if self._limit_s <= 0 or model is None:
            return
        solvers, now = self._running.solver_time, time.monotonic()
        if now > self._looked_at + _STOPPED_S:  # the process was stopped, or the machine slept
            self._since += now - self._looked_at
        self._looked_at = now
        place = solvers.entries, int(self._record.turns)
        calculates = solvers.inside and self._running.loop.running is None
        if not calculates or place != self._place:
            self._place, self._since, self._ended_at = place, now, None
            self._keep(now)
        elif self._ended_at is not None:
            if now > self._ended_at + _ENDING_S:
                self._ended_at = float('inf')
                _log.error('a step does not end; restart the process: %s', self._rule)
        elif now > self._since + self._limit_s:
            self._given_up = int(self._record.epoch), int(self._record.steps)
            if solvers.end(model, place[0]):
                self._ended_at = now
                self._wake()

    def settle(self) -> None:
        """Restores an earlier state if a step was given up; otherwise saves a state if one is due.

        Called on the physics thread when the loop has returned.
        """
        if not self._running.solver_time.ended:
            if self._prepared is not None and time.monotonic() > self._kept_at + _KEEP_S:
                try:
                    self._keep_now()
                except Exception:  # an error here must not end the physics thread
                    _log.exception('cannot save the state to restore when a step takes too long')
            return
        self._running.solver_time.ended = False
        before = self._before(*self._given_up)
        if before is None or self._running.ends_unstable:
            self._running.fail(self._rule)
            return
        try:
            self._go_back(before)
        except Exception as error:
            self._running.fail(f'{self._rule}; an earlier state cannot be restored: {error}')
            return
        _log.error('the simulation was set back to %.4f s and paused: %s', before.time, self._rule)

    def _before(self, epoch: int, steps: int) -> SavedState | None:
        """Returns the newest saved state of this epoch that precedes the last step."""
        for began, made, state in reversed(self._states):
            if began == epoch and made < steps:
                return state
        return None

    def _keep(self, now: float) -> None:
        """Makes the physics thread save a state if the last one is older than the step limit.

        Usually the physics thread saves states by itself when the loop returns. This request makes
        the loop return, which costs a wait for the GIL and may delay a step.
        """
        prepared, epoch = self._running.prepared, int(self._record.epoch)
        if prepared is None:
            return
        if prepared is not self._prepared:
            _ = prepared.layout
            self._prepared = prepared
        known = self._states and self._states[-1][0] == epoch
        due = self._kept_at + (max(self._limit_s, _KEEP_S) if known else _KEEP_S)
        if now > due and (self._keeping is None or self._keeping.done()):
            self._keeping = self._submit(self._keep_now)

    def _keep_now(self) -> None:
        """Saves MuJoCo's part of the state only: when it is restored, plugins keep their state."""
        moment = int(self._record.epoch), int(self._record.steps)
        prepared = self._running.prepared
        if prepared is None or prepared is not self._prepared or self._running.failure:
            return
        self._kept_at = time.monotonic()
        if not self._states or self._states[-1][:2] != moment:
            state = save_state(*self._running.loaded(), prepared.layout, {})
            self._states = [*self._states[-1:], (*moment, state)]
