"""What sends goals to grippers: MoveIt's two kinds of controllers, and an action client."""

from __future__ import annotations

from typing import Any

from control_msgs.action import GripperCommand, ParallelGripperCommand
from sensor_msgs.msg import JointState

from .harness import answered_goal, wait_until


class GripperClient:
    """A client of a gripper's action, which is `<name>/<action_ns>` to MoveIt."""

    def __init__(self, client: Any, kind: Any = ParallelGripperCommand) -> None:
        self.kind = kind
        self.feedback: list[Any] = []
        self._actions = client.actions(kind, 'gripper/gripper_cmd')
        wait_until(self._actions.server_is_ready, 'the action')

    def send(self, goal: Any) -> Any:
        """Returns the handle of a goal, which may be rejected."""
        return answered_goal(
            self._actions, goal, lambda message: self.feedback.append(message.feedback)
        )

    def move(self, position: float, max_effort: float = 0.0, max_velocity: float = 0.0) -> Any:
        """Sends what MoveIt sends for the last point of a trajectory; returns the result's future.

        MoveIt gives limits to a ParallelGripperCommand only if they are above 0, and always gives
        the effort of a GripperCommand.
        """
        if self.kind is GripperCommand:
            goal = GripperCommand.Goal()
            goal.command.position, goal.command.max_effort = position, max_effort
        else:
            goal = ParallelGripperCommand.Goal(
                command=JointState(name=['finger'], position=[position])
            )
            goal.command.velocity = [max_velocity] if max_velocity > 0.0 else []
            goal.command.effort = [max_effort] if max_effort > 0.0 else []
        handle = self.send(goal)
        assert handle.accepted
        self.last = handle
        return handle.get_result_async()


def outcome(future: Any, process: Any = None) -> tuple[int, Any]:
    """Returns status and result of a goal."""
    wait_until(future.done, 'a result', process=process)
    return future.result().status, future.result().result
