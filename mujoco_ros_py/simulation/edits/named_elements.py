"""Finds elements of a model by name."""

from __future__ import annotations

import mujoco

from ...config.wording import unknown
from ...errors import ConfigError
from ..models.object_names import given_name
from .given_numbers import Array

_BODY, _GEOM = mujoco.mjtObj.mjOBJ_BODY, mujoco.mjtObj.mjOBJ_GEOM
_COUNTS = {
    _BODY: 'nbody',
    _GEOM: 'ngeom',
    mujoco.mjtObj.mjOBJ_SITE: 'nsite',
    mujoco.mjtObj.mjOBJ_JOINT: 'njnt',
    mujoco.mjtObj.mjOBJ_TENDON: 'ntendon',
    mujoco.mjtObj.mjOBJ_EQUALITY: 'neq',
}


def find_element(model: mujoco.MjModel, kind: mujoco.mjtObj, what: str, name: str) -> int:
    """Returns the id of an element. Raises ConfigError, with the known names, if it is unknown.

    `what` is the word for this kind of element in the error.
    """
    number = mujoco.mj_name2id(model, kind, name) if name else -1
    if number < 0:
        raise ConfigError(unknown(what, name, element_names(model, kind)))
    return int(number)


def find_body(model: mujoco.MjModel, name: str) -> int:
    """Returns the id of a body, by its own name or by the name of one of its geoms.

    Raises ConfigError, with the known names, if the name is unknown.
    """
    number = mujoco.mj_name2id(model, _BODY, name) if name else -1
    if number >= 0:
        return int(number)
    geom = mujoco.mj_name2id(model, _GEOM, name) if name else -1
    if geom < 0:
        known = {*element_names(model, _BODY), *element_names(model, _GEOM)}
        raise ConfigError(unknown('body or geom', name, known))
    return int(model.geom_bodyid[geom])


def element_names(model: mujoco.MjModel, kind: mujoco.mjtObj) -> list[str]:
    """Returns the names of all named elements of a kind."""
    names = (given_name(model, kind, each) for each in range(getattr(model, _COUNTS[kind])))
    return [name for name in names if name]


def find_mocap(model: mujoco.MjModel, name: str) -> int:
    """Returns the mocap id of a mocap body. Raises ConfigError for any other name."""
    body = mujoco.mj_name2id(model, _BODY, name) if name else -1
    if body >= 0 and model.body_mocapid[body] >= 0:
        return int(model.body_mocapid[body])
    mocaps = [each for each in range(model.nbody) if model.body_mocapid[each] >= 0]
    known = (given_name(model, _BODY, each) for each in mocaps)
    raise ConfigError(unknown('mocap body', name, filter(None, known)))


def place_mocap(data: mujoco.MjData, mocap: int, position: Array, quat: Array) -> None:
    """Sets the world pose of the mocap body with this mocap id."""
    data.mocap_pos[mocap], data.mocap_quat[mocap] = position, quat
