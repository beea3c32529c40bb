"""Writes into the arrays of bindings reach MuJoCo's memory."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from mujoco_ros_py import mjcf

BODIES = ''.join(
    f'<body name="b{k}" pos="{k} 0 0"><joint name="j{k}"/><geom name="g{k}" size="0.1"/></body>'
    for k in range(5)
)
MODEL = f'<mujoco><worldbody>{BODIES}</worldbody></mujoco>'


@pytest.fixture
def root():
    return mjcf.from_xml_string(MODEL)


@pytest.fixture
def physics(root):
    return mjcf.Physics.from_mjcf_model(root)


@pytest.fixture(params=[[1, 2, 3], [3, 0, 1], [0, 2, 4]], ids=str)
def rows(request):
    return request.param


@pytest.fixture
def joints(root, physics, rows):
    return physics.bind([root.find('joint', f'j{row}') for row in rows])


@pytest.fixture
def geoms(root, physics, rows):
    return physics.bind([root.find('geom', f'g{row}') for row in rows])


def assign(array):
    array[:] = [1, 2, 3]


def assign_each(array):
    for number in range(3):
        array[number] = number + 1


def assign_by_mask(array):
    array[np.array([True, True, True])] = [1, 2, 3]


def assign_to_parts(array):
    array[:2][0:1] = 1
    array[1:][:1][...] = 2
    array.reshape(3, 1)[-1, 0] = 3


def add(array):
    array += [1, 2, 3]


def add_to_a_part(array):
    array += 1
    array[1:] += 1
    part = array[2:]
    part += 1


def multiply(array):
    array[...] = 0.5
    array *= [2, 4, 6]


def use_as_output(array):
    np.add([0, 1, 2], 1, out=array)


def copy_into(array):
    np.copyto(array, [1, 2, 3])


def copy_by_keywords(array):
    np.copyto(src=[1, 2, 3], dst=array)


def take_into(array):
    np.take([3.0, 2.0, 1.0], [2, 1, 0], out=array)


def assign_flat(array):
    for number in range(3):
        array.flat[number] = number + 1


def assign_all_flat(array):
    array.flat = [1, 2, 3]


def put(array):
    np.put(array, [2, 1, 0], [3, 2, 1])


def put_by_method(array):
    array.put([0, 1, 2], [1, 2, 3])


def fill_and_sort(array):
    array.fill(2)
    array[0], array[2] = 3, 1
    array.sort()


@pytest.mark.parametrize(
    'write',
    [
        assign, assign_each, assign_by_mask, assign_to_parts, add, add_to_a_part, multiply,
        use_as_output, copy_into, copy_by_keywords, take_into, assign_flat, assign_all_flat,
        put, put_by_method, fill_and_sort,
    ],
)  # fmt: skip
def test_whatever_writes_into_an_array_writes_into_mujoco(joints, physics, rows, write):
    write(joints.qpos)
    expected = np.zeros(5)
    expected[rows] = [1, 2, 3]
    assert physics.data.qpos.tolist() == expected.tolist()
    assert physics.is_dirty
    assert joints.qpos.tolist() == [1, 2, 3]


def test_an_attribute_that_is_set_is_written(joints, physics, rows):
    joints.qpos = [1, 2, 3]
    assert physics.data.qpos[rows].tolist() == [1, 2, 3]
    joints.qpos += 1
    assert physics.data.qpos[rows].tolist() == [2, 3, 4]
    joints.qpos = 7
    assert physics.data.qpos[rows].tolist() == [7, 7, 7]
    assert physics.data.qpos.sum() == 21


def test_rows_and_columns_are_written(geoms, physics, rows):
    geoms.pos[1, 2] = 5
    geoms.pos[:, 0] = [1, 2, 3]
    geoms.pos[2][1] = 4
    expected = np.zeros((5, 3))
    expected[rows] = [[1, 0, 0], [2, 0, 5], [3, 4, 0]]
    assert physics.model.geom_pos.tolist() == expected.tolist()


def test_rows_that_are_apart_in_memory_are_written_flat(geoms, physics, rows):
    geoms.pos.flat[4] = 5
    geoms.pos[:, 1:].flat[-1] = 6
    expected = np.zeros((5, 3))
    expected[rows] = [[0, 0, 0], [0, 5, 0], [0, 0, 6]]
    assert physics.model.geom_pos.tolist() == expected.tolist()
    assert physics.is_dirty
    assert (
        list(geoms.pos.flat)
        == np.array(geoms.pos.flat).tolist()
        == expected[rows].ravel().tolist()
    )
    assert len(geoms.pos.flat) == 9


def test_a_write_leaves_what_others_wrote_since(joints, physics, rows):
    held = joints.qpos
    part = held[1:]
    physics.data.qpos[:] = 9
    held[0] = 1
    part[-1] = 2
    assert physics.data.qpos[rows].tolist() == [1, 9, 2]
    physics.data.qpos[:] = 8
    part += 1
    assert physics.data.qpos[rows].tolist() == [8, 9, 9]
    physics.data.qpos[:] = 7
    np.add([1], 2, out=held[:1])
    assert physics.data.qpos[rows].tolist() == [3, 7, 7]


def test_what_is_read_from_a_held_array_is_there_now(joints, physics, rows):
    held = joints.qpos
    physics.data.qpos[:] = 9
    held[0] += 1
    assert (held[0], held[1]) == (10, 9)


def test_an_array_stays_the_same_one(joints, physics):
    held = joints.qpos
    physics.data.qpos[:] = 5
    assert joints.qpos is held
    assert held.sum() == 15


@pytest.mark.parametrize(
    'make',
    [
        lambda array: array + 1,
        lambda array: -array,
        lambda array: np.concatenate([array, array]),
        lambda array: np.where(array > 0, array, 1),
        lambda array: array.copy(),
        copy.copy,
        copy.deepcopy,
        lambda array: pickle.loads(pickle.dumps(array)),
        np.array,
    ],
)
def test_results_and_copies_are_ordinary_arrays(joints, physics, make):
    made = make(joints.qpos)
    assert type(made) is np.ndarray
    made[:] = 5
    assert not physics.data.qpos.any()
    assert not physics.is_dirty


@pytest.mark.parametrize(
    'select', [lambda x: x[[0, 1]], lambda x: x[x == 0], lambda x: x.astype(int)]
)
def test_what_numpy_copies_is_not_written_through(joints, physics, select):
    select(joints.qpos)[:] = 5
    assert not physics.data.qpos.any()
    assert not physics.is_dirty


def test_reductions_are_numbers(joints):
    joints.qpos = [1, 2, 3]
    assert type(joints.qpos.sum()) is np.float64
    assert np.dot(joints.qpos, joints.qpos) == 14
    assert np.linalg.norm(joints.qpos) == pytest.approx(14**0.5)


def test_what_does_not_fit_is_refused_and_nothing_changes(joints, physics):
    with pytest.raises(ValueError, match='broadcast'):
        joints.qpos = [1, 2]
    with pytest.raises(ValueError, match='broadcast'):
        joints.qpos[:] = [1, 2]
    with pytest.raises(ValueError, match='could not convert'):
        joints.qpos[0] = 'x'
    with pytest.raises(IndexError):
        joints.qpos[3] = 1
    assert not physics.data.qpos.any()


def test_what_mujoco_computes_is_read_only(root, physics, rows):
    bodies = physics.bind([root.find('body', f'b{row}') for row in rows])
    with pytest.raises(AttributeError, match='xpos is read-only: MuJoCo computes it'):
        bodies.xpos = 1
    with pytest.raises(ValueError, match='read-only'):
        bodies.xpos[0] = 1
    with pytest.raises(AttributeError, match='body_parentid is read-only'):
        bodies.parentid = 0


def test_the_same_element_twice_has_its_row_twice(root, physics):
    joint = root.find('joint', 'j1')
    binding = physics.bind([joint, joint])
    binding.qpos[1] = 3
    assert physics.data.qpos[1] == 3


def test_arrays_of_one_element_are_its_row(root, physics):
    geom = physics.bind(root.find('geom', 'g2'))
    geom.pos[1:] = 4
    geom.solmix = 3
    assert physics.model.geom('g2').pos.tolist() == [0, 4, 4]
    assert physics.model.geom('g2').solmix == 3
    assert geom.solmix == 3
    joint = physics.bind(root.find('joint', 'j2'))
    joint.qpos[0] = 2
    joint.qvel += 3
    assert (physics.data.qpos[2], physics.data.qvel[2]) == (2, 3)
