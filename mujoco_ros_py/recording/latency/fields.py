"""Selects one number from messages of commands and states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...config.wording import listed, unknown
from ...errors import ConfigError

COMMANDS = (
    'std_msgs/Float64MultiArray',
    'sensor_msgs/JointState',
    'trajectory_msgs/JointTrajectory',
    'geometry_msgs/Twist',
    'geometry_msgs/TwistStamped',
)
"""The known types of commands."""
STATES = 'sensor_msgs/JointState', 'nav_msgs/Odometry'
"""The known types of states."""
_OF_JOINT = 'position', 'velocity', 'effort'
_OF_TWIST = tuple(f'{part}.{axis}' for part in ('linear', 'angular') for axis in 'xyz')
_TWISTS: Mapping[str, tuple[str, ...]] = {
    'geometry_msgs/Twist': (),
    'geometry_msgs/TwistStamped': ('twist',),
    'nav_msgs/Odometry': ('twist', 'twist'),
}
"""The path from a message to its twist, by message type."""


class FieldReader:
    """Selects a number from the fields of messages."""

    def __init__(self, kind: str, option: str, field: str, joint: str) -> None:
        """`field` and `joint` can be empty; `option` is the option of `field`, for errors.

        Raises ConfigError if messages of this type have no such field.
        """
        self.kind = kind
        self._joint, self._names, self._longest = joint, set[str](), 0
        self._field, self._option = field, option
        self._index = -1
        if kind == 'std_msgs/Float64MultiArray':
            if field and not field.isdecimal():
                raise ConfigError(f'{option} must be an index for {kind}, got {field!r}')
            self._index = int(field or 0)
        elif kind in _TWISTS:
            self._field = field or _OF_TWIST[0]
            self._check(_OF_TWIST)
        elif field:
            self._check(_OF_JOINT)

    @property
    def what(self) -> str:
        """A description of the selected number, for output."""
        if self._index >= 0:
            return f'element {self._index}'
        if self.kind in _TWISTS:
            return self._field
        return f'{self._field} of {self._joint}'

    def value(self, fields: Mapping[str, Any]) -> float | None:
        """Returns the number in a message; None if this message lacks it.

        Raises ConfigError if no joint is given for messages with several joints.
        """
        if self._index >= 0:
            self._longest = max(self._longest, len(fields['data']))
            return (
                float(fields['data'][self._index]) if self._index < len(fields['data']) else None
            )
        if self.kind in _TWISTS:
            for part in (*_TWISTS[self.kind], *self._field.split('.')):
                fields = fields[part]
            return float(fields)  # type: ignore[arg-type]
        if self.kind == 'sensor_msgs/JointState':
            return self._of_joint(fields['name'], fields, {each: each for each in _OF_JOINT})
        if not fields['points']:
            return None
        names = {'position': 'positions', 'velocity': 'velocities', 'effort': 'effort'}
        return self._of_joint(fields['joint_names'], fields['points'][-1], names)

    def missing(self) -> str:
        """Returns the reason why no message had the number."""
        if self._index >= 0 and self._longest:
            return f'{self._option} must be less than {self._longest}, got {self._index}'
        if self._joint and self._names and self._joint not in self._names:
            return f'--joint: {unknown("joint", self._joint, self._names)}'
        if self._names:
            return f'{self._option}: the messages have no {self._field or "values"} of the joint'
        return 'no message has values'

    def _of_joint(
        self, joints: list[str], fields: Mapping[str, Any], names: Mapping[str, str]
    ) -> float | None:
        """Returns the value of the joint; the first message with values selects the field."""
        self._names.update(joints)
        if not self._joint and len(joints) > 1:
            raise ConfigError(f'--joint must be given; known: {listed(joints, len(joints))}')
        if not self._joint and joints:
            self._joint = joints[0]
        if self._joint not in joints:
            return None
        index = joints.index(self._joint)
        if not self._field:
            self._field = next((each for each in names if len(fields[names[each]]) > index), '')
        values = fields[names[self._field]] if self._field else ()
        return float(values[index]) if index < len(values) else None

    def _check(self, known: tuple[str, ...]) -> None:
        if self._field not in known:
            raise ConfigError(f'{self._option}: {unknown("field", self._field, known)}')
