"""Compiled: the goal in the record of a plugin, which compiled code pursues and ends.

`state` is a record with the field `goal_end`, as `goal_fields` makes it.
"""

from __future__ import annotations

from ....plugins import State
from ....plugins.compiled_code import inlined

NO_GOAL, PURSUED, SUCCEEDED, FIRST_OF_PLUGIN = -1, 0, 1, 2
"""The values of `goal_end`: there is no goal, the goal is pursued, the goal has succeeded, and the
first of the values that a plugin has for the failures of a goal."""


@inlined
def pursues_goal(state: State) -> bool:
    """Returns whether there is a goal that has not ended."""
    return state.goal_end == PURSUED  # type: ignore[no-any-return]


@inlined
def end_goal(state: State, end: int) -> None:
    """Ends the goal that is pursued; `end` is SUCCEEDED or a value of the plugin."""
    if state.goal_end == PURSUED:
        state.goal_end = end
