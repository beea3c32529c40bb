"""The quality of service of entities on a node, and the parameters that show it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
import rclpy
from rclpy.context import Context
from rclpy.exceptions import InvalidTopicNameException, ParameterImmutableException
from rclpy.parameter import Parameter
from rclpy.qos import (
    DurabilityPolicy,
    HistoryPolicy,
    QoSProfile,
    ReliabilityPolicy,
    qos_profile_sensor_data,
)
from rclpy.qos_overriding_options import QoSOverridingOptions
from std_msgs.msg import String

from mujoco_ros_py.ros.entities.node_keeper import NodeKeeper
from mujoco_ros_py.ros.entities.shared_node import SharedNode

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
TALK = 'qos_overrides./lab/talk.publisher'


@pytest.fixture
def keep(domain) -> Iterator[Callable[..., NodeKeeper]]:
    """Returns `keep(name=value, ...)`: the keeper of a node in /lab with these parameters."""
    with ExitStack() as stack:

        def begin(**parameters: Any) -> NodeKeeper:
            context = Context()
            rclpy.init(context=context, domain_id=domain)
            stack.callback(context.try_shutdown)
            given = [Parameter(name, value=value) for name, value in parameters.items()]
            keeper = NodeKeeper('n', namespace='/lab', context=context, parameter_overrides=given)
            stack.callback(keeper.node.destroy_node)
            return keeper

        yield begin


@pytest.fixture
def make(keep) -> Callable[..., SharedNode]:
    return lambda **parameters: keep(**parameters).node


def shown(node: SharedNode) -> dict[str, Any]:
    parameters = node.get_parameters_by_prefix('qos_overrides')
    return {name: parameter.value for name, parameter in parameters.items()}


def test_an_override_holds_for_the_full_name_of_the_topic_after_remapping(make):
    node = make(**{f'{TALK}.reliability': 'best_effort', f'{TALK}.depth': 3})
    qos = node.create_publisher(String, 'talk', 10).qos_profile
    assert (qos.reliability, qos.depth) == (ReliabilityPolicy.BEST_EFFORT, 3)
    assert node.create_publisher(String, '/talk', 10).qos_profile == QoSProfile(depth=10)
    heard = node.create_subscription(String, 'talk', print, 10)
    assert heard.qos_profile == QoSProfile(depth=10), 'the override is of the publisher'


def test_a_profile_that_is_shared_is_not_changed_by_an_override(make):
    before = str(qos_profile_sensor_data)
    node = make(**{f'{TALK}.reliability': 'reliable'})
    made = node.create_publisher(String, 'talk', qos_profile_sensor_data)
    assert made.qos_profile == QoSProfile(depth=5)
    assert str(qos_profile_sensor_data) == before


def test_each_publisher_of_a_topic_has_its_own_profile_but_for_what_is_overridden(make):
    node = make(**{f'{TALK}.depth': 3})
    first = node.create_publisher(String, 'talk', LATCHED)
    second = node.create_publisher(String, 'talk', 10)
    assert first.qos_profile.durability == DurabilityPolicy.TRANSIENT_LOCAL
    assert second.qos_profile.durability == DurabilityPolicy.VOLATILE
    assert (first.qos_profile.depth, second.qos_profile.depth) == (3, 3)


def test_parameters_show_what_an_endpoint_has_and_go_with_it(make):
    node = make(**{f'{TALK}.lifespan': 5})
    before = shown(node)
    publisher = node.create_publisher(String, 'talk', LATCHED)
    subscription = node.create_subscription(String, '/hear', print, 2)
    start = '/lab/talk.publisher'
    assert shown(node) == {
        f'{start}.history': 'keep_last',
        f'{start}.depth': 1,
        f'{start}.reliability': 'reliable',
        f'{start}.durability': 'transient_local',
        f'{start}.lifespan': 5,
        '/hear.subscription.history': 'keep_last',
        '/hear.subscription.depth': 2,
        '/hear.subscription.reliability': 'reliable',
        '/hear.subscription.durability': 'volatile',
    }
    node.destroy_publisher(publisher)
    node.destroy_subscription(subscription)
    assert shown(node) == before == {}


def test_parameters_follow_the_newest_endpoint_that_is_there(make):
    node = make()
    depths = []
    first, second = (node.create_publisher(String, 'talk', depth) for depth in (1, 2))
    depths.append(node.get_parameter(f'{TALK}.depth').value)
    node.destroy_publisher(second)
    depths.append(node.get_parameter(f'{TALK}.depth').value)
    third = node.create_publisher(String, 'talk', 3)
    node.destroy_publisher(first)
    depths.append(node.get_parameter(f'{TALK}.depth').value)
    node.destroy_publisher(third)
    assert depths == [2, 1, 3]
    assert shown(node) == {}


def test_the_same_topic_created_again_has_its_override_again(make):
    node = make(**{f'{TALK}.depth': 3})
    for depth in (10, 20):
        publisher = node.create_publisher(String, 'talk', depth)
        assert publisher.qos_profile.depth == 3
        node.destroy_publisher(publisher)
    without = [node.create_publisher(String, 'other', depth) for depth in (10, 20)]
    assert [each.qos_profile.depth for each in without] == [10, 20]


def test_the_parameters_are_described_and_cannot_be_set(make):
    node = make()
    node.create_publisher(String, 'talk', 10)
    described = node.describe_parameter(f'{TALK}.reliability')
    assert described.read_only
    assert (described.name, described.type) == (f'{TALK}.reliability', Parameter.Type.STRING.value)
    (result,) = node.set_parameters([Parameter(f'{TALK}.reliability', value='best_effort')])
    assert not result.successful
    with pytest.raises(ParameterImmutableException):
        node.undeclare_parameter(f'{TALK}.reliability')


def test_a_callback_that_refuses_unknown_parameters_does_not_keep_a_topic_away(make):
    from rcl_interfaces.msg import SetParametersResult

    node = make()
    node.add_on_set_parameters_callback(lambda parameters: SetParametersResult(successful=False))
    node.create_publisher(String, 'talk', 10)
    assert shown(node)


def test_overriding_options_of_ones_own_are_left_to_rclpy(make):
    node = make(**{f'{TALK}.depth': 3, f'{TALK}_mine.depth': 4})
    none = QoSOverridingOptions([])
    publisher = node.create_publisher(String, 'talk', 10, qos_overriding_options=none)
    assert publisher.qos_profile.depth == 10
    assert shown(node) == {}
    mine = QoSOverridingOptions.with_default_policies(entity_id='mine')
    publisher = node.create_publisher(String, 'talk', LATCHED, qos_overriding_options=mine)
    assert publisher.qos_profile.depth == 4
    assert LATCHED.depth == 1
    assert node.get_parameter(f'{TALK}_mine.depth').value == 4


def test_what_rclpy_makes_with_the_node_is_left_alone(make):
    node = make(**{'qos_overrides./parameter_events.publisher.reliability': 'best_effort'})
    (events,) = node.publishers
    assert events.qos_profile.reliability == ReliabilityPolicy.RELIABLE


def test_keeping_all_messages_leaves_no_limit_to_those_that_wait(keep):
    keeper = keep(**{'qos_overrides./hear.subscription.history': 'keep_all'})
    endpoint = keeper.topics.endpoint('subscription', '/hear', 10)
    assert endpoint.qos.history == HistoryPolicy.KEEP_ALL
    assert endpoint.depth > 10**9


@pytest.mark.parametrize(
    ('topic', 'qos', 'error'),
    [
        ('two words', 10, InvalidTopicNameException),
        ('talk', -1, ValueError),
        ('talk', 'deep', TypeError),
    ],
)
def test_what_rclpy_refuses_raises_its_error(make, topic, qos, error):
    node = make()
    with pytest.raises(error):
        node.create_publisher(String, topic, qos)
    with pytest.raises(error):
        node.create_subscription(String, topic, print, qos)
    assert shown(node) == {}


def test_overrides_of_topics_that_are_not_there_are_told_with_those_that_are(keep, caplog):
    keeper = keep(
        **{
            f'{TALK}.depth': 3,
            f'{TALK}.reliability': 'reliable',
            'qos_overrides./lab/tlak.publisher.depth': 3,
            'qos_overrides./lab/talk.subscription.depth': 3,
            f'{TALK}_mine.depth': 4,
        }
    )
    keeper.node.create_publisher(String, 'talk', 10)
    mine = QoSOverridingOptions.with_default_policies(entity_id='mine')
    keeper.node.create_publisher(String, 'talk', 10, qos_overriding_options=mine)
    keeper.topics.tell_unused()
    assert sorted(record.getMessage() for record in caplog.records) == [
        'qos_overrides./lab/talk.subscription has no effect: '
        "unknown topic of a subscription '/lab/talk'; known: none",
        'qos_overrides./lab/tlak.publisher has no effect: '
        "unknown topic of a publisher '/lab/tlak' (did you mean '/lab/talk'?); known: /lab/talk",
    ]


def test_overrides_that_have_an_effect_are_not_told(keep, caplog):
    keeper = keep(**{f'{TALK}.depth': 3})
    keeper.node.create_publisher(String, 'talk', 10)
    keeper.topics.tell_unused()
    assert caplog.records == []
