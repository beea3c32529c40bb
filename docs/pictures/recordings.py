"""The picture of recordings: a recorded run, and others that go on from one of its moments."""

from __future__ import annotations

import tempfile
from pathlib import Path

import mujoco
import numpy as np
from matplotlib.figure import Figure

from mujoco_ros_py.playback import continued
from mujoco_ros_py.recording import RecordedRun
from mujoco_ros_py.session import Session

from .curves import DASHED, record, time_axes, with_legend
from .plots import PENDULUM

MOMENT_S, END_S = 1.0, 3.0


def recordings() -> Figure:
    """A recorded swing, and the same moment going on with other damping."""
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
                axes.plot(*curve, label=f'continued with the damping {damping}')
    axes.axvline(MOMENT_S, **DASHED)
    return with_legend(axes, columns=3)


def _angles(run: RecordedRun) -> np.ndarray:
    """Returns the times and the angles that are recorded."""
    rows = []
    for block in run.rows():
        section = run.sections[block.section]
        model = run.model(section)
        data = mujoco.MjData(model)
        for row in block.rows:
            section.put(model, data, row)
            rows.append((data.time, data.qpos[0]))
    return np.transpose(rows)
