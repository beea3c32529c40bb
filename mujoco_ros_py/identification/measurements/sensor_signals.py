"""Reads vectors of sensors: IMUs, wrenches and odometry."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ...config.wording import listed
from ...errors import RecordingError
from ..sequences import Array, Quantity, Source
from .measured import Measured, Topic, signal_of
from .sensor_places import is_of_another_robot, sensor_place

_AXES = 'xyz'
_UNKNOWN = -1.0
"""The first covariance of a part of an IMU that is not measured (sensor_msgs/Imu)."""
Vectors = Iterator[tuple[Quantity, Any]]


def _vector(fields: Mapping[str, Any]) -> tuple[float, ...]:
    return tuple(fields[axis] for axis in _AXES)


def _imu(fields: Mapping[str, Any]) -> Vectors:
    for quantity, name in (
        ('gyro', 'angular_velocity'), ('accelerometer', 'linear_acceleration'),
    ):  # fmt: skip
        if fields[f'{name}_covariance'][0] != _UNKNOWN:
            yield quantity, _vector(fields[name])  # type: ignore[misc]


def _wrench(fields: Mapping[str, Any]) -> Vectors:
    yield 'force', _vector(fields['wrench']['force'])
    yield 'torque', _vector(fields['wrench']['torque'])


def _twist(fields: Mapping[str, Any]) -> Vectors:
    yield 'velocimeter', _vector(fields['twist']['twist']['linear'])
    yield 'gyro', _vector(fields['twist']['twist']['angular'])


_READERS: Mapping[str, tuple[Callable[[Mapping[str, Any]], Vectors], str]] = {
    'sensor_msgs/Imu': (_imu, ''),
    'geometry_msgs/WrenchStamped': (_wrench, ''),
    'nav_msgs/Odometry': (_twist, 'child_frame_id'),
}
"""The function that reads the vectors of a type, and the field of their frame."""
KINDS = tuple(_READERS)


class SensorSignals:
    """Reads the vectors of a topic as signals."""

    def __init__(self, topic: Topic) -> None:
        self._topic, self._count = topic, 0
        self._read, self._frame = _READERS[topic.kind]
        self._frames: dict[str, None] = {}
        self._rows: dict[Quantity, list[tuple[int, Any]]] = {}

    def add(self, fields: Mapping[str, Any]) -> None:
        """Adds a message."""
        frame = fields[self._frame] if self._frame else fields['header']['frame_id']
        self._frames[frame] = None
        for quantity, vector in self._read(fields):
            self._rows.setdefault(quantity, []).append((self._count, vector))
        self._count += 1

    def measured(self, times: Array) -> Measured:
        """Returns the signals; `times` has the time of each message in s, NaN for no time.

        Raises RecordingError if the messages are from several sensors.
        """
        topic, found = self._topic, Measured()
        if len(self._frames) > 1:
            raise RecordingError(
                f'{topic.where}: the messages are from several frames:'
                f' {listed(list(self._frames), 20)}; record each in a topic of its own'
            )
        frame = next(iter(self._frames))
        if is_of_another_robot(topic, frame):
            found.notes.append(
                f'{topic.where}: its frame {frame!r} does not begin with the prefix {topic.prefix}'
            )
            return found
        place = sensor_place(topic, frame)
        wrench = topic.kind == 'geometry_msgs/WrenchStamped'
        # MuJoCo measures the effect of the parent on the child
        sign = -1.0 if wrench and topic.own.measure_direction == 'child_to_parent' else 1.0
        for quantity, rows in self._rows.items():
            at = times[[row for row, _ in rows]]
            values = sign * np.array([vector for _, vector in rows], float)
            for k in range(len(_AXES)):
                if values[:, k].any():
                    source = Source(quantity=quantity, name=place, component=k)
                    found.signals += signal_of(source, at, values[:, k], topic)
                else:
                    found.notes.append(
                        f'{topic.where}: the component {_AXES[k]} of the {quantity} is not used:'
                        ' it is always 0'
                    )
        return found
