"""The plugin Shadow reads `result.json`."""

from __future__ import annotations

from math import inf

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.builtin.shadow.known_uncertainty import uncertainty_of
from mujoco_ros_py.identification.outputs import write_outputs
from mujoco_ros_py.identification.result import Imperfection

from .fitted import fitted, parameter

ARM = """
<mujoco>
  <worldbody>
    <body name="arm">
      <joint name="elbow" damping="1"/><geom name="bone" size=".1" mass="2"/>
    </body>
  </worldbody>
  <actuator><position name="servo" joint="elbow" kp="20"/></actuator>
</mujoco>
"""


def test_the_intervals_and_the_noise_of_a_result_are_known_to_the_plugin(tmp_path):
    pytest.importorskip('plotly')
    (tmp_path / 'arm.xml').write_text(ARM)
    inertial = {'pos': [0, 0, 0.1], 'mass': 2.5, 'fullinertia': [0.1, 0.1, 0.1, 0, 0, 0]}
    late = Imperfection(effect='latency', of='/commands')
    parameters = [
        parameter('elbow.damping', 1.5, 0.2, places=('joint:elbow.damping[0]',)),
        parameter('arm.mass', 2.5, 0.1, places=('body:arm.inertial',)),
        parameter('servo.kp', 22.0, inf, places=('actuator:servo.kp',)),
        parameter('delay', 0.004, 0.001, places=(), imperfections=(late,)),
    ]
    correlation = np.eye(4)
    correlation[0, 1] = correlation[1, 0] = 0.5
    edits = {'joint:elbow.damping[0]': 1.5, 'body:arm.inertial': inertial}
    result = fitted(parameters, edits, correlation=correlation)
    write_outputs(tmp_path / 'twin', tmp_path / 'arm.xml', result)
    model = mujoco.MjModel.from_xml_path(str(tmp_path / 'twin/arm.xml'))
    known = uncertainty_of(str(tmp_path / 'twin/result.json'), model, '')
    assert known.noise == {('position', 'elbow'): 0.01}
    assert known.left_out == ['servo.kp', 'delay']
    changes = [(number.field, change) for each in known.changes for number, change in each]
    assert [field for field, _ in changes] == ['dof_damping', 'body_mass']
    assert [change for _, change in changes] == pytest.approx([0.2 / 1.96, 0.1 / 1.96], rel=1e-4)
    assert known.correlation.tolist() == [[1, 0.5], [0.5, 1]]
