"""A model as the viewer gets it, which has none of the engine plugins of this process."""

from __future__ import annotations

import mujoco


def write_model(model: mujoco.MjModel, file: int) -> None:
    """Writes a compiled model into a file."""
    mujoco.mj_saveModel(model, f'/proc/self/fd/{file}', None)
