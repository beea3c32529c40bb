"""Topics continue without a gap, and with the same values, while entities come and go."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

pytest.importorskip('rclpy', reason='rclpy is not installed')

from builtin.sensors.sensing import Heard, Sensing, stamp_of
from deadline import DEADLINE_S
from geometry_msgs.msg import PoseStamped, TwistStamped, Vector3Stamped, WrenchStamped
from mujoco_ros_msgs.msg import ScalarStamped
from nav_msgs.msg import Odometry
from ros.conftest import domain, new_keeper, serve
from sensor_msgs.msg import (
    BatteryState,
    FluidPressure,
    Imu,
    JointState,
    LaserScan,
    MagneticField,
    NavSatFix,
    PointCloud2,
    Range,
)
from system.harness import wait_until

from mujoco_ros_py.session import Spawn
from mujoco_ros_py.simulation import ModelSource

pytestmark = pytest.mark.slow

__all__ = ['domain', 'new_keeper', 'serve']

WORLD = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <body name="tower" pos="4 0 0"><geom type="box" size=".5 5 5"/></body>
    <body name="robot" pos="0 0 1">
      <freejoint/>
      <geom type="box" size=".2 .1 .1" pos=".05 0 0"/>
      <site name="eye"/>
      <body name="arm" pos="0 0 .2">
        <joint name="shoulder" axis="0 1 0"/><geom size=".05" pos=".3 0 0"/>
        <site name="hand" pos=".3 0 0"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="shoulder"/></actuator>
  <sensor><jointpos name="angle" joint="shoulder"/><gyro name="turning" site="hand"/></sensor>
</mujoco>
"""
CUBE = """
<mujoco model="cube">
  <worldbody>
    <body>
      <freejoint/><geom type="box" size=".1 .1 .1"/><site name="top"/>
      <body name="lid"><joint name="lid" axis="1 0 0"/><geom size=".05"/></body>
    </body>
  </worldbody>
  <sensor><jointpos name="opening" joint="lid"/></sensor>
</mujoco>
"""
NOISE = {
    'type': 'gaussian',
    'stddev': 0.1,
    'dynamic_bias_stddev': 0.01,
    'dynamic_bias_correlation_time': 1.0,
}
PLUGINS = [
    {'type': 'mujoco_ros_py/Imu', 'name': 'imu', 'site': 'hand',
     'noise': {'angular_velocity': NOISE}},
    {'type': 'mujoco_ros_py/LaserScan', 'name': 'scan', 'site': 'eye', 'samples': 5,
     'min_angle': -0.5, 'max_angle': 0.5, 'update_rate': 100.0},
    {'type': 'mujoco_ros_py/NavSat', 'name': 'fix', 'site': 'eye', 'update_rate': 100.0,
     'spherical_coordinates': {'latitude_deg': 1.0, 'longitude_deg': 2.0}},
    {'type': 'mujoco_ros_py/Battery', 'name': 'battery', 'capacity': 10.0, 'voltage': 12.0,
     'idle_power': 5.0, 'update_rate': 100.0},
    {'type': 'mujoco_ros_py/Pose', 'name': 'pose', 'site': 'hand'},
    {'type': 'mujoco_ros_py/JointStates', 'joints': ['shoulder'], 'topic': 'states',
     'rate': 100.0},
    {'type': 'mujoco_ros_py/Odometry', 'rate': 100.0},
    {'type': 'mujoco_ros_py/Sensors', 'name': 'sensors', 'noise': {'angle': NOISE}},
    {'type': 'mujoco_ros_py/Lidar', 'name': 'points', 'site': 'eye', 'update_rate': 100.0,
     'vertical': {'samples': 3, 'min_angle': -0.5, 'max_angle': 0.5}, 'noise': {'stddev': 0.1}},
    {'type': 'mujoco_ros_py/Range', 'name': 'range', 'site': 'eye', 'update_rate': 100.0},
    {'type': 'mujoco_ros_py/ForceTorque', 'name': 'wrench', 'site': 'hand'},
    {'type': 'mujoco_ros_py/Twist', 'name': 'twist', 'site': 'hand'},
    {'type': 'mujoco_ros_py/Magnetometer', 'name': 'field', 'site': 'hand'},
    {'type': 'mujoco_ros_py/AirPressure', 'name': 'air', 'site': 'eye'},
]  # fmt: skip
KINDS = {
    '/imu': Imu, '/scan': LaserScan, '/fix': NavSatFix, '/battery': BatteryState,
    '/pose': PoseStamped, '/states': JointState, '/odom': Odometry, '/points': PointCloud2,
    '/range': Range, '/wrench': WrenchStamped, '/twist': TwistStamped, '/field': MagneticField,
    '/air': FluidPressure, '/sensors/angle': ScalarStamped, '/sensors/turning': Vector3Stamped,
}  # fmt: skip


@pytest.fixture
def sense(serve: Any, domain: int) -> Iterator[Callable[..., Sensing]]:
    with ExitStack() as stack:

        def begin(*plugins: dict[str, Any], **parameters: Any) -> Sensing:
            made = Sensing(serve, domain, WORLD, plugins, parameters)
            stack.callback(made.close)
            return made

        yield begin


def spawn(sensing: Sensing, name: str, **given: Any) -> None:
    made = Spawn(source=ModelSource(xml=CUBE), name=name, **{'position': (0, 9, 9), **given})
    sensing.server.assembly.spawn([made]).result(DEADLINE_S)


def delete(sensing: Sensing, *names: str) -> None:
    sensing.server.assembly.delete(names).result(DEADLINE_S)


def told(
    sensing: Sensing, heard: list[Heard], *changes: Callable[[Sensing], None]
) -> dict[str, dict[float, str]]:
    """Returns the messages of a run by topic and time; the changes are made during the run."""
    sensing.simulation.reset().result(DEADLINE_S)
    sensing.call(lambda model, data: data.qvel.put([5, 6], [1.0, 2.0]))
    for each in heard:
        wait_until(lambda each=each: stamp_of(each.last) == 0, f'the start on {each.topic}')
        del each.messages[:-1]
    for change in (lambda _: None, *changes):
        change(sensing)
        sensing.step(30)
    sensing.step(30 * (3 - len(changes)))
    assert sensing.refusals == []
    return {
        each.topic: {
            time: repr(message) for time, message in each.by_time.items() if _is_due(time)
        }
        for each in heard
    }


def _is_due(time: float) -> bool:
    """Returns whether a message is due at this time, and not only repeated by a pause."""
    return time > 0 and abs(100.0 * time - round(100.0 * time)) < 1e-6


@pytest.mark.slow
def test_every_topic_has_the_same_messages_as_without_the_changes(sense):
    sensing = sense(*PLUGINS)
    heard = sensing.hear_all(KINDS)
    untouched = told(sensing, heard)
    changes = [
        lambda sensing: spawn(sensing, 'first'),
        lambda sensing: spawn(sensing, 'second'),
        lambda sensing: delete(sensing, 'first'),
    ]
    changed = told(sensing, heard, *changes)
    times = pytest.approx([0.01 * (k + 1) for k in range(24)])
    for topic, messages in untouched.items():
        assert sorted(messages) == times, topic
        assert changed[topic] == messages, topic


def test_joint_states_and_frames_of_all_tell_of_what_is_spawned(sense):
    from tf2_msgs.msg import TFMessage

    everything = {'type': 'mujoco_ros_py/JointStates', 'rate': 100.0}
    sensing = sense(everything, {'type': 'mujoco_ros_py/Transforms'})
    states = sensing.client.collect(JointState, '/joint_states')
    frames = sensing.client.collect(TFMessage, '/tf')

    def moving() -> set[str]:
        return {each.child_frame_id for each in frames[-1].transforms} if frames else set()

    def names() -> list[str]:
        return list(states[-1].name) if states else []

    def wait_for(joints: list[str], bodies: set[str]) -> None:
        wait_until(lambda: names() == joints and moving() == bodies, f'{joints} and {bodies}')

    wait_for(['shoulder'], {'robot', 'arm'})
    spawn(sensing, 'box')
    wait_for(['shoulder', 'box/lid'], {'robot', 'arm', 'box/base', 'box/lid'})
    delete(sensing, 'robot')
    wait_for(['box/lid'], {'box/base', 'box/lid'})
    delete(sensing, 'box')
    wait_until(lambda: names() == [], 'no joints')


def test_static_frames_of_what_is_spawned_are_published(sense):
    sensing = sense({'type': 'mujoco_ros_py/Transforms'})
    sensing.frames({'tower'})
    still = CUBE.replace('<freejoint/>', '')
    made = Spawn(source=ModelSource(xml=still), name='desk', position=(1, 2, 3))
    sensing.server.assembly.spawn([made]).result(DEADLINE_S)
    place = sensing.frames({'tower', 'desk/base'})['desk/base'].transform.translation
    assert (place.x, place.y, place.z) == (1, 2, 3)


def test_a_sensor_whose_site_is_deleted_is_out_with_the_reason_and_others_go_on(sense):
    sensing = sense(PLUGINS[0])
    spawn(sensing, 'box', plugins=[{**PLUGINS[1], 'site': 'top'}])
    delete(sensing, 'robot')
    (reason,) = sensing.refusals
    assert reason.startswith('imu: adapt raised PluginError: ')
    assert "unknown site 'hand'" in reason
    spawn(sensing, 'other')
    scans = sensing.client.collect(LaserScan, '/box/scan')
    wait_until(lambda: scans, 'a scan')
    assert scans[-1].header.frame_id == 'box/top'


def test_a_spawned_robot_has_its_topics_in_its_namespace_and_takes_them_with_it(sense):
    sensing = sense(joint_states_rate=100.0)
    imu = {'type': 'mujoco_ros_py/Imu', 'name': 'imu', 'site': 'top'}
    spawn(sensing, 'left', plugins=[imu])
    spawn(sensing, 'right', plugins=[imu], namespace='far/right')
    kinds = {'/left/imu': Imu, '/far/right/imu': Imu, '/left/joint_states': JointState}
    left, right, states = sensing.hear_all(kinds)
    assert (left.last.header.frame_id, right.last.header.frame_id) == ('left/top', 'right/top')
    assert states.last.name == ['lid']
    delete(sensing, 'left')
    node = sensing.client.node
    wait_until(lambda: not node.count_publishers('/left/imu'), 'the topic of left is gone')
    assert node.count_publishers('/far/right/imu') == 1


CAMERAS = WORLD.replace(
    '<site name="eye"/>',
    '<site name="eye"/><camera name="front" pos=".3 0 0" xyaxes="0 -1 0 0 0 1"/>',
).replace('<body name="tower"', '<camera name="fixed" pos="0 -9 3"/><body name="tower"')
WITH_CAMERA = CUBE.replace('<site name="top"/>', '<site name="top"/><camera name="inside"/>')


def test_cameras_go_on_and_those_that_are_spawned_come_and_go(serve, domain):
    from sensor_msgs.msg import Image

    with ExitStack() as stack:
        cloud = {'type': 'mujoco_ros_py/DepthCloud', 'name': 'points', 'camera': 'front'}
        sensing = Sensing(serve, domain, CAMERAS, [cloud], {})
        stack.callback(sensing.close)
        collect = sensing.client.collect
        front = collect(Image, '/cameras/front/rgb')
        wait_until(lambda: front, 'an image')
        (plugin,) = [
            each.plugin
            for each in sensing.server.assembly.host.plugins
            if each.config.type == 'mujoco_ros_py/Cameras'
        ]
        topics = dict(plugin.topics)
        made = Spawn(source=ModelSource(xml=WITH_CAMERA), name='box', position=(0, 9, 9))
        sensing.server.assembly.spawn([made]).result(DEADLINE_S)
        assert plugin.topics.keys() == {'fixed', 'front', 'box/inside'}
        assert {name: plugin.topics[name] for name in topics} == topics
        inside = collect(Image, '/cameras/box_inside/rgb')
        wait_until(lambda: inside, 'an image of the new camera')
        sensing.frames({'box/inside_optical_frame', 'front_optical_frame'})
        count = len(front)
        sensing.simulation.step(100).result(DEADLINE_S)
        wait_until(lambda: len(front) > count, 'another image')
        delete(sensing, 'tower')
        delete(sensing, 'box')
        assert plugin.topics == topics
        count = len(front)
        sensing.simulation.step(100).result(DEADLINE_S)
        wait_until(lambda: len(front) > count, 'another image')
        node = sensing.client.node
        wait_until(
            lambda: not node.count_publishers('/cameras/box_inside/rgb'), 'the topic is gone'
        )
        assert sensing.refusals == []
