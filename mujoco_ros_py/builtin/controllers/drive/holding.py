"""Compiled: holds joints without a command at their positions, against the loads they carry.

`joint` is a row of the record's field `drive` (see `drive_record`).
"""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from ....plugins.compiled_code import inlined
from .drive_record import FOLLOWS, HOLDS, HOLDS_ANEW
from .efforts import (
    AFFINE,
    DIRECT,
    POSITION_SERVO,
    VELOCITY_SERVO,
    apply_effort,
    compensation,
    position_effort,
    servo,
)

_REST_SPEED, _REST_ACCELERATION = 0.01, 0.5
"""Below this speed (rad/s or m/s) and acceleration (rad/s^2 or m/s^2), a joint counts as at rest.
The effort on it then equals its load, and applying the same effort keeps it in place."""


@inlined
def rests(velocity: float, acceleration: float) -> Any:
    """Returns whether a joint, tendon or actuator with this motion is at rest."""
    return abs(velocity) < _REST_SPEED and abs(acceleration) < _REST_ACCELERATION


@inlined
def hold(joint: np.record, model: mujoco.MjModel, data: mujoco.MjData, compensates: float) -> None:
    """Holds the joint where it was when its command ended, or when the simulation started.

    The effort carries the joint's load and its own weight. A servo deflects under this effort, so
    the deflection is added to its target: the joint itself then stays at the held position.
    """
    if joint.held != HOLDS:
        _begin(joint, model, data, compensates)
    effort = joint.load + compensates * compensation(data, joint.dof)
    joint.next_position, joint.next_velocity = joint.hold, 0.0
    if _by_servo(joint):
        servo(joint, model, data, joint.hold + joint.compliance * effort, 0.0, 0.0, False)
    else:
        joint.integrating = joint.hold_i
        effort += position_effort(joint, data, joint.hold, 0.0, joint.hold_p, joint.hold_d)
        apply_effort(joint, data, effort)


@inlined
def leave(
    joint: np.record, model: mujoco.MjModel, data: mujoco.MjData, compensates: float
) -> None:
    """Sets the last control of a joint that its plugin stops driving.

    A position servo holds the joint where it is. Other actuators get the control 0: motors exert
    no force, and velocity servos brake.
    """
    if joint.law == DIRECT:
        data.qfrc_applied[joint.dof] = 0.0
    elif joint.law == POSITION_SERVO or (joint.law == AFFINE and joint.compliance > 0.0):
        if joint.held != HOLDS:
            _begin(joint, model, data, compensates)
        effort = joint.load + joint.integral + compensates * compensation(data, joint.dof)
        servo(joint, model, data, joint.hold + joint.compliance * effort, 0.0, 0.0, False)
    else:
        data.ctrl[joint.control] = max(joint.control_low, min(joint.control_high, 0.0))


@inlined
def _begin(
    joint: np.record, model: mujoco.MjModel, data: mujoco.MjData, compensates: float
) -> None:
    """Stores the joint's position, and the load that it carries in addition to its own weight.

    The stored load is 0 for a joint in motion, because its load cannot be separated from the
    effort that moves the joint. It is also 0 for a joint that has not been driven yet.
    """
    resting = rests(data.qvel[joint.dof], data.qacc[joint.dof])
    if joint.held != HOLDS_ANEW:
        joint.load = 0.0
        if _by_servo(joint) or joint.hold_i == 0.0:
            joint.integral = 0.0
    if joint.held == FOLLOWS and resting:
        own = joint.integral + compensates * compensation(data, joint.dof)
        joint.load = _borne_effort(joint, model, data) - own
    if joint.held != HOLDS_ANEW or not resting:
        joint.hold = data.qpos[joint.qpos]
    joint.held = HOLDS


@inlined
def _by_servo(joint: np.record) -> Any:
    """Returns whether the actuator's own servo holds the joint, and not the PID."""
    return joint.servoes_position or joint.law == VELOCITY_SERVO


@inlined
def _borne_effort(joint: np.record, model: mujoco.MjModel, data: mujoco.MjData) -> Any:
    """Returns the part of the driving effort that does not accelerate the joint.

    This part, from the last forward pass, carries weights and payloads, and resists contacts.
    """
    dof = joint.dof
    accelerating = data.qfrc_smooth[dof] + data.qfrc_constraint[dof]
    if joint.law == DIRECT:
        return data.qfrc_applied[dof] - accelerating
    driving = data.qfrc_actuator[dof]
    if model.jnt_actgravcomp[model.dof_jntid[dof]]:
        driving -= data.qfrc_gravcomp[dof]
    return driving - accelerating
