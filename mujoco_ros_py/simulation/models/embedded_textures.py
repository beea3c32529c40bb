"""Loads the textures that a compiled model contains only as file names (since MuJoCo 4).

Otherwise MuJoCo would read the files when it first draws an image, on the server's render thread,
where a bad file could block or end the server.
"""

from __future__ import annotations

from collections.abc import Iterator

import mujoco

from ...named_files import special_file_at


def embed_textures(model: mujoco.MjModel) -> mujoco.MjModel:
    """Returns a copy that contains all its textures; the model itself if it already does.

    Raises ValueError if a name is not a regular file, or if MuJoCo cannot read the file.
    """
    names = list(named_textures(model))
    for name in names:
        if (told := special_file_at(name)) is not None:
            raise ValueError(told)
    return mujoco.mj_embedAssets(model) if names else model


def named_textures(model: mujoco.MjModel) -> Iterator[str]:
    """Yields the file names of the textures that the model does not contain."""
    for texture, address in enumerate(model.tex_adr.tolist()):
        if address >= 0:
            continue
        path = bytes(model.paths)[model.tex_pathadr[texture] :]
        yield path.partition(b'\0')[0].decode(errors='surrogateescape')
