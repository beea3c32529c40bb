"""When messages are delivered: constant delays, order, time windows and repetition of runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from builtin.imperfections.sending import (
    MESSAGES,
    PERIOD_S,
    SEED,
    STREAM,
    entries_of,
    send,
    send_in_python,
    sent,
    state_of,
    transits_at,
)

from mujoco_ros_py.builtin.imperfections.transit_rows import (
    Pipe,
    forget,
    remember,
    renew,
    set_active,
    transit_fields,
)
from mujoco_ros_py.engine import copy_state, restore_state
from mujoco_ros_py.plugins import new_state, ros_type

JITTERY = '{of: a, name: jittery, latency: {gamma: {shape: 1.0, scale: 0.01}}, jitter: 0.01}'
EVERYTHING = (
    JITTERY,
    '{of: a, name: lossy, drop: {burst: {enter: 0.1, leave: 0.3}}, duplicate: 0.2, stale: 0.1}',
    '{of: a, name: measured, latency: {empirical: [0.001, 0.002, 0.004]}, at: 2, until: 7}',
    '{of: a, name: short, latency: {normal: {mean: 0.004, stddev: 0.002}}, until: 5}',
)


def free(entry: str) -> str:
    """Returns an entry that does not keep the order of delayed messages."""
    return f'{entry[:-1]}, keep_order: false}}' if 'latency' in entry else entry


def test_a_constant_latency_delays_each_message_by_it():
    found = send_in_python(state_of('{of: a, latency: 0.007}'), transits_at([0.0, 0.1, 0.2]))
    assert list(found.delays[:, 0]) == [0.007] * 3
    assert list(found.copies) == [1] * 3
    assert not found.delays[:, 1:].any()


def test_a_message_without_an_entry_passes_as_it_is():
    state = state_of('{of: a, at: 5, latency: 0.007}')
    found = send_in_python(state, transits_at([0.0, 4.998]))
    assert not found.delays.any()
    assert list(found.copies) == [1, 1]


def test_latencies_of_two_entries_add_up_in_the_time_of_both():
    state = state_of('{of: a, latency: 1, until: 3}', '{of: a, latency: 2, at: 2, until: 4}')
    found = send_in_python(state, transits_at([0.0, 2.0, 5.0]))
    assert list(found.delays[:, 0]) == [1.0, 3.0, 0.0]


def test_each_entry_draws_from_its_own_measured_delays():
    delays = ('[1.0]', '[2.0, 2.0]', '[4.0]')
    state = state_of(*(f'{{of: a, latency: {{empirical: {each}}}}}' for each in delays))
    for active, expected in (((0,), 1.0), ((1,), 2.0), ((2,), 4.0), ((0, 2), 5.0)):
        for entry in range(3):
            set_active(state, entry, active=entry in active)
        assert send_in_python(state, transits_at([9.0])).delays[0, 0] == expected


def test_a_message_waits_for_earlier_ones_after_the_latency_has_ended():
    state = state_of('{of: a, latency: 1.0, until: 2.0}')
    times = np.array([1.9, 2.0, 2.5, 3.0])
    found = send_in_python(state, transits_at(times))
    np.testing.assert_allclose(times + found.delays[:, 0], [2.9, 2.9, 2.9, 3.0])


def test_a_message_overtakes_earlier_ones_where_the_order_is_not_kept():
    state = state_of('{of: a, latency: 1.0, until: 2.0, keep_order: false}')
    found = send_in_python(state, transits_at([1.9, 2.0]))
    assert list(found.delays[:, 0]) == [1.0, 0.0]


def test_a_lost_message_holds_back_no_other():
    state = state_of('{of: a, latency: 1.0, until: 2.0}', '{of: a, drop: 1.0, until: 2.0}')
    found = send_in_python(state, transits_at([1.9, 2.0]))
    assert list(found.copies) == [0, 1]
    assert found.delays[1, 0] == 0.0


def test_topics_keep_their_order_each_by_itself():
    state = state_of('{of: a, latency: 1.0, until: 2.0}', pipes=2)
    send_in_python(state, transits_at([1.9], pipe=0))
    assert send_in_python(state, transits_at([2.0], pipe=1)).delays[0, 0] == 0.0
    assert send_in_python(state, transits_at([2.0], pipe=0)).delays[0, 0] == pytest.approx(0.9)


def test_no_message_waits_for_one_of_the_time_before_a_reset():
    state = state_of('{of: a, latency: 1.0, at: 5.0}')
    send_in_python(state, transits_at([9.0]))
    assert send_in_python(state, transits_at([0.0])).delays[0, 0] == 0.0


def test_a_reset_at_the_start_forgets_the_messages_at_the_start():
    state = state_of('{of: a, jitter: 1.0}', '{of: a, drop: 0.2}')
    before = state.copy()
    send_in_python(state, transits_at([0.0] * 9))
    assert state.tobytes() != before.tobytes()
    forget(state)
    again, once = (send_in_python(each, transits_at([0.0] * 9)) for each in (state, before))
    assert again.tobytes() == once.tobytes()


@pytest.mark.slow
def test_no_message_overtakes_another_where_the_order_is_kept():
    times = np.arange(MESSAGES) * PERIOD_S
    drawn = times + sent(free(JITTERY)).delays[:, 0]
    kept = times + sent(JITTERY).delays[:, 0]
    assert np.any(np.diff(drawn) < 0)
    assert np.all(np.diff(kept) > -1e-12)
    np.testing.assert_allclose(kept, np.maximum.accumulate(drawn))


@pytest.mark.slow
def test_one_entry_without_order_allows_overtaking():
    other = '{of: a, latency: {uniform: [0, 0.1]}, keep_order: false}'
    times = np.arange(MESSAGES) * PERIOD_S
    assert np.any(np.diff(times + sent(JITTERY, other).delays[:, 0]) < 0)


@pytest.mark.slow
def test_copies_of_a_message_keep_the_order_too():
    found = sent(JITTERY, '{of: a, duplicate: 0.5}')
    due = np.arange(MESSAGES)[:, np.newaxis] * PERIOD_S + found.delays
    order = [due[k, copy] for k in range(MESSAGES) for copy in range(found.copies[k])]
    assert np.all(np.diff(order) > -1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    'others',
    [
        ['{of: a, name: other, duplicate: 0.5}'],
        ['{of: a, name: other, drop: 0.3, stale: 0.5}', '{of: a, name: late, drop: 1, at: 900}'],
    ],
)
def test_an_entry_draws_the_same_in_any_order_of_entries_and_with_any_others(others):
    alone = sent(free(JITTERY))
    for entries in ([free(JITTERY), *others], [*others, free(JITTERY)]):
        found = sent(*entries)
        arrived = found.copies > 0
        np.testing.assert_array_equal(found.delays[arrived, 0], alone.delays[arrived, 0])


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bits_and_another_seed_others():
    one, other, third = (sent(*EVERYTHING, seed=seed) for seed in (SEED, SEED, SEED + 1))
    assert one.tobytes() == other.tobytes()
    assert np.mean(one.delays[:, 0] != third.delays[:, 0]) > 0.5
    assert np.any(one.copies != third.copies)


@pytest.mark.slow
def test_messages_of_other_topics_change_nothing():
    state = state_of(*EVERYTHING, pipes=2)
    alone = sent(*EVERYTHING, messages=1000)
    times = np.arange(1000) * PERIOD_S
    found = transits_at(times)
    for k in range(1000):
        send(state, transits_at(times[k : k + 1], pipe=1, numbers=[3 * k]))
        send(state, found[k : k + 1])
    assert found.tobytes() == alone.tobytes()


@pytest.mark.slow
def test_a_restored_state_decides_as_the_saved_one_did():
    whole = transits_at(np.arange(2000) * PERIOD_S)
    state = state_of(*EVERYTHING)
    send(state, whole[:1000])
    saved = copy_state(state)
    send(state, whole[1000:])
    other = state_of(*EVERYTHING)
    restore_state(other, saved)
    again = transits_at(np.arange(2000) * PERIOD_S)[1000:]
    assert send(other, again).tobytes() == whole[1000:].tobytes()


@pytest.mark.slow
def test_messages_that_are_not_sent_do_not_change_the_fate_of_others():
    entries = [free(each) for each in EVERYTHING]
    whole = sent(*entries, messages=3000)
    some = np.sort(np.random.default_rng(2).choice(3000, 500, replace=False))
    found = send(state_of(*entries), transits_at(some * PERIOD_S, numbers=some))
    assert found.tobytes() == whole[some].tobytes()


def fields_of(*texts: str, topics: int = 1, first: int = 0) -> dict[str, Any]:
    """Returns the state fields of entries that act on each topic; `first` numbers the topics."""
    entries = entries_of(*texts)
    kind = ros_type('sensor_msgs/msg/JointState')
    pipes = [
        Pipe(topic=f'/command_{k}', published=False, kind=kind, entries=entries)
        for k in range(first, first + topics)
    ]
    return transit_fields(entries, pipes, seed=SEED, stream=STREAM)


def test_an_entry_is_switched_on_all_topics():
    state = new_state(**fields_of('{of: a, drop: 1}', '{of: a, latency: 1}', topics=2))
    set_active(state, 0, active=False)
    found = [send_in_python(state, transits_at([1.0], pipe=k)) for k in range(2)]
    assert [each.copies[0] for each in found] == [1, 1]
    assert [each.delays[0, 0] for each in found] == [1.0, 1.0]
    set_active(state, 0, active=True)
    assert send_in_python(state, transits_at([1.1])).copies[0] == 0


def test_changed_numbers_take_effect_and_what_happened_is_remembered():
    state = new_state(**fields_of('{of: a, latency: 1.0}'))
    send_in_python(state, transits_at([1.0]))
    assert renew(state, fields_of('{of: a, latency: 0.25}'))
    found = send_in_python(state, transits_at([1.5, 3.0], numbers=[1, 2]))
    assert list(found.delays[:, 0]) == [0.5, 0.25]


def test_fields_for_other_entries_do_not_fit():
    state = new_state(**fields_of('{of: a, latency: 1.0}'))
    assert not renew(state, fields_of('{of: a, latency: 2.0}', '{of: a, drop: 0.1}'))
    assert not renew(state, fields_of(*['{of: a, latency: 1.0}'] * 17))
    assert not renew(state, fields_of(f'{{of: a, latency: {{empirical: {[1.0] * 17}}}}}'))
    assert send_in_python(state, transits_at([1.0])).delays[0, 0] == 1.0


def test_fields_for_other_topics_do_not_fit():
    state = new_state(**fields_of('{of: a, latency: 1.0}'))
    assert not renew(state, fields_of('{of: a, latency: 1.0}', first=1))


def test_topics_that_stay_remember_their_messages():
    state = new_state(**fields_of('{of: a, latency: 1.0, until: 2.0}', topics=2))
    for k in range(2):
        send_in_python(state, transits_at([1.9 - 0.5 * k], pipe=k))
    fields = fields_of('{of: a, latency: 1.0, until: 2.0}', topics=2, first=1)
    remember(fields, state)
    state = new_state(**fields)
    due = [2.0 + send_in_python(state, transits_at([2.0], pipe=k)).delays[0, 0] for k in range(2)]
    assert due == pytest.approx([2.4, 2.0])


def test_timelines_of_similar_length_share_compiled_code():
    few, more = (new_state(**fields_of(*['{of: a, latency: 1}'] * n)) for n in (1, 16))
    assert few.dtype == more.dtype
    assert few.dtype != new_state(**fields_of(*['{of: a, latency: 1}'] * 17)).dtype


def test_a_timeline_without_messages_has_rows_that_do_nothing():
    state = new_state(**transit_fields([], [], seed=0, stream=''))
    assert list(state.message_effects['entry']) == [-1] * 16
    assert send_in_python(state, transits_at([1.0])).copies[0] == 1
