"""The quality of service of all topics is that of the table in docs/qos.md, and has its names."""

from __future__ import annotations

import re
from typing import Any

import pytest
from docs.pages import ROOT, rows
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy

from mujoco_ros_py.messages import topic_qos

pytest.importorskip('nav_msgs.msg', reason='nav_msgs is not there')
pytest.importorskip('tf2_msgs.msg', reason='tf2_msgs is not there')

PAGE = ROOT / 'docs/qos.md'
WORLD = """
<mujoco>
  <worldbody>
    <camera name="eye"/>
    <body name="base">
      <freejoint/>
      <geom size="0.1"/>
      <body name="rod"><joint name="hinge"/><geom size="0.1"/></body>
    </body>
  </worldbody>
  <actuator><motor joint="hinge"/></actuator>
</mujoco>
"""
PLUGINS = """
- {type: mujoco_ros_py/JointController, name: arm}
- {type: mujoco_ros_py/Odometry, publish_tf: true}
- {type: mujoco_ros_py/Transforms}
"""
CAMERA = {'cam_config.eye.stream_type': 7, 'cam_config.eye.compressed': True}
OF_RCLPY = {'/parameter_events'}
Row = tuple[str, str, str, str, str]


def table() -> set[Row]:
    """Topic, direction, reliability, durability and depth, one row for each topic."""
    return {
        (topic.replace('<camera>', 'eye'), *row[1:5])
        for row in rows(PAGE, 'topic')
        for topic in re.findall(r'[^`, ]+', row[0])
    }


def offered(direction: str, ends: list[Any]) -> set[Row]:
    return {
        (end.topic_name, direction, *in_words(end.qos_profile))
        for end in ends
        if end.topic_name not in OF_RCLPY
    }


def in_words(qos: QoSProfile) -> tuple[str, str, str]:
    assert qos.history == HistoryPolicy.KEEP_LAST
    words = (policy.name.lower().replace('_', ' ') for policy in (qos.reliability, qos.durability))
    return (*words, str(qos.depth))  # type: ignore[return-value]


@pytest.mark.usefixtures('graphics')
def test_each_topic_has_the_quality_of_service_of_the_table(serve):
    node = serve(mujoco_xml=WORLD, MujocoPlugins=PLUGINS, **CAMERA).node
    found = offered('published', list(node.publishers))
    found |= offered('subscribed', list(node.subscriptions))
    assert found == table()


def test_the_page_has_all_profiles():
    profiles = {name for name, value in vars(topic_qos).items() if isinstance(value, QoSProfile)}
    assert {row[0] for row in rows(PAGE, 'profile')} == profiles


def test_every_published_profile_but_that_of_the_clock_offers_all_that_is_asked_for():
    for name in ('STATES', 'IMAGES', 'TRANSFORMS', 'LATCHED'):
        assert getattr(topic_qos, name).reliability == ReliabilityPolicy.RELIABLE
    assert topic_qos.LATCHED.durability == DurabilityPolicy.TRANSIENT_LOCAL
    assert topic_qos.CLOCK.reliability == ReliabilityPolicy.BEST_EFFORT
