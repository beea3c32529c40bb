"""The velocities of mobile bases over DDS: their types, their stamps, and which are refused."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import pytest
from builtin_interfaces.msg import Time
from geometry_msgs.msg import Twist, TwistStamped
from std_srvs.srv import SetBool

from .base_robot import BASE, Robot, robots
from .harness import Client, seconds, wait_until

pytestmark = pytest.mark.slow


@pytest.fixture
def robot(start, share) -> Iterator[Callable[..., Robot]]:
    """Makes robots; see `robots`."""
    with robots(start, share) as begin:
        yield begin


def test_the_topic_takes_the_type_that_is_published_and_is_listed_with_it(robot):
    made = robot()

    def types() -> list[str]:
        infos = made.client.node.get_subscriptions_info_by_topic('/cmd_vel')
        return [info.topic_type for info in infos]

    wait_until(lambda: types() == ['geometry_msgs/msg/TwistStamped'], 'the type without publisher')
    twist = made.driver(Twist)
    wait_until(lambda: types() == ['geometry_msgs/msg/Twist'], 'the type of the publisher')
    twist.drive_until(lambda: made.x > 0.1, 0.5)
    twist.close()  # and nobody publishes Twist any more
    stamped = made.driver(TwistStamped)
    wait_until(lambda: types() == ['geometry_msgs/msg/TwistStamped'], 'that of the next one')
    stamped.drive_until(lambda: made.x < 0.05, -0.5)


def test_without_compiled_topics_rclpy_takes_the_same_velocities(robot):
    made = robot(compiled_topics=False)
    stamped = made.driver(TwistStamped)
    stamped.drive_until(lambda: made.x > 0.1, 0.5)
    stamped.close()
    made.driver(Twist).drive_until(lambda: made.x < 0.05, -0.5)


def test_topics_are_remapped_and_looked_at_under_their_new_names(robot):
    remapped = robot(args=['-r', 'cmd_vel:=/teleop/velocity'])
    remapped.driver(Twist, topic='/teleop/velocity').drive_until(lambda: remapped.x > 0.1, 0.5)

    named = robot(base={**BASE, 'topic': '~/cmd_vel'})
    named.driver(Twist, topic='/base/cmd_vel').drive_until(lambda: named.x > 0.1, 0.5)


def test_a_reload_keeps_the_type_that_is_published(robot):
    made = robot()
    twist = made.driver(Twist)
    twist.drive_until(lambda: made.x > 0.1, 0.5)
    for _ in range(2):
        assert made.client.trigger('reload').success
        made.odometry.clear()
        wait_until(lambda: made.odometry and abs(made.x) < 0.05, 'odometry from zero')
        twist.drive_until(lambda: made.x > 0.1, 0.5)


@contextmanager
def publisher(made: Robot, kind: type) -> Iterator[None]:
    """Another program that publishes on /cmd_vel."""
    with closing(Client(made.client.node.context.get_domain_id())) as other:
        other.node.create_publisher(kind, 'cmd_vel', 10)
        yield


@pytest.mark.parametrize('wanted', [TwistStamped, Twist])
def test_the_type_may_be_fixed_whoever_publishes_the_other_one(robot, wanted):
    made = robot(base={**BASE, 'use_stamped_vel': wanted is TwistStamped})
    wrong = Twist if wanted is TwistStamped else TwistStamped
    with publisher(made, wrong):
        wait_until(lambda: made.client.node.count_publishers('/cmd_vel'), 'the other publisher')
        made.driver(wanted).drive_until(lambda: made.x > 0.1, 0.5)


def test_of_two_types_the_present_one_is_taken_and_this_is_said(robot):
    made = robot()
    driver = made.driver(TwistStamped)
    with publisher(made, Twist):
        made.wait_for_output('are published on /cmd_vel: only TwistStamped is received')
        driver.drive_until(lambda: made.x > 0.1, 0.5)


def test_without_velocities_the_rover_stands_still_and_says_so(robot):
    made = robot()
    made.driver(TwistStamped).drive_until(lambda: made.x > 0.2, 0.5)
    made.wait_for_output('base: no velocity received for 0.5 s: the base brakes')
    wait_until(lambda: abs(made.odometry[-1].twist.twist.linear.x) < 0.01, 'standstill')


def test_velocities_of_a_program_without_the_time_of_the_simulation_count_and_are_said(robot):
    made = robot()
    driver = made.driver(TwistStamped)
    driver.drive_until(lambda: made.x > 0.1, 0.5, stamp=Time(sec=1_000_000_000))
    made.wait_for_output('may lack use_sim_time')


def test_velocities_that_are_too_old_move_nothing_and_are_said(robot):
    made = robot()
    driver = made.driver(TwistStamped)
    old = wait_until(lambda: made.odometry and made.odometry[-1].header.stamp, 'a stamp')
    wait_until(lambda: seconds(made.odometry[-1].header.stamp) > seconds(old) + 1.0, 'a second')
    told = 'a velocity was refused: its stamp is'
    driver.drive_until(lambda: told in made.output, 0.5, stamp=old)
    assert abs(made.x) < 0.01


def test_velocities_that_are_not_finite_move_nothing_and_are_said_once_a_second(robot):
    made = robot()
    driver, begin = made.driver(TwistStamped), time.monotonic()
    told = 'a message was refused: a velocity must have finite numbers'
    driver.drive_until(lambda: made.output.count(told) >= 2, math.nan, 0.5)
    assert made.output.count(told) <= time.monotonic() - begin + 2
    assert abs(made.x) < 0.01
    driver.drive_until(lambda: made.x > 0.1, 0.5)


def test_an_emergency_stop_holds_the_rover_whatever_is_sent(robot):
    made = robot({'type': 'mujoco_ros_py/EmergencyStop'})
    driver = made.driver(TwistStamped)
    driver.drive_until(lambda: made.x > 0.1, 0.5)
    stop = made.client.call(SetBool, '/emergency_stop/set', SetBool.Request(data=True))
    assert stop.success

    def rests() -> bool:  # it rolls back before
        return all(abs(each.twist.twist.linear.x) < 1e-3 for each in made.odometry[-10:])

    driver.drive_until(rests, 0.5)
    held, count = made.x, len(made.odometry) + 25
    driver.drive_until(lambda: len(made.odometry) > count, 0.5)
    assert made.x == pytest.approx(held, abs=0.01)
    assert made.client.call(SetBool, '/emergency_stop/set', SetBool.Request(data=False)).success
    driver.drive_until(lambda: made.x > held + 0.1, 0.5)


def test_in_lockstep_a_velocity_without_a_stamp_is_not_taken_and_this_is_said(robot):
    made = robot(lockstep_period=0.05, lockstep_topics=['/cmd_vel'])
    made.client.node.create_publisher(Twist, 'cmd_vel', 10)
    made.wait_for_output(
        'only TwistStamped is received: /cmd_vel is in lockstep_topics, but its messages have no'
    )

    def types() -> list[str]:
        infos = made.client.node.get_subscriptions_info_by_topic('/cmd_vel')
        return [info.topic_type for info in infos]

    wait_until(lambda: types() == ['geometry_msgs/msg/TwistStamped'], 'the subscription')
