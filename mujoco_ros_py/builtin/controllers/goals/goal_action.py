"""Offers an action, whose goals compiled code pursues and ends."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable
from concurrent.futures import CancelledError
from typing import Any

import mujoco

from ....errors import ConfigError, EndedError, PluginError
from ....log_throttle import Throttle
from ....plugins import MujocoPlugin
from ....simulation import Snapshot
from .goal_record import SUCCEEDED
from .goals import CANCELLED, STOPPED, Goals, Pursuit

_log = logging.getLogger(__name__)


class GoalAction:
    """An action of a plugin with `Goals`. Make it in `load`, where there is ROS.

    A new goal replaces the present one, which is aborted with its result. Feedback is published,
    and a cancellation is heeded, at the rate of the goals.
    """

    def __init__(
        self,
        plugin: MujocoPlugin[Any],
        goals: Goals,
        kind: Any,
        name: str,
        *,
        read: Callable[[Any], Any],
        begin: Callable[[Any, mujoco.MjData], Pursuit],
        feedback: Callable[[Snapshot], Any],
    ) -> None:
        """`read(goal)` returns the request of a goal, or raises ConfigError to reject the goal.

        `begin(request, data)` begins the goal and sets the commands, on the physics thread.
        `feedback(snapshot)` returns the feedback message of a moment, off the physics thread; None
        if there is nothing to tell, as the goal has ended since.
        """
        self._plugin, self._goals = plugin, goals
        self._read, self._begin, self._feedback = read, begin, feedback
        self._waiting: dict[int, tuple[int, int, Any]] = {}
        """The number of each goal that has not begun, the interruptions before it, and its
        request, by the id() of its message."""
        self._handles: dict[Pursuit, Any] = {}
        self._count, self._newest = itertools.count(1), 0
        self._throttle = Throttle()
        goals.look = self._look
        plugin.ros.act(kind, name, self._execute, accept=self._accept)

    def _accept(self, goal: Any) -> bool:
        """Returns whether to accept a goal; on the plugin's thread, in the order of goals."""
        interruptions = self._goals.interruptions
        try:
            if self._goals.stopped:
                raise ConfigError(self._goals.reason(STOPPED))
            asked = self._read(goal)
        except ConfigError as error:
            said = f'{self._plugin.name}: a goal was rejected: {error}'
            if line := self._throttle.line(said, 'rejected'):
                _log.warning('%s', line)
            return False
        self._waiting[id(goal)] = next(self._count), interruptions, asked
        return True

    def _execute(self, handle: Any) -> Any:
        """Returns the result of a goal; called on a thread for this goal alone."""
        begun = self._plugin.environment.submit(lambda _, data: self._start(handle, data))
        try:
            pursuit = begun.result()
        except (CancelledError, EndedError, PluginError):  # the plugin has failed or was unloaded
            return None
        pursuit.wait()
        self._handles.pop(pursuit, None)
        if pursuit.end == SUCCEEDED:
            handle.succeed()
        elif pursuit.end == CANCELLED:
            handle.canceled()
        else:
            handle.abort()
        return pursuit.result

    def _start(self, handle: Any, data: mujoco.MjData) -> Pursuit:
        """Begins a goal on the physics thread, unless a reset or a newer goal has overtaken it.

        Each goal has a thread, and these threads may come in another order than their goals.
        """
        number, interruptions, asked = self._waiting.pop(id(handle.request))
        if number < self._newest or interruptions < self._goals.interruptions:
            return self._goals.outdated(interruptions)
        self._newest = number
        pursuit = self._begin(asked, data)
        self._handles[pursuit] = handle
        return pursuit

    def _look(self, pursuit: Pursuit, snapshot: Snapshot) -> None:
        """Publishes feedback, or cancels a goal on request; on the thread of the followers."""
        handle = self._handles.get(pursuit)
        if handle is None:
            return
        if handle.is_cancel_requested:
            self._plugin.environment.submit(lambda model, data: self._cancel(pursuit))
        elif (feedback := self._feedback(snapshot)) is not None:
            handle.publish_feedback(feedback)

    def _cancel(self, pursuit: Pursuit) -> None:
        if self._goals.present is pursuit:
            self._goals.end(CANCELLED)
