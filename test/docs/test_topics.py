"""The topics are what docs/services.md says; see test/system/test_qos.py for their quality."""

from __future__ import annotations

import pytest
from system.harness import PENDULUM, wait_until

from .pages import ROOT, rows

pytestmark = pytest.mark.slow

PLUGINS = '[{type: mujoco_ros_py/JointController, name: arm}]'


@pytest.fixture
def client(start):
    """Of a server that has all the topics of the table."""
    return start({'mujoco_xml': PENDULUM, 'MujocoPlugins': PLUGINS})[1]


@pytest.mark.parametrize(
    ('topic', 'kind', 'rate'), [row[:3] for row in rows(ROOT / 'docs/services.md', 'topic')]
)
def test_a_topic_has_the_type_of_the_table(client, topic, kind, rate):
    node = client.node
    ends = (
        node.get_subscriptions_info_by_topic
        if rate.startswith('subscribed')
        else node.get_publishers_info_by_topic
    )
    (end,) = wait_until(lambda: ends(f'/{topic.strip("/")}'), f'{topic} in the graph')
    assert end.topic_type == kind
