"""Attributes of a model by their names."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.errors import MjcfAttributeError, MjcfError, MjcfKeyError

ARM = """
<mujoco>
  <compiler angle="degree"/>
  <option timestep="0.004"/>
  <default>
    <geom friction="0.7"/>
    <default class="strong">
      <joint damping="2" armature="0.1"/>
      <geom friction="0.5 0.02"/>
      <position kp="50"/>
    </default>
  </default>
  <worldbody>
    <body name="rod">
      <inertial pos="0 0 0.5" mass="2" diaginertia="1 2 3" euler="90 0 0"/>
      <joint name="elbow" class="strong"/>
      <joint name="wrist" damping="0.3"/>
      <geom name="rod" class="strong" size="0.1" friction="0.9"/>
      <body name="hand" pos="0 0 1">
        <joint name="grip"/>
        <geom name="palm" type="box" size="0.1 0.2 0.3" pos="0.1 0 0" mass="3"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position name="servo" joint="elbow" class="strong"/>
    <motor name="motor" joint="wrist" gear="3"/>
  </actuator>
</mujoco>
"""


@pytest.fixture
def arm():
    return mjcf.from_xml_string(ARM)


@pytest.mark.parametrize(
    ('place', 'value'),
    [
        ('wrist.damping', [0.3, 0, 0]),
        ('wrist.damping[0]', 0.3),
        ('elbow.damping[0]', 2.0),
        ('elbow.armature', 0.1),
        ('wrist.armature', 0.0),
        ('geom:rod.friction', [0.9, 0.02, 0.0001]),
        ('palm.friction', [0.7, 0.005, 0.0001]),
        ('servo.kp', 50.0),
        ('motor.gear', [3, 0, 0, 0, 0, 0]),
        ('motor.gear[5]', 0.0),
        ('option.timestep', 0.004),
        ('option.gravity[2]', -9.81),
        ('rod.inertial.mass', 2.0),
        ('visual.global.fovy', 45.0),
    ],
)
def test_the_value_of_a_place_includes_default_classes_and_mujoco(arm, place, value):
    assert np.array_equal(mjcf.get_place(arm, place), value)


def test_an_index_sets_one_number_and_keeps_the_others(arm):
    mjcf.set_place(arm, 'geom:rod.friction[1]', 0.05)
    mjcf.set_place(arm, 'elbow.damping[0]', 4.0)
    mjcf.set_place(arm, 'motor.gear[1]', 2.0)
    mjcf.set_place(arm, 'palm.friction[2]', 0.5)
    assert arm.find('geom', 'rod').friction.tolist() == [0.9, 0.05]
    assert arm.find('joint', 'elbow').damping.tolist() == [4]
    assert arm.find('actuator', 'motor').gear.tolist() == [3, 2]
    assert arm.find('geom', 'palm').friction.tolist() == [0.7, 0.005, 0.5]
    compiled = mujoco.MjModel.from_xml_string(arm.to_xml_string())
    assert compiled.geom('rod').friction.tolist() == [0.9, 0.05, 0.0001]


def test_an_effective_value_is_a_copy(arm):
    mjcf.get_place(arm, 'wrist.damping')[0] = 7
    assert mjcf.get_place(arm, 'wrist.damping[0]') == 0.3


@pytest.mark.parametrize('body', ['rod', 'hand'])
def test_the_inertia_of_a_body_can_be_read_and_written_back(arm, body):
    before = mujoco.MjModel.from_xml_string(arm.to_xml_string())
    value = mjcf.get_place(arm, f'{body}.inertial')
    mjcf.set_place(arm, f'{body}.inertial', value)
    after = mujoco.MjModel.from_xml_string(arm.to_xml_string())
    again = mjcf.get_place(arm, f'{body}.inertial')
    assert before.body(body).mass == pytest.approx(after.body(body).mass)
    assert sorted(before.body(body).inertia) == pytest.approx(sorted(after.body(body).inertia))
    assert again['fullinertia'] == pytest.approx(value['fullinertia'])
    assert again['pos'] == pytest.approx(value['pos'])


def test_an_inertia_that_the_compiler_would_ignore_is_refused(arm):
    value = mjcf.get_place(arm, 'hand.inertial')
    arm.compiler.inertiafromgeom = 'true'
    with pytest.raises(MjcfError, match='inertiafromgeom must not be true'):
        mjcf.set_place(arm, 'hand.inertial', value)
    with pytest.raises(MjcfError, match='must be a mapping of pos, mass, fullinertia'):
        mjcf.set_place(arm, 'hand.inertial', 3)


@pytest.mark.parametrize(
    ('place', 'kind', 'message'),
    [
        ('elbo.damping', MjcfKeyError, r"unknown element 'elbo' \(did you mean 'elbow'\?\)"),
        ('elbow.damp', MjcfAttributeError, r"no element 'elbow' \(joint\) has 'damp'"),
        ('rod.name', MjcfError, 'is ambiguous; use one of: body:rod.name, geom:rod.name'),
        ('option.timestop', MjcfAttributeError, "<option> has no attribute 'timestop'"),
        ('elbow.armature[0]', MjcfAttributeError, 'armature is not an array'),
        ('motor.gear[6]', MjcfError, 'the index must be below 6'),
    ],
)
def test_a_wrong_place_is_refused_with_the_reason(arm, place, kind, message):
    with pytest.raises(kind, match=message):
        mjcf.element_of_place(arm, place)
