"""Odometry and ground truth of a free body against what mechanics says."""

from __future__ import annotations

import math
from typing import Any

import mujoco
import numpy as np
import pytest

pytest.importorskip('nav_msgs.msg', reason='nav_msgs is not installed')

from nav_msgs.msg import Odometry

from .harness import seconds, wait_for_rate, wait_until

pytestmark = pytest.mark.slow

LINEAR, ANGULAR = (0.3, -0.2, 0.1), (0.0, 0.5, 1.0)
FREE = """
<mujoco>
  <option timestep="0.001" gravity="0 0 0" integrator="RK4"/>
  <worldbody>
    <body name="fixed"><geom size="0.1"/></body>
    <body name="drone" pos="1 2 3" euler="0 0 90">
      <freejoint name="float"/>
      <geom size="0.1" mass="1"/>
      <body name="rotor"><joint axis="0 0 1"/><geom size="0.01" mass="1e-6"/></body>
    </body>
  </worldbody>
</mujoco>
"""
"""The drone's inertia is that of a sphere, so that it keeps turning about the same axis."""
BEGIN = [1.0, 2.0, 3.0, math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)]
FLYING = {
    'mujoco_xml': FREE,
    'unpause': False,
    'MujocoPlugins': '[]',
    'initial_joint_positions.joint_map.float': BEGIN,
    'initial_joint_velocities.joint_map.float': [*LINEAR, *ANGULAR],
}


def listed(**config: object) -> dict[str, str]:
    struct = ''.join(f', {key}: {value}' for key, value in config.items())
    return {'MujocoPlugins': f'[{{type: mujoco_ros_py/Odometry{struct}}}]'}


ON_TF = listed(publish_tf='true')


def position(message) -> list[float]:
    at = message.pose.pose.position
    return [at.x, at.y, at.z]


def moved(transform) -> list[float]:
    at = transform.transform.translation
    return [at.x, at.y, at.z]


def rotation(message) -> np.ndarray:
    turn = message.pose.pose.orientation
    matrix = np.empty(9)
    mujoco.mju_quat2Mat(matrix, [turn.w, turn.x, turn.y, turn.z])
    return matrix.reshape(3, 3)


def turned(time: float) -> np.ndarray:
    """By the angular velocity, which is given in the body."""
    quat, matrix = np.empty(4), np.empty(9)
    speed = float(np.linalg.norm(ANGULAR))
    mujoco.mju_axisAngle2Quat(quat, np.array(ANGULAR) / speed, speed * time)
    mujoco.mju_quat2Mat(matrix, quat)
    return matrix.reshape(3, 3)


START = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
"""A quarter turn about z."""


def collected(client, *topics: str) -> list[list[Odometry]]:
    """Lets the simulation run until there are 20 messages of each topic."""
    found = [client.collect(Odometry, topic) for topic in topics]
    assert client.pause(False).success
    wait_until(lambda: all(len(messages) >= 20 for messages in found), 'odometry')
    return [messages[:20] for messages in found]


def test_ground_truth_is_in_the_world_odometry_from_the_start_and_the_twist_in_the_base(share):
    _, client = share(FLYING, given=listed())
    odom, truth = collected(client, 'odom', 'ground_truth')
    for message in truth:
        time = seconds(message.header.stamp)
        assert (message.header.frame_id, message.child_frame_id) == ('world', 'drone')
        assert position(message) == pytest.approx([1, 2, 3] + time * np.array(LINEAR), abs=1e-6)
        np.testing.assert_allclose(rotation(message), START @ turned(time), atol=1e-6)
    for message in odom:
        time = seconds(message.header.stamp)
        assert (message.header.frame_id, message.child_frame_id) == ('odom', 'drone')
        assert position(message) == pytest.approx(time * START.T @ LINEAR, abs=1e-6)
        np.testing.assert_allclose(rotation(message), turned(time), atol=1e-6)
    for message in (*odom, *truth):
        twist = message.twist.twist
        linear = (START @ turned(seconds(message.header.stamp))).T @ LINEAR
        assert [twist.linear.x, twist.linear.y, twist.linear.z] == pytest.approx(linear, abs=1e-6)
        angular = [twist.angular.x, twist.angular.y, twist.angular.z]
        assert angular == pytest.approx(ANGULAR, abs=1e-6)


def test_topics_and_frames_can_be_named_and_left_out(share):
    config = {'topic': 'wheels', 'ground_truth_topic': "''", 'frame': 'start', 'rate': 100.0}
    _, client = share(FLYING, given=listed(**config))
    messages = client.collect(Odometry, 'wheels')
    assert client.pause(False).success
    wait_for_rate(messages, lambda message: message.header.stamp, 100.0)
    assert {message.header.frame_id for message in messages} == {'start'}
    for topic in '/ground_truth', '/odom':
        wait_until(lambda t=topic: client.node.count_publishers(t) == 0, f'no {topic}')


def test_with_publish_tf_the_frames_hang_together(share):
    tf2_msgs = pytest.importorskip('tf2_msgs.msg', reason='tf2_msgs is not installed')
    from .qos import LATCHED, heard

    both = '[{type: mujoco_ros_py/Odometry, publish_tf: true}, ' \
        '{type: mujoco_ros_py/Transforms, root: drone}]'  # fmt: skip
    _, client = share(FLYING, given={'MujocoPlugins': both})
    transforms = client.collect(tf2_msgs.TFMessage, '/tf')
    late = heard(client, tf2_msgs.TFMessage, '/tf_static', LATCHED)
    assert client.pause(False).success

    def parents() -> dict[str, str]:
        messages = [*transforms, *late]
        return {t.child_frame_id: t.header.frame_id for m in messages for t in m.transforms}

    wait_until(lambda: len(parents()) == 3, 'three frames')
    assert parents() == {'odom': 'world', 'drone': 'odom', 'rotor': 'drone'}
    (start_of_odometry,) = [t for m in late for t in m.transforms]
    turn = start_of_odometry.transform.rotation
    assert [turn.w, turn.z] == pytest.approx([math.sqrt(0.5), math.sqrt(0.5)])


def test_with_publish_tf_the_base_is_on_tf_where_odometry_has_it(share):
    tf2_msgs = pytest.importorskip('tf2_msgs.msg', reason='tf2_msgs is not installed')
    _, client = share(FLYING, given=ON_TF)
    messages = client.collect(Odometry, 'odom')
    transforms = client.collect(tf2_msgs.TFMessage, '/tf')
    assert client.pause(False).success

    def both() -> list[tuple[Any, Any]]:
        by_time = {seconds(message.header.stamp): message for message in tuple(messages)}
        published = [transform for each in tuple(transforms) for transform in each.transforms]
        pairs = [(by_time.get(seconds(each.header.stamp)), each) for each in published]
        return [(message, transform) for message, transform in pairs if message]

    wait_until(lambda: len(both()) >= 20, 'odometry and transforms of the same moments')
    for message, transform in both():
        time, turn = seconds(transform.header.stamp), message.pose.pose.orientation
        assert (transform.header.frame_id, transform.child_frame_id) == ('odom', 'drone')
        assert moved(transform) == position(message)
        assert moved(transform) == pytest.approx(time * START.T @ LINEAR, abs=1e-6)
        assert transform.transform.rotation == turn


@pytest.fixture
def displaced(share):
    """A paused client after a reset that has brought the base to another place, with TF."""
    place = 'initial_joint_positions__joint_map__float'
    _, client = share(FLYING, given=ON_TF)
    assert client.set_parameters(**{place: [5.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]})[0].successful
    assert client.trigger('load_initial_joint_states').success
    yield client
    assert client.set_parameters(**{place: BEGIN})[0].successful


def test_a_reset_starts_odometry_anew_where_the_base_is_then(displaced):
    assert displaced.trigger('reset').success
    odom, truth = collected(displaced, 'odom', 'ground_truth')
    for message in odom:
        time = seconds(message.header.stamp)
        assert position(message) == pytest.approx(time * np.array(LINEAR), abs=1e-6)
        np.testing.assert_allclose(rotation(message), turned(time), atol=1e-6)
    for message in truth:
        place = np.array([5, 0, 0]) + seconds(message.header.stamp) * np.array(LINEAR)
        assert position(message) == pytest.approx(place, abs=1e-6)


def test_a_reset_tells_newcomers_and_all_others_on_tf_static_where_odometry_starts_now(displaced):
    tf2_msgs = pytest.importorskip('tf2_msgs.msg', reason='tf2_msgs is not installed')
    from .qos import LATCHED, heard

    first = heard(displaced, tf2_msgs.TFMessage, '/tf_static', LATCHED)
    wait_until(lambda: first and moved(first[-1].transforms[0]) == [1, 2, 3], 'the first start')
    assert displaced.trigger('reset').success
    late = heard(displaced, tf2_msgs.TFMessage, '/tf_static', LATCHED)
    transforms = displaced.collect(tf2_msgs.TFMessage, '/tf')
    assert displaced.pause(False).success
    wait_until(
        lambda: len(first) > 1 and late and len(transforms) >= 20, 'transforms after the reset'
    )

    for told in (first[-1], late[0]):
        (transform,) = told.transforms
        assert (transform.header.frame_id, transform.child_frame_id) == ('world', 'odom')
        assert moved(transform) == [5, 0, 0]
        assert transform.transform.rotation.w == 1
    assert (len(first), len(late)) == (2, 1)
    for message in transforms[:20]:
        (transform,) = message.transforms
        time = seconds(transform.header.stamp)
        assert moved(transform) == pytest.approx(time * np.array(LINEAR), abs=1e-6)


BOAT = '<body name="boat" pos="4 5 6"><freejoint name="afloat"/><geom size="0.1"/></body>'
PAIR = FREE.replace('</worldbody>', f'{BOAT}</worldbody>')
"""Two bases, the drone first."""


def test_the_second_of_two_bases_can_be_chosen(share):
    _, client = share(FLYING, given={'mujoco_xml': PAIR, **listed(body='boat')})
    messages, _ = collected(client, 'ground_truth', 'odom')
    for message in messages:
        assert message.child_frame_id == 'boat'
        assert position(message) == pytest.approx([4, 5, 6], abs=1e-6)
        assert message.twist.twist.linear.z == pytest.approx(0)


def pair(one: str, two: str) -> dict[str, str]:
    odometry = 'type: mujoco_ros_py/Odometry, name'
    return {'MujocoPlugins': f'[{{{odometry}: one{one}}}, {{{odometry}: two{two}}}]'}


TF = ', publish_tf: true'
SECOND = ', body: boat'
FIXED = FREE.replace('<freejoint name="float"/>', '')


@pytest.mark.parametrize(
    ('model', 'plugins', 'reason'),
    [
        (FREE, listed(body='rotor'), "unknown body with a free joint 'rotor'; known: drone"),
        (FIXED, listed(), 'no body with a free joint'),
        (FREE, listed(publish_tf=1), 'publish_tf must be true or false, got 1'),
        (FREE, pair(TF, f'{TF}, topic: other, ground_truth_topic: its'),
         'one already publishes the transform of drone, odom'),
        (PAIR, pair('', SECOND), 'one already publishes drone in odom on /odom, so boat in '),
        (PAIR, pair('', f'{SECOND}, topic: /boat, ground_truth_topic: /ground_truth'),
         'one already publishes drone in world on /ground_truth, so boat in world needs'),
    ],
    ids=['no base', 'no free joint', 'no boolean', 'two parents', 'one topic', 'one truth'],
)  # fmt: skip
def test_a_base_or_a_topic_that_cannot_be_is_refused_with_the_reason(
    share, model, plugins, reason
):
    process, _ = share(FLYING, given={'mujoco_xml': model, **plugins})
    process.wait_for_output(reason)


def test_two_bases_on_topics_of_their_own_are_published(share):
    both = pair('', f"{SECOND}, topic: boat, ground_truth_topic: ''")
    _, client = share(FLYING, given={'mujoco_xml': PAIR, **both})
    statuses = client.diagnostics()
    assert [statuses[f'plugin {name}'][1] for name in ('one', 'two')] == ['loaded'] * 2
