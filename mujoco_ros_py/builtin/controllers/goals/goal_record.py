"""Compiled: reads and ends the goal in a plugin's record.

`state` is a record with the field `goal_end` (see `goal_fields`).
"""

from __future__ import annotations

from ....plugins import State
from ....plugins.compiled_code import inlined

NO_GOAL, PURSUED, SUCCEEDED, FIRST_OF_PLUGIN = -1, 0, 1, 2
"""The values of `goal_end`: no goal, goal pursued, goal succeeded, and the first of the plugin's
own values for failed goals."""


@inlined
def pursues_goal(state: State) -> bool:
    """Returns whether a goal is being pursued."""
    return state.goal_end == PURSUED  # type: ignore[no-any-return]


@inlined
def end_goal(state: State, end: int) -> None:
    """Ends the pursued goal; `end` is SUCCEEDED or one of the plugin's values for failures."""
    if state.goal_end == PURSUED:
        state.goal_end = end
