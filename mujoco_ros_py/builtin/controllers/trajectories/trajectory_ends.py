"""What is told of trajectories: results of goals, sentences for ends, values that were clamped."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from ....errors import ConfigError
from ..drive.command_report import CommandReport, Count, clamping
from ..drive.joint_plugin import JointPlugin
from ..goals.goal_record import SUCCEEDED
from ..goals.goals import CANCELLED
from .following import FORGOTTEN, NOT_REACHED, OFF_PATH
from .trajectory import LIMITED


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
_LOGGED = 'position', 'velocity', 'effort'
"""The quantities with warnings. Accelerations have none: a plan to the limits often exceeds them
between its points."""


def check_failure(saved: Any, joints: int) -> None:
    """Raises ConfigError for a saved failure that no trajectory of so many joints can have."""
    if saved.failures and int(saved.failure) not in REASONS:
        raise ConfigError(f'failure must be one of {list(REASONS)}, got {saved.failure}')
    if not 0 <= saved.violator < joints:
        raise ConfigError(f'violator must be the index of a joint, got {saved.violator}')


class _Clamped(NamedTuple):
    name: str
    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f'{self.name} (asked for {self.value:g}, limits {self.low:g} to {self.high:g})'


class ClampedValues:
    """Reads what compiled code notes of one trajectory, or of all trajectories of one goal."""

    def __init__(self, plugin: JointPlugin[Any], interface: str) -> None:
        """`interface` is that of the drive, which counts its own clamped commands."""
        self._joints = plugin.drive.joints
        self._state = plugin.state
        self._logged = [name for name in _LOGGED if name != interface]
        self._number = 0
        """The number of trajectories and goals since the start."""
        self._report = CommandReport(plugin, self._counts)

    def forget(self) -> None:
        """Begins anew, with another trajectory or goal."""
        self._report.look()  # a short one may have ended since the last look
        self._number += 1
        for name in LIMITED:
            self._state[f'outside_{name}'] = math.nan

    def __str__(self) -> str:
        """Names every clamped value; empty if there are none."""
        found = (self._clamped(name, k) for k in range(len(self._joints)) for name in LIMITED)
        return ', '.join(str(each) for each in found if each is not None)

    def _counts(self) -> Iterator[Count]:
        """Yields a count for each joint and quantity to log; any thread may call this."""
        for name in self._logged:
            for k in range(len(self._joints)):
                if (found := self._clamped(name, k)) is not None:
                    sentence = partial(clamping, f'the {found.name}', *found[1:])
                    yield Count(reason=name, place=k, number=self._number, sentence=sentence)

    def _clamped(self, name: str, k: int) -> _Clamped | None:
        """Returns the value of joint number k that was farthest outside; None if none was."""
        value, row = float(self._state[f'outside_{name}'][k]), self._state.drive[k]
        if math.isnan(value):
            return None
        symmetric = name in ('velocity', 'acceleration')
        high = float(row[f'max_{name}' if symmetric else f'{name}_high'])
        low = -high if symmetric else float(row[f'{name}_low'])
        return _Clamped(f'{name} of joint {self._joints[k]}', value, low, high)
