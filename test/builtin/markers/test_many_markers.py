"""Markers of a model of many moving geoms."""

from __future__ import annotations

import numpy as np
import pytest
from builtin.markers.drawing import MODEL, PLUGIN, STATE, Frames, Viewer, points_in_world
from system.harness import wait_until

pytestmark = pytest.mark.slow

ROWS = 40
RADIUS = 0.1
FIELD = """
<mujoco>
  <option gravity="0 0 0"/>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 1" contype="2" conaffinity="2"/>
    <replicate count="40" offset="0 1 0" sep="r">
      <replicate count="{columns}" offset="1 0 0" sep="c">
        <body name="ball" pos="0 0 {height}">
          <joint name="lift" type="slide" axis="0 0 1"/>
          <geom name="ball" size="{radius}" contype="2" conaffinity="0"/>
        </body>
      </replicate>
    </replicate>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize('columns', [10, pytest.param(50, marks=pytest.mark.nightly)])
def test_many_geoms_are_drawn_where_they_are(sense, columns):
    field = FIELD.format(columns=columns, height=RADIUS - 1e-4, radius=RADIUS)
    balls, most = columns * ROWS, 14 * columns
    sensing = sense(field, {**PLUGIN, 'most_contacts': most})
    frames, viewer, moment = Frames(sensing), Viewer(sensing, MODEL), Viewer(sensing, STATE)
    model, data = sensing.call(lambda model, data: (model, data))
    viewer.wait_for(lambda: len(viewer.of('geoms')) == balls + 1)
    moment.wait_for(lambda: len(moment.of('contacts')) == len(moment.of('forces')) == most)
    assert sensing.call(lambda model, data: data.ncon) == balls

    heights = np.linspace(0.0, 3.0, model.nq)
    sensing.call(lambda model, data: data.qpos.__setitem__(slice(None), heights))
    sensing.step(60)
    names = {each.header.frame_id for each in viewer.shown.values()}
    assert len(names) == balls + 1
    wait_until(lambda: frames.reach_the_world(names), 'the frames')

    def differs() -> float:
        """Returns the largest distance of the markers' highest points from MuJoCo's."""
        tops = [
            points_in_world(viewer.of('geoms')[4 * geom], frames)[:, 2].max()
            for geom in range(1, model.ngeom, 97)
        ]
        return float(np.abs(tops - data.geom_xpos[1::97, 2] - RADIUS).max())

    wait_until(lambda: differs() < 1e-6, 'the balls in their new places')
    moment.wait_for(lambda: len(moment.of('contacts')) < most // 2, 'the end of most contacts')
    assert viewer.doubled == moment.doubled == []
