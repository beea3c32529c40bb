"""A session continues with another model or other plugins without losing its state."""

from __future__ import annotations

import mujoco
import pytest

from mujoco_ros_py.errors import ModelError, PluginError
from mujoco_ros_py.plugins import Adaptable, MujocoPlugin, compiled, new_state
from mujoco_ros_py.plugins.host import callback_binding
from mujoco_ros_py.session import Session

WORLD = """
<mujoco>
  <worldbody>
    {}
    <body name="bob"><joint name="hinge" axis="0 1 0"/><geom size="0.1" pos="0.3 0 0"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
</mujoco>
"""
ALONE = WORLD.format('')
WITH_CUBE = WORLD.format('<body name="cube" pos="0 0 9"><freejoint/><geom size=".1"/></body>')


def model(xml: str) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(xml)


class Told(MujocoPlugin):
    """Records its calls; each instance has its own log."""

    def load(self, model, data):
        self.state = new_state(steps=0)
        self.told = [f'load {model.nbody} at {data.time:.3f}']

    def after_load(self, model, data):
        self.told.append('after_load')

    def reset(self, model, data):
        self.told.append('reset')

    def unload(self):
        self.told.append('unload')

    @staticmethod
    @compiled
    def last_stage_callback(state, model, data):
        state.steps += 1


class Adapts(Told, Adaptable):
    """Records how the model has changed."""

    def adapt(self, model, data):
        self.told.append(f'adapt {model.nbody}')


class Refuses(Told):
    """Refuses to load a world with a cube."""

    def load(self, model, data):
        super().load(model, data)
        return model.nbody < 3


class NeedsAdapts(Told):
    """Looks up another plugin while it loads."""

    def load(self, model, data):
        super().load(model, data)
        self.other = self.environment.plugin('adapts')


def test_a_plugin_that_adapts_stays_and_any_other_is_loaded_anew():
    with Session(model(ALONE), [Adapts, Told]) as session:
        session.step(5)
        adapts, told = session.plugins['adapts'], session.plugins['told']
        assert session.change(model(WITH_CUBE)) == ['2 of 2 plugins ready']
        session.step(5)
        anew = session.plugins['told']
        assert session.plugins['adapts'] is adapts
        assert anew is not told
    assert adapts.told == ['load 2 at 0.000', 'after_load', 'adapt 3', 'unload']
    assert adapts.state.steps == 10
    assert told.told == ['load 2 at 0.000', 'after_load', 'unload']
    assert anew.told == ['load 3 at 0.010', 'after_load', 'unload']
    assert anew.state.steps == 5


def test_a_plugin_that_stays_goes_on_with_the_code_that_it_had(monkeypatch):
    compiled_for = []
    compile_callback = callback_binding.compile_callback

    def noting(point, function, state, **options):
        compiled_for.append(state)
        return compile_callback(point, function, state, **options)

    monkeypatch.setattr(callback_binding, 'compile_callback', noting)
    with Session(model(ALONE), [Adapts]) as session:
        session.change(model(WITH_CUBE))
        session.step(5)
        adapts = session.plugins['adapts']
        assert compiled_for == [adapts.state]
        assert adapts.state.steps == 5


def test_a_plugin_that_adapts_may_set_another_state():
    class Counts(Adapts):
        def adapt(self, model, data):
            self.states = [self.state, new_state(steps=100, bodies=model.nbody)]
            self.state = self.states[1]

    with Session(model(ALONE), [Counts]) as session:
        session.step(5)
        session.change(model(WITH_CUBE))
        session.step(5)
        assert [state.steps for state in session.plugins['counts'].states] == [5, 105]


@pytest.mark.parametrize('strict', [False, True])
def test_plugins_find_those_that_stay(strict):
    with Session(model(ALONE), [Adapts, NeedsAdapts], strict=strict) as session:
        session.change(model(WITH_CUBE))
        assert session.plugins['needs_adapts'].other is session.plugins['adapts']
        assert list(session.plugins) == ['adapts', 'needs_adapts']


def test_plugins_are_added_and_taken_away_without_a_reset():
    with Session(model(ALONE), [Adapts]) as session:
        session.step(5)
        adapts = session.plugins['adapts']
        session.change(plugins=[Told, Adapts])
        assert list(session.plugins) == ['told', 'adapts']
        assert session.time == pytest.approx(0.01)
        session.change(plugins=[Told])
        assert adapts.told == ['load 2 at 0.000', 'after_load', 'adapt 2', 'unload']


def test_a_strict_session_changes_nothing_if_a_plugin_refuses_the_new_model():
    with Session(model(ALONE), [Adapts, Refuses], strict=True) as session:
        session.step(5)
        before = dict(session.plugins)
        with pytest.raises(PluginError, match='refuses: refused to load'):
            session.change(model(WITH_CUBE))
        session.step(5)
        assert session.plugins == before
        assert before['adapts'].told == ['load 2 at 0.000', 'after_load']
        assert before['refuses'].state.steps == 10
        assert session.snapshot().model.nbody == 2


def test_another_session_goes_on_without_the_plugin_that_refuses():
    with Session(model(ALONE), [Refuses, Adapts]) as session:
        said = session.change(model(WITH_CUBE))
        assert said == ['1 of 2 plugins ready', 'refuses: refused to load']
        session.change(model(ALONE))
        assert list(session.plugins) == ['refuses', 'adapts']


def test_a_plugin_that_fails_to_adapt_is_out_and_the_world_has_changed():
    class Unable(Adapts):
        def adapt(self, model, data):
            raise ValueError('cannot stay')

    with Session(model(ALONE), [Unable], strict=True) as session:
        assert session.change(model(WITH_CUBE)) == [
            '0 of 1 plugins ready',
            'unable: adapt raised ValueError: cannot stay',
        ]
        assert session.snapshot().model.nbody == 3


def test_a_model_that_does_not_compile_changes_nothing(tmp_path):
    path = tmp_path / 'broken.xml'
    path.write_text(ALONE.replace('joint="hinge"', 'joint="absent"'))
    with Session(model(ALONE), [Told]) as session:
        session.step(5)
        told = session.plugins['told']
        with pytest.raises(ModelError, match='absent'):
            session.change(str(path))
        assert session.plugins == {'told': told}
        session.step(5)
        assert told.state.steps == 10
        session.change()
        assert session.snapshot().model.nbody == 2


def test_a_saved_state_of_the_smaller_world_is_refused_with_the_difference():
    from mujoco_ros_py.errors import SimulationError

    with Session(model(ALONE), [Adapts]) as session:
        session.step(5)
        saved = session.save()
        session.change(model(WITH_CUBE))
        with pytest.raises(SimulationError, match='nbody is 2 in the state and 3 in the model'):
            session.restore(saved)
        session.change(model(ALONE))
        session.step(5)
        session.restore(saved)
        assert session.time == pytest.approx(0.01)
        assert session.plugins['adapts'].state.steps == 5


def test_a_plugin_stays_over_many_changes():
    small, large = model(ALONE), model(WITH_CUBE)
    with Session(small, [Adapts, Told]) as session:
        for _ in range(5):
            session.change(large)
            session.step(1)
            session.change(small)
            session.step(1)
        assert session.status.steps == 10
        assert session.plugins['adapts'].state.steps == 10


def test_a_plugin_that_is_out_already_keeps_a_strict_session_from_no_change():
    class Unable(Told, Adaptable):
        def adapt(self, model, data):
            raise ValueError('cannot stay')

        def load(self, model, data):
            super().load(model, data)
            return model.nbody < 3

    with Session(model(ALONE), [Unable, Adapts], strict=True) as session:
        session.change(model(WITH_CUBE))
        assert list(session.plugins) == ['adapts']
        session.change(model(WITH_CUBE.replace('name="cube"', 'name="other"')))
        assert session.snapshot().model.body('other').id == 1
        session.change(model(ALONE))
        assert list(session.plugins) == ['unable', 'adapts']
