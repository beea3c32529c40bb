"""What sensors cost the physics, and whether their messages arrive."""

from __future__ import annotations

import math
import statistics
import subprocess
import sys
from typing import Any

import mujoco

from .pairs import fastest
from .processes import FOLDER, environment, folder, running, server_command
from .result import Result

_FAST_TOPICS, _FAST_STEPS = 20, 15_000
_SCANS, _SCAN_HZ, _ROUNDS = 200, 20.0, 5
_TOPICS, _RUNS = 50, 5
_HINGE = int(mujoco.mjtJoint.mjJNT_HINGE)


_QUIET: dict[str, Any] = {'report_interval': 0.0, 'joint_states_rate': 0.0}


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
    topics = [f'/told/s{k}' for k in range(_FAST_TOPICS)]
    told: dict[str, Any] = {
        **_QUIET,
        'mujoco_xml': _chain(_FAST_TOPICS, 0.001),
        'MujocoPlugins': {
            'names': ['told'],
            'told': {'type': 'mujoco_ros_py/Sensors', 'update_rate': 1000.0},
        },
    }
    taker = {
        **_QUIET,
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


def measure_topics(name: str, limit: float) -> Result:
    """Returns steps per second with 50 sensor topics at 100 Hz over those without.

    The server runs unthrottled with the humanoid, and a client in compiled code reads all topics.
    """
    xml, sensors = _humanoid()
    topics = [f'/told/{sensor}' for sensor in sensors]
    told = {'type': 'mujoco_ros_py/Sensors', 'update_rate': 100.0}
    parameters = {'mujoco_xml': xml, 'num_steps': 100_000}
    taker = {
        **_QUIET, 'mujoco_xml': _chain(1, 0.001),
        'MujocoPlugins': {
            'names': ['counter'],
            'counter': {'type': 'benchmarks/SensorCounter', 'topics': topics},
        },
    }  # fmt: skip
    with folder() as prefix:
        command = server_command(prefix, taker)
        command += ['-r', '__node:=taker', '-r', '/clock:=/own']
        with running(command, environment(prefix)):
            return _beside(name, limit, parameters, {'told': told}, topics)


def measure_physics(name: str, limit: float) -> Result:
    """Returns steps per second beside a 20 Hz scan of 64 x 1024 rays over those without.

    The server runs unthrottled, and a client reads the points.
    """
    lidar = {
        'type': 'mujoco_ros_py/Lidar', 'site': 'lidar', 'update_rate': _SCAN_HZ,
        'range': {'max': 30.0},
        'horizontal': {'samples': 1024, 'min_angle': -math.pi,
                       'max_angle': math.pi * (1 - 2 / 1024)},
        'vertical': {'samples': 64, 'min_angle': -0.4, 'max_angle': 0.2},
    }  # fmt: skip
    parameters = {'mujoco_xml': _hall(), 'num_steps': 1_000_000}
    with folder() as prefix:
        client = [sys.executable, '-c', _READER, 'PointCloud2', '/points']
        with running(client, environment(prefix)):
            return _beside(name, limit, parameters, {'points': lidar}, ['/points'])


def _beside(
    name: str, limit: float, parameters: dict[str, Any], plugins: dict[str, Any], topics: list[str]
) -> Result:
    """Returns the time of a step without the plugins over that with them, of runs in turn.

    Each is the time of the fastest window of all runs, as the host's other machines slow whole
    runs by up to a half.
    """
    without, beside = fastest([
        (_step_s(parameters, {}, []), _step_s(parameters, plugins, topics)) for _ in range(_RUNS)
    ])  # fmt: skip
    measured = f'{1e6 * beside:.2f} us a step against {1e6 * without:.2f}'
    return Result(
        name=name, ratio=without / beside, rule='at least', limit=limit, measured=measured
    )


def _step_s(parameters: dict[str, Any], plugins: dict[str, Any], topics: list[str]) -> float:
    """Returns the seconds that a step of the server takes in its fastest window."""
    runner = {'type': 'benchmarks/Runner'} | ({'topics': topics} if topics else {})
    given = {
        **_QUIET, **parameters, 'unpause': False, 'realtime': -1.0,
        'MujocoPlugins': {'names': ['runner', *plugins], 'runner': runner, **plugins},
    }  # fmt: skip
    with folder() as prefix:
        done = subprocess.run(
            server_command(prefix, given),
            env=environment(prefix), stdout=subprocess.PIPE, text=True, check=True,
        )  # fmt: skip
    return float(
        next(line for line in done.stdout.splitlines() if line.startswith('RUN')).split()[1]
    )


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


def _humanoid() -> tuple[str, list[str]]:
    """Returns the humanoid of the benchmarks with fifty named sensors, and their names.

    All of them are scalars.
    """
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
