"""The initial joint positions and velocities after a load or a reset."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import mujoco
import numpy as np

from ...config.wording import shown
from ...errors import ConfigError
from ...mujoco_log import collecting
from .coupled_joints import Given, complete, couplings, given_by_keyframe
from .object_names import given_name

DataBefore = Literal['start', 'keyframe', 'running']
"""The data into which initial joint states are written: just reset to the initial state, just
reset to a keyframe, or in a running simulation."""


@dataclass(frozen=True, slots=True)
class _Kind:
    name: str
    position: int
    """The number of values of a position."""
    velocity: int
    quaternion: int | None = None
    """The index of the quaternion in the position; None for joints without a quaternion."""


_KINDS = {
    int(mujoco.mjtJoint.mjJNT_FREE): _Kind('free', 7, 6, 3),
    int(mujoco.mjtJoint.mjJNT_BALL): _Kind('ball', 4, 3, 0),
    int(mujoco.mjtJoint.mjJNT_SLIDE): _Kind('slide', 1, 1),
    int(mujoco.mjtJoint.mjJNT_HINGE): _Kind('hinge', 1, 1),
}
_SHORTEST_QUATERNION = 1e-9
_ROUNDING = 1e-9
"""The tolerance (rad or m) for rounding when a position is compared with its range."""
_MOST = 10
"""The maximum number of messages about values."""


@dataclass(frozen=True, kw_only=True, slots=True)
class InitialState:
    """Joint values by name, in MuJoCo's order and in metres, radians and seconds."""

    positions: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """The positions: 1 number for a hinge or slide, 4 for a ball (w x y z), 7 for a free joint
    (x y z, then w x y z)."""
    velocities: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """The velocities: 1 number for a hinge or slide, 3 for a ball, 6 for a free joint (linear,
    then angular)."""

    def check(self, model: mujoco.MjModel) -> None:
        """Raises ConfigError with all unknown joints and all wrong counts of numbers."""
        problems = []
        for what, values in (('position', self.positions), ('velocity', self.velocities)):
            for name, numbers in values.items():
                try:
                    _find(model, what, name, len(numbers), done='')
                except ConfigError as error:
                    problems.append(str(error))
        if problems:
            raise ConfigError('; '.join(problems))

    def begin(
        self, model: mujoco.MjModel, data: mujoco.MjData, before: DataBefore = 'start'
    ) -> list[str]:
        """Applies the values to freshly reset data, and computes poses."""
        problems = self.apply(model, data, before)
        with collecting():
            mujoco.mj_fwdPosition(model, data)  # calls no callbacks
        return problems

    def apply(
        self, model: mujoco.MjModel, data: mujoco.MjData, before: DataBefore = 'start'
    ) -> list[str]:
        """Writes qpos and qvel; returns a message for each value that is skipped or does not fit.

        Coupled joints, such as mimic joints, get the positions that their equalities require,
        unless they are given here or by the keyframe. `before` describes the data before the call.

        Returns at most ten messages and the number of further messages. One last message names
        all joints with positions outside of their ranges.
        """
        coupled = couplings(model)
        given = given_by_keyframe(model, data, coupled) if before == 'keyframe' else Given()
        problems: list[str] = []
        outside: list[str] = []
        for write, values, joints in (
            (_set_position, self.positions, given.positions),
            (_set_velocity, self.velocities, given.velocities),
        ):
            for name, numbers in values.items():
                try:
                    joint = write(model, data, name, numbers)
                    joints.add(joint)
                    if write is _set_position and (phrase := _outside(model, data, joint)):
                        outside.append(phrase)
                except ConfigError as error:
                    problems.append(str(error))
        running = before == 'running'
        problems += complete(model, data, given, coupled, touched_only=running).misfits
        more = len(problems) - _MOST
        if more > 0:
            problems[_MOST:] = [f'and {more:,} more']
        if outside:
            named = ', '.join(outside)
            problems.append(f'initial positions outside of the ranges of their joints: {named}')
        return problems


def _set_position(
    model: mujoco.MjModel, data: mujoco.MjData, name: str, values: tuple[float, ...]
) -> int:
    """Writes a position and returns the joint's id. Raises ConfigError if it is skipped."""
    joint, kind = _find(model, 'position', name, len(values))
    array = np.array(values, float)
    if kind.quaternion is not None:
        quaternion = array[kind.quaternion :]
        length = np.linalg.norm(quaternion)
        if length < _SHORTEST_QUATERNION:
            raise ConfigError(
                f'initial position of joint {shown(name)} skipped: its quaternion has length 0'
            )
        quaternion /= length
    start = model.jnt_qposadr[joint]
    data.qpos[start : start + len(array)] = array
    return joint


def _outside(model: mujoco.MjModel, data: mujoco.MjData, joint: int) -> str:
    """Returns a phrase about a position outside of the joint's range; empty if it is inside."""
    if not model.jnt_limited[joint]:
        return ''
    position = data.qpos[model.jnt_qposadr[joint] :]
    ball = model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_BALL
    value = 2 * math.acos(min(1.0, abs(position[0]))) if ball else position[0]
    low, high = model.jnt_range[joint]
    if low - _ROUNDING <= value <= high + _ROUNDING:
        return ''
    name = given_name(model, mujoco.mjtObj.mjOBJ_JOINT, joint)
    return f'{shown(name)} {value:g} ({low:g} to {high:g})'


def _set_velocity(
    model: mujoco.MjModel, data: mujoco.MjData, name: str, values: tuple[float, ...]
) -> int:
    """Writes a velocity and returns the joint's id. Raises ConfigError if it is skipped."""
    joint, _ = _find(model, 'velocity', name, len(values))
    start = model.jnt_dofadr[joint]
    data.qvel[start : start + len(values)] = values
    return joint


def _find(
    model: mujoco.MjModel, what: str, name: str, count: int, done: str = ' skipped'
) -> tuple[int, _Kind]:
    """Returns the id and kind of a joint.

    Raises ConfigError for an unknown name or a wrong number of values. `done` completes the
    message: it says what happens to the value.
    """
    joint = int(mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, name))
    if joint < 0:
        kind_of = mujoco.mjtObj.mjOBJ_JOINT
        names = sorted(given_name(model, kind_of, j) for j in range(model.njnt))
        known = ', '.join(name for name in names if name) or 'none'
        raise ConfigError(f'initial {what} of unknown joint {shown(name)}{done}; known: {known}')
    kind = _KINDS[int(model.jnt_type[joint])]
    size = getattr(kind, what)
    if count != size:
        problem = f'{kind.name} joint {shown(name)}{done}: it needs {size} values, got {count}'
        raise ConfigError(f'initial {what} of {problem}')
    return joint, kind
