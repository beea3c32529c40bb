"""All that a plugin can reach of its ROS by public names: who adds a name decides that here."""

from __future__ import annotations

import pytest

from mujoco_ros_py.ros.entities.compiled_topics import CompiledPublisher, CompiledSubscription
from mujoco_ros_py.ros.entities.plugin_ros import PluginRos
from mujoco_ros_py.simulation import Owner

ROS = {'act', 'every', 'full_name', 'publish', 'serve', 'subscribe'}


class SomeNode:
    """Has what a compiled subscription keeps of its node."""

    destroy_subscription = None


@pytest.mark.parametrize(
    ('given', 'names'),
    [
        (PluginRos(None, 'arm', '', Owner.of_no_plugin('a test'), None), ROS),
        (
            CompiledPublisher(None, None, None, None),
            {'close', 'errors', 'published', 'subscribers', 'topic_name'},
        ),
        (
            CompiledSubscription(None, 'topic', None, None, SomeNode(), native=False),
            {'close', 'publishers', 'taken', 'topic_name'},
        ),
    ],
    ids=['ros', 'compiled publisher', 'compiled subscription'],
)
def test_a_plugin_is_given_these_names_and_no_others(given, names):
    assert {name for name in dir(given) if not name.startswith('_')} == names
