"""Plots of sensor messages; a real server runs the examples of the pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from geometry_msgs.msg import PointStamped, Vector3Stamped, WrenchStamped
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from mujoco_ros_msgs.msg import ScalarStamped
from ros_gz_interfaces.msg import Altimeter
from sensor_msgs.msg import BatteryState, Imu
from std_msgs.msg import Float64MultiArray

from .board import DPI
from .examples import listed, model_text
from .recorded import record, stamp_s

MEASURED, TRUE = '#d9822b', '#24292f'
"""The colours of measurements and of the ground truth."""
NOISES = {
    'white': '{stddev: 0.05}',
    'constant': '{bias_stddev: 0.1}',
    'drift': '{dynamic_bias_stddev: 0.1, dynamic_bias_correlation_time: 2.0}',
    'rounded': '{stddev: 0.05, type: gaussian_quantized, precision: 0.05}',
}
SAMPLES = 3
"""The number of sensors per noise; each sensor has its own random numbers."""


def sensors() -> Figure:
    """Plots the measurements of an IMU at the bob of a pendulum, and the ground truth."""
    plugin = listed('reference/sensors.md', 'senses.yaml', parameters=True)
    told = record(
        {**plugin, 'mujoco_xml': model_text('reference/sensors.md', 'senses.xml')},
        {'/imu': Imu, '/imu/ground_truth': Imu}, 3.0,
    )  # fmt: skip
    figure, (left, right) = _panels(1, 2, height=3.2)
    for topic, style in (
        ('/imu', {'color': MEASURED, 'linewidth': 0.8}),
        ('/imu/ground_truth', {'color': TRUE, 'linewidth': 1.2}),
    ):
        _plot(left, told[topic], lambda imu: imu.angular_velocity.y, label=topic, **style)
    for axis, color in (('x', '#3a76af'), ('z', '#519e3e')):
        _plot(
            right, told['/imu'], lambda imu, a=axis: getattr(imu.linear_acceleration, a),
            label=f'linear_acceleration.{axis}', color=color,
        )  # fmt: skip
    left.set(ylabel='angular_velocity.y in rad/s')
    right.set(ylabel='in m/s^2')
    return _with_legends(figure)


def noise() -> Figure:
    """Plots the components of the noise, for three sensors of the constant value 0 each."""
    names = [f'{name}{k}' for name in NOISES for k in range(SAMPLES)]
    joints = ''.join(f'<jointpos name="{name}" joint="still"/>' for name in names)
    model = f"""<mujoco><option gravity="0 0 0"/>
      <worldbody><body><joint name="still"/><geom size="0.1"/></body></worldbody>
      <sensor>{joints}</sensor></mujoco>"""
    rows = ''.join(f'{name}: {NOISES[name[:-1]]}, ' for name in names)
    plugin = f'[{{type: mujoco_ros_py/Sensors, ground_truth: false, noise: {{{rows}}}}}]'
    topics = {f'/sensors/{name}': ScalarStamped for name in names}
    told = record({'mujoco_xml': model, 'MujocoPlugins': plugin}, topics, 10.0)
    figure, panels = _panels(2, 2, height=4.6)
    for axes, (name, described) in zip(panels, NOISES.items(), strict=True):
        only = 1 if name in ('white', 'rounded') else SAMPLES
        for k in range(only):
            color = MEASURED if only == 1 else f'C{k}'
            _plot(axes, told[f'/sensors/{name}{k}'], lambda m: m.value, color=color, linewidth=0.7)
        axes.set_title(described, family='monospace', fontsize=8)
        axes.set(ylim=(-0.32, 0.32))
    times = np.linspace(0.0, 10.0, 200)
    deviation = 0.1 * np.sqrt(1.0 - np.exp(-times))
    panels[2].fill_between(times, -deviation, deviation, color='black', alpha=0.1)
    return figure


def named_sensors() -> Figure:
    """Plots three sensors of a bouncing ball."""
    kinds = {
        '/ball_position': PointStamped,
        '/sensors/velocity': Vector3Stamped,
        '/sensors/impact': ScalarStamped,
    }
    told = record(_example('named-sensors.md', 'bouncing'), kinds, 2.0)
    figure, panels = _panels(3, 1, height=4.4)
    values: Sequence[tuple[str, Callable[[Any], float]]] = (
        ('point.z in m', lambda message: message.point.z),
        ('vector.z in m/s', lambda message: message.vector.z),
        ('value in N', lambda message: message.value),
    )
    for axes, topic, (label, value) in zip(panels, kinds, values, strict=True):
        _plot(axes, told[topic], value, color=MEASURED, linewidth=1.0)
        axes.set(ylabel=label)
        axes.set_title(topic, family='monospace', fontsize=9, loc='left')
    return figure


def compound_sensors() -> Figure:
    """Plots hook force, height and battery of the flying robot as it takes off and brakes."""
    kinds = {'/hook': WrenchStamped, '/altimeter': Altimeter, '/battery': BatteryState}
    given = _example('compound-sensors.md', 'flyer') | {'realtime': 0.5}
    given['MujocoPlugins'] = given['MujocoPlugins'].replace(
        'name: battery,', 'name: battery, update_rate: 50.0,'
    )

    def lift(force: float) -> Callable[[Any], object]:
        return lambda node: _publish(node, force)

    events = [(0.0, lift(0.0)), (0.5, lift(20.0)), (1.5, lift(9.5)), (2.5, lift(14.7))]
    told = record(given, kinds, 3.5, events)
    figure, panels = _panels(3, 1, height=4.4)
    values: Sequence[tuple[str, Callable[[Any], float]]] = (
        ('wrench.force.z\nin N', lambda message: message.wrench.force.z),
        ('vertical_position\nin m', lambda message: message.vertical_position),
        ('voltage in V', lambda message: message.voltage),
    )
    for axes, topic, (label, value) in zip(panels, kinds, values, strict=True):
        _plot(axes, told[topic], value, color=MEASURED, linewidth=1.2)
        axes.set(ylabel=label)
        axes.set_title(topic, family='monospace', fontsize=9, loc='left')
    return figure


def _publish(node: Any, force: float) -> None:
    topic = '/thrust/commands'
    known = [each for each in node.publishers if each.topic_name == topic]
    publisher = known[0] if known else node.create_publisher(Float64MultiArray, topic, 10)
    publisher.publish(Float64MultiArray(data=[force]))


def _example(page: str, name: str) -> dict[str, Any]:
    """Returns server parameters with the model and the plugins of a page."""
    return {
        'mujoco_xml': model_text(f'reference/sensors/{page}', f'{name}.xml'),
        'MujocoPlugins': listed(f'reference/sensors/{page}', f'{name}.yaml'),
    }


def _panels(rows: int, columns: int, *, height: float) -> tuple[Figure, list[Axes]]:
    figure = Figure((8.6, height), dpi=DPI, layout='constrained')
    panels = list(np.ravel(figure.subplots(rows, columns, sharex=True)))
    for axes in panels:
        axes.grid(alpha=0.3)
    for axes in panels[-columns:]:
        axes.set(xlabel='simulated time in s')
    return figure, panels


def _plot(axes: Axes, messages: list[Any], value: Callable[[Any], float], **style: Any) -> None:
    axes.plot([stamp_s(m) for m in messages], [value(m) for m in messages], **style)


def _with_legends(figure: Figure) -> Figure:
    for axes in figure.axes:
        where = {'loc': 'lower center', 'bbox_to_anchor': (0.5, 1.0), 'ncols': 2}
        axes.legend(fontsize=8, frameon=False, **where)
    return figure
