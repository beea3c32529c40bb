"""Pictures that a compiled model names and does not have: textures by reference, since MuJoCo 4.

MuJoCo would read them when an image is drawn, on the thread that draws, in the process that
nothing may end or hold up.
"""

from __future__ import annotations

from collections.abc import Iterator

import mujoco
import numpy as np

from ...named_files import special_file_at


def embed_textures(model: mujoco.MjModel) -> mujoco.MjModel:
    """A copy with all pictures in it, or the model itself if none is missing.

    Raises ValueError for what is no file, or none that MuJoCo can read.
    """
    names = list(named_textures(model))
    for name in names:
        if (told := special_file_at(name)) is not None:
            raise ValueError(told)
    return mujoco.mj_embedAssets(model) if names else model


def named_textures(model: mujoco.MjModel) -> Iterator[str]:
    """The files of the textures that the model does not have."""
    for texture in np.flatnonzero(model.tex_adr < 0):
        path = bytes(model.paths)[model.tex_pathadr[texture] :]
        yield path.partition(b'\0')[0].decode(errors='surrogateescape')
