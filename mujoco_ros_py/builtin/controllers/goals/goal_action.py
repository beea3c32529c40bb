"""Offers an action whose goals are pursued and ended by compiled code."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import CancelledError
from typing import Any

import mujoco

from ....errors import ConfigError, EndedError, PluginError
from ....log_throttle import Throttle, subject_of
from ....plugins import MujocoPlugin
from ....simulation import Snapshot
from .goal_record import SUCCEEDED
from .goals import CANCELLED, STOPPED, Goals, Pursuit

_log = logging.getLogger(__name__)


class GoalAction:
    """An action of a plugin with `Goals`. Create it in `load`.

    A goal begins before its client is notified of the acceptance, so the next step that the client
    requests already pursues the goal. A new goal replaces the current goal, whose client receives
    the status aborted and a result. Feedback is published, and cancellations are handled, at the
    `rate_hz` of `Goals`.
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
        """`read(message)` converts a goal message, or raises ConfigError to reject the goal.

        `begin(converted, data)` begins the goal and sets the commands; it runs on the physics
        thread. `feedback(snapshot)` returns the feedback message for a snapshot, or None if the
        goal has already ended; it runs outside the physics thread.
        """
        self._plugin, self._goals = plugin, goals
        self._read, self._begin, self._feedback = read, begin, feedback
        self._begun: dict[int, Pursuit] = {}
        """Accepted goals that have no handle yet, by the id() of their message."""
        self._handles: dict[Pursuit, Any] = {}
        self._throttle = Throttle()
        goals.look = self._look
        plugin.ros.create_action_server(kind, name, self._execute, goal_callback=self._accept)

    def _accept(self, goal: Any) -> bool:
        """Begins or rejects a goal; called on the plugin's thread, in the order of arrival."""
        try:
            pursuit = self._start(self._read(goal))
        except ConfigError as error:
            said = f'{self._plugin.name}: a goal was rejected: {error}'
            if line := self._throttle.line(said, error, subject_of(said)):
                _log.warning('%s', line)
            return False
        except (CancelledError, EndedError, PluginError):  # the plugin has failed or was unloaded
            return False
        self._begun[id(goal)] = pursuit
        return True

    def _start(self, asked: Any) -> Pursuit:
        """Begins a goal on the physics thread. Raises ConfigError during an emergency stop."""
        begun = self._plugin.environment.submit(lambda _, data: self._begin(asked, data))
        pursuit = begun.result()
        if pursuit.end == STOPPED:
            raise ConfigError(self._goals.reason(STOPPED))
        return pursuit

    def _execute(self, handle: Any) -> Any:
        """Waits for the end of a goal and returns its result; each goal has its own thread."""
        pursuit = self._begun.pop(id(handle.request))
        self._handles[pursuit] = handle
        pursuit.wait()
        del self._handles[pursuit]
        if pursuit.end == SUCCEEDED:
            handle.succeed()
        elif pursuit.end == CANCELLED:
            handle.canceled()
        else:
            handle.abort()
        return pursuit.result

    def _look(self, pursuit: Pursuit, snapshot: Snapshot) -> None:
        """Publishes feedback, or cancels the goal if the client asked for this.

        Called through `environment.follow`, on a thread other than the physics thread.
        """
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
