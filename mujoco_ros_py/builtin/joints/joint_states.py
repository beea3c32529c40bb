"""mujoco_ros_py/JointStates: publishes position, velocity and effort of hinge and slide joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from sensor_msgs.msg import JointState

from ...config import ranged
from ...config.wording import unknown
from ...errors import PluginError
from ...messages.topic_qos import STATES
from ...plugins import MujocoPlugin, compiled, new_state
from ...simulation import name_of

_SCALAR = [int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)]


@dataclass(frozen=True, kw_only=True, slots=True)
class JointStatesConfig:
    """The configuration of the JointStates plugin."""

    joints: tuple[str, ...] = ()
    """The names of the joints in the order of the message; empty: all hinge and slide joints."""
    topic: str = 'joint_states'
    """The topic (sensor_msgs/JointState)."""
    rate: float = ranged(100.0, above=0.0, maximum=10_000.0, unit='Hz')
    """Messages per second of simulated time."""


class JointStates(MujocoPlugin[JointStatesConfig]):
    """Publishes the states of joints.

    Positions are in radians or metres, velocities in these per second, and efforts in newton
    metres or newtons: the forces of actuators on the joints (`qfrc_actuator`).
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds the joints, and begins to publish."""
        names = _scalar_joints(model, self.environment.prefix)
        for name in self.config.joints:
            if name not in names:
                raise PluginError(f'joints: {unknown("hinge or slide joint", name, names)}')
        chosen = list(self.config.joints or names)
        joints = [names[name] for name in chosen]
        self.state = new_state(
            count=len(joints),
            position=_at_least_one(model.jnt_qposadr[joints]),
            dof=_at_least_one(model.jnt_dofadr[joints]),
        )
        nothing = [0.0] * len(joints)
        self.ros.publish(
            JointState,
            self.config.topic,
            STATES,
            fill=self.fill,
            rate_hz=self.config.rate,
            template=JointState(name=chosen, position=nothing, velocity=nothing, effort=nothing),
            state=self.state,
            copy_state=False,
        )

    @compiled
    def fill(state: Any, model: Any, data: Any, message: Any) -> None:
        """Writes the values of one moment into the message."""
        for k in range(state.count):
            message.position[k] = data.qpos[state.position[k]]
            message.velocity[k] = data.qvel[state.dof[k]]
            message.effort[k] = data.qfrc_actuator[state.dof[k]]


def _scalar_joints(model: mujoco.MjModel, prefix: str) -> dict[str, int]:
    """Returns the hinge and slide joints by name, in the order of the model.

    They are those of the robot whose names have the prefix, without that.
    """
    joints = np.flatnonzero(np.isin(model.jnt_type, _SCALAR)).tolist()
    names = {joint: name_of(model, mujoco.mjtObj.mjOBJ_JOINT, joint) for joint in joints}
    return {
        name.removeprefix(prefix): joint
        for joint, name in names.items()
        if name.startswith(prefix)
    }


def _at_least_one(values: Any) -> Any:
    """Returns the values, or one that nobody reads, as compiled code needs an array."""
    return values if len(values) else np.zeros(1, int)
