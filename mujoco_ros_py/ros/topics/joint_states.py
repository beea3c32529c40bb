"""Publishes position, velocity and effort of all hinge and slide joints on joint_states."""

from __future__ import annotations

import mujoco
import numpy as np
from rclpy.node import Node
from sensor_msgs.msg import JointState

from ...messages import StructMessage, StructPublisher, set_time
from ...messages.topic_qos import STATES
from ...simulation import Owner, Snapshot, SnapshotFeed, name_of


class JointStatePublisher:
    """Publishes the joint states of snapshots.

    Positions are in radians or metres, velocities in these per second, and efforts in newton
    metres or newtons: the forces of actuators on the joints (`qfrc_actuator`).
    """

    def __init__(self, node: Node, feed: SnapshotFeed, rate_hz: float, owner: Owner) -> None:
        self._publisher = StructPublisher(node, JointState, 'joint_states', STATES)
        self._joints: _ScalarJoints | None = None
        feed.follow(rate_hz, self._publish, owner)

    def _publish(self, snapshot: Snapshot) -> None:
        if self._joints is None or self._joints.model is not snapshot.model:
            self._joints = _ScalarJoints(snapshot.model, self._publisher.message)
        self._joints.fill(snapshot)
        self._publisher.publish()


class _ScalarJoints:
    """The hinge and slide joints of a model, with views of the message for their values."""

    def __init__(self, model: mujoco.MjModel, message: StructMessage) -> None:
        self.model = model
        scalar = [int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)]
        joints = np.flatnonzero(np.isin(model.jnt_type, scalar))
        names = [name_of(model, mujoco.mjtObj.mjOBJ_JOINT, int(j)) for j in joints]
        self._positions = model.jnt_qposadr[joints]
        self._dofs = model.jnt_dofadr[joints]
        message.set_texts(message['name'], names)
        self._stamp = message['header']['stamp']
        self._position, self._velocity, self._effort = (
            message.allocate(message[field], len(names))
            for field in ('position', 'velocity', 'effort')
        )

    def fill(self, snapshot: Snapshot) -> None:
        """Writes the values of one moment into the message."""
        data = snapshot.data
        set_time(self._stamp, snapshot.time)
        self._position[:] = data.qpos[self._positions]
        self._velocity[:] = data.qvel[self._dofs]
        self._effort[:] = data.qfrc_actuator[self._dofs]
