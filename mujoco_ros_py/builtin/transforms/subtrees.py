"""The bodies of a subtree, and of a robot."""

from __future__ import annotations

import mujoco
import numpy as np

from ...simulation import given_name


def subtree(model: mujoco.MjModel, top: int) -> list[int]:
    """Returns the ids of a body and its descendants; parents have smaller ids than children.

    The world's subtree contains all bodies.
    """
    inside = np.zeros(model.nbody, bool)
    inside[top] = True
    for body in range(top + 1, model.nbody):
        inside[body] = inside[model.body_parentid[body]]
    return [int(body) for body in np.flatnonzero(inside)]


def own_bodies(model: mujoco.MjModel, prefix: str) -> set[int]:
    """Returns the ids of a robot's bodies, whose names start with the group's prefix.

    Unnamed bodies belong to the robot if their parent does, or if the prefix is empty. The world
    does not belong to a robot.
    """
    own: set[int] = set()
    for body in range(1, model.nbody):
        name = given_name(model, mujoco.mjtObj.mjOBJ_BODY, body)
        above = int(model.body_parentid[body])
        if name.startswith(prefix) if name else above in own or not prefix:
            own.add(body)
    return own
