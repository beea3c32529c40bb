"""Steps a paused simulation on a thread other than the physics thread."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import get_ident
from typing import TypeVar

import mujoco

from ..engine import Outcome
from ..errors import EngineError, SimulationError
from .physics_thread import PhysicsThread
from .running_model import RunningModel
from .step_requests import check_steps

Result = TypeVar('Result')
_MOST = 100
"""The maximum number of steps per run of the loop. Python handles Ctrl-C only between runs."""
_GIVEN_UP = 'the simulation was reset, reloaded or unpaused before all steps were done'


class _Borrowed:
    """A context that records the calling thread as the owner of model and data."""

    def __init__(self, thread: PhysicsThread) -> None:
        self._thread = thread

    def __enter__(self) -> None:
        self._thread.borrower = get_ident()

    def __exit__(self, *_: object) -> None:
        self._thread.borrower = 0


class Loan:
    """Steps a paused simulation on the calling thread, to save 100 us for waking another thread.

    Without a loan, each request for steps wakes the physics thread. During a loan, the physics
    thread only serves snapshots and other threads' commands. Model and data belong to the thread
    that holds the lock `turn`. Steps that call Python run on the physics thread even during a
    loan: otherwise Ctrl-C could be raised in a plugin's callback and disable the plugin.

    A loan ends with `close` or at the end of a `with` block. Any thread except the physics thread
    may use it. Functions that are passed to a loan must not use the loan.
    """

    def __init__(
        self,
        running: RunningModel,
        thread: PhysicsThread,
        check: Callable[[], None],
        step: Callable[[int], Future[None]],
    ) -> None:
        """`check()` raises if the simulation cannot step now.

        `step(count)` asks the physics thread for steps.
        """
        self._running = running
        self._thread = thread
        self._check = check
        self._step = step
        self._record = running.loop.record
        self._gate, self._turn = thread.gate, thread.turn
        self._borrowed = _Borrowed(thread)
        thread.lent = True
        thread.ask_for_turn()  # the physics thread may be waiting in the loop

    def step(self, count: int = 1) -> None:
        """Steps the paused simulation; returns after the last step.

        Raises SimulationError if the count is below 1, or if the simulation is not paused, has
        stopped or has ended.
        """
        check_steps(count)
        if self._running.loop.calls_python:
            self._step(count).result()
            return
        drops = None
        while count > 0:
            drops = self._advance(min(count, _MOST), drops)
            count -= _MOST

    def exchange(
        self,
        before: Callable[[mujoco.MjModel, mujoco.MjData], object],
        count: int,
        after: Callable[[mujoco.MjModel, mujoco.MjData], Result],
    ) -> Result:
        """Calls `before(model, data)`, runs the steps, and returns `after(model, data)`.

        For up to a hundred steps, acquires `turn` only once, which is faster than three separate
        calls. Raises the errors of `call` and `step`.
        """
        if not 1 <= count <= _MOST or self._running.loop.calls_python:
            self.call(before)
            self.step(count)
            return self.call(after)
        with self._gate:
            if self._turn.locked():
                self._thread.ask_for_turn()
            with self._turn, self._borrowed:
                before(*self._running.loaded())
                self._make(count, None)
                return after(*self._running.loaded())

    def call(self, function: Callable[[mujoco.MjModel, mujoco.MjData], Result]) -> Result:
        """Calls `function(model, data)` on the calling thread between two steps.

        Raises SimulationError while no model is loaded.
        """
        with self._gate:  # `with` releases the lock even after Ctrl-C
            if self._turn.locked():
                self._thread.ask_for_turn()
            with self._turn, self._borrowed:
                return function(*self._running.loaded())

    def close(self) -> None:
        """Ends the loan: from then on, the physics thread steps the simulation again."""
        self._thread.lent = False
        self._thread.ask_for_turn()

    def __enter__(self) -> Loan:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _advance(self, count: int, drops: int | None) -> int:
        """Runs part of the requested steps on this thread; returns the count `StepRequests.drops`.

        Pass the result as `drops` to the call for the next part, which raises SimulationError if
        requests were dropped in between. Pass None for the first part.
        """
        with self._gate:
            if self._turn.locked():
                self._thread.ask_for_turn()
            with self._turn, self._borrowed:
                return self._make(count, drops)

    def _make(self, count: int, drops: int | None) -> int:
        """Runs steps, and carries out other threads' commands in between."""
        record, steps = self._record, self._running.steps
        try:
            if record.wanted:
                self._thread.carry_out()
            self._check()
            if drops is None:
                drops = steps.drops
            elif drops != steps.drops:
                raise SimulationError(_GIVEN_UP)
            if record.lockstep:
                self._running.loop.inlets.await_again()
            last = record.steps + record.burst + count
            record.burst += count
            while record.steps < last:
                self._run(drops)
            return drops
        except BaseException:
            record.burst = 0
            raise

    def _run(self, drops: int) -> None:
        """Runs the loop until it returns. Raises SimulationError if it cannot step further."""
        record, running = self._record, self._running
        outcome = running.loop.run()
        if outcome is Outcome.STEPPED and not running.steps:
            running.listener.on_standstill()
            return
        running.report(outcome)
        if record.wanted:
            self._thread.carry_out()
        running.loaded()
        if running.failure:
            raise EngineError(running.failure)
        if drops != running.steps.drops:
            raise SimulationError(_GIVEN_UP)
