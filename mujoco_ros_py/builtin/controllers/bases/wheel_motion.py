"""Compiled: wheels turn as the velocity of the base demands, and the odometry follows from them.

`state.wheels` has a row for each wheel, in the order of the drive's joints: `turns` gives the
velocity of the wheel for that of the base (x and y in rad/m, yaw without unit), and `moves` gives
the share of the wheel in the velocity of the base (x and y in m/rad, yaw without unit).
"""

from __future__ import annotations

import mujoco

from ....plugins import State
from ....plugins.compiled_code import inlined
from ..drive.command_following import advance_joints, drive_joints
from .planar_odometry import integrate, integrate_plan
from .twist_commands import advance_twist, forget_twist, plan_twist


@inlined
def drive_wheels(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Sets the controls of the wheels; they hold where they are until the first command."""
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
    """Advances velocity and odometry by a step; open loop, the planned velocity is integrated."""
    timestep = model.opt.timestep
    if state.open_loop:
        integrate_plan(state, timestep)
    else:
        _measure(state, data, timestep)
    advance_twist(state, data)
    advance_joints(state, model, data)


@inlined
def forget_wheels(state: State, data: mujoco.MjData) -> None:
    """Forgets all commands, at a reset for example, and restarts the odometry at this pose."""
    forget_twist(state, data)
    for k in range(len(state.wheels)):
        state.wheels[k].position = data.qpos[state.qpos_address[k]]


@inlined
def _measure(state: State, data: mujoco.MjData, timestep: float) -> None:
    """Integrates the rotation of the wheels in this step into the odometry."""
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
