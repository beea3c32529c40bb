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
FLYING = {
    'mujoco_xml': FREE,
    'initial_joint_velocities.joint_map.float': [*LINEAR, *ANGULAR],
}


def listed(**config: object) -> dict[str, str]:
    struct = ''.join(f', {key}: {value}' for key, value in config.items())
    return {'MujocoPlugins': f'[{{type: mujoco_ros_py/Odometry{struct}}}]'}


def position(message) -> list[float]:
    at = message.pose.pose.position
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


@pytest.fixture
def flight(start):
    """Odometry and ground truth, 20 messages each, by topic."""

    def flight(parameters):
        process, client = start(parameters)
        topics = {topic: client.collect(Odometry, topic) for topic in ('odom', 'ground_truth')}
        wait_until(lambda: all(len(m) >= 20 for m in topics.values()), 'odometry', process=process)
        return client, topics

    return flight


def test_ground_truth_is_the_pose_in_the_world(flight):
    _, topics = flight({**FLYING, **listed()})
    for message in topics['ground_truth'][:20]:
        time = seconds(message.header.stamp)
        assert (message.header.frame_id, message.child_frame_id) == ('world', 'drone')
        assert position(message) == pytest.approx([1, 2, 3] + time * np.array(LINEAR), abs=1e-6)
        np.testing.assert_allclose(rotation(message), START @ turned(time), atol=1e-6)


def test_odometry_counts_from_the_start(flight):
    _, topics = flight({**FLYING, **listed()})
    for message in topics['odom'][:20]:
        time = seconds(message.header.stamp)
        assert (message.header.frame_id, message.child_frame_id) == ('odom', 'drone')
        assert position(message) == pytest.approx(time * START.T @ LINEAR, abs=1e-6)
        np.testing.assert_allclose(rotation(message), turned(time), atol=1e-6)


def test_the_twist_is_in_the_frame_of_the_base(flight):
    _, topics = flight({**FLYING, **listed()})
    for message in [*topics['odom'][:20], *topics['ground_truth'][:20]]:
        time = seconds(message.header.stamp)
        twist = message.twist.twist
        linear = (START @ turned(time)).T @ LINEAR
        assert [twist.linear.x, twist.linear.y, twist.linear.z] == pytest.approx(linear, abs=1e-6)
        angular = [twist.angular.x, twist.angular.y, twist.angular.z]
        assert angular == pytest.approx(ANGULAR, abs=1e-6)


def test_a_reset_starts_odometry_anew_where_the_base_is_then(flight):
    client, _ = flight({**FLYING, **listed()})
    assert client.pause(True).success
    start = 'initial_joint_positions__joint_map__float'
    client.set_parameters(**{start: [5.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]})
    assert client.trigger('load_initial_joint_states').success
    assert client.trigger('reset').success
    odom, truth = (client.collect(Odometry, topic) for topic in ('odom', 'ground_truth'))
    wait_until(lambda: odom and truth, 'odometry of the start')
    assert client.pause(False).success
    wait_until(lambda: min(len(odom), len(truth)) > 20, 'odometry after the reset')

    for message in tuple(odom):
        time = seconds(message.header.stamp)
        assert position(message) == pytest.approx(time * np.array(LINEAR), abs=1e-6)
        np.testing.assert_allclose(rotation(message), turned(time), atol=1e-6)
    for message in tuple(truth):
        place = np.array([5, 0, 0]) + seconds(message.header.stamp) * np.array(LINEAR)
        assert position(message) == pytest.approx(place, abs=1e-6)


def test_topics_and_frames_can_be_named_and_left_out(start):
    config = {'topic': 'wheels', 'ground_truth_topic': "''", 'frame': 'start', 'rate': 100.0}
    _, client = start({**FLYING, **listed(**config), 'realtime': 0.2})
    messages = client.collect(Odometry, 'wheels')
    wait_until(lambda: len(messages) >= 20, 'odometry')

    assert {message.header.frame_id for message in messages} == {'start'}
    wait_for_rate(messages, lambda message: message.header.stamp, 100.0)
    assert client.node.count_publishers('/ground_truth') == 0
    assert client.node.count_publishers('/odom') == 0


def test_with_publish_tf_the_frames_hang_together(start):
    tf2_msgs = pytest.importorskip('tf2_msgs.msg', reason='tf2_msgs is not installed')
    from .test_transforms import static

    both = '[{type: mujoco_ros_py/Odometry, publish_tf: true}, ' \
        '{type: mujoco_ros_py/Transforms, root: drone}]'  # fmt: skip
    _, client = start({**FLYING, 'MujocoPlugins': both})
    transforms, late = client.collect(tf2_msgs.TFMessage, '/tf'), static(client)

    def parents() -> dict[str, str]:
        messages = [*transforms, *late]
        return {t.child_frame_id: t.header.frame_id for m in messages for t in m.transforms}

    wait_until(lambda: len(parents()) == 3, 'three frames')
    assert parents() == {'odom': 'world', 'drone': 'odom', 'rotor': 'drone'}
    (start_of_odometry,) = [t for m in late for t in m.transforms]
    turn = start_of_odometry.transform.rotation
    assert [turn.w, turn.z] == pytest.approx([math.sqrt(0.5), math.sqrt(0.5)])


ON_TF = listed(publish_tf='true')


def moved(transform) -> list[float]:
    at = transform.transform.translation
    return [at.x, at.y, at.z]


def test_with_publish_tf_the_base_is_on_tf_where_odometry_has_it(start):
    tf2_msgs = pytest.importorskip('tf2_msgs.msg', reason='tf2_msgs is not installed')
    _, client = start({**FLYING, **ON_TF})
    messages = client.collect(Odometry, 'odom')
    transforms = client.collect(tf2_msgs.TFMessage, '/tf')

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


def test_a_reset_tells_newcomers_and_all_others_on_tf_static_where_odometry_starts_now(start):
    tf2_msgs = pytest.importorskip('tf2_msgs.msg', reason='tf2_msgs is not installed')
    from .test_transforms import static

    _, client = start({**FLYING, **ON_TF})
    first = static(client)
    wait_until(lambda: first and moved(first[-1].transforms[0]) == [1, 2, 3], 'the first start')
    assert client.pause(True).success
    place = 'initial_joint_positions__joint_map__float'
    client.set_parameters(**{place: [5.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]})
    assert client.trigger('load_initial_joint_states').success
    assert client.trigger('reset').success
    late, transforms = static(client), client.collect(tf2_msgs.TFMessage, '/tf')
    assert client.pause(False).success
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


def test_a_frame_with_two_parents_is_refused(start):
    odometry = '{{type: mujoco_ros_py/Odometry, name: {0}, publish_tf: true, {1}}}'
    topics = 'topic: other, ground_truth_topic: its'
    both = f'[{odometry.format("one", "rate: 10")}, {odometry.format("two", topics)}]'
    _, client = start({**FLYING, 'MujocoPlugins': both})
    statuses = client.diagnostics()

    assert statuses['plugin one'][1] == 'loaded'
    assert 'one publishes the transform of drone, odom already' in statuses['plugin two'][1]


@pytest.mark.parametrize(
    ('config', 'model', 'reason'),
    [
        ({'body': 'rotor'}, FREE, "unknown body with a free joint 'rotor'; known: drone"),
        ({}, FREE.replace('<freejoint name="float"/>', ''), 'no body with a free joint'),
        ({'publish_tf': 1}, FREE, 'publish_tf must be true or false, got 1'),
    ],
)
def test_a_base_that_does_not_exist_is_refused_with_those_that_do(start, config, model, reason):
    _, client = start({'mujoco_xml': model, **listed(**config)})

    assert reason in client.diagnostics()['plugin odometry'][1]


BOAT = '<body name="boat" pos="4 5 6"><freejoint name="afloat"/><geom size="0.1"/></body>'
PAIR = FREE.replace('</worldbody>', f'{BOAT}</worldbody>')
"""Two bases, the drone first."""


def test_the_second_of_two_bases_can_be_chosen(start):
    velocity = {'initial_joint_velocities.joint_map.afloat': [0.0, 0.0, 0.5, 0.0, 0.0, 0.0]}
    _, client = start({**FLYING, 'mujoco_xml': PAIR, **velocity, **listed(body='boat')})
    messages = client.collect(Odometry, 'ground_truth')
    wait_until(lambda: len(messages) >= 10, 'odometry')

    for message in messages[:10]:
        height = 6 + 0.5 * seconds(message.header.stamp)
        assert message.child_frame_id == 'boat'
        assert position(message) == pytest.approx([4, 5, height], abs=1e-6)
        assert message.twist.twist.linear.z == pytest.approx(0.5)


@pytest.mark.parametrize(
    ('topics', 'reason'),
    [
        ({}, 'odometry publishes drone in odom on /odom already, and boat in odom needs another'),
        (
            {'topic': '/boat', 'ground_truth_topic': '/ground_truth'},
            'odometry publishes drone in world on /ground_truth already, and boat in world needs',
        ),
        ({'topic': 'boat', 'ground_truth_topic': "''"}, 'loaded'),
    ],
)
def test_a_second_base_on_a_topic_is_refused_with_both(start, topics, reason):
    second = ''.join(f', {key}: {value}' for key, value in topics.items())
    both = (
        f'[{{type: mujoco_ros_py/Odometry}}, {{type: mujoco_ros_py/Odometry, body: boat{second}}}]'
    )
    _, client = start({'mujoco_xml': PAIR, 'MujocoPlugins': both})
    statuses = client.diagnostics()

    assert statuses['plugin odometry'][1] == 'loaded'
    assert reason in statuses['plugin odometry_2'][1]
