"""A plugin that is refused leaves no topic behind."""

from __future__ import annotations

import pytest

from .harness import wait_until
from .plugin_site import as_text

pytestmark = pytest.mark.slow

ROVER = """
<mujoco>
  <worldbody>
    <body name="base" pos="0 0 1"><freejoint/><geom size="0.1"/></body>
  </worldbody>
</mujoco>
"""
LOADS = 4
REFUSED = {'type': 'mujoco_ros_py/Odometry', 'ground_truth_topic': 'no name', 'publish_tf': True}


def test_a_plugin_that_is_refused_leaves_no_publisher(start):
    process, client = start({'mujoco_xml': ROVER, 'MujocoPlugins': as_text(REFUSED)})
    for _ in range(LOADS - 1):
        assert client.trigger('reload').success
    assert process.output.count('refused to load') == LOADS
    # rclpy now and then forgets to destroy a publisher that was made but a moment ago
    count = client.node.count_publishers
    wait_until(lambda: count('/odom') < LOADS - 1 and count('/tf') == 0, 'topics that are gone')
