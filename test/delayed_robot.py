"""Writes recordings of a robot whose joint follows its commands after a known delay.

The messages are serialized by the package rosbags.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from mcap.writer import Writer
from rosbags.typesys import Stores, get_typestore

TYPES = get_typestore(Stores.ROS2_JAZZY)
BEGIN_S = 1_700_000_000
COMMANDS, STATES = '/arm/commands', '/joint_states'


@dataclass(kw_only=True)
class Run:
    """Times in s and values of commands and states; `delays` are the true ones."""

    command_times: Any
    commands: Any
    state_times: Any
    states: Any
    delays: Any = field(default=None)


def response(kind: str, time: Any, tau: float) -> Any:
    """The response to a unit step at 0."""
    after = np.maximum(time, 0.0)
    if kind == 'first':
        return 1.0 - np.exp(-after / tau)
    if kind == 'second':
        return 1.0 - (1.0 + after / tau) * np.exp(-after / tau)
    assert kind == 'none'
    return (time >= 0.0) * 1.0


def steps(
    random: Any,
    delays: Any,
    *,
    kind: str = 'first',
    tau: float = 0.03,
    period: float = 0.004,
    noise: float = 0.002,
    quantum: float = 0.0,
) -> Run:
    """A run with a step of the command for each delay, 0.7 s apart."""
    times = 0.5 + 0.7 * np.arange(len(delays)) + random.uniform(0.0, 0.01, len(delays))
    levels = np.where(np.arange(len(delays)) % 2, -1, 1) * random.uniform(0.2, 0.5, len(delays))
    state_times = np.arange(0.0, times[-1] + 1.0, period)
    state_times += random.uniform(0.0, 0.05 * period, len(state_times))
    states = random.normal(0.0, noise, len(state_times))
    before = 0.0
    for at, level, delay in zip(times, levels, delays, strict=True):
        states += (level - before) * response(kind, state_times - at - delay, tau)
        before = level
    if quantum:
        states = np.round(states / quantum) * quantum
    return Run(
        command_times=np.concatenate([[0.1], times]), commands=np.concatenate([[0.0], levels]),
        state_times=state_times, states=states, delays=np.asarray(delays),
    )  # fmt: skip


def wave(random: Any, delay: float, *, period: float = 0.004, noise: float = 0.002) -> Run:
    """A run with a command that changes every 10 ms, which the joint follows without dynamics."""
    command_times = np.arange(0.0, 40.0, 0.01)
    phases, rates = random.uniform(0.0, 6.0, 8), random.uniform(2.0, 20.0, 8)
    commands = 0.1 * np.sin(np.outer(command_times, rates) + phases).sum(axis=1)
    state_times = np.arange(0.0, 40.0, period) + 0.001
    held = np.searchsorted(command_times, state_times - delay, 'right') - 1
    states = np.where(held >= 0, commands[np.maximum(held, 0)], 0.0)
    return Run(
        command_times=command_times, commands=commands, state_times=state_times,
        states=states + random.normal(0.0, noise, len(states)),
    )  # fmt: skip


def header(time_s: float) -> Any:
    nanoseconds = round(time_s * 1e9)
    stamp = TYPES.types['builtin_interfaces/msg/Time'](
        sec=BEGIN_S + nanoseconds // 10**9, nanosec=nanoseconds % 10**9
    )
    return TYPES.types['std_msgs/msg/Header'](stamp=stamp, frame_id='')


def joint_state(time_s: float, joints: list[str], positions: Any, velocities: Any = ()) -> Any:
    return TYPES.types['sensor_msgs/msg/JointState'](
        header=header(time_s), name=joints, position=np.asarray(positions, float),
        velocity=np.asarray(velocities, float), effort=np.zeros(0),
    )  # fmt: skip


def array(values: list[float]) -> Any:
    layout = TYPES.types['std_msgs/msg/MultiArrayLayout'](dim=[], data_offset=0)
    return TYPES.types['std_msgs/msg/Float64MultiArray'](layout=layout, data=np.array(values))


def trajectory(
    time_s: float, joints: Any, positions: Any, seconds: float = 5e-9, velocities: Any = ()
) -> Any:
    """A trajectory of one or several joints to positions, which they reach after some seconds."""
    sec, nanosec = divmod(round(seconds * 1e9), 10**9)
    point = TYPES.types['trajectory_msgs/msg/JointTrajectoryPoint'](
        positions=np.atleast_1d(np.asarray(positions, float)),
        velocities=np.asarray(velocities, float),
        accelerations=np.zeros(0), effort=np.zeros(0),
        time_from_start=TYPES.types['builtin_interfaces/msg/Duration'](sec=sec, nanosec=nanosec),
    )  # fmt: skip
    names = [joints] if isinstance(joints, str) else list(joints)
    return TYPES.types['trajectory_msgs/msg/JointTrajectory'](
        header=header(time_s), joint_names=names, points=[point]
    )


def vector(value: float) -> Any:
    return TYPES.types['geometry_msgs/msg/Vector3'](x=value, y=0.0, z=0.0)


def twist(value: float) -> Any:
    return TYPES.types['geometry_msgs/msg/Twist'](linear=vector(0.0), angular=vector(value))


def odometry(time_s: float, value: float) -> Any:
    types = TYPES.types
    pose = types['geometry_msgs/msg/Pose'](
        position=types['geometry_msgs/msg/Point'](x=0.0, y=0.0, z=0.0),
        orientation=types['geometry_msgs/msg/Quaternion'](x=0.0, y=0.0, z=0.0, w=1.0),
    )
    no_covariance = np.zeros(36)
    return types['nav_msgs/msg/Odometry'](
        header=header(time_s), child_frame_id='base',
        pose=types['geometry_msgs/msg/PoseWithCovariance'](pose=pose, covariance=no_covariance),
        twist=types['geometry_msgs/msg/TwistWithCovariance'](
            twist=twist(value), covariance=no_covariance
        ),
    )  # fmt: skip


def write_bag(path: Path, messages: dict[str, list[tuple[float, Any]]]) -> Path:
    """Writes messages by topic, with their receive times in s, as rosbag2 does."""
    with path.open('wb') as stream:
        writer = Writer(stream)
        writer.start('ros2', 'libmcap 1.1.0')
        rows = []
        for topic, series in messages.items():
            kind = series[0][1].__msgtype__ if series else 'std_msgs/msg/Float64MultiArray'
            text = TYPES.generate_msgdef(kind)[0]
            schema = writer.register_schema(kind, 'ros2msg', text.encode())
            channel = writer.register_channel(topic, 'cdr', schema)
            rows += [(time, channel, kind, message) for time, message in series]
        for time, channel, kind, message in sorted(rows, key=lambda row: row[0]):
            ns = BEGIN_S * 10**9 + round(time * 1e9)
            data = bytes(TYPES.serialize_cdr(message, kind))
            writer.add_message(channel, ns, data, ns)
        writer.finish()
    return path


def write_run(path: Path, run: Run) -> Path:
    """Writes a run as arrays and joint states."""
    return write_bag(
        path,
        {
            COMMANDS: [
                (time, array([0.0, value]))
                for time, value in zip(run.command_times, run.commands, strict=True)
            ],
            STATES: [
                (time, joint_state(time, ['elbow'], [value]))
                for time, value in zip(run.state_times, run.states, strict=True)
            ],
        },
    )
