"""Writes recordings of a robot with joints that move between rests, and with sensors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import delayed_robot as robot
import mujoco
import numpy as np

from mujoco_ros_py.identification.measurements import MeasurementOptions, read_sequences

TYPES = robot.TYPES
STATES, COMMANDS, IMU, FT, ODOM = '/joint_states', '/arm/commands', '/imu', '/ft', '/odom'
MODEL = mujoco.MjModel.from_xml_string("""
<mujoco>
  <compiler angle="radian"/>
  <worldbody>
    <body name="base">
      <freejoint/><geom size="0.1"/><site name="imu_link"/>
      <body name="upper">
        <joint name="shoulder" range="-2 2"/><geom size="0.1"/>
        <body name="lower">
          <joint name="elbow"/><geom size="0.1"/><site name="wrist"/>
          <body name="hand"><joint name="lift" type="slide" axis="0 0 1"/><geom size="0.1"/></body>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position name="shoulder_servo" joint="shoulder" kp="50" gear="2" ctrlrange="-4 4"/>
    <motor name="elbow_motor" joint="elbow" gear="4"/>
    <velocity name="lift_servo" joint="lift" kv="10"/>
  </actuator>
</mujoco>
""")
REST_S, MOVE_S = 0.6, 1.4


def move(times: Any, number: int = 0) -> tuple[Any, Any]:
    """Positions and velocities: rests of 0.6 s between smooth moves of 1.4 s to other targets."""
    k = np.floor(times / (REST_S + MOVE_S)).astype(int)
    part = np.clip((times - k * (REST_S + MOVE_S) - REST_S) / MOVE_S, 0.0, 1.0)
    targets = np.random.default_rng(number).uniform(-1.0, 1.0, int(k.max()) + 2)
    way = targets[k + 1] - targets[k]
    blend = part**3 * (10.0 - 15.0 * part + 6.0 * part**2)
    rate = 30.0 * part**2 * (1.0 - part) ** 2 / MOVE_S
    return targets[k] + way * blend, way * rate


def joint_state(time: float, names: Any, position: Any = (), velocity: Any = (), effort: Any = ()):
    return TYPES.types['sensor_msgs/msg/JointState'](
        header=robot.header(time), name=list(names), position=np.asarray(position, float),
        velocity=np.asarray(velocity, float), effort=np.asarray(effort, float),
    )  # fmt: skip


def states(
    length: float = 8.0, rate: float = 100.0, names: Any = ('shoulder', 'elbow'), **options: Any
) -> list[tuple[float, Any]]:
    """Joint states with positions and velocities times `scale` and `velocity_scale`."""
    times = np.arange(0.0, length, 1.0 / rate)
    moves = [move(times, k) for k in range(len(names))]
    scale = options.get('scale', 1.0)
    noise = np.random.default_rng(1).normal(0.0, options.get('noise', 0.0), len(times))
    rows = []
    for k, time in enumerate(times):
        position = [scale * (each[0][k] + noise[k]) for each in moves]
        velocity = [options.get('velocity_scale', scale) * each[1][k] for each in moves]
        effort = [each[1][k] for each in moves]
        rows.append((float(time), joint_state(time, names, position, velocity, effort)))
    return rows


def vector(x: float, y: float, z: float) -> Any:
    return TYPES.types['geometry_msgs/msg/Vector3'](x=x, y=y, z=z)


def framed(time: float, frame: str) -> Any:
    stamped = robot.header(time)
    return TYPES.types['std_msgs/msg/Header'](stamp=stamped.stamp, frame_id=frame)


def imu(time: float, frame: str = 'imu_link', unknown: bool = False) -> Any:
    none = np.zeros(9)
    return TYPES.types['sensor_msgs/msg/Imu'](
        header=framed(time, frame),
        orientation=TYPES.types['geometry_msgs/msg/Quaternion'](x=0.0, y=0.0, z=0.0, w=1.0),
        orientation_covariance=none,
        angular_velocity=vector(0.1 * np.sin(time), 0.2, 0.3), angular_velocity_covariance=none,
        linear_acceleration=vector(0.4, 0.5, 9.8),
        linear_acceleration_covariance=np.array([-1.0 if unknown else 0.0, *none[1:]]),
    )  # fmt: skip


def wrench(time: float, frame: str = 'wrist') -> Any:
    return TYPES.types['geometry_msgs/msg/WrenchStamped'](
        header=framed(time, frame),
        wrench=TYPES.types['geometry_msgs/msg/Wrench'](
            force=vector(1.0, 2.0, 3.0), torque=vector(4.0, 5.0, 6.0)
        ),
    )


def odometry(time: float, frame: str = 'base', speed: float = 0.5) -> Any:
    made = robot.odometry(time, 0.0)
    made.child_frame_id = frame
    made.twist.twist.linear = vector(speed, 0.0, 0.0)
    made.twist.twist.angular = vector(0.0, 0.0, -speed)
    return made


def stream(make: Any, length: float = 8.0, rate: float = 50.0, **options: Any) -> Any:
    """Messages at a rate."""
    return [(float(time), make(time, **options)) for time in np.arange(0.0, length, 1.0 / rate)]


def commands(values: Any, length: float = 8.0) -> list[tuple[float, Any]]:
    """An array at the begin of each move, times 1, 2, 3 and so on."""
    starts = np.arange(0.0, length, REST_S + MOVE_S)
    return [
        (float(start) + (REST_S if k else 0.0), robot.array([(k + 1.0) * each for each in values]))
        for k, start in enumerate(starts)
    ]


def sequences(
    path: Path,
    messages: dict[str, list[tuple[float, Any]]] | None = None,
    plugins: dict[str, str] | None = None,
    notes: list[str] | None = None,
    model: mujoco.MjModel = MODEL,
    **options: Any,
) -> Any:
    """Writes the messages to a file in a folder, and reads the file with these options."""
    from mujoco_ros_py.config import read

    if messages is not None:
        path = robot.write_bag(path / 'run.mcap', messages)
    told = [] if notes is None else notes
    asked = read(MeasurementOptions, options)
    return read_sequences([path], model, asked, plugins or {}, told.append)


def signals(found: Any) -> dict[tuple[str, str, int], Any]:
    """The signals of the first sequence by quantity, name and component."""
    return {
        (each.source.quantity, each.source.name, each.source.component): each
        for each in found[0].signals
    }
