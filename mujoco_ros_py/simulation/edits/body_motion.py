"""Poses, velocities and accelerations of bodies at one moment, which are only read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import mujoco
import numpy as np

from .given_numbers import Array

_XBODY = mujoco.mjtObj.mjOBJ_XBODY


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
