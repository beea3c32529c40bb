"""Models with geoms that rays pass through, as plugins use them in compiled code."""

from __future__ import annotations

import gc
from typing import Any

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state
from mujoco_ros_py.plugins.compiled_code import HiddenGeoms, model_at
from mujoco_ros_py.session import Session

WALLS = """
<mujoco>
  <asset><material name="paint" rgba="1 0 0 1"/></asset>
  <worldbody>
    <geom name="near" type="box" size="0.1 1 1" pos="1.1 0 0"/>
    <geom name="painted" type="box" size="0.1 1 1" pos="2.1 0 0" material="paint"/>
    <geom name="far" type="box" size="0.1 1 1" pos="3.1 0 0"/>
  </worldbody>
</mujoco>
"""


class Looking(MujocoPlugin):
    """Casts a ray along x in each step, and lets it pass through the configured geoms."""

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Hides the geoms."""
        hidden = HiddenGeoms(model, [model.geom(name).id for name in self.config['through']])
        self.state = new_state(seen=hidden, hit=-2, ranges=np.zeros(1))

    @staticmethod
    @compiled
    def last_stage_callback(state: Any, model: Any, data: Any) -> None:
        """Casts the ray."""
        hits, ray, place = np.empty(1, np.int32), np.array([1.0, 0.0, 0.0]), np.zeros(3)
        mujoco.mj_multiRay(
            model_at(state.seen), data, place, ray, None, True, -1, hits, state.ranges, None, 1,
            9.0,
        )  # fmt: skip
        state.hit = hits[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ('through', 'hit', 'distance'),
    [
        ([], 'near', 1.0),
        (['near'], 'painted', 2.0),
        (['near', 'painted'], 'far', 3.0),
        (['painted'], 'near', 1.0),
        (['near', 'painted', 'far'], None, -1.0),
    ],
)
def test_rays_pass_through_the_hidden_geoms_alone(through, hit, distance):
    model = mujoco.MjModel.from_xml_string(WALLS)
    before = model.geom_rgba.copy(), model.geom_matid.copy()
    with Session(model, plugins=[{'type': Looking, 'name': 'looking', 'through': through}]) as s:
        gc.collect()
        s.step(2)
        state = s.plugins['looking'].state
        assert state.hit == (-1 if hit is None else model.geom(hit).id)
        assert state.ranges[0] == pytest.approx(distance)
    after = model.geom_rgba, model.geom_matid
    assert all(map(np.array_equal, before, after)), 'the model itself is as it was'


def test_a_restored_state_sees_what_the_plugin_sees_that_it_is_restored_to():
    """The memory of the plugin that was saved is free by then."""
    model, looking = mujoco.MjModel.from_xml_string(WALLS), {'type': Looking, 'name': 'looking'}
    with Session(model, plugins=[{**looking, 'through': ['near']}]) as session:
        session.step(1)
        saved = session.save()
        session.reload(plugins=[{**looking, 'through': ['near', 'painted']}])
        state = session.plugins['looking'].state
        seen = state.seen
        assert session.restore(saved) == []
        assert state.ranges[0] == pytest.approx(2.0), 'as it was saved'
        assert state.seen == seen
        session.step(1)
        assert state.ranges[0] == pytest.approx(3.0)


def test_only_compiled_code_has_the_model_at_an_address():
    with pytest.raises(TypeError, match='model_at can only be called in compiled functions'):
        model_at(0)
