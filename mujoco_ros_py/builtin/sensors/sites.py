"""The sites that sensors are mounted at, by name, and their TF frames."""

from __future__ import annotations

from typing import Any

import mujoco

from ...config import unknown
from ...errors import PluginError
from ...plugins import MujocoPlugin
from ...simulation import names_of
from .sensor_frames import SensorFrames

_SITE = int(mujoco.mjtObj.mjOBJ_SITE)


def find_site(plugin: MujocoPlugin[Any], model: mujoco.MjModel, name: str) -> int:
    """Returns the id of a site. Raises PluginError that names those of the robot."""
    sites = sites_of(plugin, model)
    if name not in sites:
        raise PluginError(f'site: {unknown("site", name, sites)}')
    return sites[name]


def sites_of(plugin: MujocoPlugin[Any], model: mujoco.MjModel) -> dict[str, int]:
    """Returns the ids of the sites of the plugin's robot, by their names in it."""
    return names_of(model, mujoco.mjtObj.mjOBJ_SITE, plugin.environment.prefix)


def frame_of_site(frames: SensorFrames, site: int) -> str:
    """Returns the TF frame of a site, which is published."""
    return frames.of(_SITE, site)
