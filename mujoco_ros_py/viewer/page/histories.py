"""Collects numbers over simulated time for the plots of the page."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from itertools import islice

import mujoco

_MOST_POINTS = 150
_MOST_LINES = 8
"""The maximum number of lines in a plot; more lines are hard to tell apart."""
_TURNS_OR_SLIDES = int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)
_Line = deque[tuple[float, float]]


class Histories:
    """Keeps the newest points of named lines, in groups; use it from one thread."""

    def __init__(self) -> None:
        self._groups: dict[str, dict[str, _Line]] = {}
        self._times: dict[str, float] = {}

    def add(self, group: str, time: float, values: Mapping[str, float]) -> None:
        """Adds a point to each line of a group, at a time in s.

        A line that `values` does not name is removed. A repeated time adds no points, and an
        earlier time clears the group first.
        """
        lines, last = self._groups.setdefault(group, {}), self._times.get(group)
        if last is not None and time < last:
            lines.clear()
        for gone in lines.keys() - values.keys():
            del lines[gone]
        if time == last and lines.keys() == values.keys():
            return
        self._times[group] = time
        for name, value in values.items():
            lines.setdefault(name, deque(maxlen=_MOST_POINTS)).append((time, value))

    def lines(self, group: str) -> dict[str, tuple[list[float], list[float]]]:
        """Returns the times in s and the values of each line in a group, by name, newest last."""
        return {
            name: ([time for time, _ in line], [value for _, value in line])
            for name, line in self._groups.get(group, {}).items()
        }

    def clear(self, group: str) -> None:
        """Removes the lines of a group."""
        self._groups.pop(group, None)
        self._times.pop(group, None)


def joint_values(model: mujoco.MjModel, data: mujoco.MjData, part: str) -> dict[str, float]:
    """Returns the positions of hinges in rad and of slides in m, by joint name.

    Returns the first joints with `part` in their names; a joint without a name is called by its
    number.
    """
    return dict(islice(_joints(model, data, part), _MOST_LINES))


def sensor_values(model: mujoco.MjModel, data: mujoco.MjData, part: str) -> dict[str, float]:
    """Returns the readings of the first sensors with `part` in their names, in their own units.

    A sensor with several numbers has one line per number.
    """
    return dict(islice(_sensors(model, data, part), _MOST_LINES))


def _joints(model: mujoco.MjModel, data: mujoco.MjData, part: str) -> Iterator[tuple[str, float]]:
    for joint in range(model.njnt):
        if int(model.jnt_type[joint]) in _TURNS_OR_SLIDES:
            name = model.joint(joint).name or f'joint {joint}'
            if part in name:
                yield name, float(data.qpos[model.jnt_qposadr[joint]])


def _sensors(model: mujoco.MjModel, data: mujoco.MjData, part: str) -> Iterator[tuple[str, float]]:
    for sensor in range(model.nsensor):
        name = model.sensor(sensor).name or f'sensor {sensor}'
        if part in name:
            first, count = int(model.sensor_adr[sensor]), int(model.sensor_dim[sensor])
            for k in range(count):
                yield (f'{name} [{k}]' if count > 1 else name), float(data.sensordata[first + k])
