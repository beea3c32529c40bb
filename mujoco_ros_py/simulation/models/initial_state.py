"""The joint positions and velocities that a simulation starts with, at a load and a reset."""

from __future__ import annotations

import math
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
    """The number of values of a position."""
    velocity: int
    quaternion: int | None = None
    """The index in the position at which its quaternion starts; None: it has none."""


_KINDS = {
    int(mujoco.mjtJoint.mjJNT_FREE): _Kind('free', 7, 6, 3),
    int(mujoco.mjtJoint.mjJNT_BALL): _Kind('ball', 4, 3, 0),
    int(mujoco.mjtJoint.mjJNT_SLIDE): _Kind('slide', 1, 1),
    int(mujoco.mjtJoint.mjJNT_HINGE): _Kind('hinge', 1, 1),
}
_SHORTEST_QUATERNION = 1e-9
_ROUNDING = 1e-9
"""How far outside of its range (rad or m) a position may be by rounding."""
_MOST = 10
"""The most sentences about values that are skipped."""


@dataclass(frozen=True, kw_only=True, slots=True)
class InitialState:
    """Joint values by name, in MuJoCo's order and in metres, radians and seconds."""

    positions: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """The positions: 1 number of a hinge or slide, 4 of a ball (w x y z), 7 of a free joint
    (x y z, then w x y z)."""
    velocities: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """The velocities: 1 number of a hinge or slide, 3 of a ball, 6 of a free joint (linear, then
    angular)."""

    def apply(self, model: mujoco.MjModel, data: mujoco.MjData) -> list[str]:
        """Writes qpos and qvel; returns a sentence with the reason for each skipped value.

        If many were skipped, the first sentences and one that counts the others are returned. One
        more sentence names all joints whose positions are outside of their ranges.
        """
        problems: list[str] = []
        outside: list[str] = []
        for name, values in self.positions.items():
            problems += _set_position(model, data, name, values, outside)
        for name, values in self.velocities.items():
            problems += _set_velocity(model, data, name, values)
        more = len(problems) - _MOST
        if more > 0:
            problems[_MOST:] = [f'{more:,} more are skipped']
        if outside:
            named = ', '.join(outside)
            problems.append(f'initial positions outside of the ranges of their joints: {named}')
        return problems


def _set_position(
    model: Any, data: Any, name: str, values: tuple[float, ...], outside: list[str]
) -> list[str]:
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
    if phrase := _outside(model, joint, array):
        outside.append(phrase)
    return []


def _outside(model: Any, joint: int, position: Any) -> str:
    """Returns a phrase about a position outside of the joint's range; empty for one inside."""
    if not model.jnt_limited[joint]:
        return ''
    ball = model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_BALL
    value = 2 * math.acos(min(1.0, abs(position[0]))) if ball else position[0]
    low, high = model.jnt_range[joint]
    if low - _ROUNDING <= value <= high + _ROUNDING:
        return ''
    name = given_name(model, mujoco.mjtObj.mjOBJ_JOINT, joint)
    return f'{shown(name)} {value:g} ({low:g} to {high:g})'


def _set_velocity(model: Any, data: Any, name: str, values: tuple[float, ...]) -> list[str]:
    joint, kind, problem = _find(model, 'velocity', name, len(values))
    if kind is None:
        return [problem]
    start = model.jnt_dofadr[joint]
    data.qvel[start : start + len(values)] = values
    return []


def _find(model: Any, what: str, name: str, count: int) -> tuple[int, _Kind | None, str]:
    """Returns the id and kind of a joint, or what is wrong with its name or number of values."""
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
