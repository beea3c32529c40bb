"""The quality of service of the topics: who gets messages, and what users override."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest
from deadline import DEADLINE_S
from diagnostic_msgs.msg import DiagnosticArray
from rcl_interfaces.srv import ListParameters
from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.parameter import parameter_value_to_python
from rclpy.qos import (
    DurabilityPolicy,
    QoSProfile,
    ReliabilityPolicy,
    qos_profile_sensor_data,
)
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import CameraInfo, CompressedImage, Image, JointState
from std_msgs.msg import Float64, String
from std_srvs.srv import Trigger

from .cameras import wait_for_more
from .harness import PENDULUM, Client, refusal_at_start, seconds, wait_until
from .plugin_site import PluginSite

pytestmark = pytest.mark.slow

Odometry = pytest.importorskip('nav_msgs.msg', reason='nav_msgs is not there').Odometry
TFMessage = pytest.importorskip('tf2_msgs.msg', reason='tf2_msgs is not there').TFMessage

ROVER = """
<mujoco>
  <worldbody>
    <camera name="eye" pos="0 -2 0" xyaxes="1 0 0 0 0 1"/>
    <body name="base">
      <freejoint/>
      <geom size="0.1"/>
      <body name="rod" pos="0 0 1">
        <joint name="hinge"/>
        <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.02"/>
        <body name="tip" pos="0 0 -0.5"><geom size="0.03"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
EVERYTHING = {
    'mujoco_xml': ROVER,
    'cam_config.eye.stream_type': 7,
    'cam_config.eye.compressed': True,
    'cam_config.eye.width': 640,
    'cam_config.eye.height': 480,
    'MujocoPlugins.names': ['odometry', 'transforms'],
    'MujocoPlugins.odometry.type': 'mujoco_ros_py/Odometry',
    'MujocoPlugins.odometry.publish_tf': True,
    'MujocoPlugins.transforms.type': 'mujoco_ros_py/Transforms',
}
STREAMS = {
    '/cameras/eye/rgb': Image,
    '/cameras/eye/rgb/compressed': CompressedImage,
    '/cameras/eye/depth': Image,
    '/cameras/eye/segmented': Image,
    '/cameras/eye/segmented/compressed': CompressedImage,
    '/cameras/eye/segmented/ids': Image,
    '/cameras/eye/camera_info': CameraInfo,
    '/joint_states': JointState,
    '/odom': Odometry,
    '/ground_truth': Odometry,
    '/tf': TFMessage,
    '/diagnostics': DiagnosticArray,
}
"""What comes again and again, but for /clock."""
LATCHED = QoSProfile(depth=100, durability=DurabilityPolicy.TRANSIENT_LOCAL)


def heard(client: Client, kind: Any, topic: str, qos: QoSProfile) -> list[Any]:
    """Returns a list that grows with each message."""
    messages: list[Any] = []
    client.node.create_subscription(kind, topic, messages.append, qos)
    return messages


def mismatches(client: Client, kind: Any, topic: str, qos: QoSProfile) -> list[Any]:
    """Returns a list that grows with each publisher that does not offer what is asked for."""
    events: list[Any] = []
    callbacks = SubscriptionEventCallbacks(incompatible_qos=events.append)
    client.node.create_subscription(kind, topic, print, qos, event_callbacks=callbacks)
    return events


def offered(client: Client, topic: str) -> list[Any]:
    """Returns the profiles of the publishers of a topic, as DDS tells them to other nodes."""
    infos = wait_until(lambda: client.node.get_publishers_info_by_topic(topic), topic)
    return [info.qos_profile for info in infos]


def shown(client: Client, topic: str, entity: str = 'publisher') -> dict[str, Any]:
    """Returns the parameters that show the quality of service of a topic, by policy."""
    start = f'qos_overrides.{topic}.{entity}.'
    return {
        name.removeprefix(start): parameter_value_to_python(client.get_parameter(name))
        for name in all_shown(client)
        if name.startswith(start)
    }


def all_shown(client: Client) -> list[str]:
    request = ListParameters.Request(prefixes=['qos_overrides'])
    return sorted(client.call(ListParameters, 'list_parameters', request).result.names)


@pytest.mark.usefixtures('graphics')
def test_a_default_subscriber_and_one_for_sensor_data_get_every_stream(start):
    process, client = start(EVERYTHING)
    default = {topic: heard(client, kind, topic, QoSProfile(depth=10))
               for topic, kind in STREAMS.items()}  # fmt: skip
    sensor = {topic: heard(client, kind, topic, qos_profile_sensor_data)
              for topic, kind in STREAMS.items()}  # fmt: skip
    for topic in STREAMS:
        wait_until(lambda t=topic: default[t], f'{topic} by default', process=process)
        wait_until(lambda t=topic: sensor[t], f'{topic} as sensor data', process=process)


def test_the_clock_is_best_effort_as_time_sources_ask_for_it(start):
    _, client = start({'mujoco_xml': PENDULUM})
    refused = mismatches(client, Clock, '/clock', QoSProfile(depth=10))
    times = heard(client, Clock, '/clock', qos_profile_sensor_data)
    wait_until(lambda: refused and times, 'a time and a mismatch')


@pytest.mark.usefixtures('graphics')
def test_a_late_subscriber_gets_what_is_latched(start):
    _, client = start(EVERYTHING)
    first = heard(client, TFMessage, '/tf_static', LATCHED)
    wait_until(lambda: frames(first) >= {'odom', 'tip', 'eye_link'}, 'all static frames')
    labels = heard(client, String, '/cameras/eye/segmented/labels', LATCHED)
    late = heard(client, TFMessage, '/tf_static', LATCHED)
    wait_until(lambda: frames(late) == frames(first), 'the same frames again')
    wait_until(lambda: labels and 'rod' in labels[0].data, 'the labels')


def frames(messages: list[Any]) -> set[str]:
    return {each.child_frame_id for message in messages for each in message.transforms}


def test_a_late_subscriber_that_asks_for_nothing_latched_gets_the_next_message(start):
    _, client = start({'mujoco_xml': ROVER, 'render_offscreen': False, **one_odometry()})
    late = heard(client, TFMessage, '/tf_static', LATCHED)
    plain = heard(client, TFMessage, '/tf_static', QoSProfile(depth=10))
    wait_until(lambda: late, 'the latched frames')
    wait_until(lambda: client.trigger('reset').success and plain, 'the frames of a reset')
    assert frames(plain) == {'odom'}


def one_odometry() -> dict[str, Any]:
    return {'MujocoPlugins': '[{type: mujoco_ros_py/Odometry, publish_tf: true}]'}


@pytest.mark.usefixtures('graphics')
def test_overrides_hold_after_a_reload_too(start):
    states, images = 'qos_overrides./joint_states.publisher', 'qos_overrides./cameras/eye/rgb'
    _, client = start({
        **EVERYTHING,
        f'{states}.reliability': 'best_effort',
        f'{states}.lifespan': 2_000_000_000,
        f'{images}.publisher.reliability': 'reliable',
        f'{images}.publisher.depth': 1,
    })  # fmt: skip
    for reload in (False, True, True):
        assert not reload or client.trigger('reload').success
        (profile,) = offered(client, '/joint_states')
        assert profile.reliability == ReliabilityPolicy.BEST_EFFORT
        assert profile.lifespan.nanoseconds == 2_000_000_000
        assert shown(client, '/joint_states') == {
            'history': 'keep_last',
            'depth': 10,
            'reliability': 'best_effort',
            'durability': 'volatile',
            'lifespan': 2_000_000_000,
        }
        assert shown(client, '/cameras/eye/rgb')['depth'] == 1
        assert shown(client, '/cameras/eye/depth')['depth'] == 5
        reliabilities = {each.reliability for each in offered(client, '/cameras/eye/rgb')}
        assert reliabilities == {ReliabilityPolicy.RELIABLE}
    refused = mismatches(client, JointState, '/joint_states', QoSProfile(depth=10))
    wait_until(lambda: refused, 'a default subscriber of joint states is refused')


def test_the_depth_that_overrides_is_what_a_latched_topic_keeps(start):
    depth = {'qos_overrides./tf_static.publisher.depth': 3}
    world = {'mujoco_xml': ROVER, 'render_offscreen': False}
    _, client = start({**world, **one_odometry(), **depth})
    early = heard(client, TFMessage, '/tf_static', LATCHED)
    for count in range(2, 8):  # one message is that of the load
        assert client.trigger('reset').success
        wait_until(lambda n=count: len(early) >= n, f'{count} messages')
    late = heard(client, TFMessage, '/tf_static', LATCHED)
    wait_until(lambda: len(late) >= 3, 'what is kept')
    assert client.trigger('reset').success
    wait_until(lambda: len(early) == 8 and len(late) > 3, 'the message of the last reset')
    assert len(late) == 4


def test_an_override_of_a_subscription_is_heard_by_its_publishers(start):
    _, client = start({
        'mujoco_xml': PENDULUM,
        'MujocoPlugins': '[{type: mujoco_ros_py/JointController, name: arm}]',
        'qos_overrides./arm/joint_commands.subscription.reliability': 'best_effort',
    })  # fmt: skip
    best_effort = client.node.create_publisher(
        JointState, '/arm/joint_commands', qos_profile_sensor_data
    )
    wait_until(best_effort.get_subscription_count, 'the subscription')
    assert shown(client, '/arm/joint_commands', 'subscription')['reliability'] == 'best_effort'


@pytest.mark.parametrize(
    ('name', 'value', 'said'),
    [
        ('/joint_states.publisher.reliability', 'relaible', 'must be one of system_default, reli'),
        ('/joint_states.publisher.depth', 0, 'must be a number of messages, at least 1'),
        ('/joint_states.publisher.dpeth', 1, "unknown policy of a publisher 'dpeth' (did you me"),
    ],
)
def test_a_wrong_override_ends_the_start(tmp_path, domain, name, value, said):
    refusal = refusal_at_start(tmp_path, domain, {f'qos_overrides.{name}': value})
    assert refusal.startswith(f'mujoco_server: qos_overrides.{name}')
    assert said in refusal


def test_an_override_of_a_misspelt_topic_is_told_once(start):
    process, client = start({
        'mujoco_xml': PENDULUM,
        'qos_overrides./joint_statse.publisher.depth': 3,
        'qos_overrides./joint_statse.publisher.reliability': 'reliable',
        'qos_overrides./joint_states.publisher.depth': 3,
    })  # fmt: skip
    said = (
        'qos_overrides./joint_statse.publisher has no effect: unknown topic of a publisher '
        "'/joint_statse' (did you mean '/joint_states'?); known: /clock, /diagnostics"
    )
    process.wait_for_output(said)
    assert client.trigger('reload').success
    assert process.output.count('has no effect') == 1


def test_what_is_read_at_the_start_is_refused_later_with_this_reason(start):
    _, client = start({'mujoco_xml': PENDULUM})
    for name, reason in (
        ('qos_overrides./joint_states.publisher.depth', 'read-only'),
        ('qos_overrides./other.publisher.depth', 'is read at the start only'),
    ):
        (result,) = client.set_parameters(**{name: 3})
        assert not result.successful
        assert reason in result.reason
    assert shown(client, '/joint_states')['depth'] == 10


TALKER = '''
from std_msgs.msg import Float64

from mujoco_ros_py.messages.topic_qos import COMMANDS
from mujoco_ros_py.plugins import MujocoPlugin


class Talker(MujocoPlugin):
    """Makes a topic in each way."""

    def load(self, model, data):
        self.echoes = self.ros.publish(Float64, '~/echo')
        self.ros.subscribe(Float64, '~/value', self.echo, COMMANDS)
        self.others = self.node.create_publisher(Float64, '/other', self.config['depth'])

    def echo(self, message):
        self.echoes.publish(message)
'''


def talker(depth: int) -> str:
    return f'[{{type: talkers/Talker, name: talker, depth: {depth}}}]'


def test_overrides_are_for_the_topics_of_plugins_too_and_parameters_come_and_go(start, tmp_path):
    site = PluginSite(tmp_path)
    site.add_module('talkers', TALKER)
    given = {
        'qos_overrides./talker/echo.publisher.reliability': 'best_effort',
        'qos_overrides./talker/value.subscription.reliability': 'best_effort',
        'qos_overrides./other.publisher.durability': 'transient_local',
    }
    _, client = start(
        {'mujoco_xml': PENDULUM, 'MujocoPlugins': talker(4), **given}, **site.environment
    )
    values = client.node.create_publisher(Float64, '/talker/value', qos_profile_sensor_data)
    echoes = heard(client, Float64, '/talker/echo', qos_profile_sensor_data)
    wait_until(lambda: values.publish(Float64(data=1.5)) or echoes, 'an echo')
    (profile,) = offered(client, '/other')
    assert profile.durability == DurabilityPolicy.TRANSIENT_LOCAL
    assert shown(client, '/other')['depth'] == 4

    names = all_shown(client)
    for turn in range(5, 8):
        assert client.set_parameters(MujocoPlugins=talker(turn))[0].successful
        assert client.trigger('reload').success
        assert shown(client, '/other')['depth'] == turn
        assert all_shown(client) == names, 'they do not pile up'
    assert client.set_parameters(MujocoPlugins='[]')[0].successful
    assert client.trigger('reload').success
    left = all_shown(client)
    assert left == [name for name in names if 'talker' not in name and '/other' not in name]
    assert left


def test_a_command_that_a_new_publisher_sends_at_once_and_once_is_not_lost(
    start, tmp_path, domain
):
    """A best-effort subscription loses about a quarter of them, as DDS connects one side first."""
    site = PluginSite(tmp_path)
    site.add_module('talkers', TALKER)
    _, client = start({'mujoco_xml': PENDULUM, 'MujocoPlugins': talker(4)}, **site.environment)
    echoes = client.collect(Float64, '/talker/echo')
    first = client.node.create_publisher(Float64, '/talker/value', 10)
    wait_until(lambda: first.publish(Float64(data=-1.0)) or echoes, 'the first echo')
    for number in range(10):
        with closing(Client(domain)) as other:
            publisher = other.node.create_publisher(Float64, '/talker/value', 10)
            wait_until(publisher.get_subscription_count, 'the subscription')
            publisher.publish(Float64(data=float(number)))
            wait_until(lambda n=number: n in [each.data for each in echoes], f'echo {number}')


def test_parameters_are_listed_while_reloads_make_the_topics_anew(start, tmp_path, domain):
    site = PluginSite(tmp_path)
    site.add_module('talkers', TALKER)
    process, client = start(
        {'mujoco_xml': PENDULUM, 'MujocoPlugins': talker(4)}, **site.environment
    )
    names, reloads, asked = set(all_shown(client)), [], 0
    with closing(Client(domain)) as other:
        while len(reloads) < 20:
            reloads.append(other.call_async(Trigger, 'reload', Trigger.Request()))
            while not reloads[-1].done():
                assert set(all_shown(client)) <= names
                asked += 1
    assert asked > len(reloads)
    assert all(reload.result().success for reload in reloads)
    assert set(all_shown(client)) == names
    assert 'a ROS callback raised' not in process.output


STUCK = """
import rclpy
from rclpy.node import Node
from sensor_msgs.msg import Image

rclpy.init()
node = Node('stuck')
node.create_subscription(Image, '/cameras/eye/rgb', lambda data: print('image', flush=True), 10,
                         raw=True)
rclpy.spin(node)
"""


@contextmanager
def stuck_subscriber(domain: int) -> Iterator[subprocess.Popen[bytes]]:
    """Runs a default subscriber of the images in a process that the test may stop."""
    env = {**os.environ, 'ROS_DOMAIN_ID': str(domain)}
    pipes = {'stdout': subprocess.PIPE, 'stderr': subprocess.DEVNULL}
    with subprocess.Popen([sys.executable, '-c', STUCK], env=env, **pipes) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGCONT)
            process.kill()


def has_printed(process: subprocess.Popen[bytes], timeout_s: float) -> bool:
    """Takes what a subscriber has printed, a line for each image; returns whether it has."""
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], timeout_s)
    return bool(ready and os.read(process.stdout.fileno(), 1 << 16))


@pytest.mark.usefixtures('graphics')
def test_a_stopped_reliable_subscriber_of_images_holds_nobody_up(start, domain):
    process, client = start({**EVERYTHING, 'cam_config.eye.frequency': 100.0})
    times = heard(client, Clock, '/clock', qos_profile_sensor_data)
    images = heard(client, Image, '/cameras/eye/rgb', QoSProfile(depth=10))
    states = heard(client, JointState, '/joint_states', QoSProfile(depth=10))
    with stuck_subscriber(domain) as stuck:
        assert has_printed(stuck, DEADLINE_S), 'no image comes'
        stuck.send_signal(signal.SIGSTOP)
        begun = seconds(times[-1].clock)
        wait_for_more(images, 100, process)  # twenty times what the publisher keeps
        wait_until(lambda: seconds(times[-1].clock) > begun + 1.0, 'the time of 100 images')
        now = images[-1].header.stamp
        wait_until(lambda: seconds(states[-1].header.stamp) >= seconds(now), 'joint states')
        assert client.diagnostics()['threads'][1] == 'all go on'
        while has_printed(stuck, 0.0):
            pass
        stuck.send_signal(signal.SIGCONT)
        assert has_printed(stuck, DEADLINE_S), 'no image comes any more'
