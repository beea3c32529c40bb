"""Numbers over simulated time, for the plots of the page: which there are, and their histories."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from itertools import islice

import mujoco

_MOST_POINTS = 150
_MOST_LINES = 8
"""The most lines in one plot: nobody could tell more of them apart."""
_TURNS_OR_SLIDES = int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)
_Line = deque[tuple[float, float]]


class Histories:
    """Keeps the newest numbers of named lines, in groups; one thread uses it."""

    def __init__(self) -> None:
        self._groups: dict[str, dict[str, _Line]] = {}
        self._times: dict[str, float] = {}

    def add(self, group: str, time: float, values: Mapping[str, float]) -> None:
        """Adds the values of the lines of a group at a time in s.

        A line without a value ends. A time that was told already adds nothing, and an earlier one
        begins the group anew.
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
        """Returns times in s and values of each line of a group, by name, the newest last."""
        return {
            name: ([time for time, _ in line], [value for _, value in line])
            for name, line in self._groups.get(group, {}).items()
        }

    def clear(self, group: str) -> None:
        """Forgets the lines of a group."""
        self._groups.pop(group, None)
        self._times.pop(group, None)


def joint_values(model: mujoco.MjModel, data: mujoco.MjData, part: str) -> dict[str, float]:
    """Returns the positions of hinges in rad and of slides in m, by the joints' names.

    They are the first of those whose names have `part`; a joint without a name has its number.
    """
    return dict(islice(_joints(model, data, part), _MOST_LINES))


def sensor_values(model: mujoco.MjModel, data: mujoco.MjData, part: str) -> dict[str, float]:
    """Returns the numbers of the first sensors whose names have `part`, in units of the sensors.

    A sensor with several numbers has a line for each.
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
