"""Plots of plugins that act on bodies, computed by sessions."""

from __future__ import annotations

from matplotlib.figure import Figure

from mujoco_ros_py import mjcf
from mujoco_ros_py.session import Session

from .board import ORANGE
from .curves import DASHED, record, time_axes, with_legend
from .examples import ARM, model_text


def body_wrench() -> Figure:
    """Plots how far a push moves the last link of the arm, for two joint stiffnesses."""
    axes = time_axes('displacement along x in mm')
    push = {'type': 'mujoco_ros_py/BodyWrench', 'name': 'push', 'body': 'link7', 'duration': 0.1}
    for stiffness in 100.0, 300.0:
        arm = {'type': 'mujoco_ros_py/JointController', 'name': 'arm', 'stiffness': stiffness,
               'damping': 30.0}  # fmt: skip
        with Session(ARM, plugins=[arm, push]) as session:
            pushing = session.plugins['push']
            event = 0.2, lambda *_, p=pushing: p.set_wrench([20.0, 0.0, 0.0])
            curve = record(session, 3.0, lambda _, data: 1e3 * data.body('link7').xpos[0], [event])
        axes.plot(*curve, label=f'JointController, stiffness: {stiffness:g}')
    axes.axvspan(0.2, 0.3, color=ORANGE, label='force: {x: 20}, duration: 0.1')
    return with_legend(axes)


def mocap_pose() -> Figure:
    """Plots a mocap body on its way to a pose, and a box welded to the body."""
    target = {'type': 'mujoco_ros_py/MocapPose', 'name': 'target', 'body': 'target',
              'max_linear_velocity': 0.5}  # fmt: skip
    model = mjcf.from_xml_string(model_text('reference/controllers/mocap-pose.md', 'lead.xml'))
    with Session(model, plugins=[target]) as session:
        led = session.plugins['target']
        time, mocap, box = record(
            session, 1.2, lambda _, data: (data.body('target').xpos[0], data.body('box').xpos[0]),
            [(0.1, lambda *_: led.set_pose([0.2, 0.0, 0.5]))],
        )  # fmt: skip
    axes = time_axes('position along x in m')
    axes.step((0.0, 0.1, 1.2), (0.0, 0.2, 0.2), where='post', **DASHED,
              label='pose: {position: {x: 0.2, z: 0.5}}')  # fmt: skip
    axes.plot(time, mocap, label='mocap body, max_linear_velocity: 0.5')
    axes.plot(time, box, label='box welded to the body')
    return with_legend(axes)
