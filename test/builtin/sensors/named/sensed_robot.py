"""A pendulum with sensors of each kind of values, and the expected noise of a stream."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from mujoco_ros_py.builtin.sensors.noise import AxisNoise, noise_rows, noisy

TIMESTEP = 0.001
ROBOT = f"""
<mujoco>
  <option timestep="{TIMESTEP}"/>
  <worldbody>
    <body name="rod" pos="0 0 1">
      <joint name="hinge" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 -0.5" size="0.02"/>
      <site name="tip" pos="0.3 0 -0.5" euler="10 20 30"/>
    </body>
    <body name="ball" pos="0 2 0.1"><freejoint/><geom name="ball" size="0.1"/></body>
    <geom name="floor" type="plane" size="3 3 1" pos="0 1 0"/>
    <site name="above" pos="0 2 1" zaxis="0 0 -1"/>
    <site name="outside" pos="9 9 1" zaxis="0 0 -1"/>
  </worldbody>
  <sensor>
    <jointpos name="angle" joint="hinge"/>
    <jointpos name="cut" joint="hinge" cutoff="0.2"/>
    <gyro name="spin" site="tip"/>
    <gyro name="cut spin" site="tip" cutoff="0.2"/>
    <framepos name="place" objtype="site" objname="tip"/>
    <framexaxis name="axis" objtype="site" objname="tip"/>
    <framequat name="turn" objtype="site" objname="tip"/>
    <normal name="no_normal" geom1="ball" body2="rod" cutoff="0.1"/>
    <distance name="distance" geom1="ball" geom2="floor" cutoff="0.5"/>
    <rangefinder name="ray" site="above"/>
    <rangefinder name="lost_ray" site="outside"/>
    <camprojection name="pixel" site="tip" camera="lens"/>
    <clock name="clock"/>
    <jointvel joint="hinge"/>
  </sensor>
</mujoco>
""".replace('<site name="above"', '<camera name="lens" pos="0 -2 1"/><site name="above"')
NAMED = [
    'angle', 'cut', 'spin', 'cut spin', 'place', 'axis', 'turn', 'no_normal', 'distance', 'ray',
    'lost_ray', 'pixel', 'clock',
]  # fmt: skip
"""The sensors that have a name."""


def sensors(**config: Any) -> dict[str, Any]:
    """Returns a plugin `s` for the sensors of a model."""
    return {'type': 'mujoco_ros_py/Sensors', 'name': 's', **config}


def noise_at(
    time_s: float, noise: AxisNoise, *, seed: int = 0, stream: str, row: int = 0
) -> float:
    """Returns the noise added to 0 at a time; all rows of a stream have the same noise here."""
    rows = noise_rows([noise] * (row + 1), seed, stream)
    fields = SimpleNamespace(**{name: rows[name][row] for name in rows.dtype.names})
    return float(noisy(fields, 0, 0.0, round(time_s / TIMESTEP), TIMESTEP))
