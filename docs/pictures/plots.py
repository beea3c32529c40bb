"""Plots of simulation results."""

from __future__ import annotations

import tempfile
from pathlib import Path

import mujoco
import numpy as np
from matplotlib import colormaps
from matplotlib.figure import Figure

from mujoco_ros_py import mjcf
from mujoco_ros_py.recording import RecordedRun
from mujoco_ros_py.recording.playback import continued
from mujoco_ros_py.session import Session

from .board import DPI
from .curves import DASHED, figure_of, record, time_axes, with_legend
from .examples import ARM, example, plugin_class

MOMENT_S, END_S = 1.0, 3.0
"""The simulated times at which a recorded run is continued, and at which it ends, in s."""
PENDULUM = 'package://mujoco_ros_py/examples/pendulum.xml'


def sessions() -> Figure:
    """Plots the angle of a pendulum for three values of damping."""
    axes = time_axes('angle in rad')
    damper = plugin_class('damper', 'Damper')
    for damping in 0.02, 0.1, 0.5:
        plugin = {'type': damper, 'damping': damping}
        with Session(PENDULUM, plugins=[plugin], positions={'hinge': 0.1}) as session:
            curve = record(session, 10.0, lambda model, data: data.qpos[0])
        axes.plot(*curve, label=f'damping: {damping}')
    axes.legend()
    return figure_of(axes)


def batch() -> Figure:
    """Plots the angles of many pendulums, each with a different damping and gravity."""
    done = example('how-to/batch.md', 'damped_rods.py')['done']
    axes = time_axes('angle in rad')
    colours = colormaps['viridis'](np.linspace(0, 1, len(done['time'])))
    for times, angles, colour in zip(done['time'], done['qpos'], colours, strict=True):
        axes.plot(times, angles[:, 0], color=colour, linewidth=0.8)
    return figure_of(axes)


def controllers() -> Figure:
    """Plots a joint of the arm after a command, with and without limits."""
    axes = time_axes('position in rad')
    velocity, both = {'max_velocity': 1.5}, {'max_velocity': 1.5, 'max_acceleration': 4.0}
    for limits, label in (({}, 'no limits'), (velocity, 'max_velocity: 1.5'),
                          (both, 'also max_acceleration: 4')):  # fmt: skip
        controller = {
            'type': 'mujoco_ros_py/ForwardCommandController',
            'name': 'shoulder',
            'joints': ['joint1'],
            'interface_name': 'position',
            'joint_limits': {'joint1': limits},
        }
        with Session(ARM, plugins=[controller]) as session:
            shoulder = session.plugins['shoulder']
            command = 0.0, lambda *_, s=shoulder: s.set_commands([1.0])
            curve = record(session, 1.3, lambda model, data: data.qpos[0], [command])
        axes.plot(*curve, label=label)
    axes.axhline(1.0, **DASHED, label='command')
    axes.legend()
    return figure_of(axes)


def mjcf_physics() -> Figure:
    """Draws the poses of a swinging pendulum, and plots the height of its bob."""
    names = example('how-to/mjcf-physics.md', 'swinging.py')
    physics = mjcf.Physics.from_mjcf_model(names['model'])
    hinge, bob, motor = (physics.bind(names[name]) for name in ('hinge', 'bob', 'motor'))
    hinge.qpos, motor.ctrl = 0.5, 0.0
    figure = Figure((7.5, 3.2), dpi=DPI, layout='constrained')
    poses, heights = figure.subplots(1, 2, width_ratios=(2, 3))
    moments = []
    for moment in range(150):
        x, _, z = bob.xpos
        moments.append((physics.time(), z))
        if moment % 3 == 0 and moment < 36:
            poses.plot([0, x], [1, z], color='#9aa4af', linewidth=2)
            poses.plot(x, z, 'o', markersize=16, color='#d9822b', alpha=0.25 + moment / 50)
        physics.step(10)
    poses.set(xlim=(-0.45, 0.45), ylim=(0.35, 1.05), aspect='equal')
    poses.set(xlabel='x in m', ylabel='z in m')
    heights.plot(*np.transpose(moments), color='#d9822b')
    heights.set(xlabel='physics.time() in s', ylabel='physics.bind(bob).xpos[2] in m')
    heights.grid(alpha=0.3)
    return figure


def recordings() -> Figure:
    """Plots a recorded swing, and continuations of it with different damping."""
    axes = time_axes('angle in rad')
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / 'run.mcap')
        recorder = {'type': 'mujoco_ros_py/Recorder', 'file': file}
        with Session(PENDULUM, [recorder], positions={'hinge': 1.0}) as session:
            steps = session.call(lambda model, data: round(END_S / model.opt.timestep))
            session.step(steps)
        with RecordedRun(file) as run:
            axes.plot(*_angles(run), label='recorded', color='black', linewidth=2.5)
            for damping in 0.05, 0.3:
                session, _ = continued(run, MOMENT_S)
                with session:
                    heavier = 0.0, lambda model, data, d=damping: model.dof_damping.fill(d)
                    curve = record(session, END_S, lambda model, data: data.qpos[0], [heavier])
                axes.plot(*curve, label=f'continued with damping {damping}')
    axes.axvline(MOMENT_S, **DASHED)
    return with_legend(axes, columns=3)


def _angles(run: RecordedRun) -> np.ndarray:
    """Returns the recorded times and angles."""
    rows = []
    for block in run.rows():
        section = run.sections[block.section]
        model = run.model(section)
        data = mujoco.MjData(model)
        for row in block.rows:
            section.put(model, data, row)
            rows.append((data.time, data.qpos[0]))
    return np.transpose(rows)
