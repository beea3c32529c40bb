"""Markers while entities are added and removed, values change, and the world is replaced."""

from __future__ import annotations

from typing import Any

import pytest
from builtin.markers.drawing import MODEL, PLUGIN, STATE, Frames, Viewer
from deadline import DEADLINE_S
from system.harness import wait_until

from mujoco_ros_py.session import Spawn
from mujoco_ros_py.simulation import ModelSource
from mujoco_ros_py.simulation.edits import shape_geom

pytestmark = pytest.mark.slow

WORLD = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <body name="ball" pos="0 0 .1"><freejoint/><geom name="rubber" size=".1"/></body>
    <body name="gate" pos="3 0 1"><joint name="gate"/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody>
</mujoco>
"""
OTHER = """
<mujoco>
  <worldbody>
    <body name="other" pos="0 0 2"><joint/><geom type="cylinder" size=".1 .2"/></body>
  </worldbody>
</mujoco>
"""
CUBE = """
<mujoco model="cube">
  <worldbody><body><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody>
</mujoco>
"""


def spawn(sensing: Any, name: str, **given: Any) -> None:
    made = Spawn(source=ModelSource(xml=CUBE), name=name, position=(2, 0, 0.1), **given)
    sensing.server.assembly.spawn([made]).result(DEADLINE_S)


def reload(sensing: Any, **parameters: Any) -> None:
    from rclpy.parameter import Parameter

    given = [Parameter(name, value=value) for name, value in parameters.items()]
    assert all(each.successful for each in sensing.server.node.set_parameters(given))
    sensing.server.assembly.reload().result(DEADLINE_S)
    assert sensing.refusals == []


def frames_of(viewer: Viewer) -> set[str]:
    return {each.header.frame_id for each in viewer.of('geoms').values()}


def test_a_spawn_adds_and_a_delete_removes(sense):
    sensing = sense(WORLD, PLUGIN)
    frames, viewer = Frames(sensing), Viewer(sensing, MODEL)
    before = {'world', 'markers/ball', 'markers/gate'}
    viewer.wait_for(lambda: frames_of(viewer) == before)
    spawn(sensing, 'box')
    viewer.wait_for(lambda: frames_of(viewer) == {*before, 'markers/box/base'})
    wait_until(lambda: frames.reach_the_world(frames_of(viewer)), 'the frame of the box')
    sensing.server.assembly.delete(['box']).result(DEADLINE_S)
    viewer.wait_for(lambda: frames_of(viewer) == before)
    assert sensing.refusals == []


def test_markers_of_a_group_are_those_of_its_robot_in_its_frames(sense):
    sensing = sense(WORLD, {**PLUGIN, 'show': ['geoms']})
    transforms = {'type': 'mujoco_ros_py/Transforms', 'root': 'base'}
    spawn(sensing, 'box', plugins=[transforms, PLUGIN])
    viewer, all_of_it = Viewer(sensing, '/box/markers/model'), Viewer(sensing, MODEL)
    viewer.wait_for(lambda: frames_of(viewer) == {'box/base'})
    both = {'world', 'markers/ball', 'markers/gate', 'box/base'}
    all_of_it.wait_for(lambda: frames_of(all_of_it) == both)
    sensing.server.assembly.delete(['box']).result(DEADLINE_S)
    viewer.wait_for(lambda: not viewer.shown, 'no markers')


def test_a_reload_of_another_model_removes_what_was_there(sense):
    sensing = sense(WORLD, PLUGIN)
    model, state = Viewer(sensing, MODEL), Viewer(sensing, STATE)
    model.wait_for(lambda: len(model.of('geoms')) == 3)
    state.wait_for(lambda: state.of('contacts'))
    reload(sensing, mujoco_xml=OTHER)
    model.wait_for(lambda: frames_of(model) == {'markers/other'})
    state.wait_for(lambda: not state.shown, 'no contacts')


def test_a_size_that_is_changed_is_shown(sense):
    sensing = sense(WORLD, PLUGIN)
    viewer = Viewer(sensing, MODEL)
    viewer.wait_for(lambda: viewer.shown)
    geom = sensing.call(lambda model, data: model.geom('rubber').id)
    change = sensing.simulation.edit(
        lambda model, data, edit: shape_geom(model, geom, None, [0.3, 0, 0], edit)
    )
    change.result(DEADLINE_S)
    viewer.wait_for(lambda: viewer.of('geoms')[4 * geom].scale.x == 0.6, 'the new size')


def test_a_viewer_of_the_old_world_is_cleared_where_nothing_takes_its_place(sense):
    sensing = sense(WORLD, PLUGIN)
    viewer = Viewer(sensing, MODEL)
    viewer.wait_for(lambda: viewer.shown)
    reload(sensing, MujocoPlugins='[]')
    viewer.wait_for(lambda: not viewer.shown, 'no markers')
