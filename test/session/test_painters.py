"""A plugin that renders by itself can include the render callbacks of all plugins."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.plugins import MujocoPlugin
from mujoco_ros_py.session import Session

MODEL = """
<mujoco>
  <worldbody><body name="bob"><joint/><geom size="0.1" pos="0.3 0 0"/></body></worldbody>
</mujoco>
"""
COLOR = np.ones(4, np.float32)


class Ball(MujocoPlugin):
    """Draws a ball of the configured radius at the body, and does nothing in each step."""

    def render_callback(self, model, data, scene):
        if self.config.get('broken'):
            raise ValueError('no ball')
        place, size = data.body('bob').xipos, np.full(3, self.config['radius'])
        geom, scene.ngeom = scene.geoms[scene.ngeom], scene.ngeom + 1
        kind = mujoco.mjtGeom.mjGEOM_SPHERE
        mujoco.mjv_initGeom(geom, kind, size, place, np.eye(3).ravel(), COLOR)

    def last_stage_callback(self, model, data):
        """Costs as little as can be."""


class Easel(MujocoPlugin):
    """Draws into a scene of its own, without OpenGL."""

    def load(self, model, data):
        self.scene = mujoco.MjvScene(model, 100)

    def draw(self, session, painters=None):
        """Returns the radii of the balls that are drawn, after checking where they are."""
        moment, self.scene.ngeom = session.snapshot(), 0
        moment.update()
        for painter in self.environment.rendering.painters if painters is None else painters:
            painter(moment.model, moment.data, self.scene)
        balls = [self.scene.geoms[number] for number in range(self.scene.ngeom)]
        for ball in balls:
            assert ball.pos == pytest.approx(moment.data.body('bob').xipos)
        return [pytest.approx(float(ball.size[0])) for ball in balls]


EASEL = {'type': Easel, 'name': 'easel'}


def ball(name: str, radius: float, **config: object) -> dict[str, object]:
    return {'type': Ball, 'name': name, 'radius': radius, **config}


def test_it_paints_what_all_draw_in_load_order():
    listed = [ball('large', 0.3), EASEL, ball('small', 0.1)]
    with Session(mujoco_xml=MODEL, plugins=listed) as session:
        easel = session.plugins['easel']
        for _ in range(2):
            assert easel.draw(session) == [0.3, 0.1]
            session.step(20)


def test_a_painter_that_raises_takes_its_plugin_out_and_not_the_one_that_calls_it():
    listed = [ball('broken', 0.3, broken=True), EASEL, ball('small', 0.1)]
    with Session(mujoco_xml=MODEL, plugins=listed) as session:
        for _ in range(2):
            assert session.plugins['easel'].draw(session) == [0.1]
        assert session.problems == ['broken: render_callback raised ValueError: no ball']


def test_painters_of_before_a_reload_draw_nothing():
    with Session(mujoco_xml=MODEL, plugins=[EASEL, ball('small', 0.1)]) as session:
        before = session.plugins['easel'].environment.rendering.painters
        session.reload(plugins=[EASEL, ball('large', 0.3)])
        easel = session.plugins['easel']
        assert easel.draw(session, before) == []
        assert easel.draw(session) == [0.3]


def test_it_reads_the_costs_of_the_callbacks_of_all_plugins():
    with Session(mujoco_xml=MODEL, plugins=[EASEL, ball('small', 0.1)]) as session:
        easel = session.plugins['easel']
        assert easel.environment.simulation.costs_ns() == {'easel': {}, 'small': {}}
        session.step(1000)  # every 64th is timed
        easel.draw(session)
        costs = easel.environment.simulation.costs_ns()
        assert costs['easel'] == {}
        assert set(costs['small']) == {'last_stage_callback', 'render_callback'}
        assert min(costs['small'].values()) > 0
