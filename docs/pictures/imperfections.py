"""Plots of faults of a robot, computed by sessions."""

from __future__ import annotations

from matplotlib.figure import Figure

from mujoco_ros_py.session import Session

from .curves import DASHED, record, time_axes, with_legend
from .examples import ARM


def imperfect_robot() -> Figure:
    """Plots the step response of a joint whose controls arrive late."""
    axes = time_axes('position of joint1 in rad')
    arm = {'type': 'mujoco_ros_py/JointController', 'name': 'arm', 'stiffness': 200.0,
           'damping': 20.0}  # fmt: skip
    for delay_s in 0.0, 0.01, 0.04:
        late = {'of': {'actuator': 'joint1'}, 'delay': delay_s}
        faults = {'type': 'mujoco_ros_py/Imperfections', 'name': 'faults',
                  'timeline': {'late': late}}  # fmt: skip
        with Session(ARM, plugins=[arm, faults]) as session:
            controller = session.plugins['arm']
            target = 0.2, lambda *_, c=controller: c.set_targets({'joint1': 0.3})
            curve = record(session, 1.6, lambda model, data: data.qpos[0], [target])
        axes.plot(*curve, label=f'delay: {delay_s:g}')
    axes.step((0.0, 0.2, 1.6), (0.0, 0.3, 0.3), where='post', **DASHED, label='target')
    return with_legend(axes, 4)
