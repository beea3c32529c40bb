"""A wheel with an actuator of any kind, and a plugin that pushes it."""

from __future__ import annotations

import mujoco
import pytest

from mujoco_ros_py.plugins import MujocoPlugin, compiled

MODEL = """
<mujoco>
  <option timestep="0.001" gravity="0 0 0" integrator="{integrator}"/>
  <worldbody>
    <body>
      <joint name="wheel" type="{joint}" axis="0 1 0"/>
      <inertial pos="0 0 0" mass="1" diaginertia="2 2 2"/>
      <geom size="0.1"/>
    </body>
  </worldbody>
  <actuator>{actuator}</actuator>
  {sensor}
</mujoco>
"""
SENSOR = '<sensor><actuatorfrc name="force" actuator="motor"/></sensor>'
MOTOR = '<motor name="motor" joint="wheel" gear="2"/>'
INTEGRATORS = 'Euler', 'RK4', 'implicit', 'implicitfast'
LINEAR = {
    'motor': MOTOR,
    'limited motor': '<motor name="motor" joint="wheel" forcerange="-0.2 0.7"/>',
    'position servo': '<position name="motor" joint="wheel" kp="30" kv="4"/>',
    'velocity servo': '<velocity name="motor" joint="wheel" kv="4"/>',
    'integrated velocity': '<intvelocity name="motor" joint="wheel" kp="9" actrange="-1 1"/>',
    'damper': '<damper name="motor" joint="wheel" kv="4" ctrlrange="0 3"/>',
    'filter': """
      <general name="motor" joint="wheel" dyntype="filterexact" dynprm="0.1" gaintype="affine"
        gainprm="1 2 3" biastype="affine" biasprm="0.3 -4 -5"/>
    """,
    'muscle': '<muscle name="motor" joint="wheel" lengthrange="-2 2" force="5"/>',
    'muscle with a scale': '<muscle name="motor" joint="wheel" lengthrange="-2 2" scale="4"/>',
    'pid': '<pid name="motor" joint="wheel" kp="30" kv="4" ki="9" imax="0.2"/>',
}
NEW = {name: 'pid' in name for name in LINEAR}
"""The kinds of actuators that are new in MuJoCo 4."""


class Pushing(MujocoPlugin):
    @staticmethod
    @compiled
    def control_callback(state, model, data):
        for k in range(len(data.ctrl)):
            data.ctrl[k] = 1.0


PUSHING = {'type': Pushing, 'name': 'pushing'}


def xml(actuator: str = MOTOR, integrator: str = 'Euler', joint: str = 'hinge') -> str:
    sensor = SENSOR if joint == 'hinge' else ''
    return MODEL.format(actuator=actuator, integrator=integrator, joint=joint, sensor=sensor)


def motor(**effects: object) -> dict[str, object]:
    return {'of': {'actuator': 'motor'}, **effects}


def skip_before_mujoco_4(*kinds: str) -> None:
    if any(NEW.get(kind) for kind in kinds) and not hasattr(mujoco.mjtGain, 'mjGAIN_PID'):
        pytest.skip('MuJoCo 4 has this kind of actuator')
