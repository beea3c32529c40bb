"""The services and the action of the run: state, reset, step_simulation and simulate_steps."""

from __future__ import annotations

import threading
from concurrent.futures import Future, wait
from functools import partial

import mujoco
from simulation_interfaces.action import SimulateSteps
from simulation_interfaces.srv import (
    GetSimulationState,
    ResetSimulation,
    SetSimulationState,
    StepSimulation,
)

from ...errors import MujocoRosError
from ...mujoco_internals import begin_histories
from ...session import Assembly
from ...simulation import Owner
from ..entities.plugin_actions import Goal, offer
from ..services.failure_log import FailureLog
from ..services.offered import Service, always, settled
from .results import OK, UNSUPPORTED, ResultError, code_of, write_result
from .run_state import PLAYING, RunState
from .services import StandardServices, between_loads

_TIME = ResetSimulation.Request.SCOPE_TIME
_STATE = ResetSimulation.Request.SCOPE_STATE
_SPAWNED = ResetSimulation.Request.SCOPE_SPAWNED
_ALL = ResetSimulation.Request.SCOPE_ALL
MOST_STEPS = 10**12
"""The largest number of steps in one request."""


def offer_run_state(offered: StandardServices, state: RunState) -> None:
    """Offers the services of the run."""
    assembly = offered.assembly
    failed = SetSimulationState.Response.STATE_TRANSITION_ERROR

    def write_state(response: GetSimulationState.Response, _: object) -> None:
        response.state.state = state.now

    def set_state(request: SetSimulationState.Request) -> Future[None]:
        return state.set(request.state.state)

    def reset(request: ResetSimulation.Request) -> Future[None]:
        _check_scope(request.scope, state)
        reset_it = partial(_reset, request.scope, state, assembly)
        return between_loads(assembly, reset_it)

    def step(request: StepSimulation.Request) -> Future[None]:
        state.require_world()
        return assembly.simulation.step(checked_steps(request.steps))

    offered.offer(
        Service(GetSimulationState, 'get_simulation_state', settled, write_state, always),
        Service(
            SetSimulationState, 'set_simulation_state', set_state,
            free=lambda request: request.state.state == PLAYING, codes=lambda error: failed,
        ),
        Service(ResetSimulation, 'reset_simulation', reset),
        Service(StepSimulation, 'step_simulation', step),
    )  # fmt: skip
    offered.provide(
        'SIMULATION_RESET', 'SIMULATION_RESET_TIME', 'SIMULATION_RESET_STATE',
        'SIMULATION_RESET_SPAWNED', 'SIMULATION_STATE_GETTING', 'SIMULATION_STATE_SETTING',
        'SIMULATION_STATE_PAUSE', 'STEP_SIMULATION_SINGLE', 'STEP_SIMULATION_MULTIPLE',
    )  # fmt: skip


def checked_steps(count: int) -> int:
    """Returns a number of steps. Raises ResultError if it is 0 or too large."""
    if not 1 <= count <= MOST_STEPS:
        raise ResultError(f'steps must be at least 1 and at most {MOST_STEPS:,}, got {count:,}')
    return int(count)


def _check_scope(scope: int, state: RunState) -> None:
    """Raises ResultError for an invalid scope, and while no world is loaded."""
    if scope not in range(_TIME + _STATE + _SPAWNED + 1) and scope != _ALL:
        raise ResultError(
            f'scope must be a sum of {_TIME} (time), {_STATE} (state) and {_SPAWNED} (spawned), or'
            f' {_ALL} (all), got {scope}',
            UNSUPPORTED,
        )
    state.require_world()


def _reset(scope: int, state: RunState, assembly: Assembly) -> None:
    """Resets the parts that the scope selects, on the thread of loads."""
    if scope in (0, _ALL):
        state.restore()
        return
    simulation = assembly.simulation
    if scope & _SPAWNED:
        spawned = [entity.name for entity in assembly.world.entities if entity.spawned]
        if spawned:
            assembly.delete_here(spawned)
    if scope & _STATE:
        assembly.tell(assembly.carry_out(simulation.reset(keep_time=not scope & _TIME)))
    elif scope & _TIME:
        assembly.carry_out(simulation.submit(_begin_anew))


def _begin_anew(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Sets the time to 0; the loop detects the change and begins an epoch."""
    before, data.time = data.time, 0.0
    begin_histories(model, data, before)


_NAME = 'simulate_steps'
_FEEDBACK_S = 0.02
"""The period of feedback messages in seconds."""


class SimulateStepsAction:
    """Executes one goal at a time, each on a thread of its own."""

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
        """Aborts the running goal, and removes the action."""
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
            self._abort(goal, result, ResultError('another goal is stepping the simulation'))
            return result
        try:
            self._make_steps(goal, result)
        except MujocoRosError as error:
            self._abort(goal, result, error)
        finally:
            self._stepping.release()
        return result

    def _make_steps(self, goal: Goal, result: SimulateSteps.Result) -> None:
        """Runs the steps of a goal, and publishes feedback until they are done.

        Raises MujocoRosError if a step fails.
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
        """Stops stepping; completed steps are not undone."""
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
