"""Mobile bases over DDS: how they move, and what other programs get from them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest
from geometry_msgs.msg import Twist, TwistStamped

from .base_robot import BASE, Odometry, Robot, TFMessage, robots
from .harness import seconds, wait_until

pytestmark = pytest.mark.slow

TRUTH = {'type': 'mujoco_ros_py/Odometry', 'name': 'truth', 'topic': ''}
TRANSFORMS = {'type': 'mujoco_ros_py/Transforms', 'root': 'base_link'}


@pytest.fixture
def robot(start, share) -> Iterator[Callable[..., Robot]]:
    """Makes robots; see `robots`."""
    with robots(start, share) as begin:
        yield begin


def yaw_of(pose: Any) -> float:
    return 2.0 * math.atan2(pose.orientation.z, pose.orientation.w)


def test_a_rover_drives_by_what_nav2_sends_and_its_odometry_is_near_the_truth(robot):
    made = robot(TRUTH)
    driver = made.driver(TwistStamped)
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


def test_odometry_has_variances_and_the_twist_in_the_base_and_the_transform_of_it_says_the_same(
    robot,
):
    made = robot()
    found: list[Any] = []

    def drives() -> bool:
        found[:] = made.odometry[-1:]
        return made.x > 0.2 and bool(found) and abs(found[0].twist.twist.linear.x - 0.5) < 0.1

    made.driver(TwistStamped).drive_until(drives, 0.5, 0.4)
    (message,) = found
    assert (message.header.frame_id, message.child_frame_id) == ('odom', 'base_link')
    assert list(message.pose.covariance[::7]) == BASE['pose_covariance_diagonal']
    assert list(message.twist.covariance[::7]) == BASE['twist_covariance_diagonal']
    assert sum(message.pose.covariance) == pytest.approx(sum(BASE['pose_covariance_diagonal']))
    assert message.twist.twist.linear.y == 0.0
    stamps = [seconds(each.header.stamp) for each in made.odometry]
    assert all(after > before for before, after in pairwise(stamps))

    def of_one_moment() -> list[tuple[Any, Any]]:
        told = {seconds(each.header.stamp): each for each in list(made.odometry)}
        pairs = [(told.get(seconds(each.header.stamp)), each) for each in made.base_transforms()]
        return [pair for pair in pairs if pair[0] is not None]

    wait_until(lambda: len(of_one_moment()) > 5, 'odometry and transforms with the same stamps')
    for odometry, transform in of_one_moment():
        at, moved = odometry.pose.pose, transform.transform
        assert (moved.translation.x, moved.translation.y) == (at.position.x, at.position.y)
        assert moved.rotation == at.orientation
        assert transform.header.frame_id == 'odom'


def test_a_reset_begins_the_odometry_at_zero_and_forgets_velocities(robot):
    made = robot()
    driver = made.driver(TwistStamped)
    driver.drive_until(lambda: made.x > 0.3, 0.5)
    assert made.client.trigger('reset').success

    def since_the_reset() -> list[float]:
        told = [(seconds(each.header.stamp), each.pose.pose.position.x) for each in made.odometry]
        jump = [k for k, (one, other) in enumerate(pairwise(told), 1) if other[0] < one[0]]
        return [x for _, x in told[jump[0] :]] if jump else []

    wait_until(lambda: len(since_the_reset()) > 10, 'odometry of after the reset')
    assert max(map(abs, since_the_reset())) < 0.02
    driver.drive_until(lambda: made.x > 0.1, 0.5)


def test_the_frames_of_a_base_and_of_its_bodies_are_one_tree(robot):
    both = {'base_link', 'left_wheel'}
    for order in (1, -1):
        plugins = [BASE, TRANSFORMS][::order]
        made = robot(*plugins[1:], base=plugins[0])
        wait_until(lambda m=made: both <= parents(m.transforms).keys(), 'the base and its wheels')
        told = parents(made.transforms)
        assert told['base_link'] == {'odom'}
        assert told['left_wheel'] == {'base_link'}


def parents(messages: list[Any]) -> dict[str, set[str]]:
    """The frames in which each frame is told."""
    found: dict[str, set[str]] = {}
    for transform in (each for message in list(messages) for each in message.transforms):
        found.setdefault(transform.child_frame_id, set()).add(transform.header.frame_id)
    return found


def test_a_frame_and_a_topic_belong_to_the_first_plugin(robot):
    frame = {**TRUTH, 'name': 'frame', 'ground_truth_topic': '', 'publish_tf': True}
    topic = {**TRUTH, 'topic': 'odom'}
    for first, second, reason in (
        (frame, BASE, 'frame already publishes the transform of base_link'),
        (topic, BASE, 'truth already publishes base_link in odom on /odom'),
        (BASE, frame, 'base already publishes the transform of base_link'),
        (BASE, topic, 'base already publishes base_link in odom on /odom'),
    ):
        made = robot(second, base=first)
        assert reason in made.client.diagnostics()[f'plugin {second["name"]}'][1]


CARTS = ''.join(
    f'<body name="{name}/base_link" pos="0 {y} 0.5">'
    f'<joint name="{name}/x" type="slide" axis="1 0 0"/>'
    f'<joint name="{name}/y" type="slide" axis="0 1 0"/><joint name="{name}/yaw"/>'
    f'<geom size="0.1"/></body><body name="{name}/ball" pos="2 {y} 0.5"><freejoint/>'
    '<geom size="0.1"/></body>'
    for y, name in enumerate(('left', 'right'))
)


def test_two_robots_have_topics_and_frames_of_their_own(start):
    cart = {'type': 'mujoco_ros_py/PlanarDriveController', 'name': 'base', 'x_joint': 'x',
            'y_joint': 'y', 'yaw_joint': 'yaw'}  # fmt: skip
    ball = {'type': 'mujoco_ros_py/Odometry', 'name': 'ball', 'topic': 'ball', 'body': 'ball'}
    groups = [{'namespace': name, 'plugins': [cart, ball]} for name in ('left', 'right')]
    model = f'<mujoco><option gravity="0 0 0"/><worldbody>{CARTS}</worldbody></mujoco>'
    parameters = {'mujoco_xml': model, 'MujocoPlugins': json.dumps(groups), 'frame_prefix': 'f/'}
    _, client = start(parameters)
    heard = {name: client.collect(Odometry, f'/{name}/odom') for name in ('left', 'right')}
    balls = client.collect(Odometry, '/right/ball')
    transforms = client.collect(TFMessage, '/tf')
    publisher = client.node.create_publisher(Twist, '/right/cmd_vel', 10)
    wait_until(publisher.get_subscription_count, 'the subscription of the right robot')
    message = Twist()
    message.linear.x = 0.5

    def moved() -> bool:
        publisher.publish(message)
        return bool(heard['right']) and heard['right'][-1].pose.pose.position.x > 0.2

    wait_until(moved, 'a motion of the right robot')
    wait_until(lambda: heard['left'], 'the odometry of the left one')
    assert abs(heard['left'][-1].pose.pose.position.x) < 1e-6
    last = heard['right'][-1]
    assert (last.header.frame_id, last.child_frame_id) == ('f/right/odom', 'f/right/base_link')
    wait_until(lambda: balls, 'the odometry of the ball')
    assert balls[-1].child_frame_id == 'f/right/ball'
    wait_until(lambda: len(parents(transforms)) == 2, 'the transforms of both')
    assert parents(transforms)['f/left/base_link'] == {'f/left/odom'}
