"""mujoco_ros_py.torus: a ring as a distance field, with the attributes of MuJoCo's torus."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...engine_plugin_records import Capability
from ...stack_arrays import Numbers
from ..engine_plugin import EnginePlugin
from ..plugin_attribute import Attribute


class Torus(EnginePlugin):
    """A ring about the z axis with an exact distance.

    `radius1` is the radius of the circle in the middle of the tube, `radius2` the radius of the
    tube, in metres.
    """

    name = 'mujoco_ros_py.torus'
    capabilities = Capability.SDF
    radius1 = Attribute(0.35, minimum=0.0)
    radius2 = Attribute(0.15, minimum=1e-6)

    @classmethod
    def bounds(cls, config: Mapping[str, Any]) -> tuple[float, ...]:
        """Returns the box, which is flat along z."""
        outer = config['radius1'] + config['radius2']
        return outer, outer, config['radius2']

    @staticmethod
    def distance(shape: np.record, point: Numbers) -> Any:
        """Returns the distance from the circle minus the radius of the tube, in metres."""
        ring = math.sqrt(point[0] * point[0] + point[1] * point[1]) - shape.radius1
        return math.sqrt(ring * ring + point[2] * point[2]) - shape.radius2

    @staticmethod
    def gradient(shape: np.record, point: Numbers, gradient: Numbers) -> None:
        """Computes the gradient, away from the circle; zero on the circle and on the axis."""
        radius = math.sqrt(point[0] * point[0] + point[1] * point[1])
        ring = radius - shape.radius1
        distance = math.sqrt(ring * ring + point[2] * point[2])
        if radius == 0.0 or distance == 0.0:
            gradient[:] = 0.0
            return
        gradient[0] = ring / distance * point[0] / radius
        gradient[1] = ring / distance * point[1] / radius
        gradient[2] = point[2] / distance
