"""Markers of a model of two thousand moving geoms."""

from __future__ import annotations

import numpy as np
import pytest
from builtin.markers.drawing import MODEL, PLUGIN, STATE, Frames, Viewer, points_in_world
from system.harness import wait_until

pytestmark = pytest.mark.slow

COLUMNS, ROWS = 50, 40
RADIUS = 0.1
FIELD = f"""
<mujoco>
  <option gravity="0 0 0"/>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 1" contype="2" conaffinity="2"/>
    <replicate count="{ROWS}" offset="0 1 0" sep="r">
      <replicate count="{COLUMNS}" offset="1 0 0" sep="c">
        <body name="ball" pos="0 0 {RADIUS - 1e-4}">
          <joint name="lift" type="slide" axis="0 0 1"/>
          <geom name="ball" size="{RADIUS}" contype="2" conaffinity="0"/>
        </body>
      </replicate>
    </replicate>
  </worldbody>
</mujoco>
"""
MOST = 700


def test_two_thousand_geoms_are_drawn_where_they_are(sense):
    sensing = sense(FIELD, {**PLUGIN, 'most_contacts': MOST})
    frames, viewer, moment = Frames(sensing), Viewer(sensing, MODEL), Viewer(sensing, STATE)
    model, data = sensing.call(lambda model, data: (model, data))
    viewer.wait_for(lambda: len(viewer.of('geoms')) == COLUMNS * ROWS + 1)
    moment.wait_for(lambda: len(moment.of('contacts')) == len(moment.of('forces')) == MOST)
    assert sensing.call(lambda model, data: data.ncon) == COLUMNS * ROWS

    heights = np.linspace(0.0, 3.0, model.nq)
    sensing.call(lambda model, data: data.qpos.__setitem__(slice(None), heights))
    sensing.step(60)
    names = {each.header.frame_id for each in viewer.shown.values()}
    assert len(names) == COLUMNS * ROWS + 1
    wait_until(lambda: frames.reach_the_world(names), 'the frames')

    def differs() -> float:
        """Returns how far the highest points of the markers are at most from those of MuJoCo."""
        tops = [
            points_in_world(viewer.of('geoms')[4 * geom], frames)[:, 2].max()
            for geom in range(1, model.ngeom, 97)
        ]
        return float(np.abs(tops - data.geom_xpos[1::97, 2] - RADIUS).max())

    wait_until(lambda: differs() < 1e-6, 'the balls in their new places')
    moment.wait_for(lambda: len(moment.of('contacts')) < MOST // 2, 'the end of most contacts')
    assert viewer.doubled == moment.doubled == []
