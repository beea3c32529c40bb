"""What sensors cost the physics, and whether their messages arrive."""

from __future__ import annotations

import math
import statistics
import subprocess
import sys
from typing import Any

from .processes import environment, folder, running, server_command
from .result import Result

_FAST_TOPICS, _FAST_STEPS = 20, 15_000
_SCANS, _SCAN_HZ, _ROUNDS = 200, 20.0, 3


def _chain(joints: int, timestep: float) -> str:
    """Returns a model with a chain of joints, and a named sensor for each of their positions."""
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


def measure_fast(name: str, limit: float) -> Result:
    """Returns the share of the messages of 20 sensors at 1 kHz that come to a client.

    The client is the plugin of another server, which counts what comes in compiled code.
    """
    quiet = {'report_interval': 0.0, 'joint_states_rate': 0.0}
    topics = [f'/told/s{k}' for k in range(_FAST_TOPICS)]
    told: dict[str, Any] = {
        **quiet,
        'mujoco_xml': _chain(_FAST_TOPICS, 0.001),
        'MujocoPlugins': {
            'names': ['told'],
            'told': {'type': 'mujoco_ros_py/Sensors', 'update_rate': 1000.0},
        },
    }
    taker = {
        **quiet,
        'mujoco_xml': _chain(1, 0.001),
        'num_steps': _FAST_STEPS,
        'MujocoPlugins': {
            'names': ['counter'],
            'counter': {'type': 'benchmarks/SensorCounter', 'topics': topics},
        },
    }
    with folder() as prefix:
        command = server_command(prefix, taker)
        command += ['-r', '__node:=taker', '-r', '/clock:=/own']
        with running(server_command(prefix, told), environment(prefix)):
            done = subprocess.run(
                command, env=environment(prefix), stdout=subprocess.PIPE, text=True, check=True
            )
    words = next(line for line in done.stdout.splitlines() if line.startswith('SENSORS')).split()
    came, sent = int(words[1]), int(words[2])
    measured = f'{came} of {sent} messages'
    return Result(name=name, ratio=came / sent, rule='at least', limit=limit, measured=measured)


def measure_scan(name: str, limit: float) -> Result:
    """Returns the time of a scan of 360 x 16 rays, with its message, over a bare `mj_multiRay`.

    A client reads the points meanwhile, as nothing is measured for nobody.
    """
    lidar = {
        'type': 'benchmarks/TimedLidar', 'site': 'lidar', 'update_rate': _SCAN_HZ,
        'range.max': 30.0, 'horizontal': {'samples': 360, 'min_angle': -math.pi,
        'max_angle': math.pi * (1 - 2 / 360)},
        'vertical': {'samples': 16, 'min_angle': -0.26, 'max_angle': 0.26},
    }  # fmt: skip
    lidar['range'] = {'max': lidar.pop('range.max')}
    parameters = {
        'mujoco_xml': _hall(), 'report_interval': 0.0, 'joint_states_rate': 0.0, 'realtime': 1.0,
        'num_steps': int(_SCANS / _SCAN_HZ / 0.002),
        'MujocoPlugins': {'names': ['points'], 'points': lidar},
    }  # fmt: skip
    pairs = [_scan_ns(parameters) for _ in range(_ROUNDS)]
    ratio = statistics.median(ours / bare for ours, bare in pairs)
    ours, bare = (statistics.median(each) / 1e3 for each in zip(*pairs, strict=True))
    measured = f'{ours:.0f} us a scan against {bare:.0f}'
    return Result(name=name, ratio=ratio, rule='at most', limit=limit, measured=measured)


def _scan_ns(parameters: dict[str, Any]) -> tuple[float, float]:
    with folder() as prefix:
        client = [sys.executable, '-c', _READER, 'PointCloud2', '/points']
        with running(client, environment(prefix)):
            done = subprocess.run(
                server_command(prefix, parameters),
                env=environment(prefix), stdout=subprocess.PIPE, text=True, check=True,
            )  # fmt: skip
    words = next(line for line in done.stdout.splitlines() if line.startswith('LIDAR')).split()
    return float(words[1]), float(words[2])


_READER = """
import sys
import rclpy
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs import msg
rclpy.init()
node = Node('reader')
node.create_subscription(
    getattr(msg, sys.argv[1]), sys.argv[2], lambda message: None, qos_profile_sensor_data, raw=True
)
try:
    rclpy.spin(node)
except ExternalShutdownException:
    pass
"""
"""Subscribes to a topic, and does not look at what comes."""


def _hall() -> str:
    """Returns a hall with forty things in it, and a lidar in its middle that can slide."""
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
