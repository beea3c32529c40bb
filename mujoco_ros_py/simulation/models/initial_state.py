"""Joint positions and velocities that a simulation starts with, at load and at every reset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np

from ...config.wording import shown
from .object_names import given_name


@dataclass(frozen=True, slots=True)
class _Kind:
    name: str
    position: int
    """Values that a position has."""
    velocity: int
    quaternion: int | None = None
    """Where the quaternion starts in the position."""


_KINDS = {
    int(mujoco.mjtJoint.mjJNT_FREE): _Kind('free', 7, 6, 3),
    int(mujoco.mjtJoint.mjJNT_BALL): _Kind('ball', 4, 3, 0),
    int(mujoco.mjtJoint.mjJNT_SLIDE): _Kind('slide', 1, 1),
    int(mujoco.mjtJoint.mjJNT_HINGE): _Kind('hinge', 1, 1),
}
_SHORTEST_QUATERNION = 1e-9
_MOST = 10
"""Sentences about what is skipped."""


@dataclass(frozen=True, kw_only=True, slots=True)
class InitialState:
    """Values by joint name, in MuJoCo's order and in metres, radians and seconds."""

    positions: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """hinge and slide 1 value, ball 4 (w x y z), free 7 (x y z, then w x y z)."""
    velocities: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """hinge and slide 1 value, ball 3, free 6 (linear, then angular)."""

    def apply(self, model: mujoco.MjModel, data: mujoco.MjData) -> list[str]:
        """Writes qpos and qvel; returns what was skipped and why, one sentence each.

        Of many there are the first sentences and one that counts the others.
        """
        problems = []
        for name, values in self.positions.items():
            problems += _set_position(model, data, name, values)
        for name, values in self.velocities.items():
            problems += _set_velocity(model, data, name, values)
        more = len(problems) - _MOST
        return problems if more <= 0 else [*problems[:_MOST], f'{more:,} more are skipped']


def _set_position(model: Any, data: Any, name: str, values: tuple[float, ...]) -> list[str]:
    joint, kind, problem = _find(model, 'position', name, len(values))
    if kind is None:
        return [problem]
    array = np.array(values, float)
    if kind.quaternion is not None:
        quaternion = array[kind.quaternion :]
        length = np.linalg.norm(quaternion)
        if length < _SHORTEST_QUATERNION:
            return [
                f'initial position of joint {shown(name)} skipped: its quaternion has length 0'
            ]
        quaternion /= length
    start = model.jnt_qposadr[joint]
    data.qpos[start : start + len(array)] = array
    return []


def _set_velocity(model: Any, data: Any, name: str, values: tuple[float, ...]) -> list[str]:
    joint, kind, problem = _find(model, 'velocity', name, len(values))
    if kind is None:
        return [problem]
    start = model.jnt_dofadr[joint]
    data.qvel[start : start + len(values)] = values
    return []


def _find(model: Any, what: str, name: str, count: int) -> tuple[int, _Kind | None, str]:
    """Joint id and kind, or what is wrong with the name or the number of values."""
    joint = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, name)
    if joint < 0:
        kind_of = mujoco.mjtObj.mjOBJ_JOINT
        names = sorted(given_name(model, kind_of, j) for j in range(model.njnt))
        known = ', '.join(name for name in names if name) or 'none'
        return -1, None, f'initial {what} of unknown joint {shown(name)} skipped; known: {known}'
    kind = _KINDS[int(model.jnt_type[joint])]
    size = getattr(kind, what)
    if count != size:
        problem = f'{kind.name} joint {shown(name)} skipped: it needs {size} values, got {count}'
        return -1, None, f'initial {what} of {problem}'
    return joint, kind, ''
