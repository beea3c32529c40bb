"""Selects the elements of a model to draw, and computes their colours as MuJoCo renders them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from ...simulation import given_name
from ..transforms.subtrees import own_bodies

_DEFAULT = np.array([0.5, 0.5, 0.5, 1.0], np.float32)
"""MJCF's default colour, which a material's colour overrides."""
_RGB = int(mujoco.mjtTextureRole.mjTEXROLE_RGB)
_JOINT = int(mujoco.mjtWrap.mjWRAP_JOINT)


@dataclass(frozen=True, slots=True)
class ShownElements:
    """The ids of the drawn geoms, sites and tendons, and of the robot's bodies."""

    geoms: list[int]
    sites: list[int]
    tendons: list[int]
    bodies: set[int]


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """A model and its drawn elements; a new drawing replaces all markers of the old one."""

    model: mujoco.MjModel
    shown: ShownElements


def shown_elements(
    model: mujoco.MjModel, prefix: str, show: Collection[str], groups: Collection[int]
) -> ShownElements:
    """Returns the drawn elements of the robot with this prefix; an empty prefix selects all.

    `show` lists the kinds of elements to draw, and `groups` their MuJoCo groups. Fully transparent
    elements and tendons without a spatial path are skipped.
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


def element_colors(model: mujoco.MjModel, kind: str) -> Any:
    """Returns the colours of all elements, shape (n, 4): red, green, blue, opacity, from 0 to 1.

    `kind` is `geom`, `site` or `tendon`. As in MuJoCo's renderings, an element has its material's
    colour unless its own colour differs from the default. A texture of the material contributes
    its mean colour.
    """
    colors = np.array(getattr(model, f'{kind}_rgba'), np.float32)
    materials = np.array(getattr(model, f'{kind}_matid'))
    has_material = materials >= 0
    takes_it = has_material & (colors == _DEFAULT).all(axis=1)
    colors[takes_it] = model.mat_rgba[materials[takes_it]]
    for material in np.unique(materials[has_material]):
        texture = int(model.mat_texid[material, _RGB])
        if texture >= 0 and model.tex_adr[texture] >= 0:
            colors[materials == material, :3] *= _mean(model, texture)
    return colors


def _mean(model: mujoco.MjModel, texture: int) -> Any:
    """Returns the mean red, green and blue of a texture, from 0 to 1."""
    channels, start = int(model.tex_nchannel[texture]), int(model.tex_adr[texture])
    size = int(model.tex_width[texture]) * int(model.tex_height[texture]) * channels
    pixels = model.tex_data[start : start + size].reshape(-1, channels)
    means = pixels.mean(axis=0)
    return np.broadcast_to(means[: 3 if channels >= 3 else 1], 3) / 255.0
