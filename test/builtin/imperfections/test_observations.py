"""Late and lost observations of the worlds of a batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from builtin.imperfections.sending import entries_of, sent

from mujoco_ros_py.builtin.imperfections.delays import delay
from mujoco_ros_py.builtin.imperfections.imperfections import ImperfectionsConfig
from mujoco_ros_py.builtin.imperfections.observations import MOST, ObservationRows, longest_s
from mujoco_ros_py.builtin.imperfections.timeline import named
from mujoco_ros_py.config import read
from mujoco_ros_py.errors import ConfigError, PluginError
from mujoco_ros_py.plugins import new_state
from mujoco_ros_py.session import Session
from mujoco_ros_py.session.batch import Batch

XML = """
<mujoco>
  <option timestep="0.001" gravity="0 0 0"/>
  <worldbody>
    <body name="puck">
      <joint name="x" type="slide" axis="1 0 0"/>
      <geom size="0.1"/>
      <site name="middle"/>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="x"/></actuator>
  <sensor><jointpos joint="x"/><accelerometer site="middle"/></sensor>
</mujoco>
"""
MOVING = {'velocities': {'x': [1.0]}}
"""The puck moves by 1 mm in each step of 1 ms: its position in mm is the number of the step."""
QPOS = {'observation': 'qpos'}
EVERYTHING = {
    'late': {'of': {'observations': ['qpos', 'qvel']}, 'latency': {'uniform': [0.001, 0.02]}},
    'lossy': {'of': QPOS, 'drop': 0.2, 'jitter': 0.004, 'keep_order': False},
    'bursts': {'of': {'observation': 'xpos'}, 'drop': {'burst': {'enter': 0.1, 'leave': 0.3}}},
    'slow': {'of': {'observation': 'sensordata', 'rate': 100.0}, 'latency': 0.013},
}


def faults(timeline: Any, **more: Any) -> dict[str, Any]:
    return {'type': 'mujoco_ros_py/Imperfections', 'name': 'faults', 'timeline': timeline, **more}


def batch(timeline: Any, worlds: int = 1, record: Any = ('faults.qpos',), **options: Any) -> Batch:
    seed = options.pop('seed', 0)
    plugins = [faults(timeline, seed=seed)]
    return Batch(mujoco_xml=XML, plugins=plugins, worlds=worlds, record=record,
                 **{**MOVING, **options})  # fmt: skip


def millimetres(found: Any, name: str = 'faults.qpos') -> Any:
    """The observed positions: the numbers of the steps after which they were taken."""
    return np.rint(1e3 * found[name][..., 0]).astype(int)


def observed(timeline: Any, steps: int = 40, **options: Any) -> Any:
    with batch(timeline, **options) as made:
        return millimetres(made.rollout(rows=steps))


def test_a_latency_of_7_ms_is_7_steps_of_1_ms_and_each_world_has_its_own():
    latencies = [0.0, 0.001, 0.007, 0.0125, 0.035]
    values = {'faults': {'timeline': {'late': {'latency': latencies}}}}
    record = ('qpos', 'faults.qpos', 'faults.qpos_time')
    timeline = {'late': {'of': QPOS, 'latency': 0.0}}
    with batch(timeline, worlds=5, record=record, plugin_values=values) as made:
        found = made.rollout(rows=40)
    after = np.arange(1, 41)
    for world, late in enumerate([0, 1, 7, 13, 35]):
        expected = np.maximum(after - late, 0)
        np.testing.assert_array_equal(millimetres(found)[world], expected)
        np.testing.assert_allclose(found['faults.qpos_time'][world], 1e-3 * expected, atol=1e-9)
        np.testing.assert_array_equal(millimetres(found, 'qpos')[world], after)


def test_the_controls_of_each_world_have_their_own_delay():
    values = {'faults': {'timeline': {'slow': {'delay': [0.0, 0.003, 0.007]}}}}
    timeline = {'slow': {'of': {'actuator': 'motor'}, 'delay': 0.0}}
    with batch(timeline, 3, record=('actuator_force',), plugin_values=values) as made:
        made.step([0.0])
        found = made.rollout(np.ones((10, 1)))['actuator_force'][..., 0]
    assert [int(np.argmax(world > 0.0)) for world in found] == [0, 3, 7]


def expected(draws: Any, *, ordered: bool) -> Any:
    """The numbers of the observations that are shown after each step, from delays in steps."""
    due = np.arange(1, len(draws) + 1) + draws
    if ordered:
        due = np.maximum.accumulate(due)
    arrived = [[*zip(due[due <= step], np.flatnonzero(due <= step) + 1, strict=True)]
               for step in range(1, len(draws) + 1)]  # fmt: skip
    return [max(each)[1] if each else 0 for each in arrived]


def drawn(seed: int, steps: int, low: float, high: float) -> Any:
    """The uniform delays of the plugin in steps, drawn in Python."""
    timeline = {'late': {'of': QPOS, 'latency': {'uniform': [low, high]}}}
    entries = named(read(ImperfectionsConfig, {'timeline': timeline}).timeline)
    with Session(mujoco_xml=XML) as made:
        rows = ObservationRows(made.snapshot().model, entries, (seed, '/faults'))
    state = new_state(**rows.fields)
    effect = state.observation_effects[0]
    return 1e3 * np.array([delay(effect, [0.0], number, 0) for number in range(1, steps + 1)])


@pytest.mark.parametrize('ordered', [True, False])
def test_random_latencies_of_a_world_depend_on_its_seed_alone(ordered):
    low, high, steps = 0.001, 0.02, 300
    entry = {'of': QPOS, 'latency': {'uniform': [low, high]}, 'keep_order': ordered}
    values = {'faults': {'seed': [3, 4, 3]}}
    with batch({'late': entry}, 3, plugin_values=values) as made:
        found = made.rollout(rows=steps)
        again = made.reset(0) or made.rollout(rows=steps)
    worlds = millimetres(found)
    for world, seed in enumerate([3, 4, 3]):
        draws = drawn(seed, steps, low, high)
        np.testing.assert_array_equal(worlds[world], expected(draws, ordered=ordered))
    assert (worlds[0] != worlds[1]).any()
    assert found['faults.qpos'][0].tobytes() == found['faults.qpos'][2].tobytes()
    assert found['faults.qpos'][0].tobytes() == again['faults.qpos'][0].tobytes()


def test_fields_that_are_observed_together_arrive_together():
    timeline = {'late': {'of': {'observations': ['qpos', 'xpos']}, 'jitter': 0.02}}
    record = ('faults.qpos_time', 'faults.xpos_time', 'faults.xpos')
    with batch(timeline, record=record) as made:
        found = made.rollout(rows=100)
    np.testing.assert_array_equal(found['faults.qpos_time'], found['faults.xpos_time'])
    assert len(np.unique(found['faults.qpos_time'])) > 20
    assert found['faults.xpos'].shape == (1, 100, 2, 3)


def test_a_lost_observation_leaves_the_last_one():
    found = observed({'cut': {'of': QPOS, 'disconnect': True, 'at': 0.011, 'until': 0.031}})
    np.testing.assert_array_equal(found[0], [*range(1, 11), *[10] * 20, *range(31, 41)])


def test_losses_have_their_probability():
    steps, drop = 10_000, 0.2
    found = observed({'lossy': {'of': QPOS, 'drop': drop}}, steps)[0]
    arrived = np.count_nonzero(found == np.arange(1, steps + 1))
    assert abs(arrived - steps * (1 - drop)) < 4.0 * (steps * drop * (1 - drop)) ** 0.5


def test_observations_with_a_rate_are_taken_at_its_times():
    timeline = {'slow': {'of': {**QPOS, 'rate': 100.0}, 'latency': 0.003}}
    found = observed(timeline)[0]
    steps = np.arange(1, 41)
    np.testing.assert_array_equal(found, np.maximum(steps - 3, 0) // 10 * 10)


def test_observations_have_the_faults_of_encoders_and_the_data_have_not():
    timeline = {
        'worn': {'of': {'joint': 'x'}, 'offset': 0.5, 'scale': 2.0},
        'late': {'of': {'observations': ['qpos', 'qvel']}, 'latency': 0.002},
    }
    record = ('qpos', 'faults.qpos', 'faults.qvel')
    with batch(timeline, record=record) as made:
        first, found = made.values(), made.rollout(rows=5)
    assert first['faults.qpos'].item() == 0.5
    np.testing.assert_array_equal(millimetres(found, 'qpos')[0], [1, 2, 3, 4, 5])
    np.testing.assert_array_equal(millimetres(found)[0], [500, 500, 502, 504, 506])
    np.testing.assert_allclose(found['faults.qvel'], 2.0)


def test_the_first_observation_of_an_acceleration_is_that_of_the_first_step():
    timeline = {'late': {'of': {'observation': 'sensordata'}, 'latency': 0.004}}
    with batch(timeline, record=('sensordata', 'faults.sensordata')) as made:
        found = made.rollout(np.linspace(1.0, 2.0, 10)[:, None])
    true, seen = found['sensordata'][0, :, 1], found['faults.sensordata'][0, :, 1]
    assert true[0] > 0.0
    np.testing.assert_array_equal(seen, [*[true[0]] * 4, *true[:6]])


def test_observations_need_no_actuation():
    xml = XML.replace('gravity="0 0 0"/>', 'gravity="0 0 0"><flag actuation="disable"/></option>')
    timeline = {'late': {'of': QPOS, 'latency': 0.003}}
    with Session(mujoco_xml=xml, plugins=[faults(timeline)], strict=True, **MOVING) as made:
        made.step(10)
        assert made.plugins['faults'].state.qpos[0] == pytest.approx(0.007)


def test_without_observations_there_is_no_callback_after_the_step():
    found = []
    for timeline in ({}, {'late': {'of': QPOS, 'latency': 0.003}}):
        with Session(mujoco_xml=XML, plugins=[faults(timeline)], strict=True) as made:
            found.append(made.plugins['faults'].last_stage_callback is not None)
    assert found == [False, True]


def test_a_reset_of_one_world_drops_its_observations_only():
    with batch({'late': {'of': QPOS, 'latency': 0.007}}, worlds=3) as made:
        made.rollout(rows=20)
        made.reset(1, qpos=[0.2])
        assert millimetres(made.values()).tolist() == [13, 200, 13]
        found = millimetres(made.rollout(rows=10))
    assert found[0].tolist() == found[2].tolist() == list(range(14, 24))
    assert found[1].tolist() == [*[200] * 7, 201, 202, 203]


def test_a_saved_state_has_the_observations_on_their_way():
    record = ('faults.qpos', 'faults.qvel', 'faults.xpos', 'faults.sensordata', 'faults.qpos_time')
    values = {'faults': {'seed': [1, 2]}}
    with batch(EVERYTHING, 2, record=record, plugin_values=values) as made:
        made.rollout(rows=33)
        saved = made.save()
        found = made.rollout(rows=50)
        made.restore(saved)
        again = made.rollout(rows=50)
    for name in record:
        assert found[name].tobytes() == again[name].tobytes(), name


def test_index_checks_change_nothing():
    one, other = (observed(EVERYTHING, 100, seed=5, boundscheck=check) for check in (False, True))
    np.testing.assert_array_equal(one, other)


def test_wild_numbers_in_a_saved_state_do_not_leave_the_memory():
    with batch(EVERYTHING, boundscheck=True) as made:
        made.step(count=20)
        (saved,) = made.save()
        for head, stored in ((-5, 100), (10**12, -(10**12)), (-(2**63), 2**63 - 1)):
            rows = saved.plugins['faults']['state']['observations']
            rows['head'], rows['stored'] = head, stored
            rows['take'], rows['show'] = 10**9, -(10**9)
            made.restore([saved])
            made.step(count=20)
        assert made.failures == {}


def test_a_latency_changes_live_as_far_as_the_memory_reaches():
    with Session(mujoco_xml=XML, plugins=[faults({'late': {'of': QPOS, 'latency': 0.03}})],
                 strict=True, **MOVING) as made:  # fmt: skip
        plugin = made.plugins['faults']
        made.step(50)
        assert plugin.state.qpos[0] == pytest.approx(0.02)
        # A shorter latency does not overtake the observations on their way.
        for latency, steps, after in ((0.002, 10, 0.03), (0.002, 20, 0.078), (0.05, 48, 0.08)):
            given = {'timeline': {'late': {'of': QPOS, 'latency': latency}}}
            config = read(ImperfectionsConfig, given)
            plugin.check_live(config)
            made.call(lambda model, data, config=config: plugin.configure(config))
            made.step(steps)
            assert plugin.state.qpos[0] == pytest.approx(after, abs=1e-6)
        long = read(ImperfectionsConfig, {'timeline': {'late': {'of': QPOS, 'latency': 0.9}}})
        with pytest.raises(ConfigError, match='a latency is too long for the memory'):
            plugin.check_live(long)
        made.call(lambda model, data: plugin.set_active('late', False))
        made.step(60)
        assert plugin.state.qpos[0] == made.snapshot().data.qpos[0]


def test_observations_begin_anew_when_an_entity_changes_their_size():
    with Session(mujoco_xml=XML, plugins=[faults({'late': {'of': QPOS, 'latency': 0.004}})],
                 strict=True, **MOVING) as made:  # fmt: skip
        made.step(10)
        before = made.plugins['faults'].state
        assert before.qpos[0] == pytest.approx(0.006)
        made.spawn(XML, 'second', position=[0, 3, 0])
        state = made.plugins['faults'].state
        np.testing.assert_allclose(state.qpos, [0.01, 0.0])
        made.step(10)
        np.testing.assert_allclose(state.qpos, [0.016, 0.0])
        assert made.problems == []


@pytest.mark.parametrize(
    ('timeline', 'said'),
    [
        (
            {'late': {'of': {'observation': 'qqos'}, 'latency': 1}},
            "observation must be one of qpos, .*, got 'qqos'",
        ),
        ({'late': {'of': QPOS, 'stale': 0.5}}, "stale is not an effect on observations 'qpos'"),
        ({'late': {'of': {'joint': 'x', 'rate': 5.0}, 'offset': 1.0}}, 'rate needs observations'),
        (
            {'late': {'of': {'observations': ['qpos', 'qpos']}, 'latency': 1.0}},
            'observations must be different',
        ),
        (
            {
                'one': {'of': {**QPOS, 'rate': 5.0}, 'latency': 1.0},
                'two': {'of': QPOS, 'drop': 0.1},
            },
            "'one' and 'two' must have the same rate of qpos, got 5 Hz and none",
        ),
        (
            {'late': {'of': QPOS, 'latency': {'normal': {'mean': 4.0, 'stddev': 1.0}}}},
            f'late: observations must arrive within {1e-3 * (MOST - 2):g} s, got up to 12.5717 s',
        ),
    ],
)  # fmt: skip
def test_wrong_observations_are_refused(timeline, said):
    with pytest.raises((ConfigError, PluginError), match=said):
        batch(timeline)


@pytest.mark.parametrize(
    'latency',
    [
        '{normal: {mean: 0.005, stddev: 0.002}}',
        '{gamma: {shape: 0.3, scale: 0.01}}',
        '{gamma: {shape: 2.0, scale: 0.01, offset: 0.003}}',
        '{uniform: [0.001, 0.002]}',
        '{empirical: [0.001, 0.005]}',
    ],
)
def test_no_draw_is_longer_than_the_memory(latency):
    entry = f'{{of: a, latency: {latency}, jitter: 0.001, keep_order: false}}'
    (read_entry,) = entries_of(entry)
    assert sent(entry).delays.max() <= longest_s(read_entry)
