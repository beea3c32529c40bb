"""A simulation with plugins, without ROS."""

from __future__ import annotations

import pickle
import subprocess
import sys
import time
from dataclasses import dataclass

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py import mjcf
from mujoco_ros_py.errors import ConfigError, ModelError, PluginError, SimulationError
from mujoco_ros_py.plugins import (
    Adaptable,
    MujocoPlugin,
    Reconfigurable,
    Savable,
    compiled,
    new_state,
    ranged,
)
from mujoco_ros_py.session import Session

PENDULUM = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <body name="bob"><joint name="hinge" axis="0 1 0"/><geom size="0.1" pos="0.3 0 0"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
</mujoco>
"""


class Push(MujocoPlugin):
    """Pushes harder with each step, from compiled code."""

    def load(self, model, data):
        self.state = new_state(steps=0, gain=float(self.config.get('gain', 0.1)))

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        data.ctrl[0] = state.gain * state.steps

    @staticmethod
    @compiled
    def last_stage_callback(state, model, data):
        state.steps += 1


class Talker(MujocoPlugin):
    """Cannot work without ROS."""

    def load(self, model, data):
        self.node.create_publisher(str, 'chatter', 10)


class Optional(MujocoPlugin):
    """Publishes only if ROS is available."""

    def load(self, model, data):
        self.talks = bool(self.ros), bool(self.node)


class Refusing(MujocoPlugin):
    def load(self, model, data):
        raise ValueError('not today')


def positions(session) -> list[float]:
    return session.snapshot().data.qpos.tolist()


def test_a_session_steps_as_the_bindings_do():
    model = mujoco.MjModel.from_xml_string(PENDULUM)
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 100)
    with Session(mujoco_xml=PENDULUM) as session:
        session.step(100)
        assert session.time == data.time
        assert positions(session) == data.qpos.tolist()


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package `shapes` with a tetrahedron."""
    index = tmp_path / 'share/ament_index/resource_index/packages'
    index.mkdir(parents=True)
    (index / 'shapes').touch()
    (tmp_path / 'share/shapes').mkdir()
    (tmp_path / 'share/shapes/part.obj').write_text(
        'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n'
    )
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(tmp_path))


SHAPE = """
<mujoco model="shape">
  <asset><mesh file="package://shapes/{}.obj"/></asset>
  <worldbody><geom type="mesh" mesh="{}"/></worldbody>
</mujoco>
"""


def test_a_model_of_elements_may_name_files_of_packages(package):
    arena = mjcf.RootElement('arena')
    arena.attach(mjcf.from_xml_string(SHAPE.format('part', 'part')))
    with Session(arena) as session:
        assert session.call(lambda model, data: model.mesh('shape/part').id) == 0
        with pytest.raises(ModelError, match=r'cannot be written: <mesh .*shapes/none.obj: '):
            session.reload(mjcf.from_xml_string(SHAPE.format('none', 'none')))
        assert session.call(lambda model, data: model.nmesh) == 1


@pytest.mark.slow
def test_the_first_session_of_a_process_finds_files_of_packages(package):
    program = f"""
from mujoco_ros_py import mjcf
from mujoco_ros_py.session import Session
with Session(mjcf.from_xml_string({SHAPE.format('part', 'part')!r})) as session:
    print(session.call(lambda model, data: model.nmesh))
"""
    command = [sys.executable, '-c', program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE_S)
    assert done.stdout == '1\n', done.stderr


def test_it_begins_paused_and_runs_by_itself_when_it_is_told_to():
    with Session(mujoco_xml=PENDULUM) as session:
        assert session.status.paused
        assert session.status.steps == 0
        session.set_paused(False)
        with pytest.raises(SimulationError, match='cannot step while running'):
            session.step()
        session.set_paused(True)
        before = session.status.steps
        session.step(10)
        assert session.status.steps == before + 10


def test_control_callbacks_are_called_in_a_pause_only_where_that_is_wanted():
    def written(session):
        return session.call(lambda model, data: round(float(data.ctrl[0]), 9))

    with (
        Session(mujoco_xml=PENDULUM, plugins=[Push], update_in_pause=True) as updated,
        Session(mujoco_xml=PENDULUM, plugins=[Push]) as still,
    ):
        for session in (still, updated):
            session.step(5)
        deadline = time.monotonic() + DEADLINE_S
        while written(updated) != 0.5:
            assert time.monotonic() < deadline, 'no forward pass after the last step'
            time.sleep(0.001)
        assert written(still) == 0.4


def sources(folder):
    path = folder / 'pendulum.xml'
    path.write_text(PENDULUM)
    spec = mujoco.MjSpec.from_string(PENDULUM)
    return [
        path,
        str(path),
        mjcf.from_xml_string(PENDULUM),
        spec,
        mujoco.MjModel.from_xml_string(PENDULUM),
    ]


def test_the_model_may_be_a_path_or_any_of_its_forms(tmp_path):
    seen = set()
    for model in sources(tmp_path):
        with Session(model, [{'type': Push, 'gain': 1.0}]) as session:
            session.step(50)
            seen.add(tuple(positions(session)))
    assert len(seen) == 1


def test_a_compiled_model_is_copied_so_that_a_reload_finds_it_as_it_was():
    model = mujoco.MjModel.from_xml_string(PENDULUM)
    with Session(model) as session:
        session.call(lambda model, data: model.opt.gravity.__setitem__(2, 0.0))
        assert session.call(lambda model, data: model.opt.gravity[2]) == 0.0
        session.reload()
        assert session.call(lambda model, data: model.opt.gravity[2]) == -9.81
    assert model.opt.gravity[2] == -9.81


@pytest.mark.parametrize(
    ('arguments', 'error', 'text'),
    [
        ({'model': 7}, ConfigError, 'the model must be a path, a URI, .* got int'),
        ({'model': 'nothing.xml'}, ModelError, 'nothing.xml: no such file'),
        ({'mujoco_xml': '<mujoco><bodies/></mujoco>'}, ModelError, 'bodies'),
        ({'gravity': 1}, ConfigError, "unknown parameter 'gravity'; known: "),
        ({'model': 'a.xml', 'mujoco_xml': PENDULUM}, ConfigError, 'model and mujoco_xml cannot'),
        ({'realtime': -3}, ConfigError, 'realtime must be'),
        ({'plugins': 'nothing.yaml'}, ConfigError, 'nothing.yaml'),
        ({'plugins': [{'type': Refusing}], 'strict': True}, PluginError, 'not today'),
    ],
)
def test_what_cannot_be_loaded_is_an_error_of_the_constructor(arguments, error, text):
    with pytest.raises(error, match=text):
        Session(**arguments)


def test_a_plugin_that_refuses_is_told_and_the_others_run():
    plugins = [{'type': Refusing}, {'type': Push}]
    with Session(mujoco_xml=PENDULUM, plugins=plugins) as session:
        assert session.problems == ['refusing: refused to load: ValueError: not today']
        assert list(session.plugins) == ['push']
        session.step(3)
        assert session.plugins['push'].state.steps == 3


def test_who_needs_ros_is_refused_without_it_and_who_can_do_without_is_not():
    plugins = [{'type': Talker}, {'type': Optional}]
    with Session(mujoco_xml=PENDULUM, plugins=plugins) as session:
        (problem,) = session.problems
        assert "'create_publisher' needs ROS, and this session runs without it" in problem
        assert session.plugins['optional'].talks == (False, False)


def test_without_ros_a_plugin_can_be_given_no_message():
    with Session(mujoco_xml=PENDULUM, plugins=[Optional]) as session:
        inbox = session.plugins['optional'].ros.inbox
        assert not inbox.types
        with pytest.raises(ConfigError, match='topic /go needs ROS'):
            inbox.deliver('go', {})


def test_a_reload_that_fails_changes_nothing():
    with Session(mujoco_xml=PENDULUM, plugins=[Push]) as session:
        session.step(10)
        before = positions(session)
        with pytest.raises(ModelError):
            session.reload('nothing.xml')
        assert positions(session) == before
        assert session.reload() == ['1 of 1 plugins ready']
        assert session.time == 0.0


def test_a_reload_takes_other_plugins_and_another_start():
    with Session(mujoco_xml=PENDULUM, plugins=[Push]) as session:
        assert session.reload(plugins=[], positions={'hinge': 0.5}) == []
        assert session.plugins == {}
        assert positions(session) == [0.5]
        session.step(10)
        session.reset()
        assert positions(session) == [0.5]


def test_two_sessions_in_one_process_do_not_hear_each_other():
    def run(session):
        session.step(100)
        return positions(session)

    with Session(mujoco_xml=PENDULUM, plugins=[Push]) as alone:
        expected = run(alone)
    with (
        Session(mujoco_xml=PENDULUM, plugins=[Push]) as first,
        Session(mujoco_xml=PENDULUM, plugins=[{'type': Push, 'gain': 5.0}]) as second,
    ):
        for _ in range(10):
            first.step(10)
            second.step(7)
        assert positions(first) == expected
        assert positions(second) != expected
        assert first.plugins['push'].state.steps == 100
        assert second.plugins['push'].state.steps == 70


def test_a_saved_state_goes_on_to_the_bit_also_in_another_session():
    with Session(mujoco_xml=PENDULUM, plugins=[Push]) as session:
        session.step(50)
        saved = session.save()
        session.step(50)
        expected = positions(session)
        session.step(20)
        assert session.restore(saved) == []
        assert session.time == pytest.approx(0.1)
        session.step(50)
        assert positions(session) == expected
    with Session(mujoco_xml=PENDULUM, plugins=[Push]) as session:
        session.restore(pickle.loads(pickle.dumps(saved)))
        session.step(50)
        assert positions(session) == expected
        assert session.plugins['push'].state.steps == 100


@dataclass(frozen=True, kw_only=True)
class Gain:
    gain: float = ranged(0.1, live=True)


class LivePush(Push, MujocoPlugin[Gain], Reconfigurable):
    """Pushes with a gain that can change while it runs."""

    def load(self, model, data):
        self.state = new_state(steps=0, gain=self.config.gain)

    def configure(self, config):
        self.state.gain = config.gain


def test_a_restored_state_leaves_live_values_as_they_are():
    with Session(mujoco_xml=PENDULUM, plugins=[LivePush]) as session:
        session.step(3)
        saved = session.save()
        session.configure('live_push', gain=0.5)
        session.restore(saved)
        plugin = session.plugins['live_push']
        assert (plugin.config.gain, plugin.state.gain, plugin.state.steps) == (0.5, 0.5, 3)


def test_a_restored_state_says_which_plugins_it_does_not_fit():
    with Session(mujoco_xml=PENDULUM, plugins=[Push]) as session:
        saved = session.save()
        session.reload(plugins=[{'type': Push, 'name': 'other'}])
        assert session.restore(saved) == [
            "plugin 'other' has no part in the saved state",
            "plugin 'push' has a part in the saved state, but is not loaded",
        ]


class Forgetful(Push, Savable):
    """Fails to save."""

    def save(self):
        raise ValueError('I have forgotten it')


class Confused(Push, Savable):
    """Fails to restore."""

    def restore(self, saved):
        raise ValueError('I do not remember')


def test_a_plugin_that_cannot_save_is_out_and_the_state_is_saved_without_it_from_then_on():
    with Session(mujoco_xml=PENDULUM, plugins=[Forgetful, Push]) as session:
        with pytest.raises(PluginError, match=r'not saved: forgetful: .*I have forgotten it'):
            session.save()
        assert list(session.plugins) == ['push']
        assert list(session.save().plugins) == ['push']


def test_a_plugin_that_cannot_restore_is_out_and_the_rest_is_restored():
    with Session(mujoco_xml=PENDULUM, plugins=[Confused, Push]) as session:
        session.step(3)
        saved, before = session.save(), positions(session)
        session.step(3)
        ready, lost = session.restore(saved)
        assert ready == '1 of 2 plugins ready'
        assert lost == 'confused: restore raised ValueError: I do not remember'
        assert list(session.plugins) == ['push']
        assert 'I do not remember' in session.problems[0]
        assert (positions(session), session.plugins['push'].state.steps) == (before, 3)


def test_a_state_of_another_model_is_refused_and_nothing_changes():
    with Session(mujoco_xml=PENDULUM) as session:
        session.step(10)
        saved = session.save()
        other = PENDULUM.replace('<geom', '<joint axis="1 0 0"/><geom')
        session.reload(mjcf.from_xml_string(other))
        session.step(5)
        before = positions(session)
        told = 'to another model: nq is 1 in the state and 2 in the model'
        with pytest.raises(SimulationError, match=told):
            session.restore(saved)
        assert positions(session) == before


class Staying(Push, Adaptable):
    """Declares that it can stay when the model changes."""

    def load(self, model, data):
        super().load(model, data)
        self.told = ['load']

    def adapt(self, model, data):
        self.told.append('adapt')

    def reset(self, model, data):
        self.told.append('reset')

    def unload(self):
        self.told.append('unload')


def test_a_reload_of_the_same_model_keeps_the_plugins_that_can_stay():
    listed = [{'type': Staying, 'name': 'stays'}, {'type': Push, 'name': 'goes'}]
    with Session(mujoco_xml=PENDULUM, plugins=listed) as session:
        session.step(5)
        stays, goes = session.plugins['stays'], session.plugins['goes']
        session.reload()
        assert session.plugins['stays'] is stays
        assert session.plugins['goes'] is not goes
        assert stays.told == ['load', 'adapt', 'reset']
        session.step(5)
        assert stays.state.steps == 10
        assert stays.environment.plugins == session.plugins


@pytest.mark.parametrize(
    'change',
    [
        {'plugins': [{'type': Staying, 'gain': 0.2}]},
        {'model': mjcf.from_xml_string(PENDULUM.replace('0.3 0 0', '0.31 0 0'))},
    ],
)
def test_another_configuration_or_another_model_loads_every_plugin_anew(change):
    with Session(mjcf.from_xml_string(PENDULUM), [Staying]) as session:
        before = session.plugins['staying']
        session.reload(**change)
        assert session.plugins['staying'] is not before
        assert before.told == ['load', 'unload']


def test_a_plugin_that_fails_to_adapt_is_out():
    class Unable(Staying):
        def adapt(self, model, data):
            raise ValueError('cannot stay')

    with Session(mujoco_xml=PENDULUM, plugins=[Unable]) as session:
        session.reload()
        assert session.problems == ['unable: adapt raised ValueError: cannot stay']


def test_a_function_that_is_called_may_raise_and_the_session_goes_on():
    with Session(mujoco_xml=PENDULUM) as session:
        with pytest.raises(ZeroDivisionError):
            session.call(lambda model, data: 1 / 0)
        session.step()
        assert np.isfinite(positions(session)).all()


@pytest.mark.parametrize('realtime', [1.0, -1.0])
def test_a_session_that_runs_by_itself_can_be_closed_at_any_time(realtime):
    session = Session(mujoco_xml=PENDULUM, plugins=[Push], unpause=True, realtime=realtime)
    session.call(lambda model, data: None)
    session.close()
    with pytest.raises(Exception, match='the simulation has ended'):
        session.step()
    session.close()


class ReadsTheState(MujocoPlugin):
    """Calls a function whose bindings a session guards."""

    def load(self, model, data):
        self.state = new_state(time=np.zeros(1))

    @staticmethod
    @compiled
    def last_stage_callback(state, model, data):
        mujoco.mj_getState(model, data, state.time, 1)


def test_compiled_callbacks_may_call_the_functions_that_the_session_guards():
    with Session(mujoco_xml=PENDULUM, plugins=[ReadsTheState]) as session:
        assert session.problems == []
        session.step(5)
        assert session.plugins['reads_the_state'].state.time == [session.time]
