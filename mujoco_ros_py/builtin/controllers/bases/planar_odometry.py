"""Compiled: integrates the planar pose of a base from its motion in each step."""

from __future__ import annotations

import math
from typing import Any

from ....plugins import State
from ....plugins.compiled_code import inlined, separate, set_stamp

_SMALL_RAD = 1e-4


@separate
def integrate(pose: Any, x: float, y: float, yaw: float) -> None:
    """Moves a pose (x, y, yaw) along an arc, by a displacement in the base frame.

    During a step, the base has a constant velocity and moves along an arc. The chord of the arc
    has the heading at the middle of the step, and the length of the arc times
    sin(yaw/2) / (yaw/2).
    """
    half = yaw / 2.0
    chord = math.sin(half) / half if abs(half) > _SMALL_RAD else 1.0 - half * half / 6.0
    cosine, sine = chord * math.cos(pose[2] + half), chord * math.sin(pose[2] + half)
    pose[0] += cosine * x - sine * y
    pose[1] += sine * x + cosine * y
    pose[2] += yaw


@inlined
def integrate_plan(state: State, timestep: float) -> None:
    """Integrates the planned velocity of this step into the odometry (open loop)."""
    for k in range(3):
        state.twist[k] = state.axes[k].next_velocity
    x, y, yaw = state.twist[0], state.twist[1], state.twist[2]
    integrate(state.pose, x * timestep, y * timestep, yaw * timestep)


@inlined
def fill_odometry(state: State, message: Any) -> None:
    """Writes the pose and twist of the base into a nav_msgs/Odometry."""
    _set_pose(state, message.pose.pose.position, message.pose.pose.orientation)
    twist = message.twist.twist
    twist.linear.x, twist.linear.y, twist.angular.z = (
        state.twist[0],
        state.twist[1],
        state.twist[2],
    )


@inlined
def fill_transform(state: State, time_s: float, message: Any) -> None:
    """Writes the pose of the base into the only transform of a tf2_msgs/TFMessage."""
    stamped = message.transforms[0]
    set_stamp(stamped.header.stamp, time_s)
    _set_pose(state, stamped.transform.translation, stamped.transform.rotation)


@inlined
def _set_pose(state: State, position: Any, rotation: Any) -> None:
    position.x, position.y = state.pose[0], state.pose[1]
    rotation.z, rotation.w = math.sin(state.pose[2] / 2.0), math.cos(state.pose[2] / 2.0)
