"""The rows of elements in MuJoCo's arrays, without MJCF elements."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.mjcf.physics.fields import fields
from mujoco_ros_py.mjcf.physics.rows import KINDS, Layout, as_slice, attributes

MODEL = mujoco.MjModel.from_xml_string("""
<mujoco>
  <worldbody>
    <body name="base"><freejoint name="loose"/><geom size="1"/>
      <body name="arm"><joint name="shoulder" type="ball"/><geom size="1"/>
        <body name="hand"><joint name="wrist"/><geom name="palm" size="1"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>
""")


@pytest.fixture
def layout():
    return Layout(MODEL)


def test_an_element_is_found_by_its_name(layout):
    assert layout.id('joint', 'wrist') == 2
    assert layout.id('joint', 'knee') == -1
    assert layout.names('geom') == ['', '', 'palm']
    assert layout.names('sensor') == []


def test_an_element_has_one_row_or_several(layout):
    assert layout.rows('njnt', 2) == 2
    assert layout.rows('nq', 0) == slice(0, 7)
    assert layout.rows('nv', 1) == slice(6, 9)
    assert layout.rows('nq', 2) == slice(11, 12)


def test_elements_have_their_rows_one_behind_the_other(layout):
    assert layout.rows_of_all('nq', [1, 2]) == slice(7, 12, 1)
    assert layout.rows_of_all('nq', [2, 0]).tolist() == [11, 0, 1, 2, 3, 4, 5, 6]
    assert layout.rows_of_all('ngeom', [0, 2]) == slice(0, 3, 2)
    assert layout.rows_of_all('nq', []) == slice(0, 0)


@pytest.mark.parametrize('rows', [[3], [1, 2, 3], [0, 4, 8], [2, 1], [1, 1], [0, 1, 3], []])
def test_a_slice_is_the_same_rows(rows):
    found = as_slice(np.array(rows, int))
    assert np.arange(9)[found].tolist() == rows


@pytest.mark.parametrize(
    ('kind', 'attribute', 'array', 'size'),
    [
        ('geom', 'xpos', 'geom_xpos', 'ngeom'),
        ('joint', 'qpos', 'qpos', 'nq'),
        ('joint', 'range', 'jnt_range', 'njnt'),
        ('joint', 'damping', 'dof_damping', 'nv'),
        ('joint', 'solref', 'jnt_solref', 'njnt'),
        ('joint', 'dof_solref', 'dof_solref', 'nv'),
        ('tendon', 'length', 'ten_length', 'ntendon'),
        ('actuator', 'ctrlrange', 'actuator_ctrlrange', 'nu'),
        ('mesh', 'vert', 'mesh_vert', 'nmeshvert'),
    ],
)
def test_an_attribute_is_an_array_without_the_prefix(kind, attribute, array, size):
    field = attributes(kind)[attribute]
    assert (field.name, field.size) == (array, size)


def test_all_kinds_have_attributes_whose_arrays_mujoco_has():
    data = mujoco.MjData(MODEL)
    for kind in KINDS:
        for field in attributes(kind).values():
            assert len(field.array(MODEL, data)) >= 0
    assert fields('mjData')['xpos'].columns == ('x', 'y', 'z')
    assert fields('mjData')['xquat'].columns == ('qw', 'qx', 'qy', 'qz')
    assert fields('mjModel')['geom_friction'].columns == ()
    assert 'efc_pos' not in fields('mjData'), 'where it is changes with each step'
