"""Goals of plugins: compiled code pursues one goal at a time, and reports its end.

A plugin derives from `PursuesGoals`, creates its `goals` in `load`, and adds `goal_fields` to its
record. Compiled code checks `pursues_goal` and calls `end_goal`. With ROS, `GoalAction` offers the
action.
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
"""The values of `goal_end` for goals that Python code ends."""
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
"""The message for each value of `goal_end`."""


def goal_fields() -> dict[str, Any]:
    """Returns the record fields of a plugin with goals."""
    return {'goal_end': NO_GOAL}


class Pursuit:
    """A goal from its beginning to its end; any thread can wait for the end."""

    def __init__(self) -> None:
        self.end = PURSUED
        """Why the goal has ended, a value of `goal_end`; PURSUED until then."""
        self.result: Any = None
        """The result that the plugin creates when the goal ends; None until then."""
        self._ended = threading.Event()

    @property
    def ended(self) -> bool:
        """Whether the goal has ended."""
        return self._ended.is_set()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Waits until the goal has ended; returns False after a time-out."""
        return self._ended.wait(timeout_s)

    def finish(self, end: int, result: Any) -> None:
        """Ends the goal, and wakes all waiting threads."""
        self.end, self.result = end, result
        self._ended.set()


class Goals:
    """The goals of a plugin, one at a time. Call all methods on the physics thread.

    Python checks at `rate_hz`, in simulated time, whether compiled code has ended the goal.
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
        """`result(end)` returns the result of an ended goal, from the record of the plugin.

        `cancelled` is called when a goal is cancelled, for example to hold the joints. Both are
        called on the physics thread. `reasons` maps the plugin's own values of `goal_end` to
        messages.
        """
        self._plugin, self._result, self._cancelled = plugin, result, cancelled
        self._reasons = {**REASONS, **(reasons or {})}
        self.present: Pursuit | None = None
        """The goal being pursued, or ended by compiled code and not finished by `settle` yet; else
        None."""
        self.look: Callable[[Pursuit, Snapshot], object] | None = None
        """A function that receives the current goal and a snapshot, outside the physics thread."""
        plugin.environment.follow(rate_hz, self._look)

    @property
    def stopped(self) -> bool:
        """Whether an emergency stop is active and prevents goals; any thread can read this."""
        return bool(self._plugin.state.stopped)

    @property
    def has_ended(self) -> bool:
        """Whether compiled code has ended the current goal; any thread can read this."""
        return int(self._plugin.state.goal_end) > PURSUED

    def begin(self) -> Pursuit:
        """Begins a goal and ends the current goal; during a stop, the new goal ends at once."""
        self.end(REPLACED)
        pursuit = self.present = Pursuit()
        self._plugin.state.goal_end = PURSUED
        if self.stopped:
            self.end(STOPPED)
        return pursuit

    def end(self, end: int) -> None:
        """Ends the current goal for a reason found by Python code, such as a reset.

        If compiled code has already ended the goal, the reason from compiled code wins.
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
        """Finishes the current goal with a result if compiled code has ended the goal."""
        if self.has_ended:
            self.end(NO_GOAL)

    def reason(self, end: int) -> str:
        """Returns the message for a value of `goal_end`; any thread can call this."""
        return self._reasons[end]

    def _look(self, snapshot: Snapshot) -> None:
        """Settles an ended goal on the physics thread; passes a pursued goal to `look`.

        Runs on the thread of `environment.follow`.
        """
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
    """The base class of plugins with goals.

    A reset, a restored state, an emergency stop or a fault ends the goal. List this class before
    the other base classes, because its methods call theirs.
    """

    goals: Goals
    """The goals; created in `load`."""

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Calls `reset` of the plugin's other base classes, and ends the goal."""
        super().reset(model, data)
        self.goals.end(RESET)

    def restore(self, saved: Any) -> None:
        """Restores a saved state, and ends the goal, because saved states do not include goals."""
        self.goals.end(RESTORED)
        super().restore(saved)
        self.state.goal_end = NO_GOAL

    def emergency_stop(self, model: mujoco.MjModel, data: mujoco.MjData, stopped: bool) -> None:
        """Calls `emergency_stop` of the plugin's other base classes; a stop also ends the goal."""
        super().emergency_stop(model, data, stopped)
        if stopped:
            self.goals.end(STOPPED)

    def withdraw(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Ends the goal, and calls `withdraw` of the plugin's other base classes."""
        self.goals.end(FAILED)
        super().withdraw(model, data)

    def unload(self) -> None:
        """Ends the goal."""
        self.goals.end(UNLOADED)
        super().unload()
