"""Compiled: moves the joints of a base according to its velocity, and updates the odometry.

`state.wheels` has a row for each wheel, in the order of the drive's joints. `turns` maps the base
velocity to the wheel velocity (x and y in rad/m, yaw without unit). `moves` maps the wheel
velocity to the wheel's contribution to the base velocity (x and y in m/rad, yaw without unit).

A base without wheels has planar joints: slides along x and y, then a hinge about z. The frame of
its velocity turns with the hinge, but the axes of the slides do not. `state.turned` is the angle
from the axis of the x slide to the x axis of the base when the hinge is at 0.
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
def drive_wheels(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Sets the controls of the wheels, which hold their positions until the first command."""
    if data.time < state.base_time:
        forget_wheels(state, data)
    plan_twist(state, model.opt.timestep)
    x, y, yaw = (
        state.axes[0].next_velocity,
        state.axes[1].next_velocity,
        state.axes[2].next_velocity,
    )
    for k in range(len(state.wheels)):
        turns = state.wheels[k].turns
        if state.commanded:
            state.velocity_command[k] = turns[0] * x + turns[1] * y + turns[2] * yaw
    drive_joints(state, model, data)


@inlined
def advance_wheels(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Advances the velocity and the odometry by one step.

    With `open_loop`, the odometry integrates the planned velocity instead of measured motion.
    """
    timestep = model.opt.timestep
    if state.open_loop:
        integrate_plan(state, timestep)
    else:
        _measure_wheels(state, data, timestep)
    advance_twist(state, data)
    advance_joints(state, model, data)


@inlined
def forget_wheels(state: State, data: mujoco.MjData) -> None:
    """Discards all commands, and restarts the odometry at the current pose, as in a reset."""
    forget_twist(state, data)
    for k in range(len(state.wheels)):
        state.wheels[k].position = data.qpos[state.qpos_address[k]]


@inlined
def _measure_wheels(state: State, data: mujoco.MjData, timestep: float) -> None:
    """Integrates the wheels' rotation in this step into the odometry."""
    x, y, yaw = 0.0, 0.0, 0.0
    for k in range(len(state.wheels)):
        wheel = state.wheels[k]
        position = data.qpos[state.qpos_address[k]]
        turned = position - wheel.position
        wheel.position = position
        if not state.position_feedback:
            turned = data.qvel[state.dof_address[k]] * timestep
        x += wheel.moves[0] * turned
        y += wheel.moves[1] * turned
        yaw += wheel.moves[2] * turned
    integrate(state.pose, x, y, yaw)
    state.twist[0], state.twist[1], state.twist[2] = x / timestep, y / timestep, yaw / timestep


@inlined
def drive_planar_joints(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Sets the controls of the joints, which hold their positions until the first command."""
    if data.time < state.base_time:
        forget_planar_joints(state, data)
    timestep = model.opt.timestep
    plan_twist(state, timestep)
    x, y = state.axes[0].next_velocity, state.axes[1].next_velocity
    yaw = state.axes[2].next_velocity
    if state.commanded:
        heading = (
            _joint_position(state, data, 2) + yaw * timestep / 2.0
        )  # in the middle of the step
        cosine, sine = math.cos(heading), math.sin(heading)
        state.velocity_command[0] = cosine * x - sine * y
        state.velocity_command[1] = sine * x + cosine * y
        state.velocity_command[2] = yaw
    drive_joints(state, model, data)


@inlined
def advance_planar_joints(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Advances the velocity and the odometry by one step.

    With `open_loop`, the odometry integrates the planned velocity instead of measured motion.
    """
    timestep = model.opt.timestep
    if state.open_loop:
        integrate_plan(state, timestep)
    else:
        _measure_joints(state, data, timestep)
    advance_twist(state, data)
    advance_joints(state, model, data)


@inlined
def forget_planar_joints(state: State, data: mujoco.MjData) -> None:
    """Discards all commands, and restarts the odometry at the current pose, as in a reset."""
    forget_twist(state, data)
    for k in range(3):
        state.start[k] = state.last[k] = _joint_position(state, data, k)


@inlined
def _measure_joints(state: State, data: mujoco.MjData, timestep: float) -> None:
    """Sets the odometry from the joints' positions, or integrates the joints' velocities."""
    x, y = _joint_moved(state, data, 0, timestep), _joint_moved(state, data, 1, timestep)
    yaw = _joint_moved(state, data, 2, timestep)
    heading = state.last[2] + yaw / 2.0
    cosine, sine = math.cos(heading), math.sin(heading)
    ahead, aside = cosine * x + sine * y, cosine * y - sine * x
    state.twist[0], state.twist[1] = ahead / timestep, aside / timestep
    state.twist[2] = yaw / timestep
    for k in range(3):
        state.last[k] = _joint_position(state, data, k)
    if state.position_feedback:
        _set_pose_since_start(state)
    else:
        integrate(state.pose, ahead, aside, yaw)


@inlined
def _joint_position(state: State, data: mujoco.MjData, k: int) -> Any:
    """Returns the base's x (k = 0), y (1) or angle (2) in the frame of the slides."""
    position = data.qpos[state.qpos_address[k]]
    return position + state.turned if k == 2 else position


@inlined
def _joint_moved(state: State, data: mujoco.MjData, k: int, timestep: float) -> Any:
    """Returns how far joint number k has moved in this step."""
    if state.position_feedback:
        return _joint_position(state, data, k) - state.last[k]
    return data.qvel[state.dof_address[k]] * timestep


@inlined
def _set_pose_since_start(state: State) -> None:
    x, y = state.last[0] - state.start[0], state.last[1] - state.start[1]
    cosine, sine = math.cos(state.start[2]), math.sin(state.start[2])
    state.pose[0], state.pose[1] = cosine * x + sine * y, cosine * y - sine * x
    state.pose[2] = state.last[2] - state.start[2]
