"""Pose, velocity and mass of one body, which are read and set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import mujoco
import numpy as np

from ...errors import ConfigError
from ..models.object_names import name_of
from .derived_numbers import renew_constants
from .edit import Edit, ModelChange
from .given_numbers import Array, finite

_BODY, _XBODY = mujoco.mjtObj.mjOBJ_BODY, mujoco.mjtObj.mjOBJ_XBODY
_FREE = int(mujoco.mjtJoint.mjJNT_FREE)


@dataclass(frozen=True, kw_only=True, slots=True)
class BodyState:
    """The state of a body at one moment, in the world."""

    name: str
    """The name of the body."""
    position: Array
    """The origin of the body's frame, in m."""
    quat: Array
    """The orientation of the body's frame (w, x, y, z)."""
    linear: Array
    """The velocity of the origin of the body's frame, in m/s."""
    angular: Array
    """The angular velocity in rad/s."""
    mass: float
    """The mass in kg, without that of its children."""
    time_s: float
    """The simulation time of the moment, in seconds."""


def read_body(model: mujoco.MjModel, data: mujoco.MjData, body: int) -> BodyState:
    """Returns the state of a body by its id, as it is between two steps."""
    mujoco.mj_kinematics(model, data)  # a step leaves poses and velocities from before it
    mujoco.mj_comPos(model, data)
    mujoco.mj_comVel(model, data)
    velocity = np.empty(6)
    mujoco.mj_objectVelocity(model, data, _XBODY, body, velocity, 0)
    return BodyState(
        name=name_of(model, _BODY, body),
        position=data.xpos[body].copy(),
        quat=data.xquat[body].copy(),
        linear=velocity[3:],
        angular=velocity[:3],
        mass=float(model.body_mass[body]),
        time_s=float(data.time),
    )


def place_body(
    model: mujoco.MjModel, data: mujoco.MjData, body: int, position: Array, quat: Array
) -> str:
    """Places a body with a free joint in the world; returns what was done.

    Raises ConfigError for a body that has not exactly one joint, a free one.
    """
    address = int(model.jnt_qposadr[_free_joint(model, body)])
    data.qpos[address : address + 3] = position
    data.qpos[address + 3 : address + 7] = quat
    return f'pose of body {name_of(model, _BODY, body)!r} set'


def move_body(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    body: int,
    linear: Sequence[float],
    angular: Sequence[float],
) -> str:
    """Gives a body with a free joint a velocity in the world; returns what was done.

    Raises ConfigError as `place_body`, and for numbers that are not finite.
    """
    joint = _free_joint(model, body)
    place, turn = finite('linear velocity', linear), finite('angular velocity', angular)
    address, quat = int(model.jnt_dofadr[joint]), np.empty(4)
    first = int(model.jnt_qposadr[joint]) + 3
    # MuJoCo has the angular velocity of a free joint in the axes of the body.
    mujoco.mju_negQuat(quat, data.qpos[first : first + 4])
    data.qvel[address : address + 3] = place
    mujoco.mju_rotVecQuat(data.qvel[address + 3 : address + 6], turn, quat)
    return f'velocity of body {name_of(model, _BODY, body)!r} set'


def put_back(model: mujoco.MjModel, data: mujoco.MjData, body: int, *, still: bool) -> str:
    """Places a body with a free joint where the model has it; `still` stops it as well.

    Raises ConfigError as `place_body`.
    """
    joint = _free_joint(model, body)
    position, velocity = int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint])
    data.qpos[position : position + 7] = model.qpos0[position : position + 7]
    if still:
        data.qvel[velocity : velocity + 6] = 0.0
    return f'body {name_of(model, _BODY, body)!r} put back'


def weigh_body(
    model: mujoco.MjModel, data: mujoco.MjData, body: int, mass: float, edit: Edit
) -> str:
    """Gives a body another mass in kg, and the inertia of another density.

    Raises ConfigError for a mass that is not above 0, and for a body without a mass, whose inertia
    nobody knows.
    """
    name, before = name_of(model, _BODY, body), float(model.body_mass[body])
    if not (np.isfinite(mass) and mass >= mujoco.mjMINVAL):
        raise ConfigError(f'mass of body {name!r} must be above 0 and finite, got {mass:g}')
    if before < mujoco.mjMINVAL:
        raise ConfigError(f'mass of body {name!r} must stay 0: the model gives it no inertia')
    model.body_mass[body] = mass
    model.body_inertia[body] *= mass / before
    renew_constants(model, data)
    edit.changed(ModelChange('body', body))
    return f'mass of body {name!r} set'


def _free_joint(model: mujoco.MjModel, body: int) -> int:
    """Returns the only joint of a body, which is free. Raises ConfigError if it has others."""
    first, count = int(model.body_jntadr[body]), int(model.body_jntnum[body])
    if count == 1 and model.jnt_type[first] == _FREE:
        return first
    joints = [
        mujoco.mjtJoint(int(model.jnt_type[each])).name.removeprefix('mjJNT_').lower()
        for each in range(first, first + count)
    ]
    raise ConfigError(
        f'body {name_of(model, _BODY, body)!r} must have exactly one joint, a free one, to be'
        f' moved; it has {", ".join(joints) or "none"}'
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class BodyMotion:
    """The motion of the frame of a body, in the world."""

    position: Array
    """The origin, in m."""
    quat: Array
    """The orientation (w, x, y, z)."""
    linear: Array
    """The velocity of the origin, in m/s."""
    angular: Array
    """The angular velocity, in rad/s."""
    linear_acceleration: Array
    """The acceleration of the origin in the newest step, in m/s^2; in free fall that of gravity.
    """
    angular_acceleration: Array
    """The angular acceleration in the newest step, in rad/s^2."""


def body_motions(
    model: mujoco.MjModel, copy: mujoco.MjData, bodies: Iterable[int]
) -> list[BodyMotion]:
    """Returns the motions of bodies, from a copy of the data that is up to date (`Snapshot`)."""
    mujoco.mj_rnePostConstraint(model, copy)
    return [_motion(model, copy, body) for body in bodies]


def _motion(model: mujoco.MjModel, copy: mujoco.MjData, body: int) -> BodyMotion:
    velocity, acceleration = np.empty(6), np.empty(6)
    mujoco.mj_objectVelocity(model, copy, _XBODY, body, velocity, 0)
    mujoco.mj_objectAcceleration(model, copy, _XBODY, body, acceleration, 0)
    falling = not model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_GRAVITY
    return BodyMotion(
        position=copy.xpos[body].copy(),
        quat=copy.xquat[body].copy(),
        linear=velocity[3:],
        angular=velocity[:3],
        # MuJoCo's accelerations are those that an accelerometer feels
        linear_acceleration=acceleration[3:] + model.opt.gravity * falling,
        angular_acceleration=acceleration[:3],
    )
