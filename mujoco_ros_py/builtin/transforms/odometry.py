"""mujoco_ros_py/Odometry: publishes the pose and twist of a floating base."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import mujoco
import numpy as np

from ...config import ranged, unknown
from ...errors import PluginError
from ...plugins import Adaptable, MujocoPlugin, Savable, State, compiled, new_state, ros_type
from ...plugins.compiled_code import inlined, set_stamp
from ...plugins.topic_qos import STATES, TRANSFORMS
from .compiled_poses import relative_pose, set_point, set_rotation
from .tf_topics import (
    TFMessage,
    TransformPublisher,
    body_name,
    refuse_second_parent,
    refuse_shared_topics,
    take_over,
)

TransformStamped = ros_type('geometry_msgs/msg/TransformStamped')
Message = ros_type('nav_msgs/msg/Odometry')
Header = ros_type('std_msgs/msg/Header')

_FREE = int(mujoco.mjtJoint.mjJNT_FREE)


@dataclass(frozen=True, kw_only=True, slots=True)
class OdometryConfig:
    """The configuration of the Odometry plugin."""

    body: str = ''
    """The floating base; if empty, the first body with a free joint."""
    topic: str = 'odom'
    """The topic of the pose relative to the initial pose (nav_msgs/Odometry); not published if
    empty."""
    ground_truth_topic: str = 'ground_truth'
    """The topic of the pose in the world (nav_msgs/Odometry); not published if empty, or in
    eval_mode."""
    frame: str = 'odom'
    """The odometry frame: the pose of the base after loading or a reset."""
    publish_tf: bool = False
    """Publish the transform from world to odom on /tf_static, and from odom to the base on /tf."""
    rate: float = ranged(50.0, above=0.0, maximum=10_000.0, unit='Hz')
    """Messages per second of simulated time."""


class Odometry(MujocoPlugin[OdometryConfig], Adaptable, Savable):
    """Publishes a base's pose, and its twist in the base's frame (REP-105).

    The values are exact, so the covariances are 0.
    """

    places = 'position', 'velocity'

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds the base, and creates the publishers."""
        config = self.config
        if self.environment.protected:
            config = replace(config, ground_truth_topic='')
        body = _base(model, config.body, self.environment.prefix)
        joint = model.body_jntadr[body]
        self._position, self._velocity = model.jnt_qposadr[joint], model.jnt_dofadr[joint]
        self._base = body_name(model, body)
        name = self.environment.frame
        world, odom = name('world'), name(config.frame)
        base = self.environment.body_frame(body_name(model, body))
        self.tf_parents = {odom: world, base: odom} if config.publish_tf else {}
        others = take_over(self, {base} & self.tf_parents.keys())
        refuse_second_parent(self, self.tf_parents.keys() - others.keys())
        told = {config.topic: (odom, base), config.ground_truth_topic: (world, base)}
        self.odometry_topics = {
            self.ros.resolve_topic_name(topic): told[topic] for topic in told if topic
        }
        """Maps each topic to its odometry frame and base frame."""
        refuse_shared_topics(self, self.odometry_topics, 'topic, ground_truth_topic')
        moving, fixed = ([(odom, base)], [(world, odom)]) if config.publish_tf else ([], [])
        self.state = new_state(
            position=self._position,
            velocity=self._velocity,
            start=np.array([0.0, 0, 0, 1, 0, 0, 0]),
        )
        self._begin(data)
        self._static = TransformPublisher(self.ros, fixed, static=True)
        self._odometry = self._publish(config.topic, odom, base, self.fill_odom)
        self._publish(config.ground_truth_topic, world, base, self.fill_ground_truth)
        if moving:
            self._publish_tf(odom, base)
        for frame, other in others.items():
            other.leave_out(frame)

    def measure(self) -> Any:
        """Returns the current message of `topic`; works without ROS too.

        Raises PluginError if the topic is not published.
        """
        if self._odometry is None:
            raise PluginError('topic is empty: no odometry is published')
        return self._odometry.read()

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Switches to the base of the new model, and keeps the origin of the odometry."""
        name = self._base.removeprefix(self.environment.prefix)
        joint = model.body_jntadr[_base(model, name, self.environment.prefix)]
        self._position, self._velocity = model.jnt_qposadr[joint], model.jnt_dofadr[joint]
        self.state.position, self.state.velocity = self._position, self._velocity

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Publishes the pose at which the odometry starts."""
        self.reset(model, data)

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Restarts the odometry at the current pose of the base."""
        self._begin(data)
        self._static.publish(0.0, [(self.state.start[:3], self.state.start[3:])])

    def _begin(self, data: mujoco.MjData) -> None:
        place = self._position
        start = data.qpos[place : place + 7].copy()
        mujoco.mju_normalize4(start[3:])
        self.state.start = start

    def _publish(self, topic: str, frame: str, base: str, fill: Any) -> Any:
        """Publishes the odometry in a frame; returns the publisher, or None without a topic."""
        if not topic:
            return None
        message = Message(header=Header(frame_id=frame), child_frame_id=base)
        return self.ros.create_compiled_publisher(
            Message, topic, fill, qos=STATES, rate_hz=self.config.rate, template=message,
            state=self.state,
        )  # fmt: skip

    def _publish_tf(self, odom: str, base: str) -> None:
        """Publishes the base's pose in the odometry frame on /tf."""
        stamped = TransformStamped(header=Header(frame_id=odom), child_frame_id=base)
        self.ros.create_compiled_publisher(
            TFMessage, '/tf', self.fill_tf, qos=TRANSFORMS, rate_hz=self.config.rate,
            template=TFMessage(transforms=[stamped]), state=self.state,
        )  # fmt: skip

    @staticmethod
    @compiled
    def fill_odom(state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any) -> None:
        """Writes the pose relative to the initial pose, and the twist."""
        position, quat = np.empty(3), np.empty(4)
        _pose_since_start(state, data, position, quat)
        set_point(message.pose.pose.position, position)
        set_rotation(message.pose.pose.orientation, quat)
        _set_twist(state, data, message.twist.twist)

    @staticmethod
    @compiled
    def fill_ground_truth(
        state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any
    ) -> None:
        """Writes the pose in the world, and the twist."""
        quat = np.empty(4)
        _rotation(state, data, quat)
        place = state.position
        set_point(message.pose.pose.position, data.qpos[place : place + 3])
        set_rotation(message.pose.pose.orientation, quat)
        _set_twist(state, data, message.twist.twist)

    @staticmethod
    @compiled
    def fill_tf(
        state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any, ros_time: float
    ) -> None:
        """Writes the pose relative to the initial pose as a transform."""
        position, quat = np.empty(3), np.empty(4)
        _pose_since_start(state, data, position, quat)
        stamped = message.transforms[0]
        set_stamp(stamped.header.stamp, ros_time)
        set_point(stamped.transform.translation, position)
        set_rotation(stamped.transform.rotation, quat)

    def unload(self) -> None:
        """Destroys the publisher of the static transform."""
        self._static.close()


@inlined
def _rotation(state: State, data: mujoco.MjData, quat: Any) -> None:
    """Writes the rotation of the base in the world as a unit quaternion."""
    place = state.position + 3
    for k in range(4):
        quat[k] = data.qpos[place + k]
    mujoco.mju_normalize4(quat)


@inlined
def _pose_since_start(state: State, data: mujoco.MjData, position: Any, quat: Any) -> None:
    """Writes the pose of the base relative to its start."""
    turned, place = np.empty(4), state.position
    _rotation(state, data, turned)
    at = data.qpos[place : place + 3]
    relative_pose(position, quat, state.start[:3], state.start[3:], at, turned)


@inlined
def _set_twist(state: State, data: mujoco.MjData, twist: Any) -> None:
    """Writes the twist in the base's frame; MuJoCo's linear velocity is in the world frame."""
    quat, inverse, linear, place = np.empty(4), np.empty(4), np.empty(3), state.velocity
    _rotation(state, data, quat)
    mujoco.mju_negQuat(inverse, quat)
    mujoco.mju_rotVecQuat(linear, data.qvel[place : place + 3], inverse)
    set_point(twist.linear, linear)
    set_point(twist.angular, data.qvel[place + 3 : place + 6])


def _base(model: mujoco.MjModel, own: str, prefix: str) -> int:
    """Returns the id of the floating base with this name, or of the first one if `own` is empty.

    `own` is the name without the prefix of the plugin's group. Raises PluginError, which lists the
    bodies with a free joint, if the base is missing.
    """
    joints = np.flatnonzero(model.jnt_type == _FREE)
    named = {body_name(model, int(body)): int(body) for body in model.jnt_bodyid[joints]}
    bases = {name: body for name, body in named.items() if name.startswith(prefix)}
    if not bases:
        raise PluginError('the model has no body with a free joint')
    name = f'{prefix}{own}'
    if own and name not in bases:
        raise PluginError(f'body: {unknown("body with a free joint", name, bases)}')
    return bases[name] if own else next(iter(bases.values()))
