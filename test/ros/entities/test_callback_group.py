"""The callback group of a node whose entities are created and destroyed."""

from __future__ import annotations

import gc
from contextlib import closing
from typing import Any

import pytest
import rclpy
from rclpy.context import Context
from std_msgs.msg import String
from system.harness import wait_until

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


def wait_until_there_are_only(entities: set[Any], group: Any, actions: ActionNode) -> None:
    def forgotten() -> bool:
        actions.soon(gc.collect)  # a waiting executor remembers its last wait set
        return group.entities == entities

    wait_until(forgotten, 'all others are forgotten')


def test_it_forgets_what_is_destroyed(node):
    with closing(ActionNode(node)) as actions:
        for each in (node, actions):
            group = each.default_callback_group
            before = set(group.entities)
            for _ in range(10):
                come_and_go(each)
            wait_until_there_are_only(before, group, actions)


def test_it_knows_what_is_there(node):
    timer = node.create_timer(60.0, print)
    assert node.default_callback_group.has_entity(timer)
