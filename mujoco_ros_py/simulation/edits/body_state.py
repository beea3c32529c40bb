"""Reads and sets the pose, velocity and mass of a body."""

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
    """The state of a body at one time, in the world frame."""

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
    """The mass in kg, without the child bodies."""
    time_s: float
    """The simulation time in seconds."""


def read_body(model: mujoco.MjModel, data: mujoco.MjData, body: int) -> BodyState:
    """Returns the state of the body with this id. Must be called between two steps."""
    mujoco.mj_kinematics(model, data)  # after a step, poses and velocities are out of date
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
    """Sets the world pose of a body with a free joint; returns a clause for `Edit.done`.

    Raises ConfigError unless the body's only joint is a free joint.
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
    """Sets the world velocity of a body with a free joint; returns a clause for `Edit.done`.

    Raises ConfigError if a number is not finite, or if the body's only joint is not a free joint.
    """
    joint = _free_joint(model, body)
    place, turn = finite('linear velocity', linear), finite('angular velocity', angular)
    address, quat = int(model.jnt_dofadr[joint]), np.empty(4)
    first = int(model.jnt_qposadr[joint]) + 3
    # MuJoCo stores the angular velocity of a free joint in the body frame.
    mujoco.mju_negQuat(quat, data.qpos[first : first + 4])
    data.qvel[address : address + 3] = place
    mujoco.mju_rotVecQuat(data.qvel[address + 3 : address + 6], turn, quat)
    return f'velocity of body {name_of(model, _BODY, body)!r} set'


def put_back(model: mujoco.MjModel, data: mujoco.MjData, body: int, *, still: bool) -> str:
    """Moves a body with a free joint to its pose in the model; returns a clause for `Edit.done`.

    With `still`, also sets its velocity to zero. Raises ConfigError unless the body's only joint
    is a free joint.
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
    """Sets the mass of a body in kg, and scales its inertia; returns a clause for `Edit.done`.

    Raises ConfigError if the mass is not positive, or if the body is massless in the model: its
    inertia cannot be scaled then.
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
    """Returns the free joint of a body. Raises ConfigError unless it is the body's only joint."""
    first, count = int(model.body_jntadr[body]), int(model.body_jntnum[body])
    if count == 1 and model.jnt_type[first] == _FREE:
        return first
    joints = [
        mujoco.mjtJoint(int(model.jnt_type[each])).name.removeprefix('mjJNT_').lower()
        for each in range(first, first + count)
    ]
    raise ConfigError(
        f'body {name_of(model, _BODY, body)!r} must have exactly one joint, a free joint, to be'
        f' moved; it has {", ".join(joints) or "no joint"}'
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class BodyMotion:
    """The motion of a body's frame, in the world."""

    position: Array
    """The origin, in m."""
    quat: Array
    """The orientation (w, x, y, z)."""
    linear: Array
    """The velocity of the origin, in m/s."""
    angular: Array
    """The angular velocity, in rad/s."""
    linear_acceleration: Array
    """The acceleration of the origin in the newest step, in m/s^2; equal to gravity in free fall.
    """
    angular_acceleration: Array
    """The angular acceleration in the newest step, in rad/s^2."""


def body_motions(
    model: mujoco.MjModel, copy: mujoco.MjData, bodies: Iterable[int]
) -> list[BodyMotion]:
    """Returns the motions of bodies, from an up-to-date copy of the data (see `Snapshot`)."""
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
        # MuJoCo returns the acceleration that an accelerometer would measure
        linear_acceleration=acceleration[3:] + model.opt.gravity * falling,
        angular_acceleration=acceleration[:3],
    )
