"""The topics of mobile bases as other programs connect with them: quality of service, lateness."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from typing import Any

import pytest
from geometry_msgs.msg import TwistStamped
from rclpy.qos import (
    DurabilityPolicy,
    QoSProfile,
    ReliabilityPolicy,
    qos_profile_sensor_data,
)
from rosgraph_msgs.msg import Clock

from .base_robot import BASE, Odometry, Robot, TFMessage, robots
from .harness import Client, seconds, wait_until
from .qos import heard, offered, shown

pytestmark = pytest.mark.slow
ALL_MESSAGES = QoSProfile(depth=100)
"""The quality of service by which tf2's listener and most nodes subscribe: reliable."""


@pytest.fixture
def robot(start, share) -> Iterator[Callable[..., Robot]]:
    """Makes robots; see `robots`."""
    with robots(start, share) as begin:
        yield begin


def policies(reliability: str, depth: int) -> dict[str, Any]:
    return {
        'history': 'keep_last',
        'depth': depth,
        'reliability': reliability,
        'durability': 'volatile',
    }


def test_odometry_and_transforms_of_a_base_are_reliable_and_volatile_and_reach_every_subscriber(
    robot,
):
    made = robot()
    for topic, kind, depth in (('/odom', Odometry, 10), ('/tf', TFMessage, 100)):
        for profile in offered(made.client, topic):  # cameras publish on /tf as well
            assert profile.reliability == ReliabilityPolicy.RELIABLE
            assert profile.durability == DurabilityPolicy.VOLATILE
        assert shown(made.client, topic) == policies('reliable', depth)
        for asked in (ALL_MESSAGES, qos_profile_sensor_data):
            messages = heard(made.client, kind, topic, asked)
            wait_until(lambda m=messages: m, f'{topic} with {asked}')


def test_velocities_of_reliable_and_of_best_effort_publishers_drive_a_base(robot):
    made = robot()
    assert shown(made.client, '/cmd_vel', 'subscription') == policies('best_effort', 1)
    message = TwistStamped()
    for offer in (ALL_MESSAGES, qos_profile_sensor_data):
        with closing(Client(made.client.node.context.get_domain_id())) as other:
            publisher = other.node.create_publisher(TwistStamped, '/cmd_vel', offer)
            message.twist.linear.x, target = 0.5, made.x + 0.1
            wait_until(lambda: publisher.publish(message) or made.x > target, 'a motion')  # noqa: B023


def test_the_transform_of_a_base_comes_50_times_a_second_and_is_never_0_3_s_late_for_nav2(robot):
    made = robot()
    times = made.client.collect(Clock, '/clock', reliable=False)
    made.driver(TwistStamped).drive_until(lambda: made.x > 0.3, 0.5)
    assert made.client.pause(True).success
    count = len(times)
    wait_until(
        lambda: len(times) > count + 2 and times[-1] == times[-2] == times[-3],
        'the time of the pause, again and again',
    )
    paused = seconds(times[-1].clock)

    def lateness() -> float:
        return paused - seconds(made.base_transforms()[-1].header.stamp)

    wait_until(lambda: lateness() < 0.021, 'the transform of the last period of 50 Hz')
    assert lateness() > -1e-9
    stamps = [seconds(each.header.stamp) for each in made.base_transforms()]
    periods = [after - before for before, after in pairwise(dict.fromkeys(stamps))]
    assert min(periods) > 0.0
    assert statistics.median(periods) == pytest.approx(0.02, abs=1e-6)


def test_the_topics_of_a_base_in_a_group_have_overrides_and_take_part_in_lockstep(robot):
    base = {**BASE, 'publish_rate': 20.0}
    group = {'namespace': 'left', 'prefix': '', 'plugins': [base]}
    made = robot(
        MujocoPlugins=json.dumps([group]), realtime=-1.0, lockstep_period=0.05,
        lockstep_topics=['left/cmd_vel'], lockstep_timeout=0.0,
        **{'qos_overrides./left/cmd_vel.subscription.reliability': 'reliable',
           'qos_overrides./left/odom.publisher.depth': 50},
    )  # fmt: skip
    made.odometry = made.client.collect(Odometry, '/left/odom')
    driver = made.driver(TwistStamped, topic='/left/cmd_vel')
    wait_until(lambda: made.odometry, 'the state at the start, which is repeated until then')

    def answered() -> bool:
        driver.send(0.5, stamp=made.odometry[-1].header.stamp)
        return made.x > 0.3

    wait_until(answered, 'a motion', process=made.process)
    stamps = list(dict.fromkeys(seconds(each.header.stamp) for each in made.odometry))
    assert stamps == pytest.approx([stamps[0] + 0.05 * k for k in range(len(stamps))])
    assert shown(made.client, '/left/odom')['depth'] == 50
    assert shown(made.client, '/left/cmd_vel', 'subscription')['reliability'] == 'reliable'
    for doubt in ('has no effect', 'no plugin subscribes to'):
        assert doubt not in made.process.output
