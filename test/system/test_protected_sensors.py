"""Sensors in a protected run: what they show, and what nobody can take out of it."""

from __future__ import annotations

import pytest
from geometry_msgs.msg import PoseStamped
from rclpy.parameter import parameter_value_to_python

from mujoco_ros_py.builtin.sensors.noise import AxisNoise, noise_rows
from mujoco_ros_py.ros.parameters.authorization import Authorization

from .harness import PENDULUM, running_server, wait_until

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


def drawn_biases(client) -> list[float]:
    """What a drawn bias adds to the three numbers of a position that stands still."""
    told = first(client).pose.position
    return [round(value, 9) for value in (told.x - 1, told.y - 2, told.z - 3)]


def test_noise_cannot_be_computed_from_the_seed_and_is_that_of_each_run_with_this_hash(
    tmp_path, domain
):
    noise = {'MujocoPlugins.tracker.noise.position.bias_stddev': 1.0}
    drawn = []
    for parameters in PROTECTED, PROTECTED, {'mujoco_xml': SITE}:
        given = {**TRACKER, **noise, **parameters}
        with running_server(tmp_path, domain, given) as (_, client):
            drawn.append(drawn_biases(client))
            seed = client.get_parameter('MujocoPlugins.tracker.seed')
            assert parameter_value_to_python(seed) == 7
    with_hash, again, without = drawn
    assert again == with_hash
    assert not {*with_hash} & {*without}
    secret = Authorization(True, SECRET).noise_secret()
    assert not {*keys(secret)} & {*keys(b''), *keys(SECRET.encode())}
    assert not {*keys(secret)} & {*keys(Authorization(True, 'another').noise_secret())}


def test_the_admin_decides_by_the_list_what_is_shown_and_no_sensor_adds_the_truth(start):
    _, client = start({**TRACKER, **NOISE, **PROTECTED})
    assert first(client).pose.position.x == 1.5
    topics = {name for name, _ in client.node.get_topic_names_and_types()}
    assert '/tracker/ground_truth' not in topics
    (result,) = client.set_parameters(**{'MujocoPlugins__tracker__noise__position__type': 'none'})
    assert 'needs the admin hash' in result.reason
