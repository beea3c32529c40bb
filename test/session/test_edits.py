"""Model changes at run time, and the plugins that are notified of them."""

from __future__ import annotations

import numpy as np
import pytest

from mujoco_ros_py.plugins import Adaptable, ModelChange, MujocoPlugin
from mujoco_ros_py.session import Session
from mujoco_ros_py.simulation.edits import place_body, rub_geom, set_gravity

BALL = """
<mujoco>
  <worldbody>
    <body name="ball" pos="0 0 1"><freejoint/><geom name="ball" size="0.1"/></body>
  </worldbody>
</mujoco>
"""


class Listening(MujocoPlugin, Adaptable):
    """Records each change, and the position of the body at that time."""

    def load(self, model, data):
        self.heard = []

    def model_changed(self, model, data, change):
        self.heard.append((change, data.xpos[1].tolist(), float(model.opt.gravity[2])))


class Failing(MujocoPlugin, Adaptable):
    def model_changed(self, model, data, change):
        raise ValueError('it is too much')


def change(model, data, edit):
    edit.attempt(lambda: place_body(model, data, 1, [1.0, 2.0, 3.0], [1.0, 0.0, 0.0, 0.0]))
    edit.attempt(lambda: set_gravity(model, [0.0, 0.0, -1.0], edit))
    edit.attempt(lambda: rub_geom(model, 0, [0.5, 0.0, 0.0], edit))


def test_each_plugin_hears_of_each_change_when_all_are_made_and_poses_have_followed():
    plugins = [{'type': Listening, 'name': name} for name in ('one', 'two')]
    with Session(mujoco_xml=BALL, plugins=plugins) as session:
        session.edit(change)
        there = [1.0, 2.0, 3.0], -1.0
        for plugin in session.plugins.values():
            assert plugin.heard == [
                (ModelChange('gravity'), *there),
                (ModelChange('geom', 0), *there),
            ]


def test_a_plugin_that_fails_over_a_change_is_taken_out_and_the_others_hear_of_it():
    plugins = [{'type': Failing}, {'type': Listening, 'name': 'other'}]
    with Session(mujoco_xml=BALL, plugins=plugins) as session:
        assert session.edit(change).refused == []
        assert list(session.plugins) == ['other']
        assert len(session.plugins['other'].heard) == 2
        assert 'model_changed raised ValueError: it is too much' in session.problems[0]
        session.step()


def test_what_a_pose_changes_is_no_change_of_the_model():
    with Session(mujoco_xml=BALL, plugins=[{'type': Listening, 'name': 'one'}]) as session:
        place = [1.0, 2.0, 3.0], [1.0, 0.0, 0.0, 0.0]
        session.edit(lambda m, d, e: e.attempt(lambda: place_body(m, d, 1, *place)))
        assert session.plugins['one'].heard == []
        assert np.allclose(session.snapshot().data.xpos[1], place[0])


def test_a_reload_takes_the_changes_back():
    with Session(mujoco_xml=BALL) as session:
        session.edit(change)
        session.reset()
        assert session.call(lambda m, d: m.opt.gravity[2]) == -1.0
        session.reload()
        assert session.call(lambda m, d: m.opt.gravity[2]) == pytest.approx(-9.81)
