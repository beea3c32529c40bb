"""mujoco_ros_py/Odometry: publishes the pose and the twist of a floating base."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

import mujoco
import numpy as np
from nav_msgs.msg import Odometry as Message
from rclpy.node import Node

from ..config import ranged
from ..config.wording import unknown
from ..errors import PluginError
from ..messages import StructPublisher, numbers, set_time
from ..messages.topic_qos import STATES
from ..plugins import MujocoPlugin
from ..simulation import Snapshot
from .tf import (
    WXYZ,
    Pose,
    TransformPublisher,
    body_name,
    frames_of_others,
    refuse_second_parent,
    relative,
)
from .transforms import Transforms

_FREE = int(mujoco.mjtJoint.mjJNT_FREE)
Twist = tuple[Any, Any]
"""The linear and angular velocity in m/s and rad/s."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OdometryConfig:
    """The configuration of the Odometry plugin."""

    body: str = ''
    """The floating base; empty: the first body with a free joint."""
    topic: str = 'odom'
    """The topic of the pose since the start (nav_msgs/Odometry); empty: not published."""
    ground_truth_topic: str = 'ground_truth'
    """The topic of the pose in the world (nav_msgs/Odometry); empty, and in eval_mode: not
    published."""
    frame: str = 'odom'
    """The frame of the odometry: the pose of the base at the load or reset."""
    publish_tf: bool = False
    """Publish world to odom on /tf_static and odom to base on /tf."""
    rate: float = ranged(50.0, above=0.0, maximum=10_000.0, unit='Hz')
    """Messages per second of simulated time."""


class Odometry(MujocoPlugin[OdometryConfig]):
    """Publishes a base's pose, and its twist in the base's own frame (REP-105).

    The values are exact, and therefore have no covariance.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds the base, and makes the publishers."""
        config = self.config
        if self.environment.protected:
            config = replace(config, ground_truth_topic='')
        body = _base(model, config.body)
        joint = model.body_jntadr[body]
        self._position, self._velocity = model.jnt_qposadr[joint], model.jnt_dofadr[joint]
        name = self.environment.frame
        world, odom, base = name('world'), name(config.frame), name(body_name(model, body))
        self.tf_parents = {odom: world, base: odom} if config.publish_tf else {}
        before = self._transforms_with(base)
        refuse_second_parent(self, {*self.tf_parents} - ({base} if before else set()))
        told = {config.topic: (odom, base), config.ground_truth_topic: (world, base)}
        self._told = {self.node.resolve_topic_name(key): told[key] for key in told if key}
        self._refuse_shared_topic()
        moving, fixed = ([(odom, base)], [(world, odom)]) if config.publish_tf else ([], [])
        with ExitStack() as opened:  # closed again if the rest fails
            self._odom = _Topic(self.node, config.topic, odom, base)
            opened.callback(self._odom.close)
            self._ground_truth = _Topic(self.node, config.ground_truth_topic, world, base)
            opened.callback(self._ground_truth.close)
            self._tf = TransformPublisher(self.node, moving)
            opened.callback(self._tf.close)
            self._static = TransformPublisher(self.node, fixed, static=True)
            opened.callback(self._static.close)
            self._begin(data)
            opened.callback(self.environment.follow(config.rate, self._publish).close)
            if before is not None:
                before.leave_out(base)
            self._opened = opened.pop_all()

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Publishes the pose at which the odometry starts."""
        self.reset(model, data)

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Starts the odometry at the present pose of the base."""
        self._begin(data)
        self._static.publish(0.0, [self._start[1]])

    def _begin(self, data: mujoco.MjData) -> None:
        self._start = self.environment.simulation.epoch, self._pose(data)

    def _transforms_with(self, base: str) -> Transforms | None:
        """Returns the Transforms plugin before this one that publishes the base, or None."""
        other = frames_of_others(self).get(base) if base in self.tf_parents else None
        return other if isinstance(other, Transforms) else None

    def unload(self) -> None:
        """Destroys the publishers, and stops following the simulation."""
        self._opened.close()

    def _publish(self, snapshot: Snapshot) -> None:
        """Publishes one snapshot; called beside the physics."""
        epoch, start = self._start  # read once, as a reset may come meanwhile
        if snapshot.epoch < epoch:  # older than the reset, and relative to it
            return
        in_world = self._pose(snapshot.data)
        in_odom = relative(start, in_world)
        twist = self._twist(snapshot.data, in_world)
        self._odom.publish(snapshot.time, in_odom, twist)
        self._ground_truth.publish(snapshot.time, in_world, twist)
        self._tf.publish(snapshot.time, [in_odom])

    def _refuse_shared_topic(self) -> None:
        """Raises PluginError if another plugin publishes on the same topic for another base.

        Readers of a topic could not tell the two bases apart.
        """
        for other in self.environment.plugins.values():
            told = getattr(other, '_told', {}) if isinstance(other, Odometry) else {}
            for topic, ours in self._told.items():
                theirs = told.get(topic, ours)
                if theirs != ours:
                    raise PluginError(
                        f'{other.name} publishes {theirs[1]} in {theirs[0]} on {topic} already, '
                        f'and {ours[1]} in {ours[0]} needs another (see topic, ground_truth_topic)'
                    )

    def _pose(self, data: mujoco.MjData) -> Pose:
        start = self._position
        position = data.qpos[start : start + 3].copy()
        quat = data.qpos[start + 3 : start + 7].copy()
        mujoco.mju_normalize4(quat)
        return position, quat

    def _twist(self, data: mujoco.MjData, pose: Pose) -> Twist:
        """Returns the twist in the base; a free joint's linear velocity is in the world."""
        velocity = data.qvel[self._velocity : self._velocity + 6]
        inverse, linear = np.empty(4), np.empty(3)
        mujoco.mju_negQuat(inverse, pose[1])
        mujoco.mju_rotVecQuat(linear, velocity[:3].copy(), inverse)
        return linear, velocity[3:]


class _Topic:
    """Publishes nav_msgs/Odometry of the base in a frame; publishes nothing without a topic."""

    def __init__(self, node: Node, name: str, frame: str, base: str) -> None:
        self._publisher = StructPublisher(node, Message, name, STATES) if name else None
        if self._publisher is None:
            return
        message = self._publisher.message
        message.set_text(message['header']['frame_id'], frame)
        message.set_text(message['child_frame_id'], base)
        self._stamp = message['header']['stamp']
        pose, twist = message['pose']['pose'], message['twist']['twist']
        self._at, self._turned = numbers(pose['position']), numbers(pose['orientation'])
        self._linear, self._angular = numbers(twist['linear']), numbers(twist['angular'])

    def publish(self, time_s: float, pose: Pose, twist: Twist) -> None:
        """Publishes the pose and the twist at one time."""
        if self._publisher is not None:
            set_time(self._stamp, time_s)
            self._at[:], self._turned[WXYZ] = pose
            self._linear[:], self._angular[:] = twist
            self._publisher.publish()

    def close(self) -> None:
        """Destroys the publisher."""
        if self._publisher is not None:
            self._publisher.close()


def _base(model: mujoco.MjModel, name: str) -> int:
    """Returns the body of this name. Raises PluginError, which lists bodies with a free joint."""
    joints = np.flatnonzero(model.jnt_type == _FREE)
    bases = {body_name(model, int(body)): int(body) for body in model.jnt_bodyid[joints]}
    if not bases:
        raise PluginError('the model has no body with a free joint')
    if name and name not in bases:
        raise PluginError(f'body: {unknown("body with a free joint", name, bases)}')
    return bases[name] if name else next(iter(bases.values()))
