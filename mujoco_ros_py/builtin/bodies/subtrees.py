"""The bodies that hang on a body."""

from __future__ import annotations

import mujoco
import numpy as np


def subtree(model: mujoco.MjModel, top: int) -> list[int]:
    """Returns the ids of a body and of all below it; a parent has a smaller id than its children.

    That of the world are all bodies.
    """
    inside = np.zeros(model.nbody, bool)
    inside[top] = True
    for body in range(top + 1, model.nbody):
        inside[body] = inside[model.body_parentid[body]]
    return [int(body) for body in np.flatnonzero(inside)]
