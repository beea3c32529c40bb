"""The joints and sensors of which a page draws plots."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import mujoco

_MOST_LINES = 8
"""The most lines in one plot: nobody could tell more of them apart."""
_TURNS_OR_SLIDES = int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)


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
