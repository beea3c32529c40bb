"""Compiled: judges whether a gripper has reached its goal, or has stalled on the way.

`state` is a record with the fields of `motion_fields`.
"""

from __future__ import annotations

from ....plugins import State
from ....plugins.compiled_code import inlined
from ..goals.goal_record import FIRST_OF_PLUGIN, SUCCEEDED, end_goal, pursues_goal

STALLED, FORGOTTEN = FIRST_OF_PLUGIN, FIRST_OF_PLUGIN + 1
"""The reasons for which the goal of a gripper fails, as values of `goal_end`."""


@inlined
def judge_goal(state: State, time: float, position: float, velocity: float, effort: float) -> None:
    """Ends the goal if the gripper has reached it or has stalled; call it after each step.

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
def forget_goal(state: State) -> None:
    """Ends the goal because the time has jumped back, by which its command was forgotten."""
    end_goal(state, FORGOTTEN)
