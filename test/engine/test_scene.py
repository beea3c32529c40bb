"""Compiled render callbacks add to a scene, and their faults are exceptions."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.engine import CompiledPaint, Point, compile_callback, new_state, scene_geoms
from mujoco_ros_py.errors import EngineError

MODEL = """
<mujoco>
  <worldbody>
    <body name="ball" pos="0 0 1"><freejoint/><geom name="ball" size="0.1"/></body>
    <geom name="floor" type="plane" size="1 1 0.1"/>
  </worldbody>
</mujoco>
"""
KIND = int(mujoco.mjtGeom.mjGEOM_SPHERE)


@pytest.fixture
def world():
    """Returns model, data, and a scene with its two geoms."""
    model = mujoco.MjModel.from_xml_string(MODEL)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    scene = mujoco.MjvScene(model, 10)
    everything = mujoco.mjtCatBit.mjCAT_ALL.value
    view = mujoco.MjvCamera()
    mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), None, view, everything, scene)
    return model, data, scene


def paint(function, state=None, **options):
    return CompiledPaint(compile_callback(Point.RENDER, function, state, **options))


def add_a_ball(state, model, data, scene):
    geom = scene.geoms[scene.ngeom]
    mujoco.mjv_initGeom(geom, KIND, state.sizes, data.xpos[1], None, state.color)
    scene.ngeom += 1


def raise_an_error(state, model, data, scene):
    raise ValueError('nothing to draw')


def read_past_the_scene(state, model, data, scene):
    scene.geoms[scene.maxgeom].size[0] = 1.0


def misuse_mujoco(state, model, data, scene):
    mujoco.mj_stateSize(model, -1)


def test_it_adds_geoms_with_its_state_and_the_data(world):
    model, data, scene = world
    before = scene.ngeom
    state = new_state(sizes=np.full(3, 0.25), color=np.array([1, 0, 0, 1], np.float32))
    paint(add_a_ball, state)(model, data, scene)

    assert scene.ngeom == before + 1
    geom = scene.geoms[before]
    assert (geom.type, list(geom.size)) == (KIND, [0.25] * 3)
    assert list(geom.pos) == pytest.approx([0, 0, 1])
    assert list(geom.rgba) == [1, 0, 0, 1]


def test_the_geoms_as_an_array_are_those_of_the_bindings(world):
    _, _, scene = world
    geoms = scene_geoms(scene)

    assert len(geoms) == scene.ngeom
    for row, geom in zip(geoms, scene.geoms, strict=False):
        for field in ('type', 'objtype', 'objid', 'segid', 'category'):
            assert row[field] == getattr(geom, field), field
        for field in ('pos', 'size', 'rgba'):
            np.testing.assert_array_equal(row[field], getattr(geom, field))


def test_what_it_raises_is_raised(world):
    painted = paint(raise_an_error)
    for _ in range(3):
        with pytest.raises(ValueError, match='nothing to draw'):
            painted(*world)


def test_an_index_past_the_scene_is_an_error(world):
    with pytest.raises(IndexError):
        paint(read_past_the_scene)(*world)


def test_a_fatal_error_of_mujoco_is_an_exception(world):
    painted = paint(misuse_mujoco)
    for _ in range(3):
        with pytest.raises(EngineError, match='invalid state signature'):
            painted(*world)
