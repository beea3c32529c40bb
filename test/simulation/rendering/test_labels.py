from __future__ import annotations

import sys
from contextlib import nullcontext

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.engine import scene_geoms
from mujoco_ros_py.simulation.rendering import Labels, Stream

SIZE = WIDTH, HEIGHT = 160, 120
ZOO = """
<mujoco>
  <worldbody>
    <camera name="front" pos="0 -3 0.3" xyaxes="1 0 0 0 0 1"/>
    <geom name="floor" type="plane" size="4 4 1" pos="0 0 -0.6"/>
    <geom name="hidden" size="0.1" pos="0 9 0" group="4"/>
    <body name="box" pos="-1 0 0">
      <geom type="box" size="0.2 0.2 0.2"/>
      <site name="tip" size="0.1" pos="0 0 0.5"/>
    </body>
    <body pos="1 0 0">
      <geom name="can" type="cylinder" size="0.2 0.2"/>
      <site name="far" size="0.1" pos="0 0 0.5"/>
    </body>
    <flexcomp name="cloth" type="grid" count="4 4 1" spacing="0.2 0.2 0.2" radius="0.02"
              pos="0 0 1.2" euler="90 0 0"/>
  </worldbody>
  <tendon>
    <spatial name="cord" width="0.05"><site site="tip"/><site site="far"/></spatial>
  </tendon>
</mujoco>
"""
KINDS = {
    int(mujoco.mjtObj.mjOBJ_GEOM): 'geom',
    int(mujoco.mjtObj.mjOBJ_SITE): 'site',
    int(mujoco.mjtObj.mjOBJ_TENDON): 'tendon',
    int(mujoco.mjtObj.mjOBJ_FLEX): 'flex',
}


@pytest.fixture
def zoo() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(ZOO)


@pytest.fixture
def shared(monkeypatch, graphics) -> None:
    """MuJoCo's own renderer uses our context."""

    class Shared:
        def __init__(self, width: int, height: int) -> None:
            self.make_current = graphics.context.make_current

        def as_current(self) -> nullcontext:
            return nullcontext()

        def free(self) -> None:
            pass

    module = sys.modules[mujoco.Renderer.__module__]
    monkeypatch.setattr(module.gl_context, 'GLContext', Shared)


def by_mujoco(model: mujoco.MjModel, labels: Labels) -> np.ndarray:
    """The labels of an image that MuJoCo's own renderer segments."""
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    with mujoco.Renderer(model, HEIGHT, WIDTH) as renderer:
        renderer.enable_segmentation_rendering()
        renderer.update_scene(data, 'front')
        ids, types = np.moveaxis(renderer.render(), 2, 0)
    result = np.zeros((HEIGHT, WIDTH), np.int32)
    for objtype, kind in KINDS.items():
        first = next((i for i, row in enumerate(labels.table) if row['type'] == kind), None)
        chosen = types == objtype
        result[chosen] = ids[chosen] + first if chosen.any() else 0
    return result


@pytest.mark.parametrize('samples', [0, 4])
def test_labels_are_what_mujoco_segments(draw, zoo, shared, samples):
    expected = by_mujoco(zoo, Labels(zoo))
    seen = draw(zoo, SIZE, Stream.SEGMENTED, samples=samples).labels

    assert seen.dtype == np.int32
    table = Labels(zoo).table
    assert {table[label]['type'] for label in np.unique(seen)} == {'background', *KINDS.values()}
    np.testing.assert_array_equal(seen, expected)


def test_the_table_names_each_thing_and_whose_it_is(zoo):
    table = Labels(zoo).table
    assert table[0] == {'type': 'background', 'name': ''}
    assert table[1] == {'type': 'geom', 'name': 'floor', 'body': 'world'}
    assert {'type': 'geom', 'name': 'unnamed_geom_2', 'body': 'box'} in table
    assert {'type': 'geom', 'name': 'can', 'body': 'unnamed_body_2'} in table
    assert {'type': 'site', 'name': 'tip', 'body': 'box'} in table
    assert {'type': 'tendon', 'name': 'cord'} in table
    assert {'type': 'flex', 'name': 'cloth'} in table
    assert len(table) == 1 + zoo.ngeom + zoo.nsite + zoo.ntendon + zoo.nflex + zoo.nskin


def test_colors_differ_between_things_and_are_black_for_nothing(zoo):
    colors = Labels(zoo).colors.astype(int)
    assert colors[0].tolist() == [0, 0, 0]
    assert len(np.unique(colors, axis=0)) == len(colors)
    between = np.abs(np.diff(colors[1:], axis=0)).sum(axis=1)
    assert between.min() > 100, 'neighbours in the table look alike'


def test_geoms_read_as_an_array_are_those_read_one_by_one(zoo):
    data, scene = mujoco.MjData(zoo), mujoco.MjvScene(zoo, 100)
    mujoco.mj_forward(zoo, data)
    assert len(scene_geoms(scene)) == 0
    everything = mujoco.mjtCatBit.mjCAT_ALL
    camera, option = mujoco.MjvCamera(), mujoco.MjvOption()
    mujoco.mjv_updateScene(zoo, data, option, None, camera, everything, scene)

    geoms = scene_geoms(scene)

    assert len(geoms) == scene.ngeom > 5
    for i, geom in enumerate(geoms):
        one = scene.geoms[i]
        for field in ('type', 'objtype', 'objid', 'category', 'segid', 'transparent'):
            assert geom[field] == getattr(one, field), (i, field)
        for field in ('size', 'pos', 'rgba'):
            np.testing.assert_array_equal(geom[field], getattr(one, field))
        np.testing.assert_array_equal(geom['mat'].reshape(3, 3), one.mat)
