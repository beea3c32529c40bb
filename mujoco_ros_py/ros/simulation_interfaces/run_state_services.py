"""get_ and set_simulation_state, reset_simulation, step_simulation."""

from __future__ import annotations

from concurrent.futures import Future
from functools import partial
from typing import Any

import mujoco
from simulation_interfaces.srv import (
    GetSimulationState,
    ResetSimulation,
    SetSimulationState,
    StepSimulation,
)

from ...mujoco_internals import begin_histories
from ...session import Assembly
from ..services.offered_services import Service, always, settled
from .results import UNSUPPORTED, ResultError
from .run_state import PLAYING, RunState
from .standard_services import StandardServices, between_loads

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

    def write_state(response: GetSimulationState.Response, _: Any) -> None:
        response.state.state = state.now

    def set_state(request: SetSimulationState.Request) -> Future[Any]:
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
    """Returns a number of steps. Raises ResultError for none, and for too many."""
    if not 1 <= count <= MOST_STEPS:
        raise ResultError(f'steps must be at least 1 and at most {MOST_STEPS:,}, got {count:,}')
    return int(count)


def _check_scope(scope: int, state: RunState) -> None:
    """Raises ResultError for a scope that does not exist, and where nothing can be reset."""
    if scope not in range(_TIME + _STATE + _SPAWNED + 1) and scope != _ALL:
        raise ResultError(
            f'scope must be a sum of {_TIME} (time), {_STATE} (state) and {_SPAWNED} (spawned), or'
            f' {_ALL} (all), got {scope}',
            UNSUPPORTED,
        )
    state.require_world()


def _reset(scope: int, state: RunState, assembly: Assembly) -> None:
    """Resets what the scope names, on the thread of loads."""
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
    """Sets the time to 0; the loop sees that, and an epoch begins."""
    before, data.time = data.time, 0.0
    begin_histories(model, data, before)
