"""The bodies that hang on a body, and those of a robot."""

from __future__ import annotations

import mujoco
import numpy as np

from ...simulation import given_name


def subtree(model: mujoco.MjModel, top: int) -> list[int]:
    """Returns the ids of a body and of all below it; a parent has a smaller id than its children.

    That of the world are all bodies.
    """
    inside = np.zeros(model.nbody, bool)
    inside[top] = True
    for body in range(top + 1, model.nbody):
        inside[body] = inside[model.body_parentid[body]]
    return [int(body) for body in np.flatnonzero(inside)]


def own_bodies(model: mujoco.MjModel, prefix: str) -> set[int]:
    """Returns the ids of a robot's bodies: those whose names have the prefix of its group.

    Bodies without names that hang on one of them are among them, and never the world.
    """
    own: set[int] = set()
    for body in range(1, model.nbody):
        name = given_name(model, mujoco.mjtObj.mjOBJ_BODY, body)
        above = int(model.body_parentid[body])
        if name.startswith(prefix) if name else above in own or not prefix:
            own.add(body)
    return own
