"""The parts of a compound sensor: sensors of the model, or values computed at a site."""

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
"""A part of a compound sensor: the index of its first value in `sensordata` (-1 if the value is
computed at a site) and the site's id."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The configuration of a part."""

    sensor: str
    """The name of a sensor of the model; if empty, the part is measured at the site."""
    types: tuple[str, ...]
    """The allowed sensor types; a value computed at a site is of the first type."""
    own_frame: bool = True
    """Whether the part must be in the message's frame."""
    in_world: bool = False
    """Whether a part without a sensor is in the world frame instead of the site's frame."""


def find_parts(
    plugin: MujocoPlugin[Any],
    model: mujoco.MjModel,
    frames: SensorFrames,
    site: str,
    wanted: Mapping[str, Wanted],
) -> tuple[str, dict[str, Any]]:
    """Returns the frame of the parts, and a record of type `PART` for each part, by key.

    A part without a named sensor uses a sensor of the part's first type at the site. If the model
    has no such sensor, the part is computed. Raises PluginError if a name is unknown, if a sensor
    has another type, or if the parts are in different frames.
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
    """Returns the error for a part that has neither a sensor nor a site."""
    known = ', '.join(sorted(_fitting(model, want, sensors))) or 'none'
    sites = ', '.join(sorted(sites_of(plugin, model))) or 'none'
    return (
        f'{key} must name a {_kind(want)} if no site is given; known: {known}; '
        f'known sites: {sites}'
    )


def _fitting(model: mujoco.MjModel, want: Wanted, sensors: Mapping[str, int]) -> dict[str, int]:
    """Returns the sensors whose type is allowed for a part."""
    types = [_type(name) for name in want.types]
    return {n: s for n, s in sensors.items() if int(model.sensor_type[s]) in types}


def _kind(want: Wanted) -> str:
    return f'sensor of type {" or ".join(want.types)}'


def _attached(model: mujoco.MjModel, site: int, type_: str) -> int:
    """Returns the sensor of a type that is attached to a site, or -1 if none is attached."""
    for sensor in range(model.nsensor):
        at = int(model.sensor_objtype[sensor]), int(model.sensor_objid[sensor])
        alone = int(model.sensor_refid[sensor]) < 0
        if int(model.sensor_type[sensor]) == _type(type_) and at == (_SITE, site) and alone:
            return sensor
    return -1


def _type(name: str) -> int:
    """Returns the number of a sensor type by its MJCF name."""
    return int(mujoco.mjtSensor.__members__[f'mjSENS_{name.upper()}'])
