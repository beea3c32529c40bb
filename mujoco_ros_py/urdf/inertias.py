"""Computes link masses and moments of inertia that MuJoCo accepts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .kinematic_tree import KinematicTree
from .left_out import LeftOut
from .robot import Inertial, Link
from .rotations import Array, matrix, quaternion, quaternion_of

LEAST_MASS = 1e-6
"""The minimum mass of a moving body, in kg."""
LEAST_MOMENT = 1e-9
"""The minimum moments of inertia of a moving body, in kg m^2."""
_MUJOCOS = 1e-15
"""MuJoCo's lower bound on the mass and moments of a moving body (mjMINVAL)."""
_MARGIN = 1.0 + 1e-12
"""The minimum ratio between the sum of the two lower moments and the highest moment. It exceeds 1
so that rounding cannot push the sum below the highest moment."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Mass:
    """Mass, centre of mass and principal moments of inertia of a link."""

    mass: float
    pos: tuple[float, ...] = (0.0, 0.0, 0.0)
    quat: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0)
    moments: tuple[float, ...] = (0.0, 0.0, 0.0)

    @property
    def suffices(self) -> bool:
        """Whether MuJoCo accepts this mass and these moments for a moving body."""
        return min(self.mass, *self.moments) > _MUJOCOS


def masses(
    links: dict[str, Link], tree: KinematicTree, is_fixed: bool, left_out: LeftOut
) -> dict[str, Mass]:
    """Returns the mass properties of each link with a mass or an inertia, by link name.

    Corrects negative masses and impossible moments of inertia. In each moving group of links
    without sufficient mass, the topmost link gets at least `LEAST_MASS` and `LEAST_MOMENT`.
    `is_fixed` is true if the root is fixed to the world.
    """
    found = {
        name: _mass(link.inertial, name, left_out)
        for name, link in links.items()
        if link.inertial is not None
    }
    for top, group in tree.groups().items():
        rests = top == tree.root and is_fixed
        if not rests and not any(name in found and found[name].suffices for name in group):
            old = found.get(top, Mass(mass=0.0))
            raised = tuple(max(moment, LEAST_MOMENT) for moment in old.moments)
            found[top] = replace(old, mass=max(old.mass, LEAST_MASS), moments=_possible(raised))
            left_out.add(
                'masses and inertias too small for moving bodies (raised to at least'
                f' {LEAST_MASS:g} kg and {LEAST_MOMENT:g} kg m^2), in links',
                top,
            )
    return {name: mass for name, mass in found.items() if mass.mass or any(mass.moments)}


def _mass(inertial: Inertial, name: str, left_out: LeftOut) -> Mass:
    if inertial.mass < 0.0:
        left_out.add('negative masses (set to 0), in links', name)
    xx, xy, xz, yy, yz, zz = inertial.inertia
    moments, axes = np.linalg.eigh(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    possible = _possible(tuple(map(float, moments)))
    if not np.allclose(possible, moments, rtol=1e-6, atol=1e-15):
        left_out.add(
            'moments of inertia that no body can have (raised until all are at least 0 and'
            ' none exceeds the sum of the other two), in links',
            name,
        )
    turned = matrix(quaternion(inertial.pose.rpy)) @ _right_handed(axes)
    return Mass(
        mass=max(inertial.mass, 0.0),
        pos=inertial.pose.xyz,
        quat=tuple(quaternion_of(turned).tolist()),
        moments=possible,
    )


def _possible(moments: tuple[float, ...]) -> tuple[float, ...]:
    """Sorts the moments, and raises the lower two until their sum reaches the highest."""
    low, middle, high = sorted(max(moment, 0.0) for moment in moments)
    lacking = max(0.0, high * _MARGIN - low - middle) / 2
    return low + lacking, middle + lacking, high


def _right_handed(axes: Array) -> Array:
    return axes if np.linalg.det(axes) > 0 else axes * [1, 1, -1]
