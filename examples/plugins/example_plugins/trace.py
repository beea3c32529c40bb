from dataclasses import dataclass

import mujoco
import numpy as np

from mujoco_ros_py.plugins import MujocoPlugin, ranged


@dataclass(frozen=True, kw_only=True)
class Config:
    """The configuration of the trace."""

    site: str
    """Site to trace."""
    points: int = ranged(100, minimum=1, maximum=1000)
    """Number of points in the trace; each image adds one."""


class Trace(MujocoPlugin[Config]):
    """Draws the path of a site in rendered images."""

    def load(self, model, data):
        self.site = model.site(self.config.site).id
        self.points = [data.site_xpos[self.site].copy()]

    def reset(self, model, data):
        self.points.clear()

    def render_callback(self, model, data, scene):
        self.points = [*self.points, data.site_xpos[self.site].copy()][-self.config.points :]
        for point in self.points[: scene.maxgeom - scene.ngeom]:
            geom, scene.ngeom = scene.geoms[scene.ngeom], scene.ngeom + 1
            kind, color = mujoco.mjtGeom.mjGEOM_SPHERE, np.array([1, 0.4, 0, 1], np.float32)
            mujoco.mjv_initGeom(geom, kind, np.full(3, 0.008), point, np.eye(3).ravel(), color)
