"""Pictures of mobile bases: diagrams from above (x points up), and plots computed by sessions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon

from mujoco_ros_py import mjcf
from mujoco_ros_py.session import Session

from .board import BLUE, DPI, INK, ORANGE, PALE, Board
from .curves import DASHED, record, time_axes, with_legend
from .examples import model_text

ROVER = 'package://mujoco_ros_py/examples/rover.xml'
DIFF = {
    'type': 'mujoco_ros_py/DiffDriveController',
    'name': 'base',
    'left_wheel_names': ['left_wheel'],
    'right_wheel_names': ['right_wheel'],
    'wheel_separation': 0.32,
    'wheel_radius': 0.1,
    'open_loop': True,
    'base_frame_id': 'base_link',
}


def limits() -> Figure:
    """Plots the velocity of a base during and after a command, with and without limits."""
    axes = time_axes('forward velocity in m/s')
    rates = {'max_acceleration': 2.0, 'max_deceleration': -4.0}
    told = {
        'no limits': {},
        'max_acceleration: 2, max_deceleration: -4': rates,
        'also max_jerk: 20': {**rates, 'max_jerk': 20.0},
    }
    for label, given in told.items():
        plugin = {**DIFF, 'linear': {'x': given}}
        with Session(ROVER, plugins=[plugin]) as session:
            base = session.plugins['base']
            command = 0.0, lambda *_, b=base: b.set_twist(linear_x=0.6)
            curve = record(session, 1.0, lambda *_, b=base: b.odometry.linear_x, [command])
        axes.plot(*curve, label=label)
    axes.axvline(0.5, **DASHED, label='cmd_vel_timeout')
    return with_legend(axes)


def planar_drive() -> Figure:
    """Plots the path of a planar base, with its pose at several times."""
    figure = Figure((5.0, 4.0), dpi=DPI, layout='constrained')
    axes = figure.add_subplot(xlabel='x in the world in m', ylabel='y in the world in m')
    plugin = {'type': 'mujoco_ros_py/PlanarDriveController', 'name': 'base', 'x_joint': 'base_x',
              'y_joint': 'base_y', 'yaw_joint': 'base_yaw', 'cmd_vel_timeout': 0.0}  # fmt: skip
    poses = []
    model = mjcf.from_xml_string(model_text('reference/controllers/planar-drive.md', 'cart.xml'))
    with Session(model, plugins=[plugin]) as session:
        twist = {'linear_x': 0.4, 'linear_y': 0.2, 'angular_z': 0.5}
        session.call(lambda *_: session.plugins['base'].set_twist(**twist))
        for _ in range(251):
            poses.append(session.snapshot().data.qpos.copy())
            session.step(10)
    x, y, _ = np.transpose(poses)
    axes.plot(x, y, color='#d9822b', label='linear: {x: 0.4, y: 0.2}, angular: {z: 0.5}')
    for at_x, at_y, yaw in poses[::50]:
        axes.add_patch(_box(at_x, at_y, yaw, 0.4, 0.3, facecolor=BLUE, alpha=0.8))
        axes.arrow(at_x, at_y, 0.25 * math.cos(yaw), 0.25 * math.sin(yaw), width=0.01, color=INK)
    axes.set(aspect='equal')
    figure.legend(loc='outside upper center')
    axes.grid(alpha=0.3)
    return figure


def diff_drive() -> Figure:
    """Draws a base with two wheels, from above."""
    axes = _view('linear.x', 'angular.z')
    for side in (-1.0, 1.0):
        axes.add_patch(_box(side * 1.2, 0.0, 0.0, 0.3, 1.0, facecolor=PALE))
        axes.annotate('', (side * 1.2, 1.0), (side * 1.2, 0.5), arrowprops=_ARROW)
    axes.annotate('', (-1.2, -0.75), (1.2, -0.75), arrowprops={**_ARROW, 'arrowstyle': '<->'})
    _write(axes, 0.0, -0.92, 'wheel_separation')
    _write(axes, -2.2, 0.0, 'left_wheel_names')
    _write(axes, 2.2, 0.0, 'right_wheel_names')
    return axes.figure


def mecanum_drive() -> Figure:
    """Draws a base with four mecanum wheels, from above."""
    axes = _view('linear.x, linear.y', 'angular.z')
    for name, x, y in (('front_left', -1.2, 0.7), ('front_right', 1.2, 0.7),
                       ('rear_left', -1.2, -0.7), ('rear_right', 1.2, -0.7)):  # fmt: skip
        axes.add_patch(_box(x, y, 0.0, 0.34, 0.8, facecolor=ORANGE))
        lean = -1.0 if x * y < 0.0 else 1.0
        for step in (-0.3, -0.1, 0.1, 0.3):
            ends = np.array([(x - 0.12 * lean, y + step - 0.1), (x + 0.12 * lean, y + step + 0.1)])
            axes.plot(*ends.T, color=INK, linewidth=2)
        _write(axes, x + math.copysign(0.95, x), y, name)
    return axes.figure


def omni_wheel_drive() -> Figure:
    """Draws a base with three omnidirectional wheels, from above."""
    axes = _view('linear.x, linear.y', 'angular.z')
    for number, name in enumerate(('wheel_names[0]', '[1]', '[2]')):
        angle = 2.0 * math.pi * number / 3.0
        out = np.array([-math.sin(angle), math.cos(angle)])  # x of the base points up
        at = out * 1.1
        axes.add_patch(_box(*at, angle, 0.7, 0.24, facecolor=ORANGE))
        axes.annotate('', at + 0.45 * out, at, arrowprops=_ARROW)
        beside = at * 1.8 if number else np.array([1.0, at[1]])
        _write(axes, *beside, name)
    return axes.figure


_ARROW = {'arrowstyle': '-|>', 'color': INK, 'linewidth': 1.4}


def _view(linear: str, angular: str) -> Axes:
    """Returns axes with a base, its coordinate axes, and the names of its velocity commands."""
    board = Board(6.0, 3.4)
    axes = board.axes
    axes.set(xlim=(-3.0, 3.0), ylim=(-1.7, 1.7), aspect='equal')
    axes.add_patch(Circle((0.0, 0.0), 0.85, facecolor=BLUE, edgecolor=PALE))
    axes.annotate('', (0.0, 0.6), (0.0, 0.0), arrowprops=_ARROW)
    axes.annotate('', (-0.6, 0.0), (0.0, 0.0), arrowprops=_ARROW)
    _write(axes, 0.14, 0.5, 'x')
    _write(axes, -0.5, 0.14, 'y')
    _write(axes, 0.0, -0.3, f'{linear}\n{angular}', size=8)
    return axes


def _write(axes: Axes, x: float, y: float, text: str, size: float = 9) -> None:
    axes.text(x, y, text, size=size, ha='center', va='center', color=INK)


def _box(x: float, y: float, angle: float, width: float, height: float, **style: Any) -> Polygon:
    """Returns a rectangle with a centre and an angle."""
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (width / 2.0, height / 2.0)
    cosine, sine = math.cos(angle), math.sin(angle)
    corners = half @ [[cosine, sine], [-sine, cosine]] + (x, y)
    return Polygon(corners, edgecolor=INK, **style)
