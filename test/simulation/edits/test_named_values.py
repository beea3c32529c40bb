"""Values of the state are set by name, all or none."""

from __future__ import annotations

import math
import re

import mujoco
import pytest

from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.simulation import Edit
from mujoco_ros_py.simulation.edits import NamedNumbers, read_numbers, set_numbers

MODEL = mujoco.MjModel.from_xml_string("""
<mujoco>
  <worldbody>
    <body name="ball" pos="0 0 1"><freejoint name="free"/><geom size="0.1"/></body>
    <body><joint name="neck" type="ball"/><geom size="0.1"/>
      <body><joint name="slide" type="slide"/><joint axis="0 1 0"/><geom size="0.1"/></body>
    </body>
    <body name="hand" mocap="true" pos="0 0 2"/>
  </worldbody>
  <actuator>
    <motor name="push" joint="slide"/>
    <general name="slow" joint="slide" dyntype="filter"/>
  </actuator>
</mujoco>
""")
POSE = [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0]
GIVEN = [
    NamedNumbers('position', 'free', POSE),
    NamedNumbers('position', 'neck', [0.0, 0.0, 1.0, 0.0]),
    NamedNumbers('position', 'slide', [0.5]),
    NamedNumbers('velocity', 'free', [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
    NamedNumbers('velocity', 'neck', [7.0, 8.0, 9.0]),
    NamedNumbers('velocity', 'slide', [-1.0]),
    NamedNumbers('control', 'push', [0.25]),
    NamedNumbers('control', 'slow', [0.75]),
    NamedNumbers('activation', 'slow', [0.125]),
    NamedNumbers('mocap pose', 'hand', POSE),
]


def read(data: mujoco.MjData) -> list[NamedNumbers]:
    kinds = ('position', 'velocity', 'control', 'activation', 'mocap pose')
    return [each for kind in kinds for each in read_numbers(MODEL, data, kind)]


def test_all_that_is_set_is_read_again_and_nothing_else_changes():
    data, edit = mujoco.MjData(MODEL), Edit()
    set_numbers(MODEL, data, GIVEN, edit)
    assert read(data) == GIVEN
    assert (len(edit.done), edit.refused) == (len(GIVEN), [])
    assert edit.done[0] == "position of 'free' set"
    assert data.qpos[12] == data.qvel[10] == 0.0, 'the joint without a name'


def test_quaternions_are_normalised():
    data = mujoco.MjData(MODEL)
    set_numbers(MODEL, data, [NamedNumbers('position', 'neck', [0.0, 3.0, 0.0, 4.0])], Edit())
    assert read_numbers(MODEL, data, 'position', ['neck'])[0].numbers == [0.0, 0.6, 0.0, 0.8]


@pytest.mark.parametrize(
    ('wrong', 'told'),
    [
        (NamedNumbers('position', 'elbow', [0.0]), "unknown joint 'elbow'; known: free, neck, sl"),
        (NamedNumbers('velocity', '', [0.0]), "unknown joint ''; known: free, neck, slide"),
        (NamedNumbers('control', 'pull', [0.0]), "unknown actuator 'pull'.*; known: push, slow"),
        (NamedNumbers('mocap pose', 'ball', POSE), "unknown mocap body 'ball'; known: hand"),
        (NamedNumbers('position', 'free', [0.0] * 6), "'free' must have 7 numbers, got 6"),
        (NamedNumbers('velocity', 'free', POSE), "'free' must have 6 numbers, got 7"),
        (NamedNumbers('activation', 'push', [0.0]), "'push' must have 0 numbers, got 1"),
        (NamedNumbers('position', 'slide', [math.nan]), "of 'slide' must be finite, got .nan"),
        (NamedNumbers('control', 'push', [math.inf]), "of 'push' must be finite, got .inf"),
        (NamedNumbers('position', 'neck', [0.0] * 4), "of 'neck' must be a rotation"),
        (GIVEN[0], "position of 'free' must be given only once"),
    ],
)
def test_one_wrong_value_keeps_all_others_from_being_set(wrong, told):
    data, edit = mujoco.MjData(MODEL), Edit()
    before = read(data)
    others = [each for each in GIVEN if (each.kind, each.name) != (wrong.kind, wrong.name)]
    set_numbers(MODEL, data, [*(GIVEN if wrong in GIVEN else others), wrong], edit)
    assert read(data) == before
    assert edit.done == []
    assert edit.refused[1:] == ['nothing was set']
    assert re.search(told, edit.refused[0])


def test_reading_an_unknown_element_is_refused():
    with pytest.raises(ConfigError, match="unknown joint 'elbow'"):
        read_numbers(MODEL, mujoco.MjData(MODEL), 'position', ['elbow'])
