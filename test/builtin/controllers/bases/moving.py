"""A base in a session without ROS. Its wheels turn in the air, so nothing slips."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from mujoco_ros_py.session import Session

TIMESTEP_S = 0.001
DIFF = 'mujoco_ros_py/DiffDriveController'
OMNI = 'mujoco_ros_py/OmniWheelDriveController'
NO_TIMEOUT = {'cmd_vel_timeout': 0.0}


def wheels(*axes: str, actuator: str = 'velocity', kind: str = 'hinge') -> str:
    """Returns a model with a wheel for each axis: `w0`, `w1` and so on."""
    bodies = ''.join(
        f'<body pos="{k} 0 0"><joint name="w{k}" axis="{axis}" type="{kind}"/>'
        '<geom size="0.1" mass="1"/></body>'
        for k, axis in enumerate(axes)
    )
    law = {'velocity': 'kv="10"', 'motor': ''}[actuator]
    servos = ''.join(f'<{actuator} joint="w{k}" {law}/>' for k in range(len(axes)))
    return (
        f'<mujoco><option timestep="{TIMESTEP_S}" gravity="0 0 0" integrator="implicitfast"/>'
        f'<worldbody>{bodies}</worldbody><actuator>{servos}</actuator></mujoco>'
    )


SIDE = '0 1 0'
TWO_WHEELS = wheels(SIDE, SIDE)
FOUR_WHEELS = wheels(SIDE, SIDE, SIDE, SIDE)
TWO_SIDES = {
    'type': DIFF,
    'left_wheel_names': ['w0'],
    'right_wheel_names': ['w1'],
    'wheel_separation': 0.5,
    'wheel_radius': 0.1,
}
MECANUM = {
    'type': 'mujoco_ros_py/MecanumDriveController',
    'front_left_wheel_command_joint_name': 'w0',
    'front_right_wheel_command_joint_name': 'w1',
    'rear_right_wheel_command_joint_name': 'w2',
    'rear_left_wheel_command_joint_name': 'w3',
    'kinematics': {'wheels_radius': 0.1, 'sum_of_robot_center_projection_on_X_Y_axis': 0.6},
}


def around(count: int, offset: float = 0.0) -> tuple[str, dict[str, Any]]:
    """Returns a model with omnidirectional wheels, and the plugin for it."""
    angles = [offset + 2.0 * math.pi * k / count for k in range(count)]
    model = wheels(*(f'{math.cos(angle)} {math.sin(angle)} 0' for angle in angles))
    names = [f'w{k}' for k in range(count)]
    plugin = {'type': OMNI, 'wheel_names': names, 'wheel_offset': offset, 'robot_radius': 0.3,
              'wheel_radius': 0.05}  # fmt: skip
    return model, plugin


def slides(*joints: str) -> str:
    """Returns a model of a cart: one body with these joints."""
    listed = ''.join(joints)
    return (
        f'<mujoco><option timestep="{TIMESTEP_S}" gravity="0 0 0" integrator="implicitfast"/>'
        f'<worldbody><body name="cart">{listed}<geom size="0.1" mass="1"/></body></worldbody>'
        '</mujoco>'
    )


X, Y = '<joint name="x" type="slide" axis="1 0 0"/>', '<joint name="y" type="slide" axis="0 1 0"/>'
YAW = '<joint name="yaw" axis="0 0 1"/>'
CART = slides(X, Y, YAW)
PLANAR = {
    'type': 'mujoco_ros_py/PlanarDriveController',
    'x_joint': 'x',
    'y_joint': 'y',
    'yaw_joint': 'yaw',
    'bandwidth': 100.0,
}
"""The joints have no actuators; the PID has a high bandwidth."""


@dataclass
class Base:
    """A session with one base, which is called `base`."""

    session: Session

    @property
    def plugin(self) -> Any:
        return self.session.plugins['base']

    @property
    def data(self) -> Any:
        """A copy of the data."""
        return self.session.snapshot().data

    @property
    def pose(self) -> tuple[float, float, float]:
        """x, y and yaw of the odometry."""
        odometry = self.session.call(lambda model, data: self.plugin.odometry)
        return odometry.x, odometry.y, odometry.yaw

    @property
    def twist(self) -> tuple[float, float, float]:
        """The velocity of the odometry."""
        odometry = self.session.call(lambda model, data: self.plugin.odometry)
        return odometry.linear_x, odometry.linear_y, odometry.angular_z

    def command(self, x: float = 0.0, y: float = 0.0, yaw: float = 0.0) -> None:
        self.session.call(
            lambda model, data: self.plugin.set_twist(linear_x=x, linear_y=y, angular_z=yaw)
        )

    def run(self, seconds: float) -> None:
        self.session.step(round(seconds / TIMESTEP_S))

    def drive(self, seconds: float, x: float = 0.0, y: float = 0.0, yaw: float = 0.0) -> None:
        """Commands a velocity, and runs the simulation for this time."""
        self.command(x, y, yaw)
        self.run(seconds)

    def velocities(self, steps: int, axis: int = 0) -> list[float]:
        """Returns the velocity of the odometry after each of the next steps."""
        made = []
        for _ in range(steps):
            self.session.step()
            made.append(self.twist[axis])
        return made


def arc(x: float, y: float, yaw: float, seconds: float) -> tuple[float, float, float]:
    """Returns the pose after a constant velocity in the frame of the base, in closed form.

    It is the integral of the rotated velocity: a circle whose centre is fixed in the base.
    """
    turned = yaw * seconds
    if yaw == 0.0:
        return x * seconds, y * seconds, 0.0
    sine, versine = math.sin(turned) / yaw, (1.0 - math.cos(turned)) / yaw
    return x * sine - y * versine, x * versine + y * sine, turned
