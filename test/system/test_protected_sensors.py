"""Sensors in a protected run: what they show, and what nobody can take out of it."""

from __future__ import annotations

import pytest
from geometry_msgs.msg import PoseStamped
from rclpy.parameter import parameter_value_to_python

from mujoco_ros_py.builtin.sensors.noise import AxisNoise, noise_rows
from mujoco_ros_py.ros.parameters.authorization import Authorization

from .harness import PENDULUM, wait_until

pytestmark = pytest.mark.slow

SECRET = 'swordfish 8271'
SITE = PENDULUM.replace('<worldbody>', '<worldbody><site name="beacon" pos="1 2 3"/>')
PROTECTED = {'mujoco_xml': SITE, 'eval_mode': True, 'admin_hash': SECRET}
TRACKER = {
    'MujocoPlugins.names': ['tracker'],
    'MujocoPlugins.tracker.type': 'mujoco_ros_py/Pose',
    'MujocoPlugins.tracker.site': 'beacon',
    'MujocoPlugins.tracker.seed': 7,
}
NOISE = {'MujocoPlugins.tracker.noise.position.bias_mean': 0.5}


def keys(secret: bytes) -> list[int]:
    """The keys of the random numbers of the tracker."""
    return [int(row['key']) for row in noise_rows([AxisNoise()] * 6, 7, '/tracker', secret)]


def first(client, topic: str = '/tracker') -> PoseStamped:
    messages = client.collect(PoseStamped, topic)
    return wait_until(lambda: messages and messages[-1], topic)


def drawn_biases(start, **parameters) -> list[float]:
    """What a drawn bias adds to the three numbers of a position that stands still."""
    noise = {'MujocoPlugins.tracker.noise.position.bias_stddev': 1.0}
    process, client = start({**TRACKER, **noise, **parameters})
    told = first(client).pose.position
    process.end()
    return [round(value, 9) for value in (told.x - 1, told.y - 2, told.z - 3)]


def test_noise_cannot_be_computed_from_the_seed_and_is_that_of_each_run_with_this_hash(start):
    with_hash = drawn_biases(start, **PROTECTED)
    assert drawn_biases(start, **PROTECTED) == with_hash
    others = [
        drawn_biases(start, mujoco_xml=SITE),
        drawn_biases(start, **{**PROTECTED, 'admin_hash': 'another'}),
    ]
    assert not {*with_hash} & {value for other in others for value in other}


def test_the_seed_may_be_read_and_tells_no_key_of_the_random_numbers(start):
    _, client = start({**TRACKER, **PROTECTED})
    value = client.get_parameter('MujocoPlugins.tracker.seed')
    assert parameter_value_to_python(value) == 7
    secret = Authorization(True, SECRET).noise_secret()
    assert not {*keys(secret)} & {*keys(b''), *keys(SECRET.encode())}


def test_the_admin_decides_by_the_list_what_is_shown_and_no_sensor_adds_the_truth(start):
    _, client = start({**TRACKER, **NOISE, **PROTECTED})
    assert first(client).pose.position.x == 1.5
    topics = {name for name, _ in client.node.get_topic_names_and_types()}
    assert '/tracker/ground_truth' not in topics
    (result,) = client.set_parameters(**{'MujocoPlugins__tracker__noise__position__type': 'none'})
    assert 'needs the admin hash' in result.reason
