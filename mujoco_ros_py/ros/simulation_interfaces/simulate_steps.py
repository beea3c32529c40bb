"""The action `~/simulate_steps`: makes steps of a paused simulation, and tells how it goes."""

from __future__ import annotations

import threading
from concurrent.futures import Future, wait

from simulation_interfaces.action import SimulateSteps

from ...errors import MujocoRosError
from ...simulation import Owner
from ..entities.plugin_actions import Goal, offer
from ..services.failure_log import FailureLog
from .results import OK, ResultError, code_of, write_result
from .run_state import RunState
from .run_state_services import checked_steps
from .standard_services import StandardServices

_NAME = 'simulate_steps'
_FEEDBACK_S = 0.02
"""The time between two messages of feedback, in seconds."""


class SimulateStepsAction:
    """Carries out one goal at a time, each on a thread of its own."""

    def __init__(self, offered: StandardServices, state: RunState) -> None:
        self._offered, self._simulation = offered, offered.assembly.simulation
        self._state = state
        self._stepping = threading.Lock()
        self._failures = FailureLog(_NAME)
        self._owner = Owner.of_no_plugin(f'the action ~/{_NAME}')
        for name in offered.names(_NAME):
            offer(
                offered.keeper.actions, self._owner, SimulateSteps, name,
                self._execute, self._accept, None,
            )  # fmt: skip
        offered.provide('STEP_SIMULATION_ACTION')

    def close(self) -> None:
        """Aborts the goal that is carried out, and takes the action away."""
        self._owner.end()

    def _accept(self, request: SimulateSteps.Goal) -> bool:
        try:
            self._offered.require(f'a goal of ~/{_NAME}', _NAME)
        except MujocoRosError as error:
            self._failures.tell(error)
            return False
        return True

    def _execute(self, goal: Goal) -> SimulateSteps.Result:
        result = SimulateSteps.Result()
        if not self._stepping.acquire(blocking=False):
            self._abort(goal, result, ResultError('steps of another goal are being made'))
            return result
        try:
            self._make_steps(goal, result)
        except MujocoRosError as error:
            self._abort(goal, result, error)
        finally:
            self._stepping.release()
        return result

    def _make_steps(self, goal: Goal, result: SimulateSteps.Result) -> None:
        """Makes the steps of a goal, and publishes the feedback until they are made.

        Raises MujocoRosError if they cannot be made, or not all of them.
        """
        self._state.require_world()
        count = checked_steps(goal.request.steps)
        steps, left = self._simulation.step(count), count
        while not wait([steps], _FEEDBACK_S).done:
            left = min(left, self._simulation.status().pending_steps or left)
            if goal.is_cancel_requested:
                self._cancel(goal, result, steps, count)
                return
            _publish(goal, count, left)
        steps.result()
        _publish(goal, count, 0)
        write_result(result.result, OK)
        goal.succeed()

    def _cancel(
        self, goal: Goal, result: SimulateSteps.Result, steps: Future[None], count: int
    ) -> None:
        """Makes no more steps; those that were made by now are made."""
        left = self._simulation.withdraw_steps(steps).result()
        wait([steps])
        _publish(goal, count, left)
        what = 'the server ended' if self._owner.closed else 'cancelled'
        error = ResultError(f'{what} after {count - left:,} of {count:,} steps')
        write_result(result.result, code_of(error), str(error))
        goal.canceled()

    def _abort(self, goal: Goal, result: SimulateSteps.Result, error: MujocoRosError) -> None:
        write_result(result.result, code_of(error), self._failures.tell(error))
        goal.abort()


def _publish(goal: Goal, count: int, left: int) -> None:
    if goal.is_active:
        feedback = SimulateSteps.Feedback(completed_steps=count - left, remaining_steps=left)
        goal.publish_feedback(feedback)
