"""Compiled: a gripper on the way to its goal, which it reaches, or at which it stalls.

`state` is a record with the fields of `motion_fields`.
"""

from __future__ import annotations

from typing import Any

from ....plugins import inlined
from ..goal_record import FIRST_OF_PLUGIN, SUCCEEDED, end_goal, pursues_goal

STALLED, FORGOTTEN = FIRST_OF_PLUGIN, FIRST_OF_PLUGIN + 1
"""Why a goal of a gripper has failed."""


@inlined
def judge_goal(state: Any, time: float, position: float, velocity: float, effort: float) -> None:
    """Ends the goal if the gripper is there or has stalled; call it at the end of each step.

    The time in s, the position in rad or m, the velocity and the effort are kept for the result.
    """
    if not pursues_goal(state):
        return
    state.time, state.position = time, position
    state.velocity, state.effort = velocity, effort
    if abs(state.target - position) < state.goal_tolerance:
        state.reached = True
        end_goal(state, SUCCEEDED)
    elif abs(velocity) > state.stall_velocity:
        state.moved_at = time
    elif time - state.moved_at > state.stall_timeout:
        state.stalled = True
        end_goal(state, SUCCEEDED if state.allow_stalling else STALLED)


@inlined
def forget_goal(state: Any) -> None:
    """Ends the goal since its command was forgotten, as the time has jumped back."""
    end_goal(state, FORGOTTEN)
