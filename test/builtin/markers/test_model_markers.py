"""Markers of geoms and sites over DDS: their positions, creation and removal."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest
from builtin.markers.drawing import (
    LATCHED,
    MODEL,
    PLUGIN,
    Frames,
    Viewer,
    color,
    points_in_world,
)
from system.harness import wait_until
from visualization_msgs.msg import Marker

from mujoco_ros_py.builtin.markers.marker_shapes import field_corners

pytestmark = pytest.mark.slow

SHAPES = """
<mujoco>
  <option gravity="0 0 0"/>
  <asset>
    <mesh name="wedge" vertex="0 0 0 .3 0 0 0 .2 0 0 0 .1 .3 .2 .1"/>
    <hfield name="hills" nrow="3" ncol="4" size="2 1 .5 .1"
      elevation="0 .1 .2 .3 .4 .5 1 .7 .8 .9 .2 0"/>
    <texture name="checker" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="8"
      height="8"/>
    <material name="steel" rgba=".1 .2 .3 .4"/>
    <material name="checker" texture="checker" rgba="1 1 .5 1"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="0 3 1" pos="0 0 -1" material="checker"/>
    <geom name="ground" type="hfield" hfield="hills" pos="0 9 0" euler="0 0 30"/>
    <body name="post" pos="1 2 3" euler="10 20 30">
      <geom name="fixed" type="box" size=".1 .2 .3" pos=".1 0 0" material="steel"/>
    </body>
    <body name="base" pos="0 0 1" euler="30 0 0">
      <freejoint/>
      <geom name="ball" size=".2" rgba="1 0 0 1"/>
      <geom name="pill" type="capsule" size=".1 .4" pos="1 0 0" euler="0 40 0"/>
      <geom name="egg" type="ellipsoid" size=".1 .2 .3" euler="0 0 50"/>
      <geom name="can" type="cylinder" size=".3 .1" pos="0 1 0" euler="60 0 0"/>
      <geom name="brick" type="box" size=".1 .2 .3" material="steel" rgba="0 1 0 1"/>
      <geom name="collision" size=".5" group="3"/>
      <geom name="unseen" size=".5" rgba="1 1 1 0"/>
      <body pos="0 0 .5" euler="0 70 0">
        <geom name="wedge" type="mesh" mesh="wedge" pos=".1 .2 .3" euler="10 0 0"/>
        <site name="mark" type="box" size=".01 .02 .03" pos="0 .3 0" rgba="0 0 1 .5"/>
        <body name="arm"><joint axis="1 0 0"/><geom name="tip" size=".02" pos="0 0 .4"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
SIGNS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
EXTREMES = np.concatenate([np.eye(3), -np.eye(3)])


class World:
    """The server's model as this test knows it, and a viewer's view of it."""

    def __init__(self, sensing: Any) -> None:
        self.frames, self.viewer = Frames(sensing), Viewer(sensing, MODEL)
        self.model, self.data = sensing.call(lambda model, data: (model, data))
        self.viewer.wait_for(lambda: self.viewer.shown)
        frames = {each.header.frame_id for each in self.viewer.shown.values()}
        wait_until(lambda: self.frames.reach_the_world(frames), f'frames {sorted(frames)}')

    def marker(self, geom: str, part: int = 0) -> Any:
        return self.viewer.of('geoms')[4 * self.model.geom(geom).id + part]

    def in_world(self, geom: str, points: Any) -> np.ndarray:
        """Converts points from a geom's frame in MuJoCo to the world."""
        at = self.data.geom(geom)
        return np.asarray(points) @ at.xmat.reshape(3, 3).T + at.xpos

    def differs(self, geom: str, points: Any, part: int = 0) -> float:
        """Returns the largest distance of a marker from points in the geom's frame."""
        told = points_in_world(self.marker(geom, part), self.frames)
        return float(np.abs(told - self.in_world(geom, points)).max())


def moved(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    data.qpos[:] = [1, 2, 3, 0.5, 0.1, -0.4, 0.7, 0.6]
    mujoco.mj_normalizeQuat(model, data.qpos)
    mujoco.mj_forward(model, data)


@pytest.mark.parametrize('plugins', [[PLUGIN], [{'type': 'mujoco_ros_py/Transforms'}, PLUGIN]])
def test_every_shape_is_where_mujoco_has_it_with_and_without_transforms(sense, plugins):
    sensing = sense(SHAPES, *plugins)
    sensing.call(moved)
    world = World(sensing)
    assert world.viewer.doubled == []
    mesh, wanted = world.model.mesh('wedge'), world.differs
    corners = world.model.mesh_vert[world.model.mesh_face].reshape(-1, 3)
    assert mesh.facenum[0] == len(corners) / 3

    def as_told() -> float:
        return max(
            wanted('ball', 0.2 * EXTREMES),
            wanted('egg', EXTREMES * [0.1, 0.2, 0.3]),
            wanted('can', EXTREMES * [0.3, 0.3, 0.1]),
            wanted('brick', SIGNS * [0.1, 0.2, 0.3]),
            wanted('fixed', SIGNS * [0.1, 0.2, 0.3]),
            wanted('pill', EXTREMES * [0.1, 0.1, 0.4]),
            wanted('pill', 0.1 * EXTREMES + [0, 0, 0.4], part=1),
            wanted('pill', 0.1 * EXTREMES - [0, 0, 0.4], part=2),
            wanted('wedge', corners),
            wanted('tip', 0.02 * EXTREMES),
        )

    wait_until(lambda: as_told() < 1e-6, 'the poses of the moment')
    count = len(world.viewer.messages)
    sensing.call(lambda model, data: data.qvel.__setitem__(slice(None), 1.0))
    sensing.step(30)
    wait_until(lambda: as_told() < 1e-6, 'the poses after some steps')
    assert len(world.viewer.messages) == count, 'frames move, and nothing is sent again'
    site = points_in_world(world.viewer.of('sites')[4 * world.model.site('mark').id], world.frames)
    at = world.data.site('mark')
    truth = SIGNS * [0.01, 0.02, 0.03] @ at.xmat.reshape(3, 3).T + at.xpos
    assert site == pytest.approx(truth, abs=1e-6)


@pytest.mark.parametrize('most', [200_000, 0])
def test_a_site_with_a_mesh_is_where_mujoco_has_it(sense, most):
    """The site's frame is the frame of the mesh file, not the centre of the mesh."""
    vertices = np.array([(0, 0, 0), (0.3, 0, 0), (0, 0.2, 0), (0, 0, 0.1), (0.3, 0.2, 0.1)])
    site = '<site name="place" type="mesh" mesh="wedge" pos="1 2 3" euler="10 20 30"/></worldbody>'
    world = World(sense(SHAPES.replace('</worldbody>', site), {**PLUGIN, 'most_triangles': most}))
    number = world.model.site('place').id
    points = points_in_world(world.viewer.of('sites')[4 * number], world.frames)
    at = world.data.site('place')
    in_site = (points - at.xpos) @ at.xmat.reshape(3, 3)
    if most:
        assert np.unique(in_site.round(5), axis=0).tolist() == sorted(vertices.tolist())
    else:
        for reached in (np.min, np.max):
            assert reached(in_site, axis=0) == pytest.approx(reached(vertices, axis=0), abs=1e-6)


def test_surfaces_colours_groups_and_frames_are_those_of_the_model(sense):
    world = World(sense(SHAPES, PLUGIN))
    check_surfaces(world)
    check_colours(world)
    check_groups(world)
    check_frames(world)


def check_surfaces(world: World) -> None:
    """Checks that planes and height fields have the surface that rays hit."""
    floor = points_in_world(world.marker('floor'))
    assert floor[:, 2].max() == pytest.approx(-1.0), 'the top of a thin box is the plane'
    far = 5.0 * world.model.stat.extent
    assert np.abs(floor).max(axis=0) == pytest.approx([far, 3.0, 1.001]), 'endless along x'
    ground = points_in_world(world.marker('ground'))
    middles = ground.reshape(-1, 3, 3).mean(axis=1)
    down, hit = np.array([0.0, 0, -1]), np.full(1, -1, np.int32)
    flat = np.ones(6, np.uint8)
    rows = 2 * 2 * 3
    for middle in middles[:rows]:
        start = middle + np.array([0.0, 0, 5])
        at = mujoco.mj_ray(world.model, world.data, start, down, flat, True, -1, hit)
        assert hit[0] == world.model.geom('ground').id
        assert at == pytest.approx(5.0, abs=1e-5)
    sides = ground.reshape(-1, 3, 3)[rows:]
    assert len(sides) == 2 * (2 * 3 + 2 * 2)
    assert sides[..., 2].min() == pytest.approx(-0.1)


def check_colours(world: World) -> None:
    """Checks that the colours are MuJoCo's."""
    expected = {
        'ball': [1, 0, 0, 1],
        'fixed': [0.1, 0.2, 0.3, 0.4],
        'brick': [0, 1, 0, 1],
        'pill': [0.5, 0.5, 0.5, 1],
        'floor': [0.5, 0, 0.25, 1],
    }
    told = {name: pytest.approx(color(world.marker(name)), abs=0.01) for name in expected}
    assert expected == told
    site = world.viewer.of('sites')[4 * world.model.site('mark').id]
    assert color(site) == [0, 0, 1, 0.5]


def check_groups(world: World) -> None:
    """Checks that geoms of other groups and invisible geoms are skipped."""
    shown = {number // 4 for number in world.viewer.of('geoms')}
    left_out = {world.model.geom(name).id for name in ('collision', 'unseen')}
    assert shown == {*range(world.model.ngeom)} - left_out


def test_groups_and_kinds_may_be_chosen(sense):
    world = World(sense(SHAPES, {**PLUGIN, 'groups': [3], 'show': ['geoms']}))
    assert {*world.viewer.shown} == {('geoms', 4 * world.model.geom('collision').id)}


def check_frames(world: World) -> None:
    """Checks that only movable elements are locked to their frames."""
    told = {
        name: (world.marker(name).frame_locked, world.marker(name).header.frame_id)
        for name in ('floor', 'fixed', 'ball', 'wedge', 'tip')
    }
    assert told == {
        'floor': (False, 'world'),
        'fixed': (False, 'world'),
        'ball': (True, 'markers/base'),
        'wedge': (True, 'markers/base'),
        'tip': (True, 'markers/arm'),
    }


def test_meshes_with_too_many_triangles_are_boxes_and_the_log_says_so(sense, caplog):
    world = World(sense(SHAPES, {**PLUGIN, 'most_triangles': 37}))
    assert world.marker('wedge').type == Marker.TRIANGLE_LIST
    marker, at = world.marker('ground'), world.data.geom('ground')
    assert marker.type == Marker.CUBE
    corners = world.in_world('ground', field_corners(world.model, 0))
    box = points_in_world(marker)
    middle, turn = np.array(at.xpos), at.xmat
    box, corners = ((each - middle) @ turn.reshape(3, 3) for each in (box, corners))
    for reached in (np.min, np.max):
        assert reached(box, axis=0) == pytest.approx(reached(corners, axis=0), abs=1e-5)
    assert 'markers: 1 of 2 meshes and height fields are shown as boxes' in caplog.text


def test_nothing_is_made_before_somebody_looks_and_each_viewer_gets_all(sense):
    sensing = sense(SHAPES, PLUGIN)
    plugin = sensing.plugin('markers')
    assert plugin._of_model._told is None
    node = sensing.client.node
    assert node.count_publishers('/tf') == 0
    first, late = Viewer(sensing, MODEL), Viewer(sensing, MODEL, LATCHED)
    first.wait_for(lambda: first.shown)
    late.wait_for(lambda: late.shown)
    assert first.shown.keys() == late.shown.keys()
    wait_until(lambda: node.count_publishers('/tf') == 1, 'frames')
    first.close()
    late.close()
    wait_until(lambda: node.count_publishers('/tf') == 0, 'no frames any more')
    again = Viewer(sensing, MODEL)
    again.wait_for(lambda: again.shown.keys() == first.shown.keys())
