from collections import deque

import mujoco
import numpy as np

from mujoco_ros_py.plugins import MujocoPlugin


class Trace(MujocoPlugin):
    """Leaves a trace of a site in the images."""

    def load(self, model, data):
        self.site = model.site(self.config['site']).id
        self.points = deque(maxlen=int(self.config.get('points', 100)))

    def reset(self, model, data):
        self.points.clear()

    def render_callback(self, model, data, scene):
        self.points.append(data.site_xpos[self.site].copy())
        for point in list(self.points)[: scene.maxgeom - scene.ngeom]:
            geom, scene.ngeom = scene.geoms[scene.ngeom], scene.ngeom + 1
            kind, color = mujoco.mjtGeom.mjGEOM_SPHERE, np.array([1, 0.4, 0, 1], np.float32)
            mujoco.mjv_initGeom(geom, kind, np.full(3, 0.008), point, np.eye(3).ravel(), color)
