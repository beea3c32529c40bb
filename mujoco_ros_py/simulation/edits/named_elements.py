"""Elements of a model by their names."""

from __future__ import annotations

import mujoco

from ...config.wording import unknown
from ...errors import ConfigError
from ..models.object_names import given_name

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
    """Returns the id of an element. Raises ConfigError, with the known names, if there is none.

    `what` is what an element of this kind is called.
    """
    number = mujoco.mj_name2id(model, kind, name) if name else -1
    if number < 0:
        raise ConfigError(unknown(what, name, element_names(model, kind)))
    return int(number)


def find_body(model: mujoco.MjModel, name: str) -> int:
    """Returns the id of a body, by its name or by that of one of its geoms.

    Raises ConfigError, with the known names, if there is neither.
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
    """Returns the names of all elements of a kind that have one."""
    names = (given_name(model, kind, each) for each in range(getattr(model, _COUNTS[kind])))
    return [name for name in names if name]
