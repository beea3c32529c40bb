"""The entities that a model brings, and the names that it takes."""

from __future__ import annotations

from collections.abc import Iterator

import mujoco

from ...simulation import given_name
from .entity import Entity


def prefixes(model: mujoco.MjModel) -> frozenset[str]:
    """Returns what stands before the first slash of the names of a model."""
    names = bytes(model.names).decode(errors='replace').split('\0')
    return frozenset(name.partition('/')[0] for name in names if '/' in name)


def own_entities(model: mujoco.MjModel) -> Iterator[Entity]:
    """Yields the named bodies whose parent is the world."""
    for body in range(1, model.nbody):
        name = given_name(model, mujoco.mjtObj.mjOBJ_BODY, body)
        if model.body_parentid[body] == 0 and name:
            yield Entity(name=name, body=name)
