"""The cost per step of a trajectory of seven joints, relative to a Python callback."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from mujoco_ros_py.session import Session

from .callback import steps_with_s, time_of
from .rounds import Rounds

_JOINTS = [f'joint{number}' for number in range(1, 8)]
_STEPS, _TRIES = 500, 20
_POINTS, _PERIOD_S = 400, 0.5
_TOLERANCE = 1.0
_BODIES = ''.join(
    f'<body pos="{number} 0 0"><joint name="{joint}" axis="0 0 1" damping="1"/><geom size="0.1"/>'
    '</body>'
    for number, joint in enumerate(_JOINTS)
)
_SERVOS = ''.join(f'<position joint="{joint}" kp="100" kv="10"/>' for joint in _JOINTS)
_MODEL = f"""
<mujoco>
  <option timestep="0.001"><flag contact="disable"/></option>
  <worldbody>{_BODIES}</worldbody>
  <actuator>{_SERVOS}</actuator>
</mujoco>
"""


def measure() -> Rounds:
    """Measures both as the difference between steps with and without a trajectory."""
    following, begin = _following()
    model, control = _python()
    with following, Session(mujoco.MjModel.from_xml_string(_MODEL)) as bare:
        while True:
            following.call(begin)
            compiled = _difference(
                lambda: time_of(lambda: following.step(_STEPS)),
                lambda: time_of(lambda: bare.step(_STEPS)),
            )
            python = _difference(
                lambda: steps_with_s(model, control, _STEPS),
                lambda: steps_with_s(model, None, _STEPS),
            )
            yield compiled, python


def _difference(more: Callable[[], float], less: Callable[[], float]) -> float:
    """Returns the difference in seconds per step between the fastest blocks of both.

    Runs the blocks in turn and takes the fastest, because the time of a step varies by more than
    the cost of the trajectory.
    """
    times = [(more(), less()) for _ in range(_TRIES)]
    slower, faster = (min(each) for each in zip(*times, strict=True))
    return (slower - faster) / _STEPS


def _points() -> tuple[Any, Any, Any]:
    """Returns the times, positions and velocities of the trajectory points."""
    times = _PERIOD_S * np.arange(1, _POINTS + 1)
    phases = times[:, None] + np.arange(len(_JOINTS))
    return times, 0.5 * np.sin(phases), 0.5 * np.cos(phases)


def _following() -> tuple[Session, Callable[..., None]]:
    """Returns a session, and a function that starts the trajectory with tolerances."""
    plugin = {
        'type': 'mujoco_ros_py/JointTrajectoryController',
        'name': 'arm',
        'joints': _JOINTS,
        'allow_nonzero_velocity_at_trajectory_end': True,
        'constraints': {joint: {'trajectory': _TOLERANCE} for joint in _JOINTS},
    }
    session = Session(mujoco.MjModel.from_xml_string(_MODEL), plugins=[plugin], strict=True)
    arm = session.plugins['arm']
    message = JointTrajectory(joint_names=_JOINTS)
    for seconds, positions, velocities in zip(*_points(), strict=True):
        point = JointTrajectoryPoint(positions=list(positions), velocities=list(velocities))
        point.time_from_start.sec = int(seconds)
        point.time_from_start.nanosec = round(seconds % 1.0 * 1e9)
        message.points.append(point)
    trajectory = arm.reader.read(message, 0.0)
    return session, lambda model, data: arm.begin(trajectory, data)


def _python() -> tuple[mujoco.MjModel, Callable[..., None]]:
    """Returns the model, and a numpy callback that follows the same trajectory."""
    model = mujoco.MjModel.from_xml_string(_MODEL)
    times, positions, velocities = _points()
    starts = times.tolist()
    lengths = np.diff(times)[:, None]
    distances = np.diff(positions, axis=0)
    first, last = velocities[:-1], velocities[1:]
    cubic = np.stack(
        [
            positions[:-1],
            first,
            (3 * distances - (2 * first + last) * lengths) / lengths**2,
            (-2 * distances + (first + last) * lengths) / lengths**3,
        ],
        axis=1,
    )

    def control(model: mujoco.MjModel, data: mujoco.MjData) -> None:
        segment = min(max(bisect_right(starts, data.time) - 1, 0), len(cubic) - 1)
        t = data.time - starts[segment]
        c0, c1, c2, c3 = cubic[segment]
        wanted = c0 + t * (c1 + t * (c2 + t * c3))
        moving = c1 + t * (2 * c2 + t * 3 * c3)
        if np.abs(wanted - data.qpos).max() > _TOLERANCE:
            raise ValueError('off the path')
        data.ctrl[:] = wanted + 0.1 * moving

    return model, control
