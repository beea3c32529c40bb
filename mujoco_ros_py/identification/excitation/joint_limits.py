"""The limits of joints, from a file in MoveIt's format and from the model."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np

from ...config import ranged, read
from ...config.small_files import read_small_file
from ...config.wording import kind, unknown
from ...config.yaml_text import MAX_BYTES, load_yaml
from ...errors import ConfigError
from ...simulation import names_of
from ..sequences import Array

_MOVED = {int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)}


@dataclass(frozen=True, kw_only=True, slots=True)
class FileLimits:
    """The limits of a joint in `joint_limits.yaml` of MoveIt."""

    has_position_limits: bool = True
    min_position: float | None = None
    max_position: float | None = None
    has_velocity_limits: bool = True
    max_velocity: float | None = ranged(None, above=0.0)
    has_acceleration_limits: bool = True
    max_acceleration: float | None = ranged(None, above=0.0)
    has_effort_limits: bool = True
    max_effort: float | None = ranged(None, above=0.0)
    has_jerk_limits: bool = False
    max_jerk: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class LimitOptions:
    """The limits of all joints, where a file has no others. Units: rad or m, s, N m or N."""

    velocity: float = ranged(1.0, above=0.0)
    acceleration: float = ranged(3.0, above=0.0)
    effort: float | None = ranged(None, above=0.0)
    margin: float = ranged(0.05, minimum=0.0, maximum=0.45)
    """The share of a joint's range at each end that the motion does not use."""
    joints: Mapping[str, FileLimits] = ranged(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class JointLimits:
    """The limits of the moved joints, one number for each joint."""

    low: Array
    high: Array
    velocity: Array
    acceleration: Array
    effort: Array
    """Infinite without limit."""


def read_limits(path: Path) -> dict[str, FileLimits]:
    """Reads a file in MoveIt's format. Raises ConfigError with file and key."""
    content = read_small_file(path, MAX_BYTES, ConfigError).decode(errors='replace')
    struct = load_yaml(content, str(path))
    if not isinstance(struct, Mapping) or not isinstance(struct.get('joint_limits'), Mapping):
        raise ConfigError(f'{path} must have a struct joint_limits, got {kind(struct)}')
    return {
        str(name): read(FileLimits, each or {}, f'{path}: joint_limits.{name}')
        for name, each in struct['joint_limits'].items()
    }


def dofs_of(model: mujoco.MjModel, joints: Sequence[str]) -> list[int]:
    """Returns the degrees of freedom of hinges and slides. Raises ConfigError for other names."""
    known = {
        name: number
        for name, number in names_of(model, mujoco.mjtObj.mjOBJ_JOINT, '').items()
        if model.jnt_type[number] in _MOVED
    }
    for name in joints:
        if name not in known:
            raise ConfigError(f'--joints: {unknown("joint", name, known)}')
        if joints.count(name) > 1:
            raise ConfigError(f'--joints has {name} twice')
    return [int(model.jnt_dofadr[known[name]]) for name in joints]


def limits_of(
    model: mujoco.MjModel, joints: Sequence[str], start: Array, options: LimitOptions
) -> JointLimits:
    """Returns the limits of joints; `start` has the positions at which the motion begins.

    Raises ConfigError if a joint begins outside its limits.
    """
    for name in options.joints:
        if name not in names_of(model, mujoco.mjtObj.mjOBJ_JOINT, ''):
            known = names_of(model, mujoco.mjtObj.mjOBJ_JOINT, '')
            raise ConfigError(f'joint_limits: {unknown("joint", name, known)}')
    rows = [
        _limits(model, name, float(at), options.joints.get(name, FileLimits()), options)
        for name, at in zip(joints, start, strict=True)
    ]
    low, high, velocity, acceleration, effort = np.array(rows).T
    return JointLimits(
        low=low, high=high, velocity=velocity, acceleration=acceleration, effort=effort
    )


def _limits(
    model: mujoco.MjModel, name: str, start: float, own: FileLimits, options: LimitOptions
) -> tuple[float, ...]:
    low, high = _positions(model, name, start, own)
    if not low < start < high:
        raise ConfigError(
            f'joint {name} begins at {start:.4g}, outside its range of {low:.4g} to {high:.4g};'
            ' choose another --keyframe'
        )
    margin = options.margin * (high - low)
    velocity = own.max_velocity if own.has_velocity_limits else None
    acceleration = own.max_acceleration if own.has_acceleration_limits else None
    return (
        min(low + margin, start),
        max(high - margin, start),
        velocity or options.velocity,
        acceleration or options.acceleration,
        _effort(model, name, own, options),
    )


def _positions(
    model: mujoco.MjModel, name: str, start: float, own: FileLimits
) -> tuple[float, float]:
    """Returns the range of a joint; half a turn each way for a hinge without limits."""
    joint = model.joint(name)
    limited = bool(model.jnt_limited[joint.id])
    low, high = map(float, joint.range) if limited else (-math.inf, math.inf)
    if own.has_position_limits and own.min_position is not None:
        low = max(low, own.min_position)
    if own.has_position_limits and own.max_position is not None:
        high = min(high, own.max_position)
    if math.isfinite(low) and math.isfinite(high):
        return low, high
    if model.jnt_type[joint.id] == mujoco.mjtJoint.mjJNT_HINGE:
        return max(low, start - math.pi), min(high, start + math.pi)
    raise ConfigError(
        f'joint {name} has no range in the model: give its min_position and max_position with'
        ' --limits'
    )


def _effort(model: mujoco.MjModel, name: str, own: FileLimits, options: LimitOptions) -> float:
    """Returns the largest effort of a joint; by default, what its actuators can exert."""
    if own.has_effort_limits and own.max_effort is not None:
        return own.max_effort
    if options.effort is not None:
        return options.effort
    joint = model.joint(name).id
    if model.jnt_actfrclimited[joint]:
        return float(np.min(np.abs(model.jnt_actfrcrange[joint])))
    found = 0.0
    for actuator in range(len(model.actuator_trntype)):  # nu counts controls
        each = model.actuator(actuator)
        drives = int(each.trntype[0]) == int(mujoco.mjtTrn.mjTRN_JOINT)
        if drives and int(each.trnid[0]) == joint:
            if not model.actuator_forcelimited[each.id]:
                return math.inf
            found += abs(float(each.gear[0])) * float(np.min(np.abs(each.forcerange)))
    return found or math.inf
