"""The callback group of a node on which entities come and go."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest
import rclpy
from rclpy.context import Context
from std_msgs.msg import String

from mujoco_ros_py.ros.entities.action_node import ActionNode
from mujoco_ros_py.ros.entities.node_keeper import NodeKeeper


@pytest.fixture
def node(domain):
    context = Context()
    rclpy.init(context=context, domain_id=domain)
    made = NodeKeeper('n', namespace='/lab', context=context).node
    yield made
    made.destroy_node()
    context.try_shutdown()


def come_and_go(node: Any) -> None:
    node.destroy_subscription(node.create_subscription(String, 'chat', print, 10))
    node.destroy_publisher(node.create_publisher(String, 'chat', 10))
    node.destroy_timer(node.create_timer(60.0, print))


def test_it_forgets_what_is_destroyed(node):
    with closing(ActionNode(node)) as actions:
        for each in (node, actions):
            come_and_go(each)
            entities = each.default_callback_group.entities
            before = set(entities)
            for _ in range(10):
                come_and_go(each)
            assert entities == before


def test_it_knows_what_is_there(node):
    timer = node.create_timer(60.0, print)
    assert node.default_callback_group.has_entity(timer)
