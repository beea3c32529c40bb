"""The topics of a base: velocities come in, odometry and its transform go out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ....messages.topic_qos import STATES, TRANSFORMS
from ....plugins import ros_type
from ...transforms.odometry_topics import refuse_shared_topics
from ...transforms.tf_topics import (
    TFMessage,
    refuse_second_parent,
    take_over,
)
from .velocity_subscription import VelocitySubscription

if TYPE_CHECKING:
    from .base_controller import BaseController

TransformStamped = ros_type('geometry_msgs/msg/TransformStamped')
Odometry = ros_type('nav_msgs/msg/Odometry')
Header = ros_type('std_msgs/msg/Header')


def open_topics(base: BaseController[Any]) -> None:
    """Creates the publishers and subscriptions of a base, which end with the plugin.

    Raises PluginError if another plugin publishes the frame of the base, or on its odometry topic.
    """
    others = take_over(base, base.tf_parents)
    refuse_second_parent(base, base.tf_parents.keys() - others.keys())
    _publish(base)
    VelocitySubscription(base).open()
    for frame, other in others.items():
        other.leave_out(frame)


def _publish(base: BaseController[Any]) -> None:
    """Publishes the odometry and the transform, unless the configuration turns them off."""
    config, (odom, child) = base.config, base.frames
    if topic := config.odom_topic:
        base.odometry_topics = {base.ros.resolve_topic_name(topic): (odom, child)}
        refuse_shared_topics(base, base.odometry_topics, 'odom_topic')
        base.ros.create_compiled_publisher(
            Odometry, topic, base.fill_odom, qos=STATES, rate_hz=config.publish_rate,
            template=_odometry(base), state=base.state,
        )  # fmt: skip
    if config.enable_odom_tf:
        stamped = TransformStamped(header=Header(frame_id=odom), child_frame_id=child)
        base.ros.create_compiled_publisher(
            TFMessage, '/tf', base.fill_tf, qos=TRANSFORMS, rate_hz=config.publish_rate,
            template=TFMessage(transforms=[stamped]), state=base.state,
        )  # fmt: skip


def _odometry(base: BaseController[Any]) -> Any:
    """Returns a nav_msgs/Odometry with the frames and the covariances of the base."""
    odom, child = base.frames
    message = Odometry(header=Header(frame_id=odom), child_frame_id=child)
    config = base.config
    message.pose.covariance = np.diag(config.pose_covariance_diagonal).ravel()
    message.twist.covariance = np.diag(config.twist_covariance_diagonal).ravel()
    return message
