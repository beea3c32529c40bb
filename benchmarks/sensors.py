"""The cost of sensors for the physics, and the overhead of a lidar on top of its rays."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from typing import Any

import mujoco

from .domains import second_domain
from .processes import FOLDER, QUIET, plugins, running, server_command
from .rounds import Rounds

_SCAN_HZ, _SCANS_S = 20.0, 1.5
_TOPICS = 50
_WINDOW_S = 0.5
_HINGE = int(mujoco.mjtJoint.mjJNT_HINGE)
_READER = """
import rclpy
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import PointCloud2
rclpy.init()
node = Node('reader')
ignore = lambda points: None
node.create_subscription(PointCloud2, '/points', ignore, qos_profile_sensor_data, raw=True)
try:
    rclpy.spin(node)
except ExternalShutdownException:
    pass
"""
"""Subscribes to the points, and ignores the messages."""


def measure_scan() -> Rounds:
    """Compares a scan of 360 x 16 rays including its message with a bare `mj_multiRay`.

    A client subscribes to the points, because the sensor measures only for subscribers.
    """
    parameters = {
        **QUIET, 'mujoco_xml': _hall(), 'unpause': False,
        **plugins(
            points=_lidar(360, 16, -0.26, 0.26),
            runner={'type': 'benchmarks/LidarTimer', 'topics': ['/points']},
        ),
    }  # fmt: skip
    with running([sys.executable, '-c', _READER]), running(server_command(parameters)) as server:
        while True:
            ours, bare = server.ask(_SCANS_S)
            yield ours, bare


def measure_physics() -> Rounds:
    """Compares steps per second with and without a 20 Hz scan of 64 x 1024 rays.

    The server runs unthrottled, and a client subscribes to the points.
    """
    lidar = _lidar(1024, 64, -0.4, 0.2)
    with running([sys.executable, '-c', _READER]):
        yield from _beside(_hall(), {'points': lidar}, ['/points'])


def measure_topics() -> Rounds:
    """Compares steps per second with and without 50 sensor topics at 100 Hz.

    The server runs the humanoid unthrottled, and a compiled client subscribes to all topics.
    """
    xml, names = _humanoid()
    topics = [f'/told/{name}' for name in names]
    reader = {
        **QUIET, 'mujoco_xml': chain(1, 0.001),
        **plugins(counter={'type': 'benchmarks/SensorCounter', 'topics': topics}),
    }  # fmt: skip
    told = {'type': 'mujoco_ros_py/Sensors', 'update_rate': 100.0}
    with running(server_command(reader, '-r', '__node:=reader', '-r', '/clock:=/own')):
        yield from _beside(xml, {'told': told}, topics)


def _beside(xml: str, measured: Mapping[str, Any], topics: list[str]) -> Rounds:
    """Compares a server with these plugins and a server without them, in turn."""

    def command(named: Mapping[str, Any], topics: list[str]) -> list[str]:
        runner = {'type': 'benchmarks/Runner'} | ({'topics': topics} if topics else {})
        parameters = {'mujoco_xml': xml, 'unpause': False, 'realtime': -1.0}
        return server_command({**QUIET, **parameters, **plugins(**named, runner=runner)})

    with (
        running(command(measured, topics)) as beside,
        running(command({}, []), **second_domain()) as without,
    ):
        while True:
            ours, alone = (server.ask(_WINDOW_S) for server in (beside, without))
            yield ours[0] / ours[1], alone[0] / alone[1]


def _lidar(samples: int, layers: int, lowest: float, highest: float) -> dict[str, Any]:
    return {
        'type': 'mujoco_ros_py/Lidar', 'site': 'lidar', 'update_rate': _SCAN_HZ,
        'range': {'max': 30.0},
        'horizontal': {
            'samples': samples, 'min_angle': -math.pi, 'max_angle': math.pi * (1 - 2 / samples),
        },
        'vertical': {'samples': layers, 'min_angle': lowest, 'max_angle': highest},
    }  # fmt: skip


def chain(joints: int, timestep: float) -> str:
    """Returns a model with a chain of joints, and a named position sensor for each joint."""
    bodies = ''.join(
        f'<body pos="0 0 -0.1"><joint name="j{k}" axis="0 1 0" damping="0.1"/>'
        '<geom type="capsule" fromto="0 0 0 0 0 -0.1" size="0.01"/>'
        for k in range(joints)
    )
    sensors = ''.join(f'<jointpos name="s{k}" joint="j{k}"/>' for k in range(joints))
    return (
        f'<mujoco><option timestep="{timestep}"><flag contact="disable"/></option>'
        f'<worldbody>{bodies}{"</body>" * joints}</worldbody><sensor>{sensors}</sensor></mujoco>'
    )


def _humanoid() -> tuple[str, list[str]]:
    """Returns the benchmark humanoid with fifty named scalar sensors, and the sensors' names."""
    xml = (FOLDER / 'humanoid.xml').read_text()
    model = mujoco.MjModel.from_xml_string(xml)
    hinges = [model.joint(k).name for k in range(model.njnt) if model.jnt_type[k] == _HINGE]
    motors = [model.actuator(k).name for k in range(model.nu)]
    made = [f'<jointpos name="{{}}" joint="{joint}"/>' for joint in hinges]
    made += [f'<jointvel name="{{}}" joint="{joint}"/>' for joint in hinges]
    made += [f'<actuatorfrc name="{{}}" actuator="{motor}"/>' for motor in motors]
    names = [f's{k}' for k in range(_TOPICS)]
    sensors = ''.join(each.format(name) for each, name in zip(made, names, strict=False))
    return xml.replace('</mujoco>', f'<sensor>{sensors}</sensor></mujoco>'), names


def _hall() -> str:
    """Returns a hall with forty objects, and a sliding lidar in the middle."""
    things = ''.join(
        f'<geom type="{("box", "cylinder", "capsule", "sphere")[k % 4]}" size="0.3 0.4 0.5" '
        f'pos="{(4 + k % 5) * math.cos(k)} {(4 + k % 5) * math.sin(k)} 0.4"/>'
        for k in range(40)
    )
    walls = ''.join(
        f'<geom type="box" size="{x or 0.1} {y or 0.1} 2" pos="{12 * (x == 0) * side} '
        f'{12 * (y == 0) * side} 2"/>'
        for x, y in ((0, 12), (12, 0))
        for side in (-1, 1)
    )
    return (
        '<mujoco><option timestep="0.002"/><worldbody><geom type="plane" size="0 0 1"/>'
        f'{things}{walls}<body name="robot" pos="0 0 0.5"><joint type="slide" axis="1 0 0"/>'
        '<geom size="0.2"/><site name="lidar" pos="0 0 0.5"/></body></worldbody></mujoco>'
    )
