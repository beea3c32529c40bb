"""The quality of service as other nodes see it, for several tests."""

from __future__ import annotations

from typing import Any

import pytest
from rcl_interfaces.srv import ListParameters
from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.parameter import parameter_value_to_python
from rclpy.qos import (
    DurabilityPolicy,
    QoSProfile,
)

from .harness import Client, wait_until

Odometry = pytest.importorskip('nav_msgs.msg', reason='nav_msgs is not there').Odometry
TFMessage = pytest.importorskip('tf2_msgs.msg', reason='tf2_msgs is not there').TFMessage
ROVER = """
<mujoco>
  <worldbody>
    <camera name="eye" pos="0 -2 0" xyaxes="1 0 0 0 0 1"/>
    <body name="base">
      <freejoint/>
      <geom size="0.1"/>
      <body name="rod" pos="0 0 1">
        <joint name="hinge"/>
        <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.02"/>
        <body name="tip" pos="0 0 -0.5"><geom size="0.03"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
EVERYTHING = {
    'mujoco_xml': ROVER,
    'cam_config.eye.stream_type': 7,
    'cam_config.eye.compressed': True,
    'cam_config.eye.width': 160,
    'cam_config.eye.height': 120,
    'MujocoPlugins.names': ['odometry', 'transforms'],
    'MujocoPlugins.odometry.type': 'mujoco_ros_py/Odometry',
    'MujocoPlugins.odometry.publish_tf': True,
    'MujocoPlugins.transforms.type': 'mujoco_ros_py/Transforms',
}
LATCHED = QoSProfile(depth=100, durability=DurabilityPolicy.TRANSIENT_LOCAL)


def heard(client: Client, kind: Any, topic: str, qos: QoSProfile) -> list[Any]:
    """Returns a list that grows with each message."""
    messages: list[Any] = []
    client.node.create_subscription(kind, topic, messages.append, qos)
    return messages


def mismatches(client: Client, kind: Any, topic: str, qos: QoSProfile) -> list[Any]:
    """Returns a list that grows with each publisher that does not offer what is asked for."""
    events: list[Any] = []
    callbacks = SubscriptionEventCallbacks(incompatible_qos=events.append)
    client.node.create_subscription(kind, topic, print, qos, event_callbacks=callbacks)
    return events


def offered(client: Client, topic: str) -> list[Any]:
    """Returns the profiles of the publishers of a topic, as DDS tells them to other nodes."""
    infos = wait_until(lambda: client.node.get_publishers_info_by_topic(topic), topic)
    return [info.qos_profile for info in infos]


def shown(client: Client, topic: str, entity: str = 'publisher') -> dict[str, Any]:
    """Returns the parameters that show the quality of service of a topic, by policy."""
    start = f'qos_overrides.{topic}.{entity}.'
    return {
        name.removeprefix(start): parameter_value_to_python(client.get_parameter(name))
        for name in all_shown(client)
        if name.startswith(start)
    }


def all_shown(client: Client) -> list[str]:
    request = ListParameters.Request(prefixes=['qos_overrides'])
    return sorted(client.call(ListParameters, 'list_parameters', request).result.names)


def frames(messages: list[Any]) -> set[str]:
    return {each.child_frame_id for message in messages for each in message.transforms}
