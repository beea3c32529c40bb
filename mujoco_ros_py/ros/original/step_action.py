"""The action `~/step`: steps a paused simulation, and reports how many steps remain."""

from __future__ import annotations

import logging
import threading
from concurrent.futures import Future, wait
from typing import Any

from mujoco_ros_msgs.action import Step

from ...errors import MujocoRosError
from ...log_throttle import Throttle
from ...simulation import Owner
from ..entities.node_keeper import NodeKeeper
from ..entities.plugin_actions import Goal, offer
from ..services.offered import OfferedServices

_log = logging.getLogger(__name__)
_NAME = '~/step'
_FEEDBACK_S = 0.02
"""The period of feedback messages in seconds."""


class StepAction:
    """Executes one goal at a time, each on a thread of its own."""

    def __init__(self, keeper: NodeKeeper, offered: OfferedServices) -> None:
        self._offered, self._simulation = offered, offered.assembly.simulation
        self._stepping = threading.Lock()
        self._refusals = Throttle()
        self._owner = Owner.of_no_plugin(f'the action {_NAME}')
        # absolute, because the node's remappings do not apply to the action node
        name = keeper.node.resolve_service_name(_NAME)
        offer(keeper.actions, self._owner, Step, name, self._execute, self._accept, None)

    def close(self) -> None:
        """Aborts the running goal, and removes the action."""
        self._owner.end()

    def _accept(self, request: Step.Goal) -> bool:
        try:
            self._offered.require(f'a goal of {_NAME}', 'step')
        except MujocoRosError as error:
            self._tell(error)
            return False
        return True

    def _execute(self, goal: Goal) -> Step.Result:
        if not self._stepping.acquire(blocking=False):
            return self._aborted(goal, 'another goal is stepping the simulation')
        try:
            return self._make_steps(goal, int(goal.request.num_steps))
        finally:
            self._stepping.release()

    def _make_steps(self, goal: Goal, count: int) -> Step.Result:
        """Runs the steps of a goal, and publishes feedback until the steps are done or fail."""
        steps = self._begin(count)
        left = count
        while not wait([steps], _FEEDBACK_S).done:
            left = min(left, self._simulation.status().pending_steps or left)
            if goal.is_cancel_requested:
                return self._cancelled(goal, steps)
            _publish(goal, left)
        if (error := steps.exception()) is not None:
            _publish(goal, left)
            return self._aborted(goal, str(error))
        _publish(goal, 0)
        goal.succeed()
        return Step.Result(success=True)

    def _begin(self, count: int) -> Future[None]:
        if count:
            return self._simulation.step(count)
        none: Future[None] = Future()
        none.set_result(None)
        return none

    def _cancelled(self, goal: Goal, steps: Future[None]) -> Step.Result:
        """Stops stepping; completed steps are not undone."""
        withdrawn = self._simulation.withdraw_steps(steps)
        wait([withdrawn])
        wait([steps])
        failed = withdrawn.cancelled() or withdrawn.exception() is not None
        _publish(goal, 0 if failed else withdrawn.result())
        goal.canceled()
        return Step.Result(success=False)

    def _aborted(self, goal: Goal, reason: str) -> Step.Result:
        self._tell(reason)
        goal.abort()
        return Step.Result(success=False)

    def _tell(self, reason: Any) -> None:
        line = self._refusals.line(f'{_NAME}: {reason}', reason)
        if line is not None:
            _log.warning('%s', line)


def _publish(goal: Goal, left: int) -> None:
    if goal.is_active:
        goal.publish_feedback(Step.Feedback(steps_left=left))
