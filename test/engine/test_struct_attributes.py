"""MjModel and MjData in compiled code: the same memory and names as in the bindings."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from numba import njit
from numba.core.errors import TypingError
from numba.core.registry import cpu_target
from numba.np.numpy_support import from_dtype

from mujoco_ros_py.engine.compiled import Data, Model
from mujoco_ros_py.engine.struct_layout import struct_layout


@pytest.mark.parametrize('struct', [Model, Data], ids=str)
def test_every_field_has_the_type_that_the_layout_gives_it(struct):
    context = cpu_target.typing_context
    context.refresh()
    for field in struct_layout(struct.struct).fields.values():
        typ = context.resolve_getattr(struct, field.name)
        assert typ is not None, field
        if field.dtype is not None:
            element = from_dtype(field.dtype)
            assert (getattr(typ, 'dtype', typ), getattr(typ, 'ndim', 0)) == (
                element,
                len(field.extents),
            )


def test_scalars_are_read(model, data):
    @njit
    def read(m, d):
        return m.nq, m.opt.timestep, m.vis.global_.fovy, m.stat.extent, d.time, d.ncon, d.nefc

    assert read(model, data) == (model.nq, 0.003, 33.0, 4.0, data.time, data.ncon, data.nefc)


def test_what_is_written_is_in_the_memory_that_the_bindings_show(scratch, data):
    @njit
    def write(m, d):
        m.opt.timestep = 0.25
        m.opt.iterations = 7
        m.vis.global_.fovy = 50
        m.stat.meansize = 3.0
        d.time = 8
        d.warning[2].number = 9
        d.qpos[-1] = 1.5
        d.qvel[1:4] = 2.5
        d.ctrl[:] = 3.5
        d.xpos[2, 1] = 4.5
        d.ximat[-1, :3] = 5.5
        m.opt.gravity[2] = 6.5
        m.geom_rgba[0, 0] = 0.75
        m.actuator_ctrllimited[1] = True
        m.tex_data[3] = 200

    write(scratch, data)
    assert (scratch.opt.timestep, scratch.opt.iterations) == (0.25, 7)
    assert (scratch.vis.global_.fovy, scratch.stat.meansize) == (50.0, 3.0)
    assert (data.time, data.warning[2].number) == (8.0, 9)
    assert data.qpos[-1] == 1.5
    assert list(data.qvel[1:4]) == [2.5] * 3
    assert list(data.ctrl) == [3.5] * 3
    assert data.xpos[2, 1] == 4.5
    assert list(data.ximat[-1, :3]) == [5.5] * 3
    assert scratch.opt.gravity[2] == 6.5
    assert scratch.geom_rgba[0, 0] == 0.75
    assert scratch.actuator_ctrllimited[1]
    assert scratch.tex_data[3] == 200


def test_arrays_have_the_extents_of_the_bindings(model, data):
    @njit
    def shapes(m, d):
        return (
            d.qpos.shape + d.xpos.shape + d.mocap_pos.shape + d.efc_J.shape + d.userdata.shape,
            m.qpos0.shape + m.geom_size.shape + m.body_user.shape + m.eq_data.shape,
            m.opt.gravity.shape + m.key_mpos.shape + m.jnt_solref.shape + m.bvh_aabb.shape,
        )

    d, m = data, model
    assert shapes(m, d) == (
        d.qpos.shape + d.xpos.shape + d.mocap_pos.shape + d.efc_J.shape + d.userdata.shape,
        m.qpos0.shape + m.geom_size.shape + m.body_user.shape + m.eq_data.shape,
        m.opt.gravity.shape + m.key_mpos.shape + m.jnt_solref.shape + m.bvh_aabb.shape,
    )


def test_model_data_and_arrays_pass_through_compiled_functions(model, data):
    @njit
    def total(values):
        result = 0.0
        for value in values:
            result += value
        return result

    @njit
    def moment(m, d, k):
        return m.body_mass[k] * d.xpos[k, 2]

    @njit
    def read(m, d):
        return total(d.qpos), d.xpos.sum(), moment(m, d, 2)

    came, height = read(model, data), data.xpos[2, 2]
    assert came == pytest.approx((sum(data.qpos), data.xpos.sum(), model.body_mass[2] * height))


def test_arrays_have_length_0_until_mujoco_allocates_them_also_within_one_call(model):
    @njit
    def lengths(d):
        return len(d.efc_pos), len(d.contact), len(d.efc_AR_rownnz), d.efc_J.shape[0]

    @njit
    def read(m, d):
        before = lengths(d)
        mujoco.mj_forward(m, d)
        return before, lengths(d)

    data = mujoco.MjData(model)
    before, after = read(model, data)
    assert before == (0, 0, 0, 0)
    assert after == (data.nefc, data.ncon, 0, model.nv * data.nefc), 'AR is for sparse matrices'
    assert data.ncon > 0


@pytest.mark.slow
def test_contacts_are_read_one_by_one_and_by_column(model, data):
    @njit
    def read(d):
        dist, frame = np.zeros(d.ncon), np.zeros((d.ncon, 9))
        for k in range(len(d.contact)):
            dist[k] = d.contact[k].dist
            frame[k] = d.contact[k].frame
        columns = d.contact.dist.copy(), d.contact.frame.copy(), d.contact.geom1.copy()
        return dist, frame, columns, d.contact[-1].geom[1], d.contact.dist[-1]

    dist, frame, columns, geom, last = read(data)
    wanted = data.contact
    np.testing.assert_array_equal(dist, wanted.dist)
    np.testing.assert_array_equal(frame, wanted.frame)
    np.testing.assert_array_equal(columns[0], wanted.dist)
    np.testing.assert_array_equal(columns[1], wanted.frame)
    np.testing.assert_array_equal(columns[2], [contact.geom1 for contact in wanted])
    assert geom == wanted[data.ncon - 1].geom[1]
    assert last == wanted.dist[-1]
    assert data.ncon > 1


def test_a_contact_that_is_kept_can_be_written(data):
    @njit
    def write(d):
        contact = d.contact[1]
        contact.dist = -7.0
        contact.frame[4] = 9.0
        d.contact.mu[0] = 5.0

    write(data)
    assert (data.contact[1].dist, data.contact[1].frame[4]) == (-7.0, 9.0)
    assert data.contact[0].mu == 5.0


def test_the_index_of_a_struct_is_always_checked(data):
    @njit
    def read(d, k):
        return d.contact[k].dist

    for index in (1_000, -1_000, data.ncon, -data.ncon - 1):
        with pytest.raises(IndexError, match='out of bounds'):
            read(data, index)
    assert read(data, -data.ncon) == data.contact[0].dist


@pytest.mark.parametrize('attribute', ['qpoz', 'model'])
def test_an_unknown_attribute_is_a_typing_error_that_names_it(data, attribute):
    namespace: dict = {}
    exec(f'def read(d): return d.{attribute}', namespace)
    with pytest.raises(TypingError, match=f"Unknown attribute '{attribute}'"):
        njit(namespace['read'])(data)


@pytest.mark.parametrize(
    ('line', 'named'),
    [
        ('d.qpos = d.qvel', 'mjData.qpos is not a number'),
        ('m.opt = m.opt', 'mjModel.opt is not a number'),
        ('m.opt.gravity = 1.0', r'\.gravity = '),  # numba's own message: it cannot cast
        ('d.tiem = 1.0', 'tiem'),
    ],
)
def test_assignment_to_what_is_no_number_or_unknown_is_refused_by_name(model, data, line, named):
    namespace: dict = {}
    exec(f'def write(m, d): {line}', namespace)
    with pytest.raises(Exception, match=named):
        njit(namespace['write'])(model, data)
