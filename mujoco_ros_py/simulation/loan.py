"""Steps of a paused simulation that another thread makes, in place of the physics thread."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import get_ident
from types import TracebackType
from typing import TypeVar

import mujoco

from ..engine import Outcome
from ..errors import EngineError, SimulationError
from .physics_thread import PhysicsThread
from .running_model import RunningModel
from .step_requests import check_steps

Result = TypeVar('Result')
_MOST = 100
"""The most steps between two looks at Python, which handles Ctrl-C only outside of the loop."""
_GIVEN_UP = 'the simulation was reset, loaded anew or set running before all steps were made'


class _Borrowed:
    """Has the physics thread know who has model and data, inside the context."""

    def __init__(self, thread: PhysicsThread) -> None:
        self._thread = thread

    def __enter__(self) -> None:
        self._thread.borrower = get_ident()

    def __exit__(self, *_: object) -> None:
        self._thread.borrower = 0


class Loan:
    """Makes steps on the thread that asks for them, as to wake the physics thread takes 100 us.

    The physics thread has the data while it runs by itself, and lends them while it is paused: it
    then serves snapshots and the commands of other threads, and nothing else. Whoever holds its
    lock `turn` has model and data. Steps that call Python are made on the physics thread
    nevertheless: Ctrl-C would be raised in a callback otherwise, and would take its plugin out.

    A loan ends with `close`, or with a `with` block. It may be used by any thread but the physics
    thread, and its functions must not use it.
    """

    def __init__(
        self,
        running: RunningModel,
        thread: PhysicsThread,
        check: Callable[[], None],
        step: Callable[[int], Future[None]],
    ) -> None:
        """`check()` raises if no steps can be made; `step(count)` has the thread make them."""
        self._running = running
        self._thread = thread
        self._check = check
        self._step = step
        self._record = running.loop.record
        self._gate, self._turn = thread.gate, thread.turn
        self._borrowed = _Borrowed(thread)
        thread.lent = True
        thread.ask_for_turn()  # it may be in the loop of a pause

    def step(self, count: int = 1) -> None:
        """Makes steps of the paused simulation, and returns after them.

        Raises SimulationError for a count below 1, if the simulation is not paused, and if it has
        stopped or ended.
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
        """Calls `before(model, data)`, makes steps, and returns what `after(model, data)` returns.

        For up to a hundred steps this takes one turn, which costs less than three. Raises what
        `call` and `step` raise.
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
        """Calls `function(model, data)` on this thread between two steps; returns its result.

        Raises SimulationError while no model is loaded.
        """
        with self._gate:  # Ctrl-C leaves no lock behind that `with` has acquired
            if self._turn.locked():
                self._thread.ask_for_turn()
            with self._turn, self._borrowed:
                return function(*self._running.loaded())

    def close(self) -> None:
        """Gives the steps back to the physics thread."""
        self._thread.lent = False
        self._thread.ask_for_turn()

    def __enter__(self) -> Loan:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _advance(self, count: int, drops: int | None) -> int:
        """Makes steps on this thread; `drops` is what the part of them before has returned."""
        with self._gate:
            if self._turn.locked():
                self._thread.ask_for_turn()
            with self._turn, self._borrowed:
                return self._make(count, drops)

    def _make(self, count: int, drops: int | None) -> int:
        """Makes steps, and carries out what others submit meanwhile."""
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
        """Runs the loop until it returns. Raises SimulationError if it makes no more steps."""
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
