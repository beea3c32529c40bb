"""Every plugin that an emergency stop can stop, each with a model and a motion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import mujoco
from builtin.controllers.bases.moving import (
    CART,
    FOUR_WHEELS,
    MECANUM,
    PLANAR,
    TWO_SIDES,
    TWO_WHEELS,
    around,
)
from builtin.controllers.driving import hinge
from builtin.controllers.trajectories.trajectory_messages import trajectory

from mujoco_ros_py.session import Session

STOP = {'type': 'mujoco_ros_py/EmergencyStop', 'name': 'emergency_stop'}
SERVO = hinge('<position name="servo" joint="joint" kp="10" kv="5"/>')
TARGET = """
<mujoco>
  <worldbody><body name="target" mocap="true"><geom size="0.1"/></body></worldbody>
</mujoco>
"""


class Motion(NamedTuple):
    """A plugin named `moved`, and a function that begins a motion longer than a second."""

    xml: str
    plugin: dict[str, Any]
    begin: Callable[[Any, Any], object]
    """Called with the plugin and the data, on the physics thread."""

    def session(self) -> Session:
        """Starts a session with the emergency stop and the plugin, and begins the motion."""
        model = mujoco.MjModel.from_xml_string(self.xml)
        session = Session(model, plugins=[STOP, {**self.plugin, 'name': 'moved'}], strict=True)
        session.call(lambda m, d: self.begin(session.plugins['moved'], d))
        return session


def _joint(type_: str, begin: Callable[[Any, Any], object], **config: Any) -> Motion:
    return Motion(SERVO, {'type': f'mujoco_ros_py/{type_}', **config}, begin)


def _base(xml: str, plugin: dict[str, Any]) -> Motion:
    plugin = {**plugin, 'cmd_vel_timeout': 0.0}
    return Motion(xml, plugin, lambda moved, data: moved.set_twist(linear_x=0.3))


def _follow(moved: Any, data: Any) -> None:
    message = trajectory((2.0, (1.0,), (0.0,)), joints=['joint'])
    moved.pursue(moved.reader.read(message, data.time), data)


_OMNI = around(3)
MOTIONS = {
    'JointTrajectoryController': _joint('JointTrajectoryController', _follow, joints=['joint']),
    'ForwardCommandController': _joint(
        'ForwardCommandController', lambda moved, data: moved.set_commands([1.0]),
        joints=['joint'], interface_name='position',
    ),
    'JointController': _joint(
        'JointController', lambda moved, data: moved.set_targets({'joint': 1.0})
    ),
    'TopicBasedHardware': _joint(
        'TopicBasedHardware', lambda moved, data: moved.set_commands(['joint'], position=[1.0]),
        joints={'joint': 'position'},
    ),
    'ParallelGripperController': _joint(
        'ParallelGripperController', lambda moved, data: moved.move(data, 1.0), joint='joint'
    ),
    'ActuatorGripperController': _joint(
        'ActuatorGripperController', lambda moved, data: moved.move(data, 1.0), actuator='servo'
    ),
    'ActuatorCommands': _joint(
        'ActuatorCommands', lambda moved, data: moved.set_controls(data, [1.0]),
        actuators=['servo'],
    ),
    'DiffDriveController': _base(TWO_WHEELS, TWO_SIDES),
    'MecanumDriveController': _base(FOUR_WHEELS, MECANUM),
    'OmniWheelDriveController': _base(*_OMNI),
    'PlanarDriveController': _base(CART, PLANAR),
    'MocapPose': Motion(
        TARGET,
        {'type': 'mujoco_ros_py/MocapPose', 'body': 'target', 'max_linear_velocity': 0.5},
        lambda moved, data: moved.set_pose((1.0, 0.0, 0.0)),
    ),
}  # fmt: skip
"""The motions, by plugin type."""
