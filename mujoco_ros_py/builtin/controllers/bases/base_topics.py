"""Connects a base to its topics: velocity commands, odometry and the odometry's transform."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import numpy as np

from ....errors import PluginError
from ....plugins import ros_type
from ....plugins.topic_qos import COMMAND_STREAM, STATES, TRANSFORMS
from ...transforms.tf_topics import (
    TFMessage,
    refuse_second_parent,
    refuse_shared_topics,
    take_over,
)

if TYPE_CHECKING:
    from .base_controller import BaseController

TransformStamped = ros_type('geometry_msgs/msg/TransformStamped')
Odometry = ros_type('nav_msgs/msg/Odometry')
Header = ros_type('std_msgs/msg/Header')
Twist = ros_type('geometry_msgs/msg/Twist')
TwistStamped = ros_type('geometry_msgs/msg/TwistStamped')

_log = logging.getLogger(__name__)
_LOOK_S = 0.2
"""The wall time in s between two searches for publishers of velocity commands."""
_TYPES = {f'geometry_msgs/msg/{kind.__name__}': kind for kind in (Twist, TwistStamped)}
_FIXED = {True: TwistStamped, False: Twist}


def open_topics(base: BaseController[Any]) -> None:
    """Creates the publishers and subscriptions of a base; the plugin's unload closes them.

    Raises PluginError if another plugin publishes the base frame or uses the odometry topic.
    """
    others = take_over(base, base.tf_parents)
    refuse_second_parent(base, base.tf_parents.keys() - others.keys())
    _publish(base)
    _VelocitySubscription(base).open()
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
    """Returns a nav_msgs/Odometry template with the base's frames and covariances."""
    odom, child = base.frames
    message = Odometry(header=Header(frame_id=odom), child_frame_id=child)
    config = base.config
    message.pose.covariance = np.diag(config.pose_covariance_diagonal).ravel()
    message.twist.covariance = np.diag(config.twist_covariance_diagonal).ravel()
    return message


class _VelocitySubscription:
    """Subscribes to velocity commands as TwistStamped or as Twist.

    Fast DDS allows only one type per topic in a process, so only one subscription exists at a
    time. The subscription is replaced when only the other type is published.
    """

    def __init__(self, base: BaseController[Any]) -> None:
        self._base = base
        self._name = base.ros.resolve_topic_name(base.config.topic)
        self._only = _FIXED.get(base.config.use_stamped_vel)
        self._kind: Any = None
        """The message type of the subscription; None while nothing is subscribed to."""
        self._subscription: Any = None
        self._told = ''

    def open(self) -> None:
        """Subscribes; if ROS is available, starts looking for publishers periodically."""
        self._look()
        if self._base.ros:
            self._base.ros.create_timer(_LOOK_S, self._look)

    def _look(self) -> None:
        """Subscribes to the published type; called on the plugin's thread."""
        wanted = self._only or self._published()
        if wanted is self._kind:
            return
        if self._kind is not None:
            self._kind = None
            self._subscription.close()
        try:
            self._subscribe(wanted)
        except PluginError as error:  # in lockstep, only TwistStamped works
            if self._only is not None:
                raise
            self._only = TwistStamped
            self._tell(f'only {TwistStamped.__name__} is received: {error}')
        except RuntimeError as error:  # the previous subscription is still being destroyed
            _log.debug('%s: subscribing failed and will be retried: %s', self._base.name, error)

    def _published(self) -> Any:
        """Returns the published type; if both or neither are published, the current type."""
        if not self._base.ros:
            return TwistStamped
        infos = self._base.node.get_publishers_info_by_topic(self._name)
        published = {info.topic_type for info in infos} & _TYPES.keys()
        if len(published) == 1:
            return _TYPES[published.pop()]
        kind = self._kind or TwistStamped
        if published:
            both = ' and '.join(sorted(published))
            self._tell(f'{both} are published on {self._name}: only {kind.__name__} is received')
        return kind

    def _subscribe(self, kind: Any) -> None:
        base = self._base
        take = base.take_velocity if kind is Twist else base.take_stamped_velocity
        self._subscription = base.ros.create_compiled_subscription(
            kind, base.config.topic, take, COMMAND_STREAM, state=base.state
        )
        self._kind = kind
        if base.ros:
            _log.info('%s: subscribed to %s as %s', base.name, self._name, kind.__name__)

    def _tell(self, warning: str) -> None:
        """Logs a warning, unless it equals the last warning."""
        if warning != self._told:
            self._told = warning
            _log.warning('%s: %s', self._base.name, warning)
