"""All public names that a plugin can reach through its ROS: each new name is decided here."""

from __future__ import annotations

import pytest
from rclpy.node import Node

from mujoco_ros_py.ros.entities.compiled_endpoints import CompiledPublisher, CompiledSubscription
from mujoco_ros_py.ros.entities.plugin_ros import PluginRos
from mujoco_ros_py.simulation import Owner

ROS = {
    *('create_action_server', 'create_compiled_publisher', 'create_compiled_subscription'),
    *('create_message_filter', 'create_publisher', 'create_service', 'create_struct_publisher'),
    *('create_subscription', 'create_timer', 'inbox', 'need_clock', 'plugin_topics'),
    'resolve_topic_name',
}


class SomeKeeper:
    """Has the attributes that a plugin's ROS needs at its creation."""

    node = None


@pytest.mark.parametrize(
    ('given', 'names'),
    [
        (
            PluginRos(
                SomeKeeper(),
                'arm',
                '',
                Owner.of_no_plugin('a test'),
                None,
                None,
                None,
                boundscheck=False,
            ),
            ROS,
        ),
        (
            CompiledPublisher(None, None, None, None, None, None, None),
            {
                'close',
                'cost_ns',
                'errors',
                'published',
                'read',
                'replace',
                'subscribers',
                'topic_name',
            },
        ),
        (
            CompiledSubscription(None, 'topic', None, None, None, None, None),
            {'close', 'give', 'publishers', 'taken', 'topic_name'},
        ),
    ],
    ids=['ros', 'compiled publisher', 'compiled subscription'],
)
def test_a_plugin_is_given_these_names_and_no_others(given, names):
    assert {name for name in dir(given) if not name.startswith('_')} == names


@pytest.mark.slow
def test_the_node_that_plugins_share_has_the_public_names_of_rclpy_only(new_node, serve):
    of_rclpy = Node('plain', context=new_node('other').context)
    names = {name for name in dir(of_rclpy) if not name.startswith('_')}
    of_rclpy.destroy_node()
    given = serve(mujoco_xml='<mujoco/>').node
    assert {name for name in dir(given) if not name.startswith('_')} == names
