"""What the table of docs/services.md says and DDS does not tell other nodes."""

from __future__ import annotations

from docs.pages import ROOT, rows
from rclpy.qos import HistoryPolicy
from system.harness import PENDULUM

PLUGINS = '[{type: mujoco_ros_py/JointController, name: arm}]'


def test_each_topic_keeps_as_many_messages_as_the_table_says(serve):
    node = serve(mujoco_xml=PENDULUM, MujocoPlugins=PLUGINS).node
    kept = {
        end.topic_name: (end.qos_profile.history, end.qos_profile.depth)
        for end in [*node.publishers, *node.subscriptions]
    }
    table = {
        f'/{topic.strip("/")}': (HistoryPolicy.KEEP_LAST, int(qos.rpartition(', depth ')[2]))
        for topic, _, qos, *_ in rows(ROOT / 'docs/services.md', 'topic')
    }
    assert {'/clock', '/joint_states', '/diagnostics', '/arm/joint_commands'} <= set(table)
    assert kept | table == kept
