"""Chooses the elements of a model that are drawn."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import mujoco
import numpy as np

from ...simulation import given_name
from ..transforms.subtrees import own_bodies
from .marker_colors import element_colors

_JOINT = int(mujoco.mjtWrap.mjWRAP_JOINT)


@dataclass(frozen=True, slots=True)
class ShownElements:
    """The ids of the geoms, sites and tendons that are drawn, and the bodies of the robot."""

    geoms: list[int]
    sites: list[int]
    tendons: list[int]
    bodies: set[int]


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """A model and what is drawn of it; another drawing replaces all markers of the one before."""

    model: mujoco.MjModel
    shown: ShownElements


def shown_elements(
    model: mujoco.MjModel, prefix: str, show: Collection[str], groups: Collection[int]
) -> ShownElements:
    """Returns the elements of the robot with this prefix; without one, all and those of the world.

    `show` has the kinds of elements, `groups` MuJoCo's groups of them. What has no opacity is left
    out, and so are tendons without a path.
    """
    bodies = own_bodies(model, prefix)
    if not prefix:
        bodies.add(0)
    own = np.zeros(model.nbody, bool)
    own[list(bodies)] = True

    def chosen(kind: str, own_ones: np.ndarray) -> list[int]:
        if f'{kind}s' not in show:
            return []
        in_groups = np.isin(getattr(model, f'{kind}_group'), list(groups))
        opaque = element_colors(model, kind)[:, 3] > 0.0
        return [int(each) for each in np.flatnonzero(in_groups & opaque & own_ones)]

    spatial = [
        model.wrap_type[first] != _JOINT
        and given_name(model, mujoco.mjtObj.mjOBJ_TENDON, tendon).startswith(prefix)
        for tendon, first in enumerate(model.tendon_adr)
    ]
    return ShownElements(
        geoms=chosen('geom', own[model.geom_bodyid]),
        sites=chosen('site', own[model.site_bodyid]),
        tendons=chosen('tendon', np.array(spatial, bool)),
        bodies=bodies,
    )
