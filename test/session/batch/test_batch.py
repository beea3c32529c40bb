"""Each world of a batch equals a separate session, to the last bit."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine import forget_code
from mujoco_ros_py.errors import ConfigError, EndedError, PluginError, SimulationError
from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state
from mujoco_ros_py.session import Session
from mujoco_ros_py.session.batch import Batch
from mujoco_ros_py.session.batch.start_state import STATE

from .robot import Controller, model

RECORD = 'time', 'qpos', 'qvel', 'ctrl', 'sensordata', 'ncon', 'state', 'controller.steps'


@pytest.fixture(scope='module')
def unused() -> Iterator[Batch]:
    """Four worlds without steps."""
    with Batch(model(), worlds=4) as batch:
        yield batch


def values(count: int) -> dict[str, dict[str, object]]:
    """Configurations that differ between worlds."""
    chance = np.random.default_rng(1)
    return {
        'controller': {
            'gain': chance.uniform(0.5, 2.0, count),
            'offsets': chance.uniform(-0.1, 0.1, (count, 2)),
        }
    }


def recorded(session: Session) -> dict[str, object]:
    """The values of a session that a batch with `RECORD` records."""
    snapshot, plugin = session.snapshot(), session.plugins['controller']
    data = snapshot.data
    state = np.zeros(mujoco.mj_stateSize(snapshot.model, STATE))
    mujoco.mj_getState(snapshot.model, data, state, STATE)
    names = 'time', 'qpos', 'qvel', 'ctrl', 'sensordata', 'ncon'
    numbers = {name: np.array(getattr(data, name)) for name in names}
    return {**numbers, 'state': state, 'controller.steps': plugin.state.steps}


@pytest.mark.parametrize(
    'integrator',
    ['RK4', *(pytest.param(each, marks=pytest.mark.slow) for each in ('Euler', 'implicitfast'))],
)
def test_each_world_moves_as_a_session_of_its_own_to_the_last_bit(integrator):
    worlds, rows, count = 4, 12, 7
    chance = np.random.default_rng(2)
    given = chance.uniform(-1, 1, (worlds, rows, 2))
    masses = np.tile(model().body_mass, (worlds, 1)) * chance.uniform(0.5, 2, (worlds, 1))
    gravity = chance.uniform(-10, 0, (worlds, 3))
    with Batch(
        model(integrator),
        [Controller],
        worlds=worlds,
        record=RECORD,
        threads=3,
        plugin_values=values(worlds),
        model_values={'body_mass': masses, 'opt.gravity': gravity},
        positions={'hinge': 0.2},
    ) as batch:
        made = batch.rollout(inputs={'controller.given': given}, count=count)
        batch.reset()
        again = batch.rollout(inputs={'controller.given': given}, count=count)
    assert made['ncon'].max() > 0
    for world in range(worlds):
        alone = model(integrator)
        alone.body_mass[:], alone.opt.gravity[:] = masses[world], gravity[world]
        mujoco.mj_setConst(alone, mujoco.MjData(alone))
        config = {key: each[world].tolist() for key, each in values(worlds)['controller'].items()}
        plugin = {'type': Controller, **config}
        with Session(alone, [plugin], positions={'hinge': 0.2}) as session:
            state = session.plugins['controller'].state
            for results in (made, again):
                for row in range(rows):
                    state.given[:] = given[world, row]
                    session.step(count)
                    for name, number in recorded(session).items():
                        np.testing.assert_array_equal(results[name][world, row], number, name)
                session.reset()


def test_steps_one_by_one_are_those_of_a_rollout(make):
    chance = np.random.default_rng(3)
    controls = chance.uniform(-1, 1, (5, 6, 2))
    batch, other = (make(5, None, record=['qpos', 'sensordata']) for _ in range(2))
    made = batch.rollout(controls, count=3)
    out = None
    for row in range(6):
        out = other.step(controls[:, row], 3, out=out)
        for name, numbers in out.items():
            np.testing.assert_array_equal(numbers, made[name][:, row])
    np.testing.assert_array_equal(other.values()['qpos'], made['qpos'][:, -1])
    batch.reset()
    same = batch.rollout(controls[0], count=3)
    assert (same['qpos'] == made['qpos'][:1]).all()


def test_the_worlds_that_are_reset_begin_an_episode_and_the_others_go_on(make):
    batch = make(record=['time', 'qpos', 'controller.steps', 'act'])
    batch.step(count=10)
    batch.reset([1, 3], qpos=np.tile(model().qpos0 + 0.1, (2, 1)), act=[0.5])
    batch.reset(np.array([False, False, True, False]), keyframe='tilted')
    now = batch.values()
    np.testing.assert_allclose(now['time'], [0.02, 0, 1, 0])
    assert now['controller.steps'].tolist() == [10, 0, 0, 0]
    assert now['qpos'][:, 1].tolist() == [batch[0].data.qpos[1], 0.1, 0.4, 0.1]
    assert now['act'][1] == 0.5 == batch[3].data.act[0]
    batch.reset([])
    with pytest.raises(SimulationError, match='upright'):
        batch.reset(keyframe='upright')


def test_worlds_begin_with_recorded_states(make):
    batch = make(plugin=None, record=['state', 'qpos'])
    batch.step(np.linspace(-1, 1, 8).reshape(4, 2), 50)
    kept = batch.values()['state']
    first = batch.rollout(rows=5)
    batch.reset(state=kept)
    np.testing.assert_array_equal(batch.rollout(rows=5)['qpos'], first['qpos'])


def test_worlds_begin_with_the_histories_of_recorded_states():
    xml = """
<mujoco>
  <worldbody>
    <body><joint name="x" type="slide"/><geom size="0.1"/></body>
  </worldbody>
  <actuator><motor joint="x" delay="0.01" nsample="8"/></actuator>
  <sensor>
    <jointvel joint="x" interval="0.02 0" nsample="3"/>
    <jointpos joint="x" delay="0.006" nsample="5"/>
  </sensor>
</mujoco>
"""
    record = ['state', 'time', 'sensordata', 'qpos']
    with Batch(mujoco.MjModel.from_xml_string(xml), worlds=2, record=record) as batch:
        kept = batch.step([[1.0], [-2.0]], 57)['state']
        first = batch.rollout([[[3.0]] * 40, [[4.0]] * 40])
        batch.reset(state=kept)
        again = batch.rollout([[[3.0]] * 40, [[4.0]] * 40])
    assert len(np.unique(first['sensordata'][0, :, 0])) == 5, 'in 40 steps'
    for name in record[1:]:
        np.testing.assert_array_equal(again[name], first[name], name)


def test_a_session_goes_on_from_the_state_of_a_world_and_a_world_from_that_of_a_session(make):
    batch = make(2)
    batch.step(count=20)
    saved = batch.save()
    made = batch.step(count=20)
    with Session(model(), [Controller]) as session:
        session.restore(saved[1])
        session.step(20)
        assert (session.snapshot().data.qpos == made['qpos'][1]).all()
        batch.restore([session.save()] * 2)
        session.step(5)
        assert (session.snapshot().data.qpos == batch.step(count=5)['qpos']).all()


def test_a_controller_that_ships_drives_each_world_as_a_session():
    arm = 'package://mujoco_ros_py/examples/arm.xml'
    controller = {
        'type': 'mujoco_ros_py/ForwardCommandController',
        'name': 'shoulder',
        'joints': ['joint1'],
        'interface_name': 'position',
    }
    with Batch(arm, [controller], worlds=2) as batch, Session(arm, [controller]) as session:
        for world, command in zip(batch, (0.3, 1.0), strict=True):
            world.plugins['shoulder'].set_commands([command])
        session.plugins['shoulder'].set_commands([1.0])
        made = batch.rollout(rows=4, count=50)
        for row in range(4):
            session.step(50)
            assert (session.snapshot().data.qpos == made['qpos'][1, row]).all()
        np.testing.assert_allclose(made['qpos'][:, -1, 0], [0.3, 1.0], atol=0.1)


def test_worlds_that_share_the_model_move_as_those_that_do_not(make):
    shared, own = make(3, share_model=True), make(3)
    assert shared[0].model is shared[2].model
    assert own[0].model is not own[2].model
    assert (shared.step(count=30)['qpos'] == own.step(count=30)['qpos']).all()
    with pytest.raises(ConfigError, match='model_values cannot be combined with share_model'):
        make(1, share_model=True, model_values={'opt.timestep': [0.001]})


class Slow(MujocoPlugin):
    """Sets controls in Python."""

    def control_callback(self, model, data):
        data.ctrl[0] = -data.qvel[0] + 0.1


def test_callbacks_in_python_work_and_a_warning_tells_that_threads_take_turns(make, caplog):
    batch = make(3, Slow, threads=2)
    assert 'a plugin has callbacks in Python' in caplog.text
    made = batch.step(count=30)
    with Session(model(), [Slow]) as session:
        session.step(30)
        assert (made['qpos'] == session.snapshot().data.qpos).all()


class Policy(MujocoPlugin):
    """Uses whole arrays and prints; the compiled code for this depends on its process."""

    def load(self, model, data):
        self.state = new_state(action=np.zeros(model.nu), friction=0.1)

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        data.ctrl[:] = state.action

    @staticmethod
    @compiled
    def passive_callback(state, model, data):
        data.qfrc_passive[:] -= state.friction * data.qvel

    @staticmethod
    @compiled
    def last_stage_callback(state, model, data):
        if data.time < 0.0:
            print('before the start', data.time)


def test_the_callbacks_of_all_worlds_are_compiled_once_and_set_whole_arrays(caplog):
    forget_code()
    caplog.set_level('INFO')
    plain = model()
    plain.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_EULERDAMP
    actions = np.random.default_rng(4).uniform(-1, 1, (6, 2))
    with Batch(plain, [Policy], worlds=6) as batch:
        compiling = [each for each in caplog.messages if each.startswith('compiling Policy.')]
        assert len(compiling) == len(set(compiling)) <= 3
        made = batch.step(inputs={'policy.action': actions}, count=5)
        assert batch.failures == {}
    plain.dof_damping += 0.1  # the same force
    for world in range(6):
        data = mujoco.MjData(plain)
        data.ctrl[:] = actions[world]
        mujoco.mj_step(plain, data, 5)
        np.testing.assert_allclose(made['qpos'][world], data.qpos, rtol=1e-12, atol=1e-15)


class Publisher(MujocoPlugin):
    """Needs ROS."""

    def load(self, model, data):
        self.node.create_publisher(None, 'topic', 10)


class Waiting(MujocoPlugin):
    """Waits in its callback while `go_on` is clear."""

    go_on, inside = threading.Event(), threading.Event()

    def control_callback(self, model, data):
        self.inside.set()
        self.go_on.wait(DEADLINE_S)


class Follower(MujocoPlugin):
    """Follows snapshots, and gives commands that are refused in a batch."""

    def load(self, model, data):
        self.followed = self.environment.follow(1e6, self.note, thread=True)
        self.paused = self.environment.simulation.set_paused(False)
        self.stepped = self.environment.simulation.step()

    def note(self, snapshot):
        raise AssertionError('nobody follows a world of a batch')


def test_commands_that_need_a_thread_fail_and_who_follows_is_not_called(make):
    batch = make(2, Follower)
    plugin = batch[1].plugins['follower']
    assert np.allclose(batch.step(count=50)['time'], 0.1)
    assert not plugin.followed.closed
    for future in (plugin.paused, plugin.stepped):
        with pytest.raises(SimulationError, match='stepped by its batch'):
            future.result(0)


def test_what_a_batch_cannot_give_is_refused_by_the_name_of_the_world(make):
    with pytest.raises(PluginError, match=r"world 0: .*'create_publisher' needs ROS"):
        make(2, Publisher)
    gains = {'controller': {'gain': [1.0, 1.0, -1.0, 1.0]}}
    with pytest.raises(PluginError, match=r'world 2: .*gain must be at least 0, got -1'):
        make(plugin_values=gains)


def test_closing_waits_for_what_another_thread_does(make):
    Waiting.go_on.set()
    batch = make(2, Waiting)
    Waiting.go_on.clear()
    Waiting.inside.clear()
    with ThreadPoolExecutor(1) as pool:
        made = pool.submit(batch.rollout, rows=20)
        assert Waiting.inside.wait(DEADLINE_S)
        closing = threading.Thread(target=batch.close)
        closing.start()
        assert closing.is_alive()
        Waiting.go_on.set()
        assert made.result(DEADLINE_S)['time'].shape == (2, 20)
        closing.join(DEADLINE_S)
        assert not closing.is_alive()
    with pytest.raises(EndedError, match='the batch is closed'):
        batch.step()


def test_a_joint_that_the_model_does_not_have_is_refused(make):
    with pytest.raises(ConfigError, match="initial position of unknown joint 'elbow'; known: "):
        make(2, positions={'elbow': 1.0})


def test_values_of_the_model_are_those_of_one_world_alone(make):
    masses = np.tile(model().body_mass, (4, 1))
    masses[2] *= 2
    batch = make(model_values={'body_mass': masses, 'opt.timestep': [0.002] * 3 + [0.001]})
    subtrees = [world.model.body_subtreemass[0] for world in batch]
    assert subtrees[2] == pytest.approx(2 * subtrees[0])
    np.testing.assert_allclose(batch.step(count=10)['time'], [0.02, 0.02, 0.02, 0.01])


@pytest.mark.parametrize(
    ('arguments', 'message'),
    [
        ({'worlds': 0}, 'worlds must be a whole number of at least 1, got 0'),
        ({'threads': 0}, 'threads must be a whole number of at least 1, got 0'),
        ({'record': ['qpas']}, "unknown field of the data 'qpas' .did you mean 'qpos'"),
        ({'record': ['efc_force']}, "unknown field of the data 'efc_force'"),
        (
            {'record': ['controller.gein']},
            "unknown field of the state 'gein' .did you mean 'gain'",
        ),
        ({'record': ['arm.gain']}, "unknown plugin 'arm'; known: controller"),
        ({'model_values': {'mass': [1]}}, "unknown field of the model 'mass'"),
        ({'model_values': {'body_parentid': [1]}}, "unknown field of the model 'body_parentid'"),
        ({'model_values': {'body_mass': [1.0]}}, r'body_mass must have the shape \(4, 4\)'),
        ({'model_values': {'opt.timestep': [np.nan] * 4}}, 'finite numbers only'),
        ({'plugin_values': {'arm': {}}}, "unknown plugin 'arm'; known: controller"),
        ({'plugin_values': {'controller': {'gain': [1.0]}}}, 'each of the 4 worlds, got 1'),
        ({'plugin_values': {'controller': {'gain': 1.0}}}, 'a value for each world, got 1.0'),
        ({'realtime': 1.0}, "unknown option of a batch 'realtime'; known: .*boundscheck"),
        ({'mujoco_xml': '<mujoco/>'}, 'given twice: as model and as mujoco_xml'),
    ],
)
def test_arguments_that_do_not_fit_are_refused_with_what_there_is(make, arguments, message):
    with pytest.raises(ConfigError, match=message):
        make(**arguments)


@pytest.mark.parametrize(
    ('call', 'message'),
    [
        (lambda b: b.step(np.zeros(3)), r'ctrl must have the shape \(2\), or \(4, 2\)'),
        (lambda b: b.step(np.zeros((3, 2))), r'got \(3, 2\)'),
        (lambda b: b.step('fast'), 'ctrl must have numbers of float64, got <U4'),
        (lambda b: b.step(inputs={'eq_active': [0.5]}), 'must have numbers of bool, got float64'),
        (lambda b: b.rollout(np.zeros(2)), r'ctrl must have the shape \(rows, 2\)'),
        (lambda b: b.rollout(np.zeros((0, 2))), 'rows must be at least 1, got 0'),
        (
            lambda b: b.rollout(np.zeros((3, 2)), rows=4),
            'same number of rows, got ctrl: 3, rows: 4',
        ),
        (lambda b: b.rollout(), 'rows must be the number of rows'),
        (lambda b: b.step(count=0), 'count must be at least 1, got 0'),
        (lambda b: b.step(np.zeros(2), inputs={'ctrl': 1}), 'controls are given twice'),
        (lambda b: b.step(inputs={'qpos': np.zeros(9)}), "unknown field of the data 'qpos'"),
        (lambda b: b.step(out={}), r'out: time must be float64\(4,\), got nothing'),
        (lambda b: b.reset([4]), 'worlds must be numbers from 0 to 3'),
        (lambda b: b.reset(qpos=np.zeros(3)), r'qpos must have the shape \(9,\)'),
        (lambda b: b.reset(qvel=np.full(8, np.nan)), 'qvel must have finite numbers only'),
        (lambda b: b.restore([]), 'there must be 4 saved states, got 0'),
    ],
)
def test_calls_that_do_not_fit_are_refused_and_nothing_has_changed(unused, call, message):
    with pytest.raises(ConfigError, match=message):
        call(unused)
    assert not unused.values()['time'].any()


class Reentrant(MujocoPlugin):
    """Uses its own batch in the middle of a step."""

    batch: Batch

    def last_stage_callback(self, model, data):
        with pytest.raises(SimulationError, match='one thread at a time can use it'):
            self.batch.values()


def test_a_batch_that_is_stepping_is_not_used_by_another_thread(make):
    Reentrant.batch = batch = make(2, Reentrant)
    batch.step(count=3)
    assert batch.failures == {}


def test_a_closed_batch_says_so(make):
    batch = make(2)
    batch.close()
    batch.close()
    with pytest.raises(EndedError, match='the batch is closed'):
        batch.step()
