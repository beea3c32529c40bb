"""The warning about a node with types of another ROS distribution."""

from __future__ import annotations

from typing import Any

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from system.harness import wait_until

from mujoco_ros_py.ros.neighbour_nodes import NeighbourNodes

TypeHash = pytest.importorskip('rclpy.type_hash', reason='Humble has no hashes').TypeHash


def test_a_node_with_another_type_of_the_same_name_is_told_once(new_keeper, monkeypatch, caplog):
    node, other = new_keeper('server').node, new_keeper('rviz').node
    node.create_publisher(DiagnosticArray, '/diagnostics', 1)
    other.create_subscription(DiagnosticArray, '/diagnostics', lambda _: None, 1)
    neighbours = NeighbourNodes(node, '/clock')
    subscriptions = node.get_subscriptions_info_by_topic
    wait_until(
        lambda: {'rviz'} == {end.node_name for end in subscriptions('/diagnostics')}, 'rviz'
    )
    neighbours._look()
    assert caplog.records == []

    def of_another_release(topic: str) -> list[Any]:
        found = subscriptions(topic)
        for end in found:
            if end.node_name == 'rviz':
                end.topic_type_hash = TypeHash(version=1, value=bytes(32))
        return found

    monkeypatch.setattr(node, 'get_subscriptions_info_by_topic', of_another_release)
    for _ in range(2):
        neighbours._look()
    (record,) = caplog.records
    assert record.getMessage() == (
        '/rviz and this server have different versions of diagnostic_msgs/msg/DiagnosticArray on'
        ' /diagnostics, probably from different ROS distributions: each misreads the messages of'
        ' the other; use one release of diagnostic_msgs for both'
    )
