"""The colours of markers: those that MuJoCo draws with."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

_DEFAULT = np.array([0.5, 0.5, 0.5, 1.0], np.float32)
"""The colour of MJCF, which gives way to that of a material."""
_RGB = int(mujoco.mjtTextureRole.mjTEXROLE_RGB)


def element_colors(model: mujoco.MjModel, kind: str) -> Any:
    """Returns the colours of all elements as n x 4 numbers from 0 to 1: red, green, blue, opacity.

    `kind` is `geom`, `site` or `tendon`. As in MuJoCo's drawings, an element has the colour of its
    material unless its own differs from the default. Where the material has a texture, its mean
    colour counts.
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
