"""Compiled functions that read a part from a sensor of the model, or compute the part at a site.

The computed value equals the value of a MuJoCo sensor at this site, without cutoff and delay. A
`part` is a record of type `PART`.
"""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from ....plugins.compiled_code import inlined

_SITE = int(mujoco.mjtObj.mjOBJ_SITE)


@inlined
def _copy(part: np.record, data: mujoco.MjData, values: Any) -> bool:
    """Copies the values of the part's sensor; returns False if the part has no sensor."""
    if part.address < 0:
        return False
    for k in range(len(values)):
        values[k] = data.sensordata[part.address + k]
    return True


@inlined
def angular_velocity(
    part: np.record, model: mujoco.MjModel, data: mujoco.MjData, values: Any
) -> None:
    """Writes the angular velocity in rad/s, in the frame of the site or the sensor."""
    if not _copy(part, data, values):
        velocity = np.empty(6)
        mujoco.mj_objectVelocity(model, data, _SITE, part.site, velocity, 1)
        values[:] = velocity[:3]


@inlined
def linear_velocity(
    part: np.record, model: mujoco.MjModel, data: mujoco.MjData, values: Any
) -> None:
    """Writes the linear velocity in m/s, in the frame of the site or the sensor."""
    if not _copy(part, data, values):
        velocity = np.empty(6)
        mujoco.mj_objectVelocity(model, data, _SITE, part.site, velocity, 1)
        values[:] = velocity[3:]


@inlined
def velocity_in_world(site: int, model: mujoco.MjModel, data: mujoco.MjData, values: Any) -> None:
    """Writes a site's linear velocity in m/s, in the world frame."""
    velocity = np.empty(6)
    mujoco.mj_objectVelocity(model, data, _SITE, site, velocity, 0)
    values[:] = velocity[3:]


@inlined
def linear_acceleration(
    part: np.record, model: mujoco.MjModel, data: mujoco.MjData, values: Any
) -> None:
    """Writes the acceleration that an accelerometer measures, in m/s^2, in the site's frame.

    At rest, this is an upward acceleration equal to gravity.
    """
    if not _copy(part, data, values):
        acceleration = np.empty(6)
        _compute_forces(model, data)
        mujoco.mj_objectAcceleration(model, data, _SITE, part.site, acceleration, 1)
        values[:] = acceleration[3:]


@inlined
def orientation(part: np.record, model: mujoco.MjModel, data: mujoco.MjData, values: Any) -> None:
    """Writes the orientation in the world or in the sensor's frame as a quaternion w, x, y, z."""
    if not _copy(part, data, values):
        body = model.site_bodyid[part.site]
        mujoco.mju_mulQuat(values, data.xquat[body], model.site_quat[part.site])


@inlined
def position(part: np.record, model: mujoco.MjModel, data: mujoco.MjData, values: Any) -> None:
    """Writes the position in m, in the world or in the sensor's frame."""
    if not _copy(part, data, values):
        values[:] = data.site_xpos[part.site]


@inlined
def magnetic_flux(
    part: np.record, model: mujoco.MjModel, data: mujoco.MjData, values: Any
) -> None:
    """Writes the model's magnetic flux in the site's frame."""
    if not _copy(part, data, values):
        mujoco.mju_mulMatTVec(values, data.site_xmat[part.site], model.opt.magnetic, 3, 3)


@inlined
def force(part: np.record, model: mujoco.MjModel, data: mujoco.MjData, values: Any) -> None:
    """Writes the force in N that the parent exerts on the site's body, in the site's frame."""
    if not _copy(part, data, values):
        wrench = np.empty(6)
        _wrench(part, model, data, wrench)
        values[:] = wrench[3:]


@inlined
def torque(part: np.record, model: mujoco.MjModel, data: mujoco.MjData, values: Any) -> None:
    """Writes the torque in N m that the parent exerts on the site's body, in the site's frame."""
    if not _copy(part, data, values):
        wrench = np.empty(6)
        _wrench(part, model, data, wrench)
        values[:] = wrench[:3]


@inlined
def _wrench(part: np.record, model: mujoco.MjModel, data: mujoco.MjData, wrench: Any) -> None:
    """Writes the torque and force that the parent exerts on a body, like MuJoCo's sensors do."""
    _compute_forces(model, data)
    body = model.site_bodyid[part.site]
    mujoco.mju_transformSpatial(
        wrench, data.cfrc_int[body], 1, data.site_xpos[part.site],
        data.subtree_com[model.body_rootid[body]], data.site_xmat[part.site],
    )  # fmt: skip


@inlined
def _compute_forces(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Computes accelerations and forces between bodies, unless MuJoCo already has."""
    if not data.flg_rnepost:
        mujoco.mj_rnePostConstraint(model, data)
        data.flg_rnepost = True
