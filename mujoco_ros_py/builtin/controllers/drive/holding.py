"""Compiled: what has no command holds still, and goes on bearing what it bears.

`joint` is a row of the record's field `drive`, as `drive_record` makes it.
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
"""Up to these, in rad or m, s and s^2, something rests: to hold what it bears is to stay there."""


@inlined
def rests(velocity: float, acceleration: float) -> Any:
    """Returns whether a joint, a tendon or an actuator with this motion is at rest."""
    return abs(velocity) < _REST_SPEED and abs(acceleration) < _REST_ACCELERATION


@inlined
def hold(joint: np.record, model: mujoco.MjModel, data: mujoco.MjData, compensates: float) -> None:
    """Holds the joint at the position in which it was found without a command.

    The effort is that of its load and of its own weight. A servo is asked for the position from
    which this effort takes it to where it is to be.
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
    """Sets the control of a joint that nobody drives any more, and that nobody sets again.

    A servo of positions holds the joint where it is; other actuators get the control 0, with which
    motors do nothing and servos of velocities brake.
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
    """Notes where the joint is, and what it bears there beside its own weight.

    What a moving joint bears cannot be told from what moves it, and neither can what a joint bears
    that has not been driven yet.
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
    """Returns whether the joint holds by the law of its actuator, and not by the PID."""
    return joint.servoes_position or joint.law == VELOCITY_SERVO


@inlined
def _borne_effort(joint: np.record, model: mujoco.MjModel, data: mujoco.MjData) -> Any:
    """Returns what drives the joint less what accelerates it, as of the last forward pass.

    It keeps up weights, payloads, and what contacts press against it.
    """
    dof = joint.dof
    accelerating = data.qfrc_smooth[dof] + data.qfrc_constraint[dof]
    if joint.law == DIRECT:
        return data.qfrc_applied[dof] - accelerating
    driving = data.qfrc_actuator[dof]
    if model.jnt_actgravcomp[model.dof_jntid[dof]]:
        driving -= data.qfrc_gravcomp[dof]
    return driving - accelerating
