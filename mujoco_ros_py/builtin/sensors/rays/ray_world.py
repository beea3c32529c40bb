"""What rays hit: the model without the robot itself, and how bright each geom is."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from ....config import unknown
from ....errors import PluginError
from ....plugins import MujocoPlugin
from ....plugins.compiled_code import HiddenGeoms, Memory
from ....simulation import names_of
from ...transforms.subtrees import subtree
from ..sites import find_site
from .ray_config import RayConfig

_LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
"""The weights of red, green and blue in the brightness (ITU-R BT.709)."""
_BRIGHTEST = 255.0


class RayWorld:
    """The site of a sensor, the geoms that its rays see, and the memory of its measurements."""

    def __init__(
        self, plugin: MujocoPlugin[Any], model: mujoco.MjModel, config: RayConfig
    ) -> None:
        """Raises PluginError for a site and for bodies that the robot lacks."""
        self.site = find_site(plugin, model, config.site)
        self._config = config
        bodies = _excluded(plugin, model, config, self.site)
        self._seen = HiddenGeoms(model, np.flatnonzero(np.isin(model.geom_bodyid, bodies)))
        self._brightness = Memory(_brightness(model))

    def renew_bounds(self) -> None:
        """Lets rays find geoms whose types or sizes have changed."""
        self._seen.renew_bounds()

    def fields(self, directions: np.ndarray[Any, Any]) -> dict[str, Any]:
        """Returns the fields of the state of a topic for rays in these directions.

        `directions` are unit vectors in the axes of the site, shape (rays, 3), in the order in
        which they are measured.
        """
        config, count = self._config, len(directions)
        groups = np.zeros(6, np.uint8)
        groups[list(config.geom_groups)] = 1
        return {
            'directions': Memory(directions),
            'turned': Memory(np.empty((count, 3))),
            'ranges': Memory(np.full(count, np.nan)),
            'intensities': Memory(np.zeros(count)),
            'brightness': self._brightness,
            'site': self.site,
            'seen': self._seen,
            'geoms': len(self._brightness.array),
            'groups': groups,
            'rays': count,
            'steps': config.spin_steps,
            'rate': config.update_rate * config.spin_steps,
            'number': -1,
            'leaps': 0,
            'whole': False,
            'begin': 0.0,
            'nearest': config.range.min,
            'farthest': config.range.max,
            'resolution': config.range.resolution,
        }


def _excluded(
    plugin: MujocoPlugin[Any], model: mujoco.MjModel, config: RayConfig, site: int
) -> list[int]:
    """Returns the bodies that rays pass through; of the world only its own geoms count."""
    bodies = names_of(model, mujoco.mjtObj.mjOBJ_BODY, plugin.environment.prefix)
    for name in config.exclude:
        if name not in bodies:
            raise PluginError(f'exclude: {unknown("body", name, bodies)}')
    tops = {bodies[name] for name in config.exclude}
    root = int(model.body_rootid[model.site_bodyid[site]])
    if config.exclude_robot and root:
        tops.add(root)
    return [body for top in tops for body in (subtree(model, top) if top else [0])]


def _brightness(model: mujoco.MjModel) -> np.ndarray[Any, Any]:
    """Returns the brightness of each geom, from 0 to 255: that of its material or its colour."""
    colors = model.geom_rgba[:, :3].copy()
    painted = model.geom_matid >= 0
    colors[painted] = model.mat_rgba[model.geom_matid[painted], :3]
    brightness: np.ndarray[Any, Any] = _BRIGHTEST * (colors @ _LUMINANCE)
    return brightness
