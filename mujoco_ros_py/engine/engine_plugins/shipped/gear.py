"""mujoco_ros_py.gear: a spur gear with involute teeth as a signed distance field."""

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

_PRESSURE_ANGLE = math.radians(20.0)
_ADDENDUM, _DEDENDUM = 1.0, 1.25
"""The heights of teeth above and below the pitch circle, in modules (ISO 53)."""


class Gear(EnginePlugin):
    """A gear about the z axis with a tooth on the x axis, turned by `alpha` radians.

    `diameter` is the diameter of the pitch circle, `thickness` the length along z, and
    `innerdiameter` the diameter of the bore (0 for no bore), in metres. Two gears with the same
    module (diameter / teeth) mesh at half the sum of their diameters. Flanks are involutes with a
    pressure angle of 20 degrees; below the base circle they are straight towards the centre.
    Involutes of one circle are parallel curves. Therefore the distance from an involute is the arc
    of the base circle between this involute and the involute through the point.
    """

    name = 'mujoco_ros_py.gear'
    capabilities = Capability.SDF
    alpha = Attribute(0.0)
    diameter = Attribute(1.0, minimum=1e-6)
    teeth = Attribute(25, minimum=6)
    thickness = Attribute(0.2, minimum=1e-6)
    innerdiameter = Attribute(0.0, minimum=0.0)

    @classmethod
    def shape(cls, config: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the radii of the circles, and half the angle of a tooth at the base circle."""
        pitch, module = config['diameter'] / 2, config['diameter'] / config['teeth']
        root, bore = pitch - _DEDENDUM * module, config['innerdiameter'] / 2
        if bore >= root:
            raise ValueError(
                f'innerdiameter must be below {2 * root:g} (the root circle), got {2 * bore:g}'
            )
        involute = math.tan(_PRESSURE_ANGLE) - _PRESSURE_ANGLE
        return {
            'alpha': config['alpha'],
            'sector': 2 * math.pi / config['teeth'],
            'tooth': math.pi / (2 * config['teeth']) + involute,
            'base_circle': pitch * math.cos(_PRESSURE_ANGLE),
            'outer': pitch + _ADDENDUM * module,
            'root': root,
            'bore': bore,
            'half': config['thickness'] / 2,
        }

    @classmethod
    def bounds(cls, config: Mapping[str, Any]) -> tuple[float, ...]:
        """Returns the box, which reaches to the tips of the teeth."""
        outer = config['diameter'] * (0.5 + _ADDENDUM / config['teeth'])
        return outer, outer, config['thickness'] / 2

    @staticmethod
    def distance(shape: np.record, point: Numbers) -> Any:
        """Returns the distance in m; exact next to the flanks, a lower bound near edges."""
        radius = math.sqrt(point[0] * point[0] + point[1] * point[1])
        angle = math.atan2(point[1], point[0]) - shape.alpha
        # All teeth are equal, so the nearest tooth is rotated to the x axis.
        angle -= shape.sector * math.floor(angle / shape.sector + 0.5)
        tooth = max(_flank(shape, radius, abs(angle)), radius - shape.outer)
        profile = max(min(radius - shape.root, tooth), shape.bore - radius)
        return max(profile, abs(point[2]) - shape.half)


@inlined
def _flank(shape: np.record, radius: float, angle: float) -> Any:
    """Returns the distance from a flank for a point at an angle from the middle of the tooth."""
    if radius <= shape.base_circle:
        return radius * math.sin(min(angle - shape.tooth, math.pi / 2))
    pressure = math.acos(shape.base_circle / radius)
    return shape.base_circle * (angle - shape.tooth + math.tan(pressure) - pressure)
