"""mujoco_ros_py.superquadric: boxes, cylinders, ellipsoids and shapes in between, as a field."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...engine_plugin_records import Capability
from ...inlined import inlined
from ...stack_arrays import Numbers
from ..engine_plugin import EnginePlugin
from ..plugin_attribute import Attribute

_TINY = 1e-100
"""Replaces zero where a negative power of zero would be infinite."""


class Superquadric(EnginePlugin):
    """The shape ((|x/a|^(2/e) + |y/b|^(2/e))^(e/n) + |z/c|^(2/n))^(n/2) = 1 (Barr, 1981).

    `axes` contains the half axes a, b and c in metres. `north` and `east` are the exponents n and
    e: 1 is round, values towards 0 are square, and 2 is a double cone. The distance is measured
    along the ray from the centre (Solina and Bajcsy, 1990). Its sign is right, and it is zero on
    the surface.
    """

    name = 'mujoco_ros_py.superquadric'
    capabilities = Capability.SDF
    axes = Attribute((0.1, 0.1, 0.1), minimum=1e-6, length=3)
    north = Attribute(0.5, minimum=0.1, maximum=2.0)
    east = Attribute(0.5, minimum=0.1, maximum=2.0)

    @classmethod
    def shape(cls, config: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the inverse half axes, and the shortest half axis as the depth of the centre."""
        return {
            'inverse': 1 / np.array(config['axes']),
            'least': min(config['axes']),
            'north': config['north'],
            'east': config['east'],
        }

    @classmethod
    def bounds(cls, config: Mapping[str, Any]) -> tuple[float, ...]:
        """Returns the box, which has the half axes of the shape."""
        return tuple(config['axes'])

    @staticmethod
    def distance(shape: np.record, point: Numbers) -> Any:
        """Returns the distance along the ray from the centre, in metres."""
        radius = _radius(point)
        # At the centre the ray has no direction.
        if radius == 0.0:
            return -shape.least
        x, y, z = _powers(shape, point)
        inside = ((x + y) ** (shape.east / shape.north) + z) ** (shape.north / 2)
        return radius - radius / inside

    @staticmethod
    def gradient(shape: np.record, point: Numbers, gradient: Numbers) -> None:
        """Computes the gradient of the distance; zero at the centre."""
        radius = _radius(point)
        if radius == 0.0:
            gradient[:] = 0.0
            return
        x, y, z = _powers(shape, point)
        plane = max(x + y, _TINY)
        total = plane ** (shape.east / shape.north) + z
        inside = total ** (shape.north / 2)
        slope = total ** (shape.north / 2 - 1)
        equator = slope * plane ** (shape.east / shape.north - 1)
        factors = equator * x, equator * y, slope * z
        for axis in range(3):
            gradient[axis] = point[axis] / radius * (1 - 1 / inside)
            if point[axis] != 0.0:
                gradient[axis] += radius / inside**2 * factors[axis] / point[axis]


@inlined
def _radius(point: Numbers) -> float:
    return math.sqrt(point[0] ** 2 + point[1] ** 2 + point[2] ** 2)


@inlined
def _powers(shape: np.record, point: Numbers) -> Any:
    x = abs(point[0] * shape.inverse[0]) ** (2 / shape.east)
    y = abs(point[1] * shape.inverse[1]) ** (2 / shape.east)
    z = abs(point[2] * shape.inverse[2]) ** (2 / shape.north)
    return x, y, z
