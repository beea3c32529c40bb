"""Mobile bases over DDS: what Nav2 and other programs send to them, and what they get."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import pairwise
from typing import Any

import pytest

pytest.importorskip('nav_msgs.msg', reason='nav_msgs is not installed')

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from rosgraph_msgs.msg import Clock

from .harness import Client, Process, seconds, wait_until

TFMessage = pytest.importorskip('tf2_msgs.msg', reason='tf2_msgs is not there').TFMessage
pytestmark = pytest.mark.slow

ROVER = 'package://mujoco_ros_py/examples/rover.xml'
BASE = {
    'type': 'mujoco_ros_py/DiffDriveController',
    'name': 'base',
    'left_wheel_names': ['left_wheel'],
    'right_wheel_names': ['right_wheel'],
    'wheel_separation': 0.32,
    'wheel_radius': 0.1,
    'pose_covariance_diagonal': [0.001, 0.002, 0.003, 0.004, 0.005, 0.006],
    'twist_covariance_diagonal': [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
}
TRUTH = {'type': 'mujoco_ros_py/Odometry', 'name': 'truth', 'topic': ''}
TRANSFORMS = {'type': 'mujoco_ros_py/Transforms', 'root': 'base_link'}


class Driver:
    """Drives a base as Nav2 does, with stamps of the simulation, on a DDS participant of its own.

    One participant cannot have a topic with two types.
    """

    def __init__(self, domain: int, kind: Any, topic: str = 'cmd_vel') -> None:
        self._client, self._kind = Client(domain), kind
        self._clock = self._client.collect(Clock, '/clock', reliable=False)
        self._publisher = self._client.node.create_publisher(kind, topic, 10)
        wait_until(self._publisher.get_subscription_count, f'a subscription of {kind.__name__}')
        wait_until(lambda: self._clock, 'the clock')

    def send(self, x: float, yaw: float = 0.0, *, stamp: Time | None = None) -> None:
        """Sends a velocity with this stamp, by default that of the newest clock."""
        twist = message = self._kind()
        if self._kind is TwistStamped:
            twist, message.header.frame_id = message.twist, 'base_link'
            message.header.stamp = stamp or self._clock[-1].clock
        twist.linear.x, twist.angular.z = float(x), float(yaw)
        self._publisher.publish(message)

    def drive_until(
        self, condition: Callable[[], Any], x: float, yaw: float = 0.0, **stamp: Time
    ) -> None:
        """Sends again and again, until the condition holds."""

        def sent() -> Any:
            self.send(x, yaw, **stamp)
            return condition()

        wait_until(sent, f'what {x:g} m/s and {yaw:g} rad/s lead to')

    def close(self) -> None:
        self._client.close()


class Robot:
    """What a robot's program hears."""

    def __init__(self, process: Process, client: Client, domain: int, stack: ExitStack) -> None:
        self.process, self.client = process, client
        self._domain, self._stack = domain, stack
        self.odometry = client.collect(Odometry, 'odom')
        self.truth = client.collect(Odometry, 'ground_truth')
        self.transforms = client.collect(TFMessage, '/tf')

    @property
    def x(self) -> float:
        return self.odometry[-1].pose.pose.position.x if self.odometry else 0.0

    def truth_at(self, stamp: Time) -> Odometry | None:
        return next((each for each in self.truth if each.header.stamp == stamp), None)

    def driver(self, kind: Any, **topic: str) -> Driver:
        made = Driver(self._domain, kind, **topic)
        self._stack.callback(made.close)
        return made

    def base_transforms(self) -> list[Any]:
        each = (transform for message in list(self.transforms) for transform in message.transforms)
        return [transform for transform in each if transform.child_frame_id == 'base_link']


@pytest.fixture
def robot(start, domain) -> Iterator[Callable[..., Robot]]:
    """`robot(*plugins, **parameters)`: the rover with these plugins after its base."""
    with ExitStack() as stack:

        def begin(
            *plugins: Any, base: Any = BASE, args: Sequence[str] = (), **parameters: Any
        ) -> Robot:
            listed = json.dumps([base, *plugins])
            given = {'modelfile': ROVER, 'MujocoPlugins': listed, **parameters}
            return Robot(*start(given, *args), domain, stack)

        yield begin


def yaw_of(pose: Any) -> float:
    return 2.0 * math.atan2(pose.orientation.z, pose.orientation.w)


@pytest.mark.parametrize('kind', [TwistStamped, Twist])
def test_a_rover_drives_by_what_nav2_sends_and_its_odometry_is_near_the_truth(robot, kind):
    made = robot(TRUTH)
    driver = made.driver(kind)
    driver.drive_until(lambda: made.x > 1.0, 0.5)
    driver.drive_until(lambda: yaw_of(made.odometry[-1].pose.pose) > 1.0, 0.3, 0.5)

    last = made.odometry[-1]
    truth = wait_until(lambda: made.truth_at(last.header.stamp), 'the truth of then')
    ours, exact = last.pose.pose, truth.pose.pose
    assert (
        math.dist((ours.position.x, ours.position.y), (exact.position.x, exact.position.y)) < 0.1
    )
    assert yaw_of(ours) == pytest.approx(yaw_of(exact), abs=0.1)
    assert last.twist.twist.linear.x == pytest.approx(truth.twist.twist.linear.x, abs=0.05)


def test_odometry_has_frames_variances_and_the_twist_in_the_base(robot):
    made = robot()
    made.driver(TwistStamped).drive_until(lambda: made.x > 0.2, 0.5, 0.4)
    message = made.odometry[-1]
    assert (message.header.frame_id, message.child_frame_id) == ('odom', 'base_link')
    assert list(message.pose.covariance[::7]) == BASE['pose_covariance_diagonal']
    assert list(message.twist.covariance[::7]) == BASE['twist_covariance_diagonal']
    assert sum(message.pose.covariance) == pytest.approx(sum(BASE['pose_covariance_diagonal']))
    assert message.twist.twist.linear.x == pytest.approx(0.5, abs=0.1)
    assert message.twist.twist.linear.y == 0.0
    stamps = [seconds(each.header.stamp) for each in made.odometry]
    assert all(after > before for before, after in pairwise(stamps))


def test_the_transform_of_the_base_says_what_the_odometry_says(robot):
    made = robot()
    made.driver(TwistStamped).drive_until(lambda: made.x > 0.2, 0.5, 0.4)
    told = {(each.header.stamp.sec, each.header.stamp.nanosec): each for each in made.odometry}
    both = 0
    for transform in made.base_transforms():
        stamp = transform.header.stamp
        odometry = told.get((stamp.sec, stamp.nanosec))
        if odometry is not None:
            both += 1
            at, moved = odometry.pose.pose, transform.transform
            assert (moved.translation.x, moved.translation.y) == (at.position.x, at.position.y)
            assert moved.rotation == at.orientation
            assert transform.header.frame_id == 'odom'
    assert both > 5


def test_the_topic_takes_the_type_that_is_published_and_is_listed_with_it(robot):
    made = robot(realtime=2.0)

    def types() -> list[str]:
        infos = made.client.node.get_subscriptions_info_by_topic('/cmd_vel')
        return [info.topic_type for info in infos]

    wait_until(lambda: types() == ['geometry_msgs/msg/TwistStamped'], 'the type without publisher')
    twist = made.driver(Twist)
    assert types() == ['geometry_msgs/msg/Twist']
    twist.drive_until(lambda: made.x > 0.1, 0.5)
    twist.close()  # and nobody publishes Twist any more
    stamped = made.driver(TwistStamped)
    assert types() == ['geometry_msgs/msg/TwistStamped']
    stamped.drive_until(lambda: made.x < 0.05, -0.5)


@pytest.mark.parametrize('kind', [TwistStamped, Twist])
def test_without_compiled_topics_rclpy_takes_the_same_velocities(robot, kind):
    made = robot(compiled_topics=False)
    made.driver(kind).drive_until(lambda: made.x > 0.1, 0.5)


def test_topics_are_remapped_and_looked_at_under_their_new_names(robot):
    made = robot(args=['-r', 'cmd_vel:=/teleop/velocity'])
    made.driver(Twist, topic='/teleop/velocity').drive_until(lambda: made.x > 0.1, 0.5)


def test_a_topic_of_the_plugins_own_has_its_name(robot):
    made = robot(base={**BASE, 'topic': '~/cmd_vel'})
    made.driver(Twist, topic='/base/cmd_vel').drive_until(lambda: made.x > 0.1, 0.5)


def test_a_reload_keeps_the_type_that_is_published(robot):
    made = robot(realtime=2.0)
    twist = made.driver(Twist)
    twist.drive_until(lambda: made.x > 0.1, 0.5)
    for _ in range(2):
        assert made.client.trigger('reload').success
        made.odometry.clear()
        wait_until(lambda: made.odometry and abs(made.x) < 0.05, 'odometry from zero')
        twist.drive_until(lambda: made.x > 0.1, 0.5)


@pytest.mark.parametrize('wanted', [TwistStamped, Twist])
def test_the_type_may_be_fixed_whoever_publishes_the_other_one(robot, domain, wanted):
    made = robot(base={**BASE, 'use_stamped_vel': wanted is TwistStamped})
    wrong = Twist if wanted is TwistStamped else TwistStamped
    with closing(Client(domain)) as other:
        other.node.create_publisher(wrong, 'cmd_vel', 10)
        wait_until(lambda: made.client.node.count_publishers('/cmd_vel'), 'the other publisher')
        made.driver(wanted).drive_until(lambda: made.x > 0.1, 0.5)


def test_of_two_types_the_present_one_is_taken_and_this_is_said(robot, domain):
    made = robot()
    driver = made.driver(TwistStamped)
    with closing(Client(domain)) as other:
        other.node.create_publisher(Twist, 'cmd_vel', 10)
        made.process.wait_for_output('are published on /cmd_vel: only TwistStamped is taken')
        driver.drive_until(lambda: made.x > 0.1, 0.5)


def test_without_velocities_the_rover_stands_still_and_says_so(robot):
    made = robot(realtime=2.0)
    made.driver(TwistStamped).drive_until(lambda: made.x > 0.2, 0.5)
    made.process.wait_for_output('base: no velocity has come for 0.5 s: the base brakes')
    wait_until(lambda: abs(made.odometry[-1].twist.twist.linear.x) < 0.01, 'standstill')


def test_a_reset_begins_the_odometry_at_zero_and_forgets_velocities(robot):
    made = robot()
    driver = made.driver(TwistStamped)
    driver.drive_until(lambda: made.x > 0.3, 0.5)
    assert made.client.trigger('reset').success
    made.odometry.clear()
    wait_until(lambda: len(made.odometry) > 10, 'odometry')
    assert max(abs(each.pose.pose.position.x) for each in list(made.odometry)) < 0.02
    driver.drive_until(lambda: made.x > 0.1, 0.5)


def test_velocities_of_a_program_without_the_time_of_the_simulation_count_and_are_said(robot):
    made = robot()
    driver = made.driver(TwistStamped)
    driver.drive_until(lambda: made.x > 0.1, 0.5, stamp=Time(sec=1_000_000_000))
    made.process.wait_for_output('use_sim_time may be missing')


def test_velocities_that_are_too_old_move_nothing_and_are_said(robot):
    made = robot(realtime=2.0)
    driver = made.driver(TwistStamped)
    old = wait_until(lambda: made.odometry and made.odometry[-1].header.stamp, 'a stamp')
    wait_until(lambda: seconds(made.odometry[-1].header.stamp) > seconds(old) + 1.0, 'a second')
    told = 'a velocity is refused, as its stamp is'
    driver.drive_until(lambda: told in made.process.output, 0.5, stamp=old)
    assert abs(made.x) < 0.01


def test_the_frames_of_a_base_and_of_its_bodies_are_one_tree(robot):
    for order in (1, -1):
        plugins = [BASE, TRANSFORMS][::order]
        made = robot(*plugins[1:], base=plugins[0], frame_prefix='r/')
        wait_until(lambda m=made: 'r/left_wheel' in parents(m.transforms), 'the wheels')
        told = parents(made.transforms)
        assert told['r/base_link'] == {'r/odom'}
        assert told['r/left_wheel'] == {'r/base_link'}
        made.client.close()
        made.process.end()


def parents(messages: list[Any]) -> dict[str, set[str]]:
    """The frames in which each frame is told."""
    found: dict[str, set[str]] = {}
    for transform in (each for message in list(messages) for each in message.transforms):
        found.setdefault(transform.child_frame_id, set()).add(transform.header.frame_id)
    return found


@pytest.mark.parametrize(
    ('other', 'reason'),
    [
        ({**TRUTH, 'ground_truth_topic': '', 'publish_tf': True},
         'truth publishes the transform of base_link already'),
        ({**TRUTH, 'topic': 'odom'}, 'truth publishes base_link in odom on /odom already'),
    ],
    ids=['the frame', 'the topic'],
)  # fmt: skip
def test_a_frame_and_a_topic_belong_to_the_first_plugin(robot, other, reason):
    made = robot(BASE, base=other)
    assert reason in made.client.diagnostics()['plugin base'][1]


def test_another_plugin_gets_neither_frame_nor_topic_of_a_base(robot):
    frame = {**TRUTH, 'name': 'frame', 'ground_truth_topic': '', 'publish_tf': True}
    made = robot(frame, {**TRUTH, 'topic': 'odom'})
    told = made.client.diagnostics()
    assert 'base publishes the transform of base_link already' in told['plugin frame'][1]
    assert 'base publishes base_link in odom on /odom already' in told['plugin truth'][1]


def test_in_lockstep_the_rover_waits_for_each_velocity(robot):
    """The odometry asks for an answer 20 times a second; without one no step is made."""
    made = robot(
        base={**BASE, 'publish_rate': 20.0}, realtime=-1.0, lockstep_period=0.05,
        lockstep_topics=['/cmd_vel'], **{'qos_overrides./cmd_vel.subscription.reliability':
                                         'reliable'},
    )  # fmt: skip
    driver = made.driver(TwistStamped)
    made.client.node.create_subscription(
        Odometry, 'odom', lambda odometry: driver.send(0.5, stamp=odometry.header.stamp), 10
    )
    driver.send(0.5, stamp=Time())
    wait_until(lambda: made.x > 1.0, 'a metre', process=made.process)
    stamps = [seconds(each.header.stamp) for each in made.odometry]
    assert stamps == pytest.approx([stamps[0] + 0.05 * k for k in range(len(stamps))])


def test_in_lockstep_a_velocity_without_a_stamp_is_not_taken_and_this_is_said(robot):
    made = robot(lockstep_period=0.05, lockstep_topics=['/cmd_vel'])
    made.client.node.create_publisher(Twist, 'cmd_vel', 10)
    made.process.wait_for_output(
        'only TwistStamped is taken: /cmd_vel is in lockstep_topics, but its messages have no'
    )
    infos = made.client.node.get_subscriptions_info_by_topic
    wait_until(lambda: infos('/cmd_vel'), 'the subscription')
    assert infos('/cmd_vel')[0].topic_type == 'geometry_msgs/msg/TwistStamped'
