from __future__ import annotations

import pytest
from std_msgs.msg import Empty
from std_srvs.srv import Trigger

from .faults import Counts, between_witnesses, environment, with_plugins
from .harness import wait_until

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ('entity', 'fault'),
    [
        ('timer', 'raise'),
        ('timer', 'exit'),
        ('timer', 'interrupt'),
        ('subscription', 'raise'),
        ('subscription', 'exit'),
        ('service', 'raise'),
        ('service', 'interrupt'),
    ],
)
def test_what_a_ros_callback_of_a_plugin_raises_leaves_the_server_listening(start, entity, fault):
    plugins = between_witnesses('faulty/OnExecutor', entity=entity, fault=fault)
    process, client = start(with_plugins(*plugins), **environment())
    counts = Counts(client, 'first', 'last')
    counts.wait_for_more()
    if entity == 'service':
        client.call_async(Trigger, '/faulty/service', Trigger.Request())
    if entity == 'subscription':
        publisher = client.node.create_publisher(Empty, '/faulty/topic', 1)
        wait_until(publisher.get_subscription_count, 'the plugin subscribes')
        publisher.publish(Empty())
    process.wait_for_output('the ROS callback is called')

    assert client.trigger('reset').success
    assert client.set_parameters(realtime=2.0)[0].successful
    counts.wait_for_more()
    word = {'raise': 'broken', 'exit': 'exit', 'interrupt': 'interrupt'}[fault]
    process.wait_for_output(f'{word} in a {entity}')
    assert 'Exception in thread' not in process.output


def test_a_plugin_that_shuts_rclpy_down_ends_the_server_in_good_order(start):
    plugins = between_witnesses('faulty/OnExecutor', entity='timer', fault='end ROS')
    process, _ = start(with_plugins(*plugins), **environment())
    assert process.wait() == 1
    assert 'the process ends, as rclpy was shut down in it' in process.output
    assert 'first unloads' in process.output
    assert 'Exception in thread' not in process.output
