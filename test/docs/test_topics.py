"""The topics are what docs/services.md says; depths, which DDS does not tell, see test/ros."""

from __future__ import annotations

import pytest
from rclpy.qos import DurabilityPolicy, ReliabilityPolicy
from system.harness import PENDULUM, wait_until

from .pages import ROOT, rows

pytestmark = pytest.mark.slow

PLUGINS = '[{type: mujoco_ros_py/JointController, name: arm}]'
RELIABILITIES = {
    'reliable': ReliabilityPolicy.RELIABLE,
    'best effort': ReliabilityPolicy.BEST_EFFORT,
}


@pytest.fixture
def client(start):
    """Of a server that has all the topics of the table."""
    return start({'mujoco_xml': PENDULUM, 'MujocoPlugins': PLUGINS})[1]


@pytest.mark.parametrize(
    ('topic', 'kind', 'qos'), [row[:3] for row in rows(ROOT / 'docs/services.md', 'topic')]
)
def test_a_topic_has_the_type_and_the_quality_of_service_of_the_table(client, topic, kind, qos):
    subscribed, node = qos.startswith('subscribed, '), client.node
    ends = (
        node.get_subscriptions_info_by_topic if subscribed else node.get_publishers_info_by_topic
    )
    (end,) = wait_until(lambda: ends(f'/{topic.strip("/")}'), f'{topic} in the graph')
    assert end.topic_type == kind
    reliability = qos.removeprefix('subscribed, ').partition(', depth ')[0]
    assert end.qos_profile.reliability == RELIABILITIES[reliability]
    assert end.qos_profile.durability == DurabilityPolicy.VOLATILE
