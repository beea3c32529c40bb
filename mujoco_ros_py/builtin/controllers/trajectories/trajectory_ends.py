"""Reports how trajectories end: results of goals, reasons, and clamped values."""

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
    """The result of a goal, with the field names of control_msgs/FollowJointTrajectory."""

    error_code: int
    """The action's error code: 0 (successful), -4 (path tolerance violated), -5 (goal tolerance
    violated) or -1 (ended for another reason)."""
    error_string: str


INVALID = -1
"""The action's error code for ends that are not in `CODES`."""
CODES = {CANCELLED: 0, SUCCEEDED: 0, OFF_PATH: -4, NOT_REACHED: -5}
"""The action's error codes, by reason for the end of the goal (the field `goal_end` of the
plugin's state)."""
REASONS = {
    OFF_PATH: 'the path tolerance was violated',
    NOT_REACHED: 'the goal was not reached within its tolerance and goal_time',
    FORGOTTEN: 'the time went back',
}
"""The messages for failures found by compiled code."""
_LOGGED = 'position', 'velocity', 'effort'
"""The quantities whose clamped values are logged. Accelerations are not logged: plans that use the
full limits often exceed them between points."""


def check_failure(saved: Any, joints: int) -> None:
    """Raises ConfigError if a saved failure is not valid for this number of joints."""
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
    """Reads and logs the clamped values of a trajectory.

    A trajectory that arrives while a goal is pursued belongs to this goal: the values of all
    trajectories of the goal are kept until it ends.
    """

    def __init__(self, plugin: JointPlugin[Any], interface: str) -> None:
        """`interface` is the drive's interface, whose clamped commands the drive logs itself."""
        self._joints = plugin.drive.joints
        self._state = plugin.state
        self._logged = [name for name in _LOGGED if name != interface]
        self._number = 0
        """The number of trajectories and goals so far; values are logged again when it has
        grown."""
        self._report = CommandReport(plugin, self._counts)

    def forget(self) -> None:
        """Discards all clamped values; call this before another trajectory or goal begins."""
        self._report.look()  # a short trajectory may have begun and ended since the last call
        self._number += 1
        for name in LIMITED:
            self._state[f'outside_{name}'] = math.nan

    def __str__(self) -> str:
        """Lists all clamped values; empty if nothing was clamped."""
        found = (self._clamped(name, k) for k in range(len(self._joints)) for name in LIMITED)
        return ', '.join(str(each) for each in found if each is not None)

    def _counts(self) -> Iterator[Count]:
        """Yields a counter for each joint and quantity to log; any thread can call this."""
        for name in self._logged:
            for k in range(len(self._joints)):
                if (found := self._clamped(name, k)) is not None:
                    sentence = partial(clamping, f'the {found.name}', *found[1:])
                    yield Count(reason=name, place=k, number=self._number, sentence=sentence)

    def _clamped(self, name: str, k: int) -> _Clamped | None:
        """Returns the value of joint number k farthest outside its limits; None if all fit."""
        value, row = float(self._state[f'outside_{name}'][k]), self._state.drive[k]
        if math.isnan(value):
            return None
        symmetric = name in ('velocity', 'acceleration')
        high = float(row[f'max_{name}' if symmetric else f'{name}_high'])
        low = -high if symmetric else float(row[f'{name}_low'])
        return _Clamped(f'{name} of joint {self._joints[k]}', value, low, high)
