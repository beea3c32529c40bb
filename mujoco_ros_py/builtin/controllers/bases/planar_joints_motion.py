"""Compiled: moves a base in the plane by two slides and a hinge, and measures its odometry.

The drive has the slides along x and y and the hinge about z, in this order. The velocity of the
base turns with the hinge; the axes of the slides do not. `state.turned` is the angle from the axis
of the slide along x to the x axis of the base while the hinge is at 0.
"""

from __future__ import annotations

import math
from typing import Any

import mujoco

from ....plugins import State
from ....plugins.compiled_code import inlined
from ..drive.command_following import advance_joints, drive_joints
from .planar_odometry import integrate, integrate_plan
from .twist_commands import advance_twist, forget_twist, plan_twist


@inlined
def drive_planar_joints(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Sets the controls of the joints; they hold where they are until the first command."""
    if data.time < state.base_time:
        forget_planar_joints(state, data)
    timestep = model.opt.timestep
    plan_twist(state, timestep)
    x, y = state.axes[0].next_velocity, state.axes[1].next_velocity
    yaw = state.axes[2].next_velocity
    if state.commanded:
        heading = _position(state, data, 2) + yaw * timestep / 2.0  # in the middle of the step
        cosine, sine = math.cos(heading), math.sin(heading)
        state.velocity_command[0] = cosine * x - sine * y
        state.velocity_command[1] = sine * x + cosine * y
        state.velocity_command[2] = yaw
    drive_joints(state, model, data)


@inlined
def advance_planar_joints(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Advances velocity and odometry by a step; open loop, the planned velocity is integrated."""
    timestep = model.opt.timestep
    if state.open_loop:
        integrate_plan(state, timestep)
    else:
        _measure(state, data, timestep)
    advance_twist(state, data)
    advance_joints(state, model, data)


@inlined
def forget_planar_joints(state: State, data: mujoco.MjData) -> None:
    """Forgets all commands, at a reset for example, and restarts the odometry at this pose."""
    forget_twist(state, data)
    for k in range(3):
        state.start[k] = state.last[k] = _position(state, data, k)


@inlined
def _measure(state: State, data: mujoco.MjData, timestep: float) -> None:
    """Sets the odometry from the positions of the joints, or integrates their velocities."""
    x, y = _moved(state, data, 0, timestep), _moved(state, data, 1, timestep)
    yaw = _moved(state, data, 2, timestep)
    heading = state.last[2] + yaw / 2.0
    cosine, sine = math.cos(heading), math.sin(heading)
    ahead, aside = cosine * x + sine * y, cosine * y - sine * x
    state.twist[0], state.twist[1] = ahead / timestep, aside / timestep
    state.twist[2] = yaw / timestep
    for k in range(3):
        state.last[k] = _position(state, data, k)
    if state.position_feedback:
        _set_pose_since_start(state)
    else:
        integrate(state.pose, ahead, aside, yaw)


@inlined
def _position(state: State, data: mujoco.MjData, k: int) -> Any:
    """Returns x or y of the base, or its angle, in the frame of the slides."""
    position = data.qpos[state.qpos_address[k]]
    return position + state.turned if k == 2 else position


@inlined
def _moved(state: State, data: mujoco.MjData, k: int, timestep: float) -> Any:
    """Returns how far joint number k has moved in this step."""
    if state.position_feedback:
        return _position(state, data, k) - state.last[k]
    return data.qvel[state.dof_address[k]] * timestep


@inlined
def _set_pose_since_start(state: State) -> None:
    x, y = state.last[0] - state.start[0], state.last[1] - state.start[1]
    cosine, sine = math.cos(state.start[2]), math.sin(state.start[2])
    state.pose[0], state.pose[1] = cosine * x + sine * y, cosine * y - sine * x
    state.pose[2] = state.last[2] - state.start[2]
