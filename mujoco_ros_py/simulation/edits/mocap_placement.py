"""Poses of mocap bodies."""

from __future__ import annotations

import mujoco

from ...config.wording import unknown
from ...errors import ConfigError
from ..models.object_names import given_name
from .given_numbers import Array

_BODY = mujoco.mjtObj.mjOBJ_BODY


def find_mocap(model: mujoco.MjModel, name: str) -> int:
    """Returns the number of a mocap body. Raises ConfigError for any other name."""
    body = mujoco.mj_name2id(model, _BODY, name) if name else -1
    if body >= 0 and model.body_mocapid[body] >= 0:
        return int(model.body_mocapid[body])
    mocaps = [each for each in range(model.nbody) if model.body_mocapid[each] >= 0]
    known = (given_name(model, _BODY, each) for each in mocaps)
    raise ConfigError(unknown('mocap body', name, filter(None, known)))


def place_mocap(data: mujoco.MjData, mocap: int, position: Array, quat: Array) -> None:
    """Places a mocap body, by its number, in the world."""
    data.mocap_pos[mocap], data.mocap_quat[mocap] = position, quat
