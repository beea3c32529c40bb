"""Simulates robots whose values are known, and writes what they do as recordings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import delayed_robot as robot
import mujoco
import numpy as np

TWO_LINKS = """
<mujoco>
  <compiler angle="radian"/>
  <option timestep="0.002" integrator="implicitfast"/>
  <worldbody>
    <!-- the upper link -->
    <body name="upper">
      <joint name="shoulder" axis="0 1 0" damping="{}" frictionloss="{}" armature="{}"/>
      <geom name="upper" type="capsule" size=".03" fromto="0 0 0 0 0 -.4" mass="2"/>
      <body name="lower" pos="0 0 -.4">
        <joint name="elbow" axis="0 1 0" damping="{}" frictionloss="{}" armature="{}"/>
        <geom name="lower" type="capsule" size=".03" fromto="0 0 0 0 0 -.4" mass="{}"/>
        <site name="tip" pos="0 0 -.4"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="shoulder_motor" joint="shoulder"/>
    <motor name="elbow_motor" joint="elbow"/>
  </actuator>
</mujoco>
"""
ROVER = Path(__file__).parents[1] / 'examples/rover.xml'
WHEELS = 'left_wheel', 'right_wheel'
NOMINAL = 1.0, 0.1, 0.05, 0.5, 0.05, 0.02, 1.0
KNOWN = 1.6, 0.2, 0.1, 0.3, 0.08, 0.03, 1.3
"""Damping, friction loss and armature of each joint, then the mass of the lower link."""
NAMES = (
    *('shoulder.damping', 'shoulder.frictionloss', 'shoulder.armature'),
    *('elbow.damping', 'elbow.frictionloss', 'elbow.armature', 'lower.mass'),
)
COMMANDS, STATES = '/arm/commands', '/joint_states'
JOINTS = 'shoulder', 'elbow'
GOALS = '/arm/joint_trajectory'
CONTROLLER = {
    'type': 'mujoco_ros_py/JointTrajectoryController', 'name': 'arm', 'joints': [*JOINTS],
}  # fmt: skip


def write_model(path: Path, values: Any = NOMINAL) -> Path:
    path.write_text(TWO_LINKS.format(*values))
    return path


def goal(time: float, positions: Any, seconds: float = 0.5, velocities: Any = ()) -> Any:
    """A trajectory to positions as an identification reads it."""
    from mujoco_ros_py.identification.sequences import Goal

    point = {
        'positions': positions, 'velocities': [*velocities], 'accelerations': [], 'effort': [],
        'time_from_start': {'sec': 0, 'nanosec': round(seconds * 1e9)},
    }  # fmt: skip
    message = {'joint_names': [*JOINTS], 'points': [point]}
    return Goal(time=time, topic=GOALS, kind='trajectory_msgs/JointTrajectory', message=message)


def efforts(times: Any, random: Any) -> Any:
    """Efforts of both motors: sums of four sines after a rest, one row for each time."""
    rates = 2.0 * np.pi * random.uniform(0.2, 1.5, (4, 2))
    phases = random.uniform(0.0, 6.0, (4, 2))
    rows = np.sin(rates * times[:, None, None] + phases).sum(axis=1) * (6.0, 1.5)
    return np.where(times[:, None] < 0.4, 0.0, rows)


def move(
    values: Any = KNOWN, *, seed: int = 0, length: float = 8.0, **options: Any
) -> dict[str, list[tuple[float, Any]]]:
    """Messages of the moving robot, by topic.

    The options are `delay` of commands (0.004 s), `rate` of states (250 Hz), `noise` of positions
    (2e-4 rad), `quantum` of encoders (0), `offset` of the elbow's encoder, and `efforts`.
    """
    random = np.random.default_rng(seed)
    model = mujoco.MjModel.from_xml_string(TWO_LINKS.format(*values))
    data, step = mujoco.MjData(model), model.opt.timestep
    command_times = np.arange(0.0, length, 0.01)
    commands = options.get('efforts', efforts)(command_times, random)
    delay, every = options.get('delay', 0.004), round(1.0 / options.get('rate', 250.0) / step)
    offset = np.array([0.0, options.get('offset', 0.0)])
    states = []
    for k in range(round(length / step)):
        time = k * step
        if k % every == 0:
            position = data.qpos + offset + random.normal(0.0, options.get('noise', 2e-4), 2)
            if quantum := options.get('quantum', 0.0):
                position = np.round(position / quantum) * quantum
            states.append((time, robot.joint_state(time, list(JOINTS), position)))
        row = int(np.floor((time - delay) / 0.01 + 1e-9))
        data.ctrl[:] = commands[row] if row >= 0 else 0.0
        mujoco.mj_step(model, data)
    arrays = [
        (float(time), robot.array(row)) for time, row in zip(command_times, commands, strict=True)
    ]
    return {COMMANDS: arrays, STATES: states}


def record(path: Path, values: Any = KNOWN, **options: Any) -> Path:
    """Writes a recording of the moving robot."""
    return robot.write_bag(path, move(values, **options))


def record_rover(path: Path, *, seed: int = 0, length: float = 12.0) -> Path:
    """Writes a recording of the rover, which drives and rests by turns, with damped wheels."""
    random = np.random.default_rng(seed)
    model = mujoco.MjModel.from_xml_path(str(ROVER))
    for wheel, damping, loss in zip(WHEELS, (0.14, 0.06), (0.1, 0.3), strict=True):
        dof = model.jnt_dofadr[model.joint(wheel).id]
        np.ravel(model.dof_damping)[dof], model.dof_frictionloss[dof] = damping, loss
    data, step, speeds = mujoco.MjData(model), model.opt.timestep, np.zeros(model.nu)
    mujoco.mj_step(model, data, round(2.0 / step))
    messages: dict[str, list[tuple[float, Any]]] = {COMMANDS: [], STATES: []}
    for k in range(round(length / step)):
        time = k * step
        if k % round(0.01 / step) == 0:
            part = round(time % 4.0, 6)
            if part in (0.5, 1.3, 2.2):
                speeds = random.uniform(-8.0, 8.0, model.nu) * (part < 2.0)
            messages[COMMANDS].append((time, robot.array(list(speeds))))
            data.ctrl[:] = speeds
        if k % round(0.004 / step) == 0:
            angles = [data.joint(wheel).qpos[0] + random.normal(0.0, 2e-4) for wheel in WHEELS]
            messages[STATES].append((time, robot.joint_state(time, list(WHEELS), angles)))
        mujoco.mj_step(model, data)
    return robot.write_bag(path, messages)
