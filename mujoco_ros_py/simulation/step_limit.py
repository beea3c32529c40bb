"""Gives up steps that take too long, and goes back to a state before them."""

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
"""The least time in seconds between two states that are kept."""
_ENDING_S = 5.0
"""The time in seconds after which a step whose solvers were ended counts as one that hangs."""
_STOPPED_S = 2.0
"""The time in seconds without a look from which on it does not count: looks are more frequent."""
_ADVICE = (
    'lower iterations, or raise tolerance, in <option> of the model or by set_options; then let it'
    ' run on, reset or reload it'
)


class StepLimit:
    """Watches how long a step takes: `look` is called often by another thread than the physics.

    The time of a callback does not count: no callback can be ended, and the watchdog names the one
    that hangs. Steps of a loan are not limited, as the thread that asks for them makes them.
    """

    def __init__(
        self,
        running: RunningModel,
        go_back: Callable[[SavedState], None],
        submit: Callable[[Callable[[], None]], Future[None]],
        wake: Callable[[], None],
        limit_s: float,
    ) -> None:
        """`go_back`, on the physics thread, restores a state and pauses.

        `submit` has the physics thread call a function, and `wake` has the loop return.

        With a limit of 0 or less, every step may take as long as it does.
        """
        self._running, self._go_back = running, go_back
        self._submit, self._wake = submit, wake
        self._limit_s = limit_s
        self._rule = running.solver_time.rule = (
            f'a step took longer than {limit_s:g} s (step_time_limit) and was given up; {_ADVICE}'
        )
        self._record = running.loop.record
        self._place: tuple[int, ...] = ()
        """How often libmujoco was entered, and how often the loop has turned, at the last look."""
        self._since = self._kept_at = self._looked_at = 0.0
        self._ended_at: float | None = None
        self._states: list[tuple[int, int, SavedState]] = []
        """Two states between steps with their epochs and counts of steps, the newest last."""
        self._prepared: PreparedModel | None = None
        """The model whose layout of the state has been made, which may take long."""
        self._keeping: Future[None] | None = None
        self._given_up = 0, 0
        """The epoch and the count of steps before the step that was given up."""

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
                _log.error('restart the process, as a step does not end: %s', self._rule)
        elif now > self._since + self._limit_s:
            self._given_up = int(self._record.epoch), int(self._record.steps)
            if solvers.end(model, place[0]):
                self._ended_at = now
                self._wake()

    def settle(self) -> None:
        """Goes back to before a step that was given up; the physics thread calls this."""
        if not self._running.solver_time.ended:
            if self._prepared is not None and time.monotonic() > self._kept_at + _KEEP_S:
                try:
                    self._keep_now()
                except Exception:  # it must not end the physics thread
                    _log.exception('no state is kept for the case that a step is given up')
            return
        self._running.solver_time.ended = False
        before = self._before(*self._given_up)
        if before is None or self._running.ends_unstable:
            self._running.fail(self._rule)
            return
        try:
            self._go_back(before)
        except Exception as error:
            self._running.fail(f'{self._rule}; the state before cannot be restored: {error}')
            return
        _log.error('the simulation is back at %.4f s, and paused: %s', before.time, self._rule)

    def _before(self, epoch: int, steps: int) -> SavedState | None:
        """Returns the newest state of the epoch from which a step could be made."""
        for began, made, state in reversed(self._states):
            if began == epoch and made < steps:
                return state
        return None

    def _keep(self, now: float) -> None:
        """Has the physics thread keep a state if it has kept none for as long as a step may take.

        It does so by itself whenever the loop returns. To make the loop return costs a wait for
        the GIL, which may make a step late.
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
        """Keeps MuJoCo's part of the state; plugins keep theirs when the simulation goes back."""
        moment = int(self._record.epoch), int(self._record.steps)
        prepared = self._running.prepared
        if prepared is None or prepared is not self._prepared or self._running.failure:
            return
        self._kept_at = time.monotonic()
        if not self._states or self._states[-1][:2] != moment:
            state = save_state(*self._running.loaded(), prepared.layout, {})
            self._states = [*self._states[-1:], (*moment, state)]
