"""The cost of a trajectory of seven joints in a step, over the same in a Python callback."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from mujoco_ros_py.session import Session

from .callback import difference, time_of
from .result import Result

_JOINTS = [f'joint{number}' for number in range(1, 8)]
_STEPS, _ROUNDS = 500, 300
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


def measure(name: str, limit: float) -> Result:
    """Measures both as the difference between steps with a trajectory and steps without one."""
    with Session(mujoco.MjModel.from_xml_string(_MODEL)) as bare, _following() as following:
        compiled = difference(
            _STEPS,
            _ROUNDS,
            lambda: time_of(lambda: following.step(_STEPS)),
            lambda: time_of(lambda: bare.step(_STEPS)),
        )
    python = _python()
    measured = f'{compiled * 1e9:.0f} ns against {python * 1e9:.0f} ns'
    ratio = compiled / python
    return Result(name=name, ratio=ratio, rule='at most', limit=limit, measured=measured)


def _points() -> tuple[Any, Any, Any]:
    """Returns times, positions and velocities of the points."""
    times = _PERIOD_S * np.arange(1, _POINTS + 1)
    phases = times[:, None] + np.arange(len(_JOINTS))
    return times, 0.5 * np.sin(phases), 0.5 * np.cos(phases)


def _following() -> Session:
    """Returns a session whose joints follow the trajectory, within tolerances that are watched."""
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
    session.call(lambda model, data: arm.begin(trajectory, data))
    return session


def _python() -> float:
    """Returns the seconds that the same takes in a callback of the bindings, with numpy."""
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

    def steps_with(callback: Callable[..., None] | None) -> Callable[[], float]:
        def run() -> float:
            mujoco.set_mjcb_control(callback)
            data = mujoco.MjData(model)
            data.qpos = positions[0]
            return time_of(lambda: mujoco.mj_step(model, data, _STEPS))

        return run

    try:
        return difference(_STEPS, _ROUNDS, steps_with(control), steps_with(None))
    finally:
        mujoco.set_mjcb_control(None)
