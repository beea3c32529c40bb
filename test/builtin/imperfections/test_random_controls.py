"""Random delays of controls: their distribution, their order, and what they depend on."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from builtin.imperfections.cart import CART, COUNTING, LISTENING, MODEL, controls, forward, push
from builtin.imperfections.delays_in_steps import check_delays
from builtin.imperfections.worn import session
from builtin.sensors.noise.chance import check_correlation

from mujoco_ros_py.builtin.imperfections.control_latencies import latency_rows
from mujoco_ros_py.builtin.imperfections.delays import delay
from mujoco_ros_py.builtin.imperfections.timeline import Entry, named
from mujoco_ros_py.config import read
from mujoco_ros_py.errors import ConfigError, PluginError
from mujoco_ros_py.plugins import new_state
from mujoco_ros_py.session.batch import Batch

UNIFORM = {'uniform': [0.001, 0.02]}
WORLDS, PERIOD, STEP_S = 20, 10, 0.001
"""The number of worlds, and how many steps lie between two controls."""
MEASURED = [0.002, 0.003, 0.003, 0.008]
DISTRIBUTIONS = {
    'normal': ({'normal': {'mean': 0.005, 'stddev': 0.0007}}, NormalDist(0.005, 0.0007).cdf),
    'uniform': ({'uniform': [0.001, 0.009]}, lambda x: min(max((x - 0.001) / 0.008, 0.0), 1.0)),
    'gamma': (
        {'gamma': {'shape': 2.0, 'scale': 0.0004, 'offset': 0.001}},
        lambda x: 1 - (1 + (y := max(x - 0.001, 0.0) / 0.0004)) * math.exp(-y),
    ),
    'empirical': (
        {'empirical': MEASURED},
        lambda x: float(np.mean(np.array(MEASURED) < x + 1e-9)),
    ),
}  # fmt: skip
"""Delays that are shorter than the time between two controls, and distribution functions."""


def late(
    entry: dict[str, Any],
    seeds: Any,
    steps: int,
    worlds: int = 1,
    *,
    boundscheck: bool = False,
    **values: Any,
) -> Any:
    """The controls that reach the actuators of each world, which count the periods from 1."""
    faults = {
        'type': 'mujoco_ros_py/Imperfections', 'name': 'faults', 'timeline': {'late': entry},
    }  # fmt: skip
    given = np.repeat(np.arange(1, steps // PERIOD + 1), PERIOD)[:, np.newaxis]
    with Batch(mujoco_xml=MODEL, plugins=[faults], worlds=worlds, record=['actuator_force'],
               boundscheck=boundscheck,
               plugin_values={'faults': {'seed': seeds, **values}}) as batch:  # fmt: skip
        batch.step([0.0, 0.0], count=PERIOD)
        found = batch.rollout(np.hstack([given, given]).astype(float))['actuator_force']
    return np.rint(found).astype(int)


def delays(arrived: Any) -> Any:
    """The delay of each control in steps."""
    count = len(arrived) // PERIOD - 1
    return np.array([np.argmax(arrived == n) - PERIOD * (n - 1) for n in range(1, count + 1)])


@pytest.mark.slow
@pytest.mark.parametrize('name', DISTRIBUTIONS)
def test_random_delays_of_each_world_have_their_mean_variance_and_independence(name):
    latency, below = DISTRIBUTIONS[name]
    entry = {'of': {'actuator': 'push', 'rate': 100.0}, 'delay': latency}
    found = late(entry, range(WORLDS), 5010, WORLDS)[..., 0]
    drawn = [delays(world) for world in found]
    assert {len(world) for world in drawn} == {500}
    check_delays(np.concatenate(drawn), below, STEP_S)
    for one, other in zip(drawn[1:], drawn[:-1], strict=True):
        check_correlation(one, other, of=WORLDS)


def test_the_delays_of_a_world_depend_on_its_seed_alone():
    entry = {'of': {'actuator_group': 2, 'rate': 100.0}, 'delay': {'uniform': [0.0, 0.03]}}
    found = late(entry, [3, 4, 3], 300, 3)
    again = late(entry, [4, 3], 300, 2)
    assert found[0].tobytes() == found[2].tobytes() == again[1].tobytes()
    assert found[1].tobytes() == again[0].tobytes() != found[0].tobytes()


def test_no_index_leaves_the_memory():
    entry = {
        'of': {'actuator_group': 2}, 'delay': {'gamma': {'shape': 0.5, 'scale': 0.002}},
        'keep_order': False,
    }  # fmt: skip
    found = [late(entry, [3], 300, boundscheck=checked).tobytes() for checked in (True, False)]
    assert found[0] == found[1]


def test_wild_numbers_in_a_saved_state_do_not_leave_the_memory():
    entry = push(delay=UNIFORM, keep_order=False)
    with session(MODEL, entry, before=[COUNTING], boundscheck=True) as made:
        made.step(20)
        saved = made.save()
        for wild in (-5, 10**12, -(2**63), 2**63 - 1):
            faults = saved.plugins['worn']['control_faults']
            faults['head'], faults['stored'], faults['number'] = wild, -wild - 1, wild
            assert made.restore(saved) == []
            made.step(30)
        assert made.snapshot().data.time > 0.04


def test_each_world_can_have_its_own_distribution():
    entry = {'of': {'actuator': 'push', 'rate': 100.0}, 'delay': {'uniform': [0.0, 0.0]}}
    own = {'late': {'delay': {'uniform': np.array([[0.001, 0.002], [0.007, 0.009]])}}}
    near, far = (delays(world[:, 0]) for world in late(entry, [1, 1], 500, 2, timeline=own))
    assert set(near) == {2}
    assert set(far) == {8, 9}


def test_the_controls_of_an_entry_arrive_together():
    entry = {'of': {'actuators': ['push', 'pull'], 'rate': 100.0}, 'delay': UNIFORM}
    found = late(entry, [7], 500)[0]
    np.testing.assert_array_equal(found[:, 0], found[:, 1])
    assert len(set(np.diff(np.flatnonzero(np.diff(found[:, 0]))))) > 5


def expected(steps: int, *, ordered: bool) -> list[float]:
    """What arrives of the controls 1, 2, ... with the delays that are drawn in Python."""
    entries = named({'e0': read(Entry, push(delay=UNIFORM))})
    rows, measured = latency_rows([(0, entries[0])], ())
    row = new_state(rows=rows).rows[0]
    due = np.array([k + 1e3 * delay(row, measured[0], 2 * k, 0) for k in range(steps)])
    if ordered:
        due = np.maximum.accumulate(due)
    arrived = [[*zip(due[due <= k], np.flatnonzero(due <= k), strict=True)] for k in range(steps)]
    return [max(each)[1] + 1.0 if each else 0.0 for each in arrived]


@pytest.mark.parametrize('ordered', [True, False])
def test_controls_keep_their_order_unless_they_may_overtake(ordered):
    entry = push(delay=UNIFORM, keep_order=ordered)
    with session(MODEL, entry, before=[COUNTING, LISTENING]) as made:
        heard = controls(made, 300)
    assert heard == pytest.approx(expected(300, ordered=ordered), abs=1e-9)
    assert (list(heard) == sorted(heard)) == ordered


@pytest.mark.parametrize('integrator', ['Euler', 'RK4'])
@pytest.mark.parametrize('more', [{}, {'rate': 250.0}], ids=['', 'with a rate'])
def test_forward_passes_and_saved_states_change_no_random_delay(integrator, more):
    entry = {'of': {'actuator': 'push', **more}, 'delay': UNIFORM, 'keep_order': False}
    model = CART.format(0.001, integrator)
    with session(model, entry, before=[COUNTING, LISTENING]) as made:
        whole = controls(made, 80)
    with session(model, entry, before=[COUNTING, LISTENING]) as made:
        heard = []
        for _ in range(40):
            heard += [*controls(made, 1)]
            forward(made)
            forward(made)
        saved = made.save()
        later = controls(made, 40)
        made.step(17)
        assert made.restore(saved) == []
        assert list(controls(made, 40)) == list(later)
    assert [*heard, *later] == list(whole)


def test_controls_on_their_way_arrive_at_their_time_after_a_spawn():
    with session(MODEL, push(delay=UNIFORM), before=[COUNTING, LISTENING]) as made:
        whole = controls(made, 60)
    with session(MODEL, push(delay=UNIFORM), before=[COUNTING, LISTENING]) as made:
        before = controls(made, 30)
        made.spawn(MODEL, 'second')
        assert [*before, *controls(made, 30)] == list(whole)


def test_controls_with_a_rate_are_sent_at_its_times():
    entry = {'of': {'actuator': 'push', 'rate': 100.0}, 'delay': 0.003}
    with session(MODEL, entry, before=[COUNTING, LISTENING]) as made:
        heard = controls(made, 60)
    sent = [10.0 * ((k - 3) // 10) + 1.0 if k >= 3 else 0.0 for k in range(60)]
    assert heard == pytest.approx(sent, abs=1e-9)


def test_the_distribution_changes_while_the_entry_runs():
    with session(MODEL, push(delay=UNIFORM), before=[COUNTING, LISTENING]) as made:
        made.step(50)
        plugin = made.plugins['worn']

        def change(delay: Any) -> None:
            (entry,) = named({'e0': read(Entry, push(delay=delay))})
            made.call(lambda model, data: plugin.rows.set_entry(plugin.state, 0, entry))

        change({'empirical': [0.004]})
        made.step(30)
        assert list(controls(made, 5)) == pytest.approx([77.0, 78.0, 79.0, 80.0, 81.0])
        change(0.002)
        made.step(10)
        assert list(controls(made, 2)) == pytest.approx([94.0, 95.0])
        with pytest.raises(ConfigError, match=r'e0\.delay\.empirical must have at most 16 delays'):
            change({'empirical': [0.001] * 17})
        assert list(controls(made, 2)) == pytest.approx([96.0, 97.0])


@pytest.mark.parametrize(
    ('entry', 'message'),
    [
        (
            {'of': {'actuator': 'push', 'rate': 100.0}, 'offset': 0.1},
            r"timeline\.e0\.of\.rate of actuator 'push' needs delay, got none",
        ),
        (push(offset=0.1, keep_order=False), r'keep_order: false needs delay, got none'),
        (
            push(delay={'normal': {'mean': 60.0, 'stddev': 1.0}}),
            r'delay must be at most 65\.532 s with the time step 0\.001 s, got draws up to 68\.57',
        ),
    ],
)
def test_a_wrong_entry_is_refused_with_its_place(entry, message):
    with pytest.raises(PluginError, match=message):
        session(MODEL, entry)
