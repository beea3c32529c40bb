"""Markers of tendons, contacts and forces over DDS, against mechanics and MuJoCo's own numbers."""

from __future__ import annotations

import math
from typing import Any

import mujoco
import numpy as np
import pytest
from builtin.markers.drawing import PLUGIN, STATE, Viewer, color, vector
from system.harness import seconds
from visualization_msgs.msg import Marker

pytestmark = pytest.mark.slow

MASS, GRAVITY, SLOPE = 2.0, 9.81, math.radians(10)
SLIDING = f"""
<mujoco>
  <option timestep="0.002" impratio="10" cone="elliptic"
    gravity="{GRAVITY * math.sin(SLOPE)} 0 {-GRAVITY * math.cos(SLOPE)}"/>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 1"/>
    <body name="crate" pos="0 0 0.1">
      <freejoint/>
      <geom name="wood" type="box" size="0.1 0.1 0.1" mass="{MASS}" friction="1 0.005 0.0001"/>
    </body>
  </worldbody>
</mujoco>
"""
TENDONS = """
<mujoco>
  <worldbody>
    <site name="a" pos="-.5 0 1"/>
    <site name="c" pos="2 0 0"/>
    <site name="d" pos="2 0 1"/>
    <geom name="drum" type="cylinder" size=".4 .3" pos="0 0 1" euler="90 0 0"/>
    <body name="load" pos=".5 0 .5">
      <joint name="fall" type="slide" axis="0 0 1"/>
      <geom size=".05" mass="1"/>
      <site name="b"/>
    </body>
  </worldbody>
  <tendon>
    <spatial name="rope" width=".02" rgba="0 1 0 1">
      <site site="a"/><geom geom="drum"/><site site="b"/>
      <pulley divisor="2"/>
      <site site="c"/><site site="d"/>
    </spatial>
    <fixed name="sum"><joint joint="fall" coef="1"/></fixed>
    <spatial name="hidden" group="4"><site site="a"/><site site="c"/></spatial>
  </tendon>
</mujoco>
"""
LIFTED = """
<mujoco>
  <worldbody><body pos="0 0 9"><freejoint/><geom size=".1"/></body></worldbody>
</mujoco>
"""


def look(sensing: Any, topic: str = STATE) -> Viewer:
    viewer = Viewer(sensing, topic)
    viewer.wait_for(lambda: viewer.messages)
    return viewer


def stamp(viewer: Viewer) -> float:
    return seconds(viewer.messages[-1].markers[0].header.stamp)


def forces(viewer: Viewer, model: Any) -> np.ndarray:
    """Returns the sum of the forces that the arrows show, in N."""
    arrows = viewer.of('forces').values()
    total = sum(vector(each.points[1]) - vector(each.points[0]) for each in arrows)
    return total * model.stat.meanmass / model.vis.map.force


def test_the_arrows_at_a_resting_crate_are_its_weight_until_it_is_lifted(sense):
    sensing = sense(SLIDING, PLUGIN)
    model = sensing.call(lambda model, data: model)
    viewer = look(sensing)
    sensing.step(999)
    viewer.wait_for(lambda: stamp(viewer) > 1.99, 'the end')
    assert {*viewer.of('contacts')} == {*viewer.of('forces')} == {0, 1, 2, 3}
    weight = MASS * GRAVITY * np.array([-math.sin(SLOPE), 0.0, math.cos(SLOPE)])
    assert forces(viewer, model) == pytest.approx(weight, rel=0.01, abs=0.01 * MASS * GRAVITY)
    for disc in viewer.of('contacts').values():
        assert disc.type == Marker.CYLINDER
        _, y, z = vector(disc.pose.position)
        assert (abs(y), z) == (pytest.approx(0.1, abs=0.01), pytest.approx(0, abs=0.01))
        turn = disc.pose.orientation
        assert (turn.x, turn.y) == pytest.approx((0, 0), abs=1e-9)
        size = 2 * model.stat.meansize * np.array([0.3, 0.3, 0.1])
        assert vector(disc.scale) == pytest.approx(size, rel=1e-6)
        assert color(disc) == pytest.approx(list(model.vis.rgba.contactpoint))
        assert disc.header.frame_id == 'world'
    arrow = viewer.of('forces')[0]
    assert arrow.type == Marker.ARROW
    assert color(arrow) == pytest.approx(list(model.vis.rgba.contactforce))
    assert viewer.doubled == []
    check_removal(sensing, viewer)


def check_removal(sensing: Any, viewer: Viewer) -> None:
    """Checks that the markers of ended contacts are removed, more than once."""

    def lift(model: Any, data: Any) -> None:
        data.qpos[2] = 5.0

    sensing.call(lift)
    sensing.step(30)
    viewer.wait_for(lambda: not viewer.shown, 'no contacts')
    last = [each.action for each in viewer.messages[-1].markers]
    assert Marker.ADD not in last

    def removals() -> int:
        """Returns the number of messages that remove all contacts; viewers may miss some."""
        ids = [
            {
                each.id
                for each in message.markers
                if each.ns == 'contacts' and each.action == Marker.DELETE
            }
            for message in tuple(viewer.messages)
        ]
        return ids.count({0, 1, 2, 3})

    viewer.wait_for(lambda: removals() > 5, 'further removals')


def test_a_tendon_is_the_path_around_its_geom_without_the_pulley(sense):
    sensing = sense(TENDONS, {**PLUGIN, 'show': ['tendons']})
    viewer = look(sensing)
    sensing.step(30)
    model, data = sensing.call(lambda model, data: (model, data))
    viewer.wait_for(lambda: abs(stamp(viewer) - data.time) < 1e-6, 'the moment')
    assert {*viewer.shown} == {('tendons', model.tendon('rope').id)}
    (marker,) = viewer.shown.values()
    assert marker.type == Marker.LINE_LIST
    assert marker.scale.x == pytest.approx(0.04)
    assert color(marker) == [0, 1, 0, 1]
    ends = np.array([vector(each) for each in marker.points])
    sensing.call(mujoco.mj_forward)
    path = data.wrap_xpos.reshape(-1, 3)[: data.ten_wrapnum[0]]
    assert len(path) == 7, 'a, two points on the drum, b, the pulley, c, d'
    lines = [(0, 1), (1, 2), (2, 3), (5, 6)]
    assert ends == pytest.approx(np.concatenate([path[list(line)] for line in lines]), abs=1e-9)
    assert np.linalg.norm(ends[:6:2] - ends[1:6:2], axis=1).sum() == pytest.approx(
        data.ten_length[0] - 0.5, abs=1e-2
    ), 'the chord on the drum is shorter than the arc'


def test_no_more_contacts_are_shown_than_there_may_be_and_kinds_may_be_left_out(sense):
    sensing = sense(SLIDING, {**PLUGIN, 'show': ['forces'], 'most_contacts': 2})
    viewer = look(sensing)
    sensing.step(60)
    viewer.wait_for(lambda: {*viewer.shown} == {('forces', 0), ('forces', 1)}, 'two arrows')


def test_nothing_is_filled_before_somebody_looks(sense):
    sensing = sense(SLIDING, PLUGIN)
    sensing.step(300)
    publisher = sensing.plugin('markers')._of_state._publisher
    assert (publisher.published, publisher.cost_ns) == (0, 0.0)
    look(sensing).close()
    assert publisher.published > 0


def test_a_world_without_contacts_and_tendons_shows_nothing(sense):
    viewer = look(sense(LIFTED, PLUGIN))
    assert viewer.shown == {}
