"""Compiled: makes the velocity of a base follow its commands, within the limits of each axis.

`state` is the record that `BaseController.load` creates, and `axis` is a row of its field `axes`:
x, y, or the rotation about z.
"""

from __future__ import annotations

import math
from typing import Any

import mujoco

from ....plugins import State
from ....plugins.compiled_code import inlined, separate
from ..drive.reference_motion import stopping_velocity

_AHEAD_S = 1.0
"""A stamp that is further ahead of simulated time than this, in s, is probably from another
clock."""


@inlined
def take_message(state: State, data: mujoco.MjData, twist: Any, age: float) -> None:
    """Sets the commands from a geometry_msgs/Twist, or refuses it if a number is not finite."""
    linear, angular = twist.linear, twist.angular
    others = linear.z + angular.x + angular.y
    unused = 0.0 if math.isfinite(others) else math.nan
    take_twist(state, data, linear.x + unused, linear.y, angular.z, age)


@inlined
def take_twist(
    state: State, data: mujoco.MjData, x: float, y: float, yaw: float, age: float
) -> None:
    """Sets the velocity command in the base frame, in m/s and rad/s, or refuses it as a whole.

    `age` is the time since the command's stamp, in s. During an emergency stop, commands are
    dropped.
    """
    if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(yaw)):
        state.refusals += 1
        return
    if state.timeout > 0.0 and age > state.timeout:
        state.stale_age = age
        state.stales += 1
        return
    if age < -_AHEAD_S:
        state.ahead_by = -age
        state.aheads += 1
    if state.stopped:
        return
    _set_command(state.axes[0], x)
    _set_command(state.axes[1], y)
    _set_command(state.axes[2], yaw)
    state.command_time = data.time - max(age, 0.0)
    state.commanded, state.late = True, False


@inlined
def _set_command(axis: Any, value: float) -> None:
    """Sets the command of an axis, clamped to its velocity limits."""
    value = value * axis.moves
    inside = max(axis.min_velocity, min(axis.max_velocity, value))
    if inside != value and axis.clamped != value:
        axis.clamped = value
        axis.clamps += 1
    axis.command = inside


@inlined
def plan_twist(state: State, timestep: float) -> None:
    """Computes the velocity of this step; can be called several times per step."""
    for k in range(3):
        axis = state.axes[k]
        plan_axis(axis, 0.0 if state.late else axis.command, timestep)


@inlined
def advance_twist(state: State, data: mujoco.MjData) -> None:
    """Advances the velocity by one step; the base brakes if the last command is too old."""
    moving = False
    for k in range(3):
        axis = state.axes[k]
        axis.velocity, axis.acceleration = axis.next_velocity, axis.next_acceleration
        moving = moving or axis.command != 0.0
    waited = data.time - state.command_time
    if state.commanded and not state.late and state.timeout > 0.0 and waited > state.timeout:
        state.late = True
        if moving:  # a base at rest needs no commands
            state.lates += 1
    state.base_time = data.time


@inlined
def halt_twist(state: State) -> None:
    """Discards the commands, and sets the planned velocity to 0 immediately."""
    state.commanded, state.late = False, False
    for k in range(3):
        axis = state.axes[k]
        axis.command, axis.clamped = 0.0, math.nan
        axis.velocity, axis.acceleration = 0.0, 0.0
        axis.next_velocity, axis.next_acceleration = 0.0, 0.0


@inlined
def forget_twist(state: State, data: mujoco.MjData) -> None:
    """Discards all commands, and restarts the odometry, for example at a reset."""
    halt_twist(state)
    state.base_time = data.time
    for k in range(3):
        state.pose[k], state.twist[k] = 0.0, 0.0


@separate
def plan_axis(axis: Any, wanted: float, timestep: float) -> None:
    """Computes the next velocity of an axis, within its acceleration and jerk limits."""
    before = axis.velocity
    up, down = axis.max_acceleration, axis.max_acceleration_reverse
    if before > 0.0:
        down = axis.max_deceleration
    elif before < 0.0:
        up = axis.max_deceleration_reverse
    change = max(down * timestep, min(up * timestep, wanted - before))
    if axis.has_jerk:
        slowing = -axis.min_jerk if change > 0.0 else axis.max_jerk
        most = stopping_velocity(abs(wanted - before), slowing, timestep) * timestep
        change = max(-most, min(most, change))
        last = axis.acceleration * timestep
        jerk_up, jerk_down = axis.max_jerk * timestep**2, axis.min_jerk * timestep**2
        change = max(last + jerk_down, min(last + jerk_up, change))
    reached = change == wanted - before
    axis.next_velocity = wanted if reached else before + change
    axis.next_acceleration = change / timestep
