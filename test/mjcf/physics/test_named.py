"""Arrays by the names of elements."""

from __future__ import annotations

import numpy as np
import pytest

from mujoco_ros_py import mjcf

MODEL = """
<mujoco>
  <worldbody>
    <body name="cart"><freejoint name="loose"/><geom name="box" size="0.1"/>
      <body name="pole" pos="0 0 1">
        <joint name="hinge" axis="0 1 0"/><geom name="rod" size="0.1" pos="0 0 1"/>
        <site name="tip" pos="0 0 2"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="push" joint="hinge"/>
    <general name="slow" joint="hinge" dyntype="filter" dynprm="1"/>
  </actuator>
  <sensor><framepos name="place" objtype="site" objname="tip"/></sensor>
</mujoco>
"""


@pytest.fixture
def physics():
    physics = mjcf.Physics.from_mjcf_model(mjcf.from_xml_string(MODEL))
    physics.data.qpos[:3] = 1, 2, 3
    physics.forward()
    return physics


def test_rows_are_those_of_the_named_element(physics):
    data, model = physics.named.data, physics.named.model
    assert data.qpos['loose'].tolist() == [1, 2, 3, 1, 0, 0, 0]
    assert data.qpos['hinge'].tolist() == [0]
    assert data.qvel['loose'].shape == (6,)
    assert data.xpos['pole'].tolist() == [1, 2, 4]
    assert data.sensordata['place'].tolist() == [1, 2, 6]
    assert data.act['slow'] == 0
    assert data.act['push'].shape == (0,)
    assert data.ctrl['push'] == 0
    assert model.geom_size['rod'].tolist() == [0.1, 0, 0]
    assert model.dof_armature['hinge'].tolist() == [0]


def test_columns_are_named_too(physics):
    data, model = physics.named.data, physics.named.model
    assert data.geom_xpos['rod', 'z'] == 5
    assert data.geom_xpos['rod', ['z', 'x']].tolist() == [5, 1]
    assert data.xquat['pole', 'qw'] == 1
    assert data.xmat['pole', 'yy'] == 1
    assert model.geom_rgba['box', 'a'] == 1
    assert data.geom_xpos[:, 'z'].tolist() == [3, 5]


def test_several_names_are_several_rows(physics):
    data = physics.named.data
    assert data.geom_xpos[['rod', 'box'], 'z'].tolist() == [5, 3]
    assert data.geom_xpos[['rod', 'box'], ['x', 'z']].tolist() == [[1, 5], [1, 3]]
    assert data.qpos[['hinge', 'loose']].tolist() == [0, 1, 2, 3, 1, 0, 0, 0]
    assert data.qpos[np.array(['hinge'])].tolist() == [0]
    assert data.xpos[np.array([['pole'], ['cart']])].shape == (2, 1, 3)


def test_numbers_slices_and_masks_are_those_of_numpy(physics):
    xpos, array = physics.named.data.xpos, physics.data.xpos
    for key in (1, -1, slice(1, None), [2, 0], (1, 2), (slice(None), 1), array[:, 2] > 3, ...):
        assert np.array_equal(xpos[key], array[key])
    assert xpos.shape == array.shape
    assert len(xpos) == 3
    assert xpos.max() == 4
    assert np.array_equal(np.asarray(xpos), array)


def test_what_is_written_is_in_mujoco_and_the_physics_knows(physics):
    physics.named.data.qpos['hinge'] = 0.5
    assert physics.data.qpos[-1] == 0.5
    assert physics.is_dirty
    physics.forward()
    physics.named.model.geom_rgba[['rod', 'box'], 'a'] = [0.25, 0.75]
    assert physics.model.geom_rgba[:, 3].tolist() == [0.75, 0.25]
    assert not physics.is_dirty
    physics.named.data.qpos['loose'][:3] = 7  # writes through a view
    assert physics.data.qpos[:3].tolist() == [7, 7, 7]


def test_reading_by_name_computes_nothing(physics):
    physics.named.data.qpos['loose'] = [4, 5, 6, 1, 0, 0, 0]
    assert physics.named.data.xpos['cart'].tolist() == [1, 2, 3]
    physics.forward()
    assert physics.named.data.xpos['cart'].tolist() == [4, 5, 6]


@pytest.mark.parametrize(
    ('key', 'message'),
    [
        ('pol', "xpos: unknown body 'pol'; known: world, cart, pole"),
        (['cart', ''], "xpos: unknown body ''"),
        (('cart', 'w'), "xpos has no column 'w'; known: x, y, z"),
    ],
)
def test_an_unknown_name_is_told_with_those_that_are_known(physics, key, message):
    with pytest.raises(KeyError, match=message):
        physics.named.data.xpos[key]


def test_an_unknown_array_is_told(physics):
    with pytest.raises(AttributeError, match="unknown array 'xpositions'"):
        physics.named.data.xpositions  # noqa: B018


def test_names_are_those_of_the_model_after_a_reload(physics):
    other = mjcf.RootElement()
    other.worldbody.add('body', name='new', pos=[0, 0, 9])
    physics.reload_from_mjcf_model(other)
    assert physics.named.data.xpos['new', 'z'] == 9


def test_an_array_is_shown_as_a_table(physics):
    assert repr(physics.named.data.xpos).splitlines() == [
        'xpos:',
        '        x y z',
        '0 world 0 0 0',
        '1  cart 1 2 3',
        '2  pole 1 2 4',
    ]
    assert repr(physics.named.data.qpos).splitlines()[-2:] == ['6 loose 0', '7 hinge 0']
    assert repr(physics.named.data.mocap_pos) == 'mocap_pos: empty'
