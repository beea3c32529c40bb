"""An inertial unit on a pendulum, and its expected measurements from mechanics."""

from __future__ import annotations

import math
from typing import Any

import mujoco
import numpy as np
from sensor_msgs.msg import Imu

TIMESTEP, GRAVITY = 0.001, 9.81
MASS, INERTIA = 2.0, 0.03
CENTRE = np.array([0.1, 0.0, -0.4])
"""The centre of mass in the body; the joint is in its origin."""
PLACE, TURN = np.array([0.2, 0.05, -0.6]), np.array([0.5, -0.1, 0.7, 0.5])
"""The pose of the site in the body."""
SENSORS = """
  <sensor>
    <gyro name="gyro" site="imu"/><accelerometer name="accelerometer" site="imu"/>
    <framequat name="attitude" objtype="site" objname="imu"/>
  </sensor>
"""
UNNAMED = """
  <sensor>
    <velocimeter site="imu"/><gyro site="imu"/><accelerometer site="imu"/>
    <framequat objtype="site" objname="imu" reftype="site" refname="other"/>
    <framequat objtype="site" objname="imu"/>
  </sensor>
"""
PENDULUM = f"""
<mujoco>
  <option timestep="{TIMESTEP}"/>
  <worldbody>
    <body name="rod" pos="0 0 1">
      <joint name="hinge" axis="0 1 0"/>
      <inertial pos="{CENTRE[0]} 0 {CENTRE[2]}" mass="{MASS}" diaginertia="0.05 {INERTIA} 0.05"/>
      <site name="imu" pos="{PLACE[0]} {PLACE[1]} {PLACE[2]}"
            quat="{TURN[0]} {TURN[1]} {TURN[2]} {TURN[3]}"/>
      <site name="other" pos="0.1 0 0" euler="10 20 30"/>
    </body>
  </worldbody>
  SENSORS
</mujoco>
"""
WITHOUT_SENSORS = PENDULUM.replace('SENSORS', '')


def imu(**config: Any) -> dict[str, Any]:
    return {'type': 'mujoco_ros_py/Imu', 'name': 'imu', 'update_rate': 1 / TIMESTEP, **config}


def swing(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    data.qpos[0], data.qvel[0] = 0.7, -2.0


def xyz(vector: Any) -> np.ndarray:
    return np.array([vector.x, vector.y, vector.z])


def wxyz(quat: Any) -> np.ndarray:
    return np.array([quat.w, quat.x, quat.y, quat.z])


def matrix(quat: np.ndarray) -> np.ndarray:
    result = np.empty(9)
    mujoco.mju_quat2Mat(result, quat)
    return result.reshape(3, 3)


def truth(angle: float, speed: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns angular velocity, proper acceleration and axes of the site, from mechanics."""
    turned = matrix(np.array([math.cos(angle / 2), 0.0, math.sin(angle / 2), 0.0]))
    down, about = np.array([0.0, 0.0, -GRAVITY]), np.array([0.0, 1.0, 0.0])
    torque = np.cross(turned @ CENTRE, MASS * down)[1]
    angular = torque / (INERTIA + MASS * (CENTRE[0] ** 2 + CENTRE[2] ** 2)) * about
    arm, axes = turned @ PLACE, turned @ matrix(TURN)
    velocity = speed * about
    acceleration = np.cross(angular, arm) + np.cross(velocity, np.cross(velocity, arm))
    return axes.T @ velocity, axes.T @ (acceleration - down), axes


def swung(sensing, topic: str = '/imu', steps: int = 120):
    """Steps a swinging pendulum; returns the messages, and the angles and speeds, by time."""
    heard = sensing.hear(Imu, topic, 1 / TIMESTEP)
    sensing.call(swing)
    moments = {}
    for _ in range(steps // 3):
        sensing.step(3)
        time, *state = sensing.call(lambda m, d: (d.time, float(d.qpos[0]), float(d.qvel[0])))
        moments[round(time, 9)] = state
    return heard, moments
