"""Plots of joint controllers, computed by sessions."""

from __future__ import annotations

import json
import math
from typing import Any

from matplotlib.figure import Figure
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from mujoco_ros_py import mjcf
from mujoco_ros_py.session import Session

from .board import DPI, RED
from .curves import DASHED, record, time_axes, with_legend
from .examples import ARM, model_text

_NO_QUOTES = {ord(each): None for each in '{"}'}
CUBE = """
<mujoco>
  <worldbody><geom name="cube" type="box" size="0.02 0.02 0.02" condim="4"/></worldbody>
</mujoco>
"""


def joint_trajectory_controller() -> Figure:
    """Plots a trajectory of three points: positions only, with velocities, with accelerations."""
    figure = Figure((7.5, 4.6), dpi=DPI, layout='constrained')
    positions, velocities = figure.subplots(2, 1, sharex=True)
    kinds = {
        'positions only: linear': {},
        'with velocities: cubic': {'velocities': [0.0]},
        'also with accelerations: quintic': {'velocities': [0.0], 'accelerations': [0.0]},
    }
    for label, given in kinds.items():
        points = [JointTrajectoryPoint(positions=[q], **given) for q in (1.0, -0.5, 0.2)]
        time, desired, speed, measured = _followed(points)
        (line,) = positions.plot(time, desired, label=label)
        positions.plot(time, measured, linestyle=':', color=line.get_color(), linewidth=2.5)
        velocities.plot(time, speed)
    positions.plot([], [], linestyle=':', color='black', label='measured')
    positions.plot((1, 2, 3), (1.0, -0.5, 0.2), 'ko', markersize=4)
    positions.set(ylabel='position in rad')
    velocities.set(ylabel='desired velocity in rad/s', xlabel='simulated time in s')
    for axes in positions, velocities:
        axes.grid(alpha=0.3)
    return with_legend(positions)


def _followed(points: list[Any]) -> Any:
    """Returns times, desired positions and velocities, and measured positions of a joint."""
    plugin = {'type': 'mujoco_ros_py/JointTrajectoryController', 'name': 'arm',
              'joints': ['joint1']}  # fmt: skip
    for number, point in enumerate(points, 1):
        point.time_from_start.sec = number
    message = JointTrajectory(joint_names=['joint1'], points=points)
    with Session(ARM, plugins=[plugin]) as session:
        arm = session.plugins['arm']
        trajectory = arm.reader.read(message, now=0.0)
        session.call(lambda model, data: arm.begin(trajectory, data))
        time, measured = record(session, 3.5, lambda model, data: data.qpos[0])
    desired = [trajectory.sample(each) for each in time]
    positions = [sample.position[0] for sample in desired]
    velocities = [sample.velocity[0] for sample in desired]
    return time, positions, velocities, measured


def parallel_gripper() -> Figure:
    """Plots the gap between two fingers and their force while they close on a cube."""
    page = 'reference/controllers/parallel-gripper.md'
    hand = mjcf.from_xml_string(model_text(page, 'hand.xml'))
    hand.attach(mjcf.from_xml_string(CUBE))
    plugin = {'type': 'mujoco_ros_py/ParallelGripperController', 'name': 'gripper',
              'joint': 'finger', 'allow_stalling': True}  # fmt: skip
    goals = []
    with Session(hand, plugins=[plugin]) as session:
        gripper = session.plugins['gripper']

        def close(model: Any, data: Any) -> None:
            goals.append(gripper.move(data, 0.05, max_velocity=0.05, max_effort=5.0))

        def measure(model: Any, data: Any) -> tuple[float, ...]:
            position, _, effort = gripper.measured(data)
            return 2e3 * (0.055 - position), effort

        time, gap, effort = record(session, 3.0, measure, [(0.2, close)])
        session.call(lambda model, data: gripper.goals.settle())
        end = goals[0].result.time
    axes = time_axes('gap between the fingers in mm')
    axes.plot(time, gap, label='gap')
    axes.axhline(40, **DASHED, label='width of the cube')
    axes.axvline(end, color='#5a9e4b', linestyle='-.', label='goal ends: stalled')
    axes.set(ylim=(0, 120))
    force = axes.twinx()
    force.plot(time, effort, color='#d9822b', label='force, with max_effort: 5')
    force.set(ylabel='force in N', ylim=(-1, 11))
    return with_legend(axes)


def topic_based_hardware() -> Figure:
    """Plots two joints; later messages command only one of them."""
    plugin = {'type': 'mujoco_ros_py/TopicBasedHardware', 'name': 'hardware',
              'joints': {'joint1': 'position', 'joint2': 'position'}}  # fmt: skip
    both = ['joint1', 'joint2']
    messages = (
        (0.2, both, [0.5, -0.3]), (1.2, both, [math.nan, 0.3]), (2.2, ['joint1'], [-0.2])
    )  # fmt: skip
    with Session(ARM, plugins=[plugin]) as session:
        hardware = session.plugins['hardware']
        events = [
            (time, lambda *_, n=names, p=position: hardware.set_commands(n, position=p))
            for time, names, position in messages
        ]
        time, *joints = record(session, 3.2, lambda model, data: data.qpos[:2].copy(), events)
    axes = time_axes('position in rad')
    for name, positions in zip(both, joints, strict=True):
        axes.plot(time, positions, label=name)
    for at, names, position in messages:
        axes.axvline(at, **DASHED)
        text = f'name: {", ".join(names)}\nposition: {", ".join(f"{q:g}" for q in position)}'
        axes.text(at + 0.03, 0.62, text, size=8, va='bottom')
    axes.set(ylim=(-0.4, 0.85))
    return with_legend(axes)


def forward_command_controller() -> Figure:
    """Plots the effect of the same number as a position, a velocity and an effort command."""
    axes = time_axes('position of joint7 in rad')
    for interface, unit in (('position', 'rad'), ('velocity', 'rad/s'), ('effort', 'N m')):
        plugin = {'type': 'mujoco_ros_py/ForwardCommandController', 'name': 'wrist',
                  'joints': ['joint7'], 'interface_name': interface}  # fmt: skip
        with Session(ARM, plugins=[plugin]) as session:
            wrist = session.plugins['wrist']
            command = 0.2, lambda *_, w=wrist: w.set_commands([0.5])
            curve = record(session, 1.5, lambda model, data: data.qpos[6], [command])
        axes.plot(*curve, label=f'interface_name: {interface} (0.5 {unit})')
    axes.axvline(0.2, **DASHED, label='message: data: [0.5]')
    return with_legend(axes)


def joint_controller() -> Figure:
    """Plots a joint under gravity, for several values of stiffness and damping."""
    axes = time_axes('position of joint2 in rad')
    for given in (
        {'stiffness': 300, 'damping': 30}, {'stiffness': 300, 'damping': 90},
        {'stiffness': 300, 'damping': 30, 'gravity_compensation': False},
    ):  # fmt: skip
        plugin = {'type': 'mujoco_ros_py/JointController', 'name': 'arm', **given}
        with Session(ARM, plugins=[plugin]) as session:
            arm = session.plugins['arm']
            target = 0.2, lambda *_, a=arm: a.set_targets({'joint2': 0.5})
            curve = record(session, 3.0, lambda model, data: data.qpos[1], [target])
        axes.plot(*curve, label=json.dumps(given).translate(_NO_QUOTES))
    axes.step((0.0, 0.2, 3.0), (0.0, 0.5, 0.5), where='post', **DASHED, label='target')
    return with_legend(axes, 1)


def actuator_commands() -> Figure:
    """Plots the control of a motor: within its range, beyond its range, and after a timeout."""
    plugin = {'type': 'mujoco_ros_py/ActuatorCommands', 'name': 'fan', 'actuators': ['joint7'],
              'command_timeout': 0.5}  # fmt: skip
    with Session(ARM, plugins=[plugin]) as session:
        fan = session.plugins['fan']
        events = [(at, lambda model, data, c=control: fan.set_controls(data, [c]))
                  for at, control in ((0.2, 15.0), (0.6, 40.0))]  # fmt: skip
        curve = record(session, 1.5, lambda model, data: data.ctrl[6], events)
    axes = time_axes('control of joint7 in N m')
    axes.step((0.0, 0.2, 0.6, 1.5), (0.0, 15.0, 40.0, 40.0), where='post', **DASHED,
              label='command: 15, then 40')  # fmt: skip
    axes.plot(*curve, label='data.ctrl')
    axes.axhline(25, color='#5a9e4b', linestyle=':', label='upper limit of ctrlrange')
    axes.axvline(1.1, color='#d9822b', linestyle='-.', label='command_timeout: 0.5 s')
    return with_legend(axes)


def emergency_stop() -> Figure:
    """Plots two joints that are commanded, stopped, released, and commanded again."""
    limits = {'max_velocity': 0.5, 'max_acceleration': 4.0}
    joints = ['joint1', 'joint2']
    plugin = {'type': 'mujoco_ros_py/ForwardCommandController', 'name': 'shoulder',
              'joints': joints, 'interface_name': 'position',
              'joint_limits': dict.fromkeys(joints, limits)}  # fmt: skip
    with Session(ARM, plugins=[plugin, {'type': 'mujoco_ros_py/EmergencyStop'}]) as session:
        stop, shoulder = session.plugins['emergency_stop'], session.plugins['shoulder']
        events = [
            (0.2, lambda *_: shoulder.set_commands([1.0, -0.6])),
            (1.0, lambda *_: stop.set_stopped(True)),
            (1.6, lambda *_: shoulder.set_commands([0.0, 0.0])),
            (2.2, lambda *_: stop.set_stopped(False)),
            (2.8, lambda *_: shoulder.set_commands([0.2, -0.1])),
        ]
        time, *curves = record(session, 4.0, lambda model, data: data.qpos[:2].copy(), events)
    axes = time_axes('position in rad')
    for name, curve in zip(joints, curves, strict=True):
        axes.plot(time, curve, label=name)
    axes.axvspan(1.0, 2.2, color=RED, label='stopped')
    for at in (0.2, 1.6, 2.8):
        axes.axvline(at, **DASHED, label='command' if at == 0.2 else None)
    return with_legend(axes, 4)
