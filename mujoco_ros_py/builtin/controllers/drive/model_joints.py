"""Looks up joints of a model by name, and checks the names in a configuration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np

from ....config import listed, unknown
from ....errors import ConfigError, PluginError
from ....simulation import given_name

_SCALAR = [int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)]
_JOINT = mujoco.mjtObj.mjOBJ_JOINT


def joint_id(model: mujoco.MjModel, name: str) -> int:
    """Returns the id of the hinge or slide joint with this name.

    Raises PluginError if the model has no such joint; the error lists the model's joints.
    """
    joint = int(mujoco.mj_name2id(model, _JOINT, name))
    if joint >= 0 and model.jnt_type[joint] in _SCALAR:
        return joint
    if joint >= 0:
        free = model.jnt_type[joint] == int(mujoco.mjtJoint.mjJNT_FREE)
        kind = 'free' if free else 'ball'
        raise PluginError(f'joint {name} must be a hinge or slide joint, but is a {kind} joint')
    raise PluginError(unknown('joint', name, scalar_joints(model)))


def scalar_joints(model: mujoco.MjModel) -> dict[str, int]:
    """Returns the ids of all named hinge and slide joints by name, in the order of the model."""
    joints = np.flatnonzero(np.isin(model.jnt_type, _SCALAR)).tolist()
    named = {given_name(model, _JOINT, joint): joint for joint in joints}
    named.pop('', None)
    return named


def check_names(what: str, given: Any, joints: Sequence[str]) -> None:
    """Raises ConfigError if a name in the configuration is not a joint of the plugin."""
    for name in given:
        if name not in joints:
            raise ConfigError(f'{what}: {unknown("joint", name, joints)}')


def check_unique(what: str, names: Sequence[str]) -> None:
    """Raises ConfigError if the list is empty, or if a name occurs twice."""
    if not names:
        raise ConfigError(f'{what} must not be empty')
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise ConfigError(f'{what} must not contain a name twice, got {listed(twice)} twice')
