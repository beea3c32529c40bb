"""The results of goals, and the codes and sentences for the ends of trajectories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ....errors import ConfigError
from ..goals.goal_record import SUCCEEDED
from ..goals.goals import CANCELLED
from .following import FORGOTTEN, NOT_REACHED, OFF_PATH


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a goal, with the names of control_msgs/FollowJointTrajectory."""

    error_code: int
    """The code of the action: 0 (successful), -4 (path tolerance violated), -5 (goal tolerance
    violated) or -1 (ended for another reason)."""
    error_string: str


INVALID = -1
"""The code of the action for all ends without one of their own."""
CODES = {CANCELLED: 0, SUCCEEDED: 0, OFF_PATH: -4, NOT_REACHED: -5}
"""The codes of the action by the values of `goal_end`."""
REASONS = {
    OFF_PATH: 'the path tolerance was violated',
    NOT_REACHED: 'the goal was not reached within its tolerance and goal_time',
    FORGOTTEN: 'the time went back',
}
"""The sentences for the ends that compiled code finds."""


def check_failure(saved: Any, joints: int) -> None:
    """Raises ConfigError for a saved failure that no trajectory of so many joints can have."""
    if saved.failures and int(saved.failure) not in REASONS:
        raise ConfigError(f'failure must be one of {list(REASONS)}, got {saved.failure}')
    if not 0 <= saved.violator < joints:
        raise ConfigError(f'violator must be the index of a joint, got {saved.violator}')
