"""The quality of service of the topics: what they offer, and who gets messages."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from deadline import DEADLINE_S
from diagnostic_msgs.msg import DiagnosticArray
from docs.pages import ROOT, rows
from rclpy.parameter import parameter_value_to_python
from rclpy.qos import (
    QoSProfile,
    qos_profile_sensor_data,
)
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import CameraInfo, CompressedImage, Image, JointState
from std_msgs.msg import String
from std_srvs.srv import Trigger

from .cameras import configs, wait_for_more
from .harness import seconds, wait_until
from .qos import (
    EVERYTHING,
    LATCHED,
    ROVER,
    Odometry,
    TFMessage,
    all_shown,
    frames,
    heard,
    mismatches,
)

pytestmark = pytest.mark.slow
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
ODOMETRY = {
    'mujoco_xml': ROVER,
    'render_offscreen': False,
    'MujocoPlugins': '[{type: mujoco_ros_py/Odometry, publish_tf: true}]',
}
WORLD = """
<mujoco>
  <worldbody>
    <camera name="camera"/>
    <body name="base">
      <freejoint/>
      <geom size="0.1"/>
      <body name="rod"><joint name="hinge"/><geom size="0.1"/><site name="tip"/></body>
      <body name="wheel"><joint name="axle"/><geom size="0.1"/></body>
      <body name="fan"><joint name="shaft"/><geom size="0.1"/></body>
      <body name="arm"><joint name="elbow"/><geom size="0.1"/></body>
      <body name="left"><joint name="left" axis="0 1 0"/><geom size="0.1"/></body>
      <body name="wrist"><joint name="wrist"/><geom size="0.1"/></body>
      <body name="right"><joint name="right" axis="0 1 0"/><geom size="0.1"/></body>
    </body>
    <body name="target" mocap="true"/>
  </worldbody>
  <actuator>
    <motor joint="hinge"/>
    <motor joint="axle"/>
    <motor name="rotor" joint="shaft"/>
  </actuator>
  <sensor><jointpos name="sensor" joint="hinge"/></sensor>
</mujoco>
"""
PLUGINS = """
- {type: mujoco_ros_py/JointController, name: controller, joints: [hinge]}
- {type: mujoco_ros_py/ForwardCommandController, name: forward, joints: [axle],
   interface_name: effort}
- {type: mujoco_ros_py/JointTrajectoryController, name: arm, joints: [wrist]}
- {type: mujoco_ros_py/ActuatorCommands, name: actuators, actuators: [rotor]}
- {type: mujoco_ros_py/TopicBasedHardware, name: hardware, joints: {elbow: position}}
- {type: mujoco_ros_py/BodyWrench, name: push, body: rod}
- {type: mujoco_ros_py/MocapPose, name: target, body: target}
- {type: mujoco_ros_py/EmergencyStop, name: stop}
- {type: mujoco_ros_py/DiffDriveController, left_wheel_names: [left], right_wheel_names: [right],
   wheel_separation: 0.4, wheel_radius: 0.1, odom_topic: '', enable_odom_tf: false}
- {type: mujoco_ros_py/Odometry, publish_tf: true}
- {type: mujoco_ros_py/Transforms}
- {type: mujoco_ros_py/RobotDescription}
- {type: mujoco_ros_py/Imu, name: imu, site: tip, noise: {angular_velocity: {stddev: 0.1}}}
- {type: mujoco_ros_py/Sensors, name: sensors}
- {type: mujoco_ros_py/LaserScan, name: scan, site: tip}
- {type: mujoco_ros_py/Lidar, name: points, site: tip}
- {type: mujoco_ros_py/Contacts, name: contacts}
- {type: mujoco_ros_py/DepthCloud, name: cloud, camera: camera, noise: {stddev: 0.1}}
- {type: mujoco_ros_py/Markers, name: markers}
"""
ENTITIES = {'published': 'publisher', 'subscribed': 'subscription'}


def table() -> dict[tuple[str, str], dict[str, Any]]:
    """Returns the policies of each topic and entity in the table of docs/reference/qos.md."""
    return {
        (re.sub('<(.*?)>', r'\1', topic), ENTITIES[direction]): {
            'history': 'keep_last',
            'depth': int(depth),
            'reliability': reliability.replace(' ', '_'),
            'durability': durability.replace(' ', '_'),
        }
        for topics, direction, reliability, durability, depth in rows(
            ROOT / 'docs/reference/qos.md', 'topic'
        )
        for topic in re.findall(r'/[^`, ]+', topics)
    }


@pytest.mark.usefixtures('graphics')
def test_each_topic_has_the_quality_of_service_of_the_table(start):
    _, client = start({
        'mujoco_xml': WORLD,
        'MujocoPlugins': PLUGINS,
        'cam_config.camera.stream_type': 7,
        'cam_config.camera.compressed': True,
    })  # fmt: skip
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for name in all_shown(client):
        _, topic, entity, policy = name.split('.')
        value = parameter_value_to_python(client.get_parameter(name))
        found.setdefault((topic, entity), {})[policy] = value
    assert found == table()
    infos = {
        'publisher': client.node.get_publishers_info_by_topic,
        'subscription': client.node.get_subscriptions_info_by_topic,
    }
    for (topic, entity), policies in table().items():
        ends = wait_until(lambda t=topic, e=entity: infos[e](t), f'{entity} of {topic}')
        told = {(e.qos_profile.reliability.short_key, e.qos_profile.durability.short_key)
                for e in ends}  # fmt: skip
        assert told == {(policies['reliability'], policies['durability'])}, topic


@pytest.mark.usefixtures('graphics')
def test_a_default_subscriber_and_one_for_sensor_data_get_every_stream(share):
    process, client = share(EVERYTHING)
    assert client.pause(False).success
    default = {topic: heard(client, kind, topic, QoSProfile(depth=10))
               for topic, kind in STREAMS.items()}  # fmt: skip
    sensor = {topic: heard(client, kind, topic, qos_profile_sensor_data)
              for topic, kind in STREAMS.items()}  # fmt: skip
    for topic in STREAMS:
        wait_until(lambda t=topic: default[t], f'{topic} by default', process=process)
        wait_until(lambda t=topic: sensor[t], f'{topic} as sensor data', process=process)


def test_the_clock_is_best_effort_as_time_sources_ask_for_it(share):
    _, client = share(ODOMETRY)
    refused = mismatches(client, Clock, '/clock', QoSProfile(depth=10))
    times = heard(client, Clock, '/clock', qos_profile_sensor_data)
    wait_until(lambda: refused and times, 'a time and a mismatch')


@pytest.mark.usefixtures('graphics')
def test_a_late_subscriber_gets_what_is_latched(share):
    _, client = share(EVERYTHING)
    first = heard(client, TFMessage, '/tf_static', LATCHED)
    wait_until(lambda: frames(first) >= {'odom', 'tip', 'eye_link'}, 'all static frames')
    labels = heard(client, String, '/cameras/eye/segmented/labels', LATCHED)
    late = heard(client, TFMessage, '/tf_static', LATCHED)
    wait_until(lambda: frames(late) == frames(first), 'the same frames again')
    wait_until(lambda: labels and 'rod' in labels[0].data, 'the labels')


def test_a_late_subscriber_that_asks_for_nothing_latched_gets_the_next_message(share):
    _, client = share(ODOMETRY)
    late = heard(client, TFMessage, '/tf_static', LATCHED)
    plain = heard(client, TFMessage, '/tf_static', QoSProfile(depth=10))
    wait_until(lambda: late, 'the latched frames')
    wait_until(lambda: client.trigger('reset').success and plain, 'the frames of a reset')
    assert frames(plain) == {'odom'}


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


def test_of_two_hundred_calls_in_a_moment_all_are_answered_to_a_client_that_keeps_them(share):
    _, client = share({'mujoco_xml': ROVER, 'unpause': False})
    deep = client.node.create_client(
        Trigger, '/mujoco_server/reset', qos_profile=QoSProfile(depth=1000)
    )
    assert deep.wait_for_service(DEADLINE_S)
    answers = [deep.call_async(Trigger.Request()) for _ in range(200)]
    wait_until(lambda: all(answer.done() for answer in answers), 'all answers')
    assert all(answer.result().success for answer in answers)


@pytest.mark.usefixtures('graphics')
def test_a_stopped_reliable_subscriber_of_images_holds_nobody_up(start, domain):
    eye = {'frequency': 100.0, 'width': 640, 'height': 480}
    process, client = start({'mujoco_xml': ROVER, **configs(eye=eye)})
    times = heard(client, Clock, '/clock', qos_profile_sensor_data)
    images = heard(client, Image, '/cameras/eye/rgb', QoSProfile(depth=10))
    states = heard(client, JointState, '/joint_states', QoSProfile(depth=10))
    with stuck_subscriber(domain) as stuck:
        assert has_printed(stuck, DEADLINE_S), 'no image comes'
        wait_until(lambda: times and images and states, 'the topics, as this process hears them')
        stuck.send_signal(signal.SIGSTOP)
        begun = seconds(times[-1].clock)
        wait_for_more(images, 50, process)  # ten times what the publisher keeps
        wait_until(lambda: seconds(times[-1].clock) > begun + 0.5, 'the time of 50 images')
        now = images[-1].header.stamp
        wait_until(lambda: seconds(states[-1].header.stamp) >= seconds(now), 'joint states')
        assert client.diagnostics()['threads'][1] == 'all running'
        while has_printed(stuck, 0.0):
            pass
        stuck.send_signal(signal.SIGCONT)
        assert has_printed(stuck, DEADLINE_S), 'no image comes any more'
