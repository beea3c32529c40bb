"""Messages from memory over DDS."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
import rclpy
from deadline import DEADLINE_S
from rclpy.context import Context
from rclpy.exceptions import InvalidHandle
from rclpy.node import Node
from sensor_msgs.msg import JointState

from mujoco_ros_py.engine.messages import StructPublisher, set_time
from mujoco_ros_py.errors import PublishError

from .harness import Client, wait_until

pytestmark = pytest.mark.slow


@pytest.fixture
def client(domain) -> Iterator[Client]:
    client = Client(domain)
    yield client
    client.close()


@pytest.fixture
def context(domain) -> Iterator[Context]:
    context = Context()
    rclpy.init(context=context, domain_id=domain)
    yield context
    context.try_shutdown()


@pytest.fixture
def node(context) -> Iterator[Node]:
    """No executor spins it: rclpy's do not bear publishers that go."""
    node = Node('writer', context=context)
    yield node
    node.destroy_node()


def publish_until_it_comes(publisher: StructPublisher, came: list) -> JointState:
    came.clear()

    def arrived() -> bool:
        publisher.publish()
        return bool(came)

    wait_until(arrived, 'a message')
    return came[-1]


def test_a_subscriber_gets_what_lies_in_memory(node, client):
    publisher = StructPublisher(node, JointState, 'states', 10)
    came = client.collect(JointState, 'states')
    assert publisher.topic_name == '/states'
    message = publisher.message
    message.set_text(message['header']['frame_id'], 'world')
    message.set_texts(message['name'], ['shoulder', 'ellenbogen gekrümmt'])
    position = message.allocate(message['position'], 2)
    for number in range(3):
        position[:] = number, -number
        set_time(message['header']['stamp'], number + 0.5)
        publish_until_it_comes(publisher, came)
        expected = JointState(name=['shoulder', 'ellenbogen gekrümmt'])
        expected.position = [float(number), -float(number)]
        expected.header.frame_id = 'world'
        expected.header.stamp.sec, expected.header.stamp.nanosec = number, 500_000_000
        wait_until(lambda e=expected: came[-1] == e, f'{expected}')
    assert publisher.subscribers == 1


def test_what_the_middleware_does_not_take_is_an_error_that_names_topic_and_reason(context, node):
    publisher = StructPublisher(node, JointState, 'states', 10)
    publisher.publish()
    context.handle.shutdown()  # as a signal does where rclpy handles signals
    for _ in range(2):  # the first leaves no error behind that the second would meet
        with pytest.raises(PublishError, match=r'/states was not published: .*context is invalid'):
            publisher.publish()


def test_a_publisher_may_be_closed_while_another_thread_publishes(node, client):
    for _ in range(5):
        publisher = StructPublisher(node, JointState, 'states', 10)
        errors: list[BaseException] = []
        thread = threading.Thread(target=publish_until_it_fails, args=(publisher, errors))
        thread.start()
        came = client.collect(JointState, 'states')
        wait_until(lambda came=came: came, 'a message')
        publisher.close()
        thread.join(DEADLINE_S)
        assert [type(error) for error in errors] == [InvalidHandle]


def publish_until_it_fails(publisher: StructPublisher, errors: list[BaseException]) -> None:
    try:
        while True:
            publisher.publish()
    except Exception as error:
        errors.append(error)
