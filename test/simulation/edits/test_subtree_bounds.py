"""The bounding box of an entity with any kind of geoms, and the motion of its frame."""

from __future__ import annotations

import copy

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.simulation import Snapshot
from mujoco_ros_py.simulation.edits import body_motions, subtree_bounds

TURNED = 'pos="1 2 3" euler="20 40 60"'
ASSETS = """
<asset>
  <mesh name="wedge" vertex="0 0 0 .4 0 0 0 .2 0 0 0 .1"/>
  <hfield name="hills" nrow="2" ncol="2" size="1 2 .5 .1" elevation="0 1 1 0"/>
</asset>
"""


def model_of(geoms, joint='<freejoint/>'):
    ground = '<geom size="9" contype="0" conaffinity="0"/>'
    text = f'{ground}<body name="thing" {TURNED}>{joint}{geoms}</body>'
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco>{ASSETS}<worldbody>{text}</worldbody></mujoco>'
    )
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


@pytest.mark.parametrize(
    'shape',
    [
        'type="sphere" size=".3"', 'type="capsule" size=".1 .5"', 'type="cylinder" size=".2 .4"',
        'type="ellipsoid" size=".1 .2 .3"', 'type="box" size=".1 .2 .3"',
    ],
)  # fmt: skip
def test_the_box_touches_the_shape_on_all_sides(shape):
    model, data = model_of(f'<geom {shape} pos=".1 .2 .3" euler="10 70 30"/>')
    low, high = subtree_bounds(model, data, 1)
    center, turn = model.geom_pos[1], np.empty(9)
    mujoco.mju_quat2Mat(turn, model.geom_quat[1])
    size, kind = model.geom_size[1], model.geom_type[1]
    random = np.random.default_rng(1)
    ball = random.normal(size=(200_000, 3))
    ball /= np.linalg.norm(ball, axis=1)[:, None]
    if kind == mujoco.mjtGeom.mjGEOM_SPHERE:
        points = ball * size[0]
    elif kind == mujoco.mjtGeom.mjGEOM_CAPSULE:
        points = ball * size[0] + np.array([0, 0, 1.0]) * size[1] * np.sign(ball[:, 2:])
    elif kind == mujoco.mjtGeom.mjGEOM_CYLINDER:
        ring = ball[:, :2] / np.linalg.norm(ball[:, :2], axis=1)[:, None] * size[0]
        points = np.column_stack([ring, size[1] * np.sign(ball[:, 2])])
    elif kind == mujoco.mjtGeom.mjGEOM_ELLIPSOID:
        points = ball * size
    else:
        points = np.sign(ball) * size
    there = points @ turn.reshape(3, 3).T + center
    np.testing.assert_allclose(there.min(0), low, atol=1e-3)
    np.testing.assert_allclose(there.max(0), high, atol=1e-3)
    assert (there.min(0) >= low - 1e-12).all()


def test_meshes_have_the_box_of_their_points_and_height_fields_are_inside():
    model, data = model_of('<geom type="mesh" mesh="wedge"/>')
    low, high = subtree_bounds(model, data, 1)
    np.testing.assert_allclose([low, high], [[0, 0, 0], [0.4, 0.2, 0.1]], atol=1e-6)
    model, data = model_of('<geom type="hfield" hfield="hills"/>', '')
    low, high = subtree_bounds(model, data, 1)
    np.testing.assert_allclose([low, high], [[-1, -2, -0.1], [1, 2, 0.5]], atol=1e-6)


def test_the_box_has_all_geoms_below_the_body_and_no_others():
    child = '<body pos="0 0 1"><joint axis="1 0 0"/><geom size=".2"/></body>'
    model, data = model_of(f'<geom size=".1"/>{child}')
    data.qpos[7] = np.pi / 2
    mujoco.mj_forward(model, data)
    low, high = subtree_bounds(model, data, 1)
    np.testing.assert_allclose([low, high], [[-0.2, -0.2, -0.1], [0.2, 0.2, 1.2]], atol=1e-9)


def test_a_plane_has_no_end_and_nothing_is_a_point():
    model, data = model_of('<geom type="plane" size="1 1 1"/>', '')
    assert subtree_bounds(model, data, 1) is None
    model, data = model_of('', '')
    np.testing.assert_array_equal(subtree_bounds(model, data, 1), np.zeros((2, 3)))


def up_to_date(model: mujoco.MjModel, data: mujoco.MjData) -> mujoco.MjData:
    snapshot = Snapshot(model, copy.copy(data), 0, 0)
    snapshot.update()
    return snapshot.data


def test_motions_are_those_of_the_moment_and_leave_the_data_as_they_are():
    model, data = model_of('<geom size=".1"/>')
    data.qvel[:] = [1, 0, 0, 0, 0, 2]
    mujoco.mj_step(model, data)
    before = data.xpos.copy(), data.cvel.copy(), data.cacc.copy()
    (motion,) = body_motions(model, up_to_date(model, data), [1])
    np.testing.assert_allclose(motion.position, data.qpos[:3])
    np.testing.assert_allclose(motion.linear, data.qvel[:3], atol=1e-12)
    np.testing.assert_allclose(motion.linear_acceleration, model.opt.gravity, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(motion.angular), 2)
    for was, now in zip(before, (data.xpos, data.cvel, data.cacc), strict=True):
        np.testing.assert_array_equal(was, now)
    model.opt.disableflags = mujoco.mjtDisableBit.mjDSBL_GRAVITY
    mujoco.mj_step(model, data)
    (motion,) = body_motions(model, up_to_date(model, data), [1])
    np.testing.assert_allclose(motion.linear_acceleration, 0, atol=1e-9)
