"""Compiled: makes joints follow a trajectory, and checks its tolerances in each step.

`state` is a record with the fields of `trajectory_record`.
"""

from __future__ import annotations

from typing import Any

import mujoco

from ....plugins import State
from ....plugins.compiled_code import inlined, numbers_at, separate
from ..drive.joint_commands import withdraw_command, withdraw_commands
from ..goals.goal_record import FIRST_OF_PLUGIN, SUCCEEDED, end_goal
from .splines import COEFFICIENTS

_ROUNDING, _OVERSHOOT = 1e-6, 1.01
"""Tolerances for values outside their limits. Rounding can move positions and efforts by the first
(rad or m, N m or N). Velocities and accelerations may exceed their limits by the second, a factor:
a plan that uses the full limits can exceed them between its points."""

IDLE, MOVING, ARRIVED = 0, 1, 2
"""The phases of a controller: it holds its position, follows a trajectory, or holds the end of a
trajectory."""
OFF_PATH, NOT_REACHED, FORGOTTEN = range(FIRST_OF_PLUGIN, FIRST_OF_PLUGIN + 3)
"""The reasons for failed goals: a joint left the path, a joint did not reach the end, or time went
back (for example in a reset)."""


@inlined
def follow_trajectory(state: State, data: mujoco.MjData) -> None:
    """Sets the commands of all joints to the desired state at the current time."""
    if state.phase == IDLE:
        return
    if data.time < state.drive_time:
        state.phase = IDLE
        end_goal(state, FORGOTTEN)
        return
    _sample(state, data.time)
    for k in range(len(state.drive)):
        if not state.moves[k]:
            withdraw_command(state, k)
            continue
        _note_outside(state, k)
        if state.by_velocity:
            error = state.desired_position[k] - data.qpos[state.qpos_address[k]]
            state.velocity_command[k] = state.desired_velocity[k] + state.position_gain * error
        else:
            state.position_command[k] = state.desired_position[k]
            state.velocity_command[k] = state.desired_velocity[k]
        inertial = state.fed_inertia[k] * state.desired_acceleration[k]
        state.effort_command[k] = state.desired_effort[k] + inertial
    state.drive_command_time, state.drive_timed_out = data.time, False


@inlined
def watch_trajectory(state: State, data: mujoco.MjData) -> None:
    """Checks the path and goal tolerances, and ends the goal; call this after each step."""
    if state.phase != MOVING:
        return
    _sample(state, data.time)
    late = data.time - state.trajectory_end
    if late < 0.0:
        off = _first_outside(state, data, state.path_position, state.path_velocity, False)
        if off >= 0:
            _give_up(state, data, OFF_PATH, off)
        return
    for k in range(len(state.drive)):
        if state.moves[k]:  # the goal can end before the next step samples the last point
            _note_outside(state, k)
    off = _first_outside(state, data, state.goal_position, state.goal_velocity, True)
    if off < 0:
        state.phase = ARRIVED
        end_goal(state, SUCCEEDED)
    elif state.goal_time > 0.0 and late > state.goal_time:
        _give_up(state, data, NOT_REACHED, off)


@separate
def evaluate(
    coefficients: Any,
    segment: int,
    t: float,
    position: Any,
    velocity: Any,
    acceleration: Any,
    effort: Any,
) -> None:
    """Computes the desired state of each joint, t seconds after the start of a segment."""
    joints = len(position)
    for k in range(joints):
        at = (segment * joints + k) * COEFFICIENTS
        c0, c1, c2 = coefficients[at], coefficients[at + 1], coefficients[at + 2]
        c3, c4, c5 = coefficients[at + 3], coefficients[at + 4], coefficients[at + 5]
        position[k] = c0 + t * (c1 + t * (c2 + t * (c3 + t * (c4 + t * c5))))
        velocity[k] = c1 + t * (2.0 * c2 + t * (3.0 * c3 + t * (4.0 * c4 + t * 5.0 * c5)))
        acceleration[k] = 2.0 * c2 + t * (6.0 * c3 + t * (12.0 * c4 + t * 20.0 * c5))
        effort[k] = coefficients[at + 6] + t * coefficients[at + 7]


@inlined
def _sample(state: State, time: float) -> None:
    """Computes the desired state at a time, and writes it to the controller's record.

    Each segment starts at its entry in `times`. The last segment never ends.
    """
    if time == state.sampled_time:
        return
    state.sampled_time = time
    segments, segment = state.segments, state.segment
    elapsed = time - state.trajectory_start
    times = numbers_at(state.times_address, segments)
    while segment + 1 < segments and elapsed >= times[segment + 1]:
        segment += 1
    while segment > 0 and elapsed < times[segment]:
        segment -= 1
    state.segment = segment
    evaluate(
        numbers_at(state.coefficients_address, segments * len(state.drive) * COEFFICIENTS),
        segment,
        max(0.0, elapsed - times[segment]),
        state.desired_position,
        state.desired_velocity,
        state.desired_acceleration,
        state.desired_effort,
    )


@inlined
def _note_outside(state: State, k: int) -> None:
    """Records the desired values of joint number k that are outside its limits."""
    joint, overshoot = state.drive[k], _OVERSHOOT
    low, high = joint.position_low - _ROUNDING, joint.position_high + _ROUNDING
    _keep_farthest(state.outside_position, k, state.desired_position[k], low, high)
    low, high = joint.effort_low - _ROUNDING, joint.effort_high + _ROUNDING
    _keep_farthest(state.outside_effort, k, state.desired_effort[k], low, high)
    high = joint.max_velocity * overshoot
    _keep_farthest(state.outside_velocity, k, state.desired_velocity[k], -high, high)
    high = joint.max_acceleration * overshoot
    _keep_farthest(state.outside_acceleration, k, state.desired_acceleration[k], -high, high)


@inlined
def _keep_farthest(farthest: Any, k: int, value: float, low: float, high: float) -> None:
    """Stores a value in `farthest[k]` if it is farther outside the range than the stored value.

    The stored value is NaN until a value is outside.
    """
    outside = max(low - value, value - high)
    if outside > 0.0 and not outside <= max(low - farthest[k], farthest[k] - high):
        farthest[k] = value


@inlined
def _first_outside(
    state: State, data: mujoco.MjData, positions: Any, velocities: Any, at_the_end: bool
) -> Any:
    """Returns the number of the first joint outside its tolerances, or -1.

    Tolerances of 0 are not checked. At the end, a joint can move with the velocity of the last
    point or be at rest: the smaller velocity error is checked.
    """
    for k in range(len(state.drive)):
        error = state.desired_position[k] - data.qpos[state.qpos_address[k]]
        speed = state.desired_velocity[k] - data.qvel[state.dof_address[k]]
        if at_the_end and abs(speed + state.end_velocity[k]) < abs(speed):
            speed += state.end_velocity[k]
        if positions[k] > 0.0 and not abs(error) <= positions[k]:
            state.violation, state.violation_is_speed = error, False
            return k
        if state.judges_speed and velocities[k] > 0.0 and not abs(speed) <= velocities[k]:
            state.violation, state.violation_is_speed = speed, True
            return k
    return -1


@inlined
def _give_up(state: State, data: mujoco.MjData, outcome: int, joint: int) -> None:
    """Ends the goal, makes all joints hold their positions, and records the violating joint."""
    state.phase, state.violator, state.failure = IDLE, joint, outcome
    state.failures += 1
    withdraw_commands(state)
    end_goal(state, outcome)
