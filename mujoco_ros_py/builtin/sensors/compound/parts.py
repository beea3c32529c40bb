"""The parts that a compound sensor consists of: sensors of the model, or what a site tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from ....config import unknown
from ....errors import PluginError
from ....plugins import MujocoPlugin
from ....simulation import names_of
from ..named.sensor_kinds import measured
from ..sensor_frames import SensorFrames, find_site, frame_of_site, sites_of

_SITE, _BODY = int(mujoco.mjtObj.mjOBJ_SITE), int(mujoco.mjtObj.mjOBJ_XBODY)
PART = np.dtype([('address', np.int64), ('site', np.int64)])
"""A part of a compound sensor: the index of its first value in `sensordata`, or -1 if it is
computed at a site; and the id of the site."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A part as the configuration names it."""

    sensor: str
    """The name of a sensor of the model; empty: what the site tells."""
    types: tuple[str, ...]
    """The types that the sensor may have; the first is what the site tells."""
    own_frame: bool = True
    """Whether the part has to be in the frame of the message."""
    in_world: bool = False
    """Whether the part is in the axes of the world, and not of the site, if no sensor has it."""


def find_parts(
    plugin: MujocoPlugin[Any],
    model: mujoco.MjModel,
    frames: SensorFrames,
    site: str,
    wanted: Mapping[str, Wanted],
) -> tuple[str, dict[str, Any]]:
    """Returns the frame of the parts, and a record of type `PART` for each, by its key.

    A part without a sensor is measured by the sensor of the first of its types that is attached to
    the site, if the model has one, and is computed otherwise. Raises PluginError for what the
    model lacks, for a sensor of another type, and for parts that are in different frames.
    """
    prefix = plugin.environment.prefix
    sensors = names_of(model, mujoco.mjtObj.mjOBJ_SENSOR, prefix)
    number = find_site(plugin, model, site) if site else -1
    parts, told = {}, {}
    for key, want in wanted.items():
        sensor = _named(model, key, want, sensors) if want.sensor else -1
        if sensor < 0 and number < 0:
            raise PluginError(_neither(plugin, model, key, want, sensors))
        if sensor < 0:
            sensor = _attached(model, number, want.types[0])
        parts[key] = np.zeros(1, PART)
        parts[key]['site'] = number
        parts[key]['address'] = model.sensor_adr[sensor] if sensor >= 0 else -1
        if want.own_frame:
            if want.sensor:
                told[key] = measured(model, sensor, frames).frame_id
            else:
                told[key] = frames.of(_BODY, 0) if want.in_world else frame_of_site(frames, number)
    if len(set(told.values())) > 1:
        said = ', '.join(f'{key} in {frame or "none"}' for key, frame in told.items())
        raise PluginError(f'all parts must be in one frame, got {said}')
    return next(iter(told.values()), ''), parts


def _named(model: mujoco.MjModel, key: str, want: Wanted, sensors: Mapping[str, int]) -> int:
    fitting = _fitting(model, want, sensors)
    if want.sensor not in fitting:
        raise PluginError(f'{key}: {unknown(_kind(want), want.sensor, fitting)}')
    return fitting[want.sensor]


def _neither(
    plugin: MujocoPlugin[Any],
    model: mujoco.MjModel,
    key: str,
    want: Wanted,
    sensors: Mapping[str, int],
) -> str:
    """Returns the error for a part without a sensor and without a site."""
    known = ', '.join(sorted(_fitting(model, want, sensors))) or 'none'
    sites = ', '.join(sorted(sites_of(plugin, model))) or 'none'
    return (
        f'{key} must name a {_kind(want)} where no site is given; known: {known}; '
        f'known sites: {sites}'
    )


def _fitting(model: mujoco.MjModel, want: Wanted, sensors: Mapping[str, int]) -> dict[str, int]:
    """Returns those of the sensors that have one of the types that a part may have."""
    types = [_type(name) for name in want.types]
    return {n: s for n, s in sensors.items() if int(model.sensor_type[s]) in types}


def _kind(want: Wanted) -> str:
    return f'sensor of type {" or ".join(want.types)}'


def _attached(model: mujoco.MjModel, site: int, type_: str) -> int:
    """Returns the sensor of a type that is attached to a site; -1 if there is none."""
    for sensor in range(model.nsensor):
        at = int(model.sensor_objtype[sensor]), int(model.sensor_objid[sensor])
        alone = int(model.sensor_refid[sensor]) < 0
        if int(model.sensor_type[sensor]) == _type(type_) and at == (_SITE, site) and alone:
            return sensor
    return -1


def _type(name: str) -> int:
    """Returns the number of a type of sensors by its name in MJCF."""
    return int(mujoco.mjtSensor.__members__[f'mjSENS_{name.upper()}'])
