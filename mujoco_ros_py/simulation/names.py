"""Names of what a model is made of."""

from __future__ import annotations

import mujoco

_SHORT = {'camera': 'cam'}


def name_of(model: mujoco.MjModel, kind: mujoco.mjtObj, index: int) -> str:
    """The name in the model, or ``unnamed_<kind>_<id>``: unnamed_body_3, unnamed_cam_0."""
    name = mujoco.mj_id2name(model, kind, index)
    word = kind.name.removeprefix('mjOBJ_').lower()
    return name or f'unnamed_{_SHORT.get(word, word)}_{index}'
