"""Numbers of a compiled model by the places of an identification."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.builtin.shadow.model_numbers import changed, numbers_of

ARM = """
<mujoco>
  <worldbody>
    <body name="robot/upper">
      <inertial pos="0.1 0 0.2" mass="2" fullinertia="0.02 0.03 0.04 0.001 0.002 0.003"/>
      <joint name="robot/elbow" damping="0.5" armature="0.1" frictionloss="0.2" stiffness="3"/>
      <geom name="robot/bone" size="0.1" friction="0.8 0.1 0.2"/>
    </body>
  </worldbody>
  <actuator>
    <position name="robot/servo" joint="robot/elbow" kp="50" kv="4" gear="2"/>
  </actuator>
</mujoco>
"""
FIELDS = [
    name
    for name in dir(mujoco.MjModel)
    if name.startswith(('jnt_', 'dof_', 'body_', 'geom_', 'actuator_'))
    and 'invweight' not in name  # computed from the others
    and name not in ('dof_M0', 'body_subtreemass', 'actuator_acc0', 'actuator_length0')
]


def compiled(model):
    return mujoco.MjModel.from_xml_string(model.to_xml_string())


@pytest.mark.parametrize(
    'place',
    [
        'joint:elbow.damping[0]', 'elbow.damping', 'elbow.armature', 'joint:elbow.frictionloss',
        'elbow.stiffness[0]', 'bone.friction[1]', 'geom:bone.friction[2]', 'servo.gear[0]',
        'actuator:servo.kp', 'servo.kv', 'upper.inertial.mass',
    ],
)  # fmt: skip
def test_a_change_of_a_number_is_the_change_of_the_place(place):
    model = mjcf.from_xml_string(ARM)
    kind, _, rest = place.rpartition(':')
    own = f'{kind}:robot/{rest}' if kind else f'robot/{rest}'
    before = compiled(model)
    value = mjcf.get_place(model, own)
    value = value[:1] + 0.25 if np.ndim(value) else value + 0.25
    mjcf.set_place(model, own, value)
    wanted = compiled(model)
    numbers = numbers_of(before, place, 'robot/')
    with changed(before, [(number, 0.25) for number in numbers]):
        for name in FIELDS:
            assert np.allclose(getattr(before, name), getattr(wanted, name)), name
    again = compiled(mjcf.from_xml_string(ARM))
    assert all(np.array_equal(getattr(before, name), getattr(again, name)) for name in FIELDS)


@pytest.mark.parametrize(
    ('parameter', 'key', 'index'),
    [
        ('upper.mass', 'mass', None), ('upper.center.z', 'pos', 2),
        ('upper.inertia.ixx', 'fullinertia', 0), ('upper.inertia.iyz', 'fullinertia', 5),
    ],
)  # fmt: skip
def test_the_numbers_of_an_inertia_are_those_of_its_parameters(parameter, key, index):
    model = mjcf.from_xml_string(ARM)
    before = compiled(model)
    value = mjcf.get_place(model, 'robot/upper.inertial')
    if index is None:
        value[key] += 1e-5
    else:
        value[key][index] += 1e-5
    mjcf.set_place(model, 'robot/upper.inertial', value)
    wanted = compiled(model)
    numbers = numbers_of(before, 'body:upper.inertial', 'robot/', parameter)
    with changed(before, [(number, 1e-5) for number in numbers]):
        for name in ('body_mass', 'body_ipos', 'body_inertia'):
            assert np.allclose(getattr(before, name), getattr(wanted, name), atol=1e-8), name


def test_places_without_a_number_have_none():
    model = mujoco.MjModel.from_xml_string(ARM)
    for place in ('elbow.damping[0]', 'robot/elbow.nothing', 'robot/none.inertial', 'word'):
        assert numbers_of(model, place, parameter='none.mass') == []
