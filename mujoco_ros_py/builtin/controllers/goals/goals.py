"""Goals of plugins: compiled code pursues one at a time, and tells when it has ended.

A plugin derives from `PursuesGoals`, and makes its `goals` in `load`. Its record has the fields of
`goal_fields`. Compiled code asks `pursues_goal`, and calls `end_goal`. Where there is ROS,
`GoalAction` offers the action.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import mujoco

from ....plugins import Adaptable, Commandable, MujocoPlugin, Reconfigurable, Savable, Stoppable
from ....simulation import Snapshot
from .goal_record import NO_GOAL, PURSUED, SUCCEEDED

_log = logging.getLogger(__name__)
Config = TypeVar('Config')

CANCELLED, REPLACED, STOPPED, RESET, RESTORED, UNLOADED, FAILED = -2, -3, -4, -5, -6, -7, -8
"""The values of `goal_end` for goals that Python ends, and not compiled code."""
REASONS = {
    SUCCEEDED: 'the goal has succeeded',
    CANCELLED: 'the goal was cancelled',
    REPLACED: 'a newer goal has replaced this one',
    STOPPED: 'an emergency stop is on',
    RESET: 'the simulation was reset',
    RESTORED: 'another state of the simulation was restored',
    UNLOADED: 'the controller was unloaded',
    FAILED: 'the controller has failed',
}
"""The sentence for each value of `goal_end`."""


def goal_fields() -> dict[str, Any]:
    """Returns the fields that the record of a plugin with goals needs."""
    return {'goal_end': NO_GOAL}


class Pursuit:
    """A goal from its beginning to its end; any thread may wait for the end."""

    def __init__(self) -> None:
        self.end = PURSUED
        """The reason why the goal has ended, a value of `goal_end`; PURSUED until then."""
        self.result: Any = None
        """The result of the goal, which the plugin makes when it ends; None until then."""
        self._ended = threading.Event()

    @property
    def ended(self) -> bool:
        """Whether the goal has ended."""
        return self._ended.is_set()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Waits until the goal has ended; returns False if it has not within the time-out."""
        return self._ended.wait(timeout_s)

    def finish(self, end: int, result: Any) -> None:
        """Ends the goal, and wakes all threads that wait for that."""
        self.end, self.result = end, result
        self._ended.set()


class Goals:
    """The goals of a plugin, one at a time. All methods are for the physics thread.

    The end of a goal by compiled code is noticed at `rate_hz`, per second of simulated time.
    """

    def __init__(
        self,
        plugin: MujocoPlugin[Any],
        *,
        rate_hz: float,
        result: Callable[[int], Any],
        cancelled: Callable[[], object],
        reasons: Mapping[int, str] | None = None,
    ) -> None:
        """`result(end)` makes the result of a goal that has ended, from the record of the plugin.

        `cancelled` is called when a goal is cancelled, to hold still for example. Both are called
        on the physics thread. `reasons` has the sentences for the plugin's values of `goal_end`.
        """
        self._plugin, self._result, self._cancelled = plugin, result, cancelled
        self._reasons = {**REASONS, **(reasons or {})}
        self.present: Pursuit | None = None
        """The goal that is pursued, or that compiled code has ended since the last `settle`."""
        self.look: Callable[[Pursuit, Snapshot], object] | None = None
        """A function that gets the present goal and a snapshot, off the physics thread."""
        plugin.environment.follow(rate_hz, self._look)

    @property
    def stopped(self) -> bool:
        """Whether an emergency stop is on, during which no goal begins; any thread may ask."""
        return bool(self._plugin.state.stopped)

    @property
    def has_ended(self) -> bool:
        """Whether compiled code has ended the present goal; any thread may ask."""
        return int(self._plugin.state.goal_end) > PURSUED

    def begin(self) -> Pursuit:
        """Begins a goal, which replaces the present one; in an emergency stop it ends at once."""
        self.end(REPLACED)
        pursuit = self.present = Pursuit()
        self._plugin.state.goal_end = PURSUED
        if self.stopped:
            self.end(STOPPED)
        return pursuit

    def end(self, end: int) -> None:
        """Ends the present goal for a reason that Python has found, such as a reset.

        If compiled code has ended the goal already, its reason counts.
        """
        state = self._plugin.state
        found, state.goal_end = int(state.goal_end), NO_GOAL
        pursuit, self.present = self.present, None
        if pursuit is None:
            return
        end = found if found > PURSUED else end
        if end == CANCELLED:
            self._cancelled()
        pursuit.finish(end, self._result(end))
        _log.info('%s: %s', self._plugin.name, self.reason(end))

    def settle(self) -> None:
        """Ends the present goal if compiled code has ended it."""
        if self.has_ended:
            self.end(NO_GOAL)

    def reason(self, end: int) -> str:
        """Returns the sentence for an end; any thread may ask."""
        return self._reasons[end]

    def _look(self, snapshot: Snapshot) -> None:
        """Has the physics thread settle a goal that has ended; on the thread of the followers."""
        pursuit = self.present
        if pursuit is None:
            return
        if self.has_ended:
            self._plugin.environment.submit(lambda model, data: self.settle())
        elif self.look is not None:
            self.look(pursuit, snapshot)


class PursuesGoals(
    MujocoPlugin[Config], Reconfigurable, Adaptable, Savable, Stoppable, Commandable
):
    """The base of plugins with goals: a reset, a restored state, a stop or a fault ends the goal.

    Name it before the other bases.
    """

    goals: Goals
    """The goals, which `load` makes."""

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Ends the goal, and resets the other bases of the plugin."""
        super().reset(model, data)
        self.goals.end(RESET)

    def restore(self, saved: Any) -> None:
        """Ends the goal, which has no part in a saved state."""
        self.goals.end(RESTORED)
        super().restore(saved)
        self.state.goal_end = NO_GOAL

    def emergency_stop(self, model: mujoco.MjModel, data: mujoco.MjData, stopped: bool) -> None:
        """Ends the goal, and stops the other bases of the plugin, or releases them."""
        super().emergency_stop(model, data, stopped)
        if stopped:
            self.goals.end(STOPPED)

    def withdraw(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Ends the goal, and has the other bases of the plugin take back what they have set."""
        self.goals.end(FAILED)
        super().withdraw(model, data)

    def unload(self) -> None:
        """Ends the goal."""
        self.goals.end(UNLOADED)
        super().unload()
