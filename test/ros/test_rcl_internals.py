"""The package's assumptions about the layers below rclpy; each test checks one of them."""

from __future__ import annotations

import ast
import ctypes
from collections.abc import Iterator
from pathlib import Path

import pytest
import rclpy
from deadline import DEADLINE_S
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.task import Future
from rosidl_parser.definition import AbstractSequence, BasicType, NamespacedType
from sensor_msgs.msg import JointState
from std_msgs.msg import Header

from mujoco_ros_py import rcl_internals as internals
from mujoco_ros_py.engine.messages import StructMessage

FILE = Path(internals.__file__)


def lost(what: str, without: str) -> str:
    return (
        f'this ROS has lost what mujoco_ros_py.rcl_internals needs: {what}; without it {without}'
    )


@pytest.fixture
def node(context) -> Iterator[Node]:
    node = Node('internals', context=context)
    yield node
    node.destroy_node()


def check_fields() -> None:
    """Checks the layout before publishing: a wrong layout would crash the process."""
    types = internals.field_types(JointState)
    kinds = {'header': NamespacedType, 'name': AbstractSequence, 'position': AbstractSequence}
    for name, kind in kinds.items():
        assert isinstance(types.get(name), kind), lost(
            'SLOT_TYPES', 'no message can be laid out in memory'
        )
    position = types['position'].value_type
    assert isinstance(position, BasicType)
    assert position.typename == 'double'
    assert list(types) == ['header', 'name', 'position', 'velocity', 'effort']


def test_a_message_class_describes_its_fields():
    check_fields()


class WithoutAddress:
    """A publisher whose handle does not expose its address."""

    handle = object()

    def __init__(self, publisher) -> None:
        self.publish = publisher.publish


@pytest.mark.parametrize('seen', [lambda publisher: publisher, WithoutAddress])
def test_a_message_that_lies_in_memory_is_published(node, context, seen):
    check_fields()
    publisher = node.create_publisher(JointState, 'states', 10)
    raw = internals.raw_publisher(seen(publisher), JointState)
    came: Future = Future()
    node.create_subscription(
        JointState, 'states', lambda each: came.done() or came.set_result(each), 10
    )
    message = StructMessage(JointState)
    message.allocate(message['position'], 2)[:] = 1.5, -2.0
    node.create_timer(0.02, lambda: raw.publish(message.address))
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    executor.spin_until_future_complete(came, timeout_sec=DEADLINE_S)
    executor.shutdown()
    assert came.done(), 'it took too long'
    assert list(came.result().position) == [1.5, -2.0], lost(
        'handle.pointer and rcl_publish', 'nothing of the simulation can be published'
    )


@pytest.mark.parametrize('seen', [lambda publisher: publisher, WithoutAddress])
def test_an_error_of_a_publisher_has_its_reason(context, node, seen):
    raw = internals.raw_publisher(seen(node.create_publisher(Header, 'headers', 1)), Header)
    message = StructMessage(Header)
    assert raw.publish(message.address) == ''
    context.handle.shutdown()  # as after a signal that rclpy handles
    assert 'context is invalid' in raw.publish(message.address), lost(
        'rcutils_get_error_string', 'errors of publishers have no reason'
    )


def test_a_publishers_handle_is_not_destroyed_while_somebody_is_inside(node):
    publisher = node.create_publisher(Header, 'headers', 1)
    with publisher.handle:
        node.destroy_publisher(publisher)
        pointer = publisher.handle.pointer
        assert pointer, lost('with handle', 'publishing while a plugin is unloaded may crash')


class InvalidHandle:
    """The handle of a subscription that rcl refuses."""

    memory = ctypes.create_string_buffer(64)
    pointer = ctypes.addressof(memory)

    def __enter__(self) -> None: ...

    def __exit__(self, *error: object) -> None: ...


def test_a_subscription_that_cannot_be_watched_for_messages_is_an_error():
    with pytest.raises(RuntimeError, match="does not report new messages: subscription's impl"):
        internals.call_for_messages(InvalidHandle(), 0, 0)


def test_rcl_refuses_a_list_of_structs_with_the_words_that_are_looked_for():
    with pytest.raises(Exception, match=internals.MIXED_SEQUENCE) as refused:
        rclpy.init(args=['--ros-args', '-p', 'mixed:=[1, a]'], context=Context())
    assert internals.MIXED_SEQUENCE in str(refused.value), lost(
        'these words of rcl', 'an error does not tell how a list of plugins is written'
    )


def test_nothing_else_uses_rcl_and_the_memory_of_messages():
    names = 'SLOT_TYPES', 'pointer', 'librcl.so', 'librcutils.so'
    used = [
        f'{path.relative_to(FILE.parent)}: {name}'
        for room in ('builtin', 'engine/messages', 'ros')
        for path in (FILE.parent / room).rglob('*.py')
        if any(each in path.read_text() for each in names)
        for node in ast.walk(ast.parse(path.read_text()))
        if (name := getattr(node, 'attr', getattr(node, 'value', None))) in names
    ]
    assert used == ['ros/rclpy_internals.py: pointer'] * 2  # `has_handles` looks for it
