"""mujoco_ros_py/JointStates: publishes position, velocity and effort of hinge and slide joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from ...config import ranged, unknown
from ...errors import PluginError
from ...plugins import Adaptable, MujocoPlugin, Savable, State, compiled, new_state, ros_type
from ...plugins.compiled_code import Memory, numbers_at
from ...plugins.topic_qos import STATES
from ...simulation import name_of
from .joint_effort import joint_effort

JointState = ros_type('sensor_msgs/msg/JointState')

_SCALAR = [int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)]


@dataclass(frozen=True, kw_only=True, slots=True)
class JointStatesConfig:
    """The configuration of the JointStates plugin."""

    joints: tuple[str, ...] = ()
    """Names of the joints, in the order of the message; if empty, all hinge and slide joints."""
    topic: str = 'joint_states'
    """Topic of the joint states (sensor_msgs/JointState)."""
    rate: float = ranged(100.0, above=0.0, maximum=10_000.0, unit='Hz')
    """Messages per second of simulated time."""


class JointStates(MujocoPlugin[JointStatesConfig], Adaptable, Savable):
    """Publishes positions, velocities and efforts of joints.

    Positions are in rad or m, velocities in rad/s or m/s, and efforts in N m or N. An effort is
    the sum of the actuators' forces (`qfrc_actuator`) and of the efforts that controllers apply
    without an actuator (`qfrc_applied`).
    """

    places = ('count',)

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds the joints, and starts publishing."""
        template = self._find(model)
        self._published = self.ros.create_compiled_publisher(
            JointState,
            self.config.topic,
            self.fill,
            qos=STATES,
            rate_hz=self.config.rate,
            template=template,
            state=self.state,
            copy_state=False,
        )

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Publishes the joints of another model."""
        template = self._find(model)
        self._published.replace(template=template, state=self.state)

    def measure(self) -> Any:
        """Returns a message with the current states; works without ROS too."""
        return self._published.read()

    def _find(self, model: mujoco.MjModel) -> Any:
        """Finds the joints, creates the state, and returns a message template with their names."""
        names = _scalar_joints(model, self.environment.prefix)
        for name in self.config.joints:
            if name not in names:
                raise PluginError(f'joints: {unknown("hinge or slide joint", name, names)}')
        chosen = list(self.config.joints or names)
        joints = [names[name] for name in chosen]
        self.state = new_state(
            count=len(joints),
            positions=Memory(model.jnt_qposadr[joints]),
            velocities=Memory(model.jnt_dofadr[joints]),
        )
        nothing = [0.0] * len(joints)
        return JointState(name=chosen, position=nothing, velocity=nothing, effort=nothing)

    @staticmethod
    @compiled
    def fill(state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any) -> None:
        """Writes the current values into the message."""
        positions = numbers_at(state.positions, state.count)
        velocities = numbers_at(state.velocities, state.count)
        for k in range(state.count):
            dof = int(velocities[k])
            message.position[k] = data.qpos[int(positions[k])]
            message.velocity[k] = data.qvel[dof]
            message.effort[k] = joint_effort(data, dof)


def _scalar_joints(model: mujoco.MjModel, prefix: str) -> dict[str, int]:
    """Returns the ids of the hinge and slide joints whose names start with the prefix.

    The keys are the names without the prefix, in the order of the model.
    """
    joints = np.flatnonzero(np.isin(model.jnt_type, _SCALAR)).tolist()
    names = {joint: name_of(model, mujoco.mjtObj.mjOBJ_JOINT, joint) for joint in joints}
    return {
        name.removeprefix(prefix): joint
        for joint, name in names.items()
        if name.startswith(prefix)
    }
