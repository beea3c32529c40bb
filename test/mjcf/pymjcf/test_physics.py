"""A physics has the members of dm_control's, and computes at the same times."""

from __future__ import annotations

import copy
import pickle
import sys
from types import ModuleType

import mujoco
import numpy as np
import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.errors import PhysicsError
from mujoco_ros_py.mjcf import pymjcf

XML = """
    <mujoco model="cart">
      <worldbody>
        <body name="cart">
          <joint name="slide" type="slide" axis="1 0 0"/>
          <geom name="box" size="0.1"/>
          <geom name="ball" size="0.2" pos="0 0 1"/>
        </body>
      </worldbody>
      <actuator><motor name="drive" joint="slide"/></actuator>
      <sensor><jointpos name="place" joint="slide"/></sensor>
    </mujoco>
"""


@pytest.fixture
def model():
    return pymjcf.from_xml_string(XML)


@pytest.fixture
def physics(model):
    return pymjcf.Physics.from_mjcf_model(model)


def test_model_and_data_are_wrapped_and_tell_what_is_mujocos_own(physics):
    assert isinstance(physics.model.ptr, mujoco.MjModel)
    assert isinstance(physics.data.ptr, mujoco.MjData)
    assert physics.model.ngeom == 2
    physics.model.opt.timestep = 0.25
    physics.data.time = 3.0
    assert (physics.timestep(), physics.time()) == (0.25, 3.0)
    assert physics.data.model.ptr is physics.model.ptr
    assert 'nbody' in dir(physics.model)


def test_names_and_numbers_of_elements(physics):
    assert physics.model.name == 'cart'
    assert physics.model.name2id('ball', 'geom') == 1
    assert physics.model.name2id('ball', mujoco.mjtObj.mjOBJ_GEOM) == 1
    assert physics.model.id2name(1, 'geom') == 'ball'
    assert physics.model.id2name(7, 'geom') == ''
    with pytest.raises(ValueError, match="unknown geom 'bal'"):
        physics.model.name2id('bal', 'geom')
    with pytest.raises(ValueError, match="no object type 'gom'"):
        physics.model.name2id('ball', 'gom')


def test_flags_are_off_within_a_context(physics):
    before = physics.model.opt.disableflags
    with physics.model.disable('gravity', mujoco.mjtDisableBit.mjDSBL_CONTACT):
        assert physics.model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_GRAVITY.value
        assert physics.model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_CONTACT.value
    assert physics.model.opt.disableflags == before
    unknown = pytest.raises(ValueError, match=r"unknown flag 'levity'; known: .*gravity")
    with unknown, physics.model.disable('levity'):
        pass
    assert physics.model.opt.disableflags == before


def test_axes_tell_names_and_convert_keys(physics):
    axes = physics.named.data.geom_xpos.axes
    assert axes.row.names == ['box', 'ball']
    assert axes.col.names == ['x', 'y', 'z']
    assert axes.row.convert_key_item(['ball', 'box']) == [1, 0]
    assert axes.col.convert_key_item('z') == 2
    assert physics.named.data.qpos.axes.col is None


def test_rows_and_columns_are_indexed_by_np_ix(physics):
    index = np.ix_(['ball', 'box'], ['x', 'z'])
    assert physics.named.model.geom_pos[index].tolist() == [[0, 1], [0, 0]]


def test_what_is_computed_can_be_written_and_holds_until_it_is_computed_again(physics, model):
    sensor = physics.bind(model.find('sensor', 'place'))
    physics.bind(model.find('joint', 'slide')).qpos = 1
    sensor.sensordata = 5
    assert sensor.sensordata.tolist() == [5]
    sensor.sensordata[:] = 6
    assert physics.data.sensordata.tolist() == [6]
    physics.bind(model.find('joint', 'slide')).qpos = 2
    assert sensor.sensordata.tolist() == [2]


def test_a_write_makes_everything_out_of_date_until_something_is_asked_for(physics, model):
    physics.bind(model.find('actuator', 'drive')).ctrl = 1
    assert physics.is_dirty
    physics.step()
    assert physics.is_dirty
    physics.bind(model.find('geom', 'box')).xpos  # noqa: B018
    assert not physics.is_dirty
    physics.set_control([2])
    assert not physics.is_dirty


@pytest.mark.parametrize('legacy', [True, False])
def test_steps_are_those_of_mujoco_without_computing_before(physics, legacy):
    data = mujoco.MjData(physics.model.ptr)
    mujoco.mj_forward(physics.model.ptr, data)
    physics.legacy_step = legacy
    for target in (physics.data.ptr, data):
        target.qpos[:], target.ctrl[:] = 1, 3
    physics.mark_as_dirty()
    physics.step(3)
    if legacy:
        mujoco.mj_step2(physics.model.ptr, data)
        mujoco.mj_step(physics.model.ptr, data, 2)
        mujoco.mj_step1(physics.model.ptr, data)
    else:
        mujoco.mj_step(physics.model.ptr, data, 3)
    assert physics.data.qpos == data.qpos
    assert physics.data.geom_xpos.tolist() == data.geom_xpos.tolist()


def test_a_bodys_inertial_frame_is_written_with_a_warning_where_it_cannot_hold(model):
    body = model.worldbody.add('body')
    body.add('freejoint')
    body.add('geom', size=[1])
    physics = pymjcf.Physics.from_mjcf_model(model)
    with pytest.warns(UserWarning, match='body_ipos'):
        physics.bind(body).ipos = [0, 0, 1]
    assert physics.model.body_ipos[2].tolist() == [0, 0, 1]


def test_the_state_is_positions_velocities_and_activations(physics):
    physics.data.qpos[:] = 4
    assert physics.get_state().tolist() == [4, 0]
    physics.set_state(np.array([1, 2]))
    assert (physics.position().tolist(), physics.velocity().tolist()) == ([1], [2])


@pytest.mark.parametrize('duplicate', [copy.copy, copy.deepcopy, lambda p: p.copy()])
def test_a_copy_is_a_physics_of_this_kind_in_the_same_state(physics, model, duplicate):
    physics.bind(model.find('joint', 'slide')).qpos = 2
    again = duplicate(physics)
    assert type(again) is pymjcf.Physics
    assert again.bind(model.find('geom', 'box')).xpos[0] == 2
    assert again.data.ptr is not physics.data.ptr


def test_a_physics_its_model_and_its_data_can_be_pickled(physics):
    physics.data.qpos[:] = 2
    again = pickle.loads(pickle.dumps(physics))
    assert type(again) is pymjcf.Physics
    assert again.data.qpos.tolist() == [2]
    assert pickle.loads(pickle.dumps(physics.model)).ngeom == 2


def test_a_reload_wraps_the_new_model(physics, model):
    model.worldbody.add('geom', size=[1])
    physics.reload_from_mjcf_model(model)
    assert physics.model.ngeom == physics.model.ptr.ngeom == 3


def test_a_physics_is_made_of_data_models_and_bytes(physics):
    made = [
        pymjcf.Physics(physics.data),
        pymjcf.Physics(physics.data.ptr),
        pymjcf.Physics.from_model(physics.model),
        pymjcf.Physics.from_byte_string(physics.model.to_bytes()),
    ]
    assert [each.model.ngeom for each in made] == [2, 2, 2, 2]


def diverge(physics):
    physics.data.qvel[:] = np.nan
    physics.step()


def test_an_invalid_state_is_an_error_or_logged(physics):
    with pytest.raises(PhysicsError, match='mjWARN_BAD'):
        diverge(physics)
    with physics.suppress_physics_errors():
        diverge(physics)
    physics.data.qvel[:] = np.nan
    with pytest.raises(PhysicsError, match='mjWARN_BAD'), physics.check_invalid_state():
        mujoco.mj_step(physics.model.ptr, physics.data.ptr)


def test_an_invalid_state_is_what_dm_control_catches_where_that_is_there(physics, monkeypatch):
    control = ModuleType('dm_control.rl.control')
    control.PhysicsError = type('PhysicsError', (RuntimeError,), {})
    monkeypatch.setitem(sys.modules, control.__name__, control)
    with pytest.raises(control.PhysicsError) as caught:
        diverge(physics)
    assert isinstance(caught.value, PhysicsError)


def test_contacts_have_forces_and_elements_velocities():
    physics = pymjcf.Physics.from_xml_string("""
        <mujoco><worldbody>
          <geom type="plane" size="1 1 1"/>
          <body name="ball" pos="0 0 0.1"><freejoint/><geom size="0.1" mass="1"/></body>
        </worldbody></mujoco>
    """)
    physics.step(500)
    assert len(physics.data.contact) == physics.data.ncon == 1
    assert physics.data.contact_force(0)[0, 0] == pytest.approx(9.81, rel=1e-3)
    with pytest.raises(ValueError, match=r'contact_id must be in 0\.\.0, got 1'):
        physics.data.contact_force(1)
    physics.data.qvel[:] = 1, 2, 3, 4, 5, 6
    physics.forward()
    linear, angular = physics.data.object_velocity('ball', 'body')
    np.testing.assert_allclose(linear, [1, 2, 3])
    np.testing.assert_allclose(angular, [4, 5, 6])


def test_mjcfs_own_physics_is_left_as_it_was(model):
    physics = mjcf.Physics.from_mjcf_model(model)
    assert isinstance(physics.model, mujoco.MjModel)
    with pytest.raises(AttributeError, match='read-only'):
        physics.bind(model.find('sensor', 'place')).sensordata = 1
