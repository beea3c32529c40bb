"""Says what the compiled part of a drive has counted: refused, clamped and late commands."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ...config.wording import listed
from ...log_throttle import Throttle

if TYPE_CHECKING:
    from .joint_drive import JointDrive
    from .joint_plugin import JointPlugin

_log = logging.getLogger(__name__)
_RATE_HZ = 5.0
"""How often a drive is looked at, in simulated time."""


class DriveReport:
    """Looks at the record of a drive beside the physics, and logs each reason once a second."""

    def __init__(self, plugin: JointPlugin[Any], drive: JointDrive, state: Any) -> None:
        self._name, self._drive, self._state = plugin.name, drive, state
        self._throttle = Throttle()
        self._told: dict[str, int] = {}
        plugin.environment.follow(_RATE_HZ, lambda snapshot: self._look())

    def _look(self) -> None:
        """Logs what is new since the last look; called on the thread of the followers."""
        state = self._state
        self._say('refused', int(state.drive_refusals), self._refused)
        self._say('late', int(state.drive_timeouts), self._late)
        for joint in range(len(self._drive.joints)):
            count = int(state.drive[joint]['clamps'])
            self._say(f'clamped {joint}', count, partial(self._clamped, joint))

    def _say(self, reason: str, count: int, sentence: Callable[[], str]) -> None:
        """Logs a sentence if the count of its reason has changed."""
        if count == self._told.get(reason, 0):
            return
        self._told[reason] = count
        line = self._throttle.line(f'{self._name}: {sentence()}', reason.partition(' ')[0])
        if line is not None:
            _log.warning('%s', line)

    def _refused(self) -> str:
        return refusal(self._drive.joints, int(self._state.drive_refused_length))

    def _clamped(self, joint: int) -> str:
        value = float(self._state.drive[joint]['clamped'])
        name, kind = self._drive.joints[joint], self._drive.interfaces[joint]
        low, high = self._range(joint, kind)
        return (
            f'a {kind} command of {value:g} for joint {name} is outside of its limits,'
            f' {low:g} to {high:g}, and is taken for the nearest of them'
        )

    def _range(self, joint: int, kind: str) -> tuple[float, float]:
        row = self._state.drive[joint]
        if kind == 'position':
            return float(row['position_low']), float(row['position_high'])
        if kind == 'velocity':
            return -float(row['max_velocity']), float(row['max_velocity'])
        return float(row['effort_low']), float(row['effort_high'])

    def _late(self) -> str:
        waited = float(self._state.drive_timeout)
        return (
            f'no command has come for {waited:g} s: {listed(self._drive.joints)} are no longer'
            ' driven by the last one'
        )


def refusal(joints: Sequence[str], length: int) -> str:
    """Returns the sentence for a command that was refused as a whole, by the length it had."""
    wanted = f'{len(joints)} finite numbers, one for each of {listed(joints)}'
    came = f'{length} numbers' if length != len(joints) else 'some that are not finite'
    return f'a command must have {wanted}; got {came}'
