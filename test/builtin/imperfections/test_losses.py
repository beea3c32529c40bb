"""Losses, bursts, duplicates and repetitions of messages."""

from __future__ import annotations

import math
from itertools import groupby
from typing import Any

import numpy as np
import pytest
from builtin.imperfections.sending import (
    MESSAGES,
    PERIOD_S,
    send,
    send_in_python,
    sent,
    state_of,
    transits_at,
)
from builtin.sensors.noise.chance import check_correlation, check_mean, deviations

from mujoco_ros_py.builtin.imperfections import delays

BURSTS = [(0.01, 0.2), (0.3, 0.4), (0.9, 0.8), (0.5, 1.0), (1.0, 0.3), (1.0, 1.0), (0.001, 0.004)]
"""Probabilities of entering and leaving a burst."""


def burst(enter: float, leave: float) -> str:
    """Returns an entry with bursts of losses."""
    return f'{{of: a, drop: {{burst: {{enter: {enter}, leave: {leave}}}}}}}'


def lengths(lost: Any) -> Any:
    """Returns the lengths of complete bursts."""
    runs = [(bool(value), len(list(run))) for value, run in groupby(lost)]
    return np.array([length for value, length in runs[1:-1] if value])


@pytest.mark.slow
@pytest.mark.parametrize(('effect', 'rate'), [('drop', 0.05), ('duplicate', 0.3), ('stale', 0.01)])
def test_a_probability_is_the_share_of_messages(effect, rate):
    found = sent(f'{{of: a, {effect}: {rate}}}')
    hit = {
        'drop': found.copies == 0,
        'duplicate': found.copies == 2,
        'stale': found['again'] == 1,
    }
    deviation = math.sqrt(rate * (1 - rate))
    check_mean(hit[effect], rate, deviation)
    for lag in range(1, 6):
        products = (hit[effect][lag:] - rate) * (hit[effect][:-lag] - rate)
        check_mean(products, 0.0, deviation**2)
    for name, others in hit.items():
        assert name == effect or not others.any()


@pytest.mark.slow
@pytest.mark.parametrize(('enter', 'leave'), BURSTS)
def test_bursts_have_their_share_and_their_length(enter, leave):
    messages = 20 * MESSAGES
    lost = sent(burst(enter, leave), messages=messages).copies == 0
    share, memory = enter / (enter + leave), 1 - enter - leave
    # variance of the mean of a two-state Markov chain, whose correlation decays with `memory`
    variance = share * (1 - share) * (1 + memory) / (1 - memory)
    bound = deviations() * math.sqrt(variance / messages) + 1 / messages
    assert abs(np.mean(lost) - share) < bound
    check_mean(lengths(lost), 1 / leave, math.sqrt(1 - leave) / leave + 1e-9)
    check_mean(lengths(~lost), 1 / enter, math.sqrt(1 - enter) / enter + 1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(('enter', 'leave'), BURSTS)
def test_bursts_are_those_of_the_chain_from_message_to_message(enter, leave):
    state = state_of(burst(enter, leave))
    lost = send(state, transits_at(np.arange(2000) * PERIOD_S)).copies == 0
    key = state.message_effects[0].key
    drawn = [delays.uniform(key, number, 0, delays._BURST) for number in range(2000)]
    bad = drawn[0] < enter / (enter + leave)
    for number in range(2000):
        if number:
            bad = drawn[number] < (1 - leave if bad else enter)
        assert lost[number] == bad


@pytest.mark.slow
@pytest.mark.parametrize(('enter', 'leave'), BURSTS)
@pytest.mark.parametrize('seed', range(3))
def test_bursts_do_not_depend_on_which_messages_are_looked_at(enter, leave, seed):
    whole = sent(burst(enter, leave), messages=2000).copies
    generator = np.random.default_rng(seed)
    state = state_of(burst(enter, leave))
    for numbers in (
        np.sort(generator.choice(2000, 300, replace=False)),
        generator.integers(0, 2000, 300),
        np.arange(1990, 2000),
        np.arange(10),
    ):
        found = send(state, transits_at(np.full(len(numbers), 1.0), numbers=numbers)).copies
        np.testing.assert_array_equal(found, whole[numbers])


@pytest.mark.slow
@pytest.mark.parametrize(('enter', 'leave'), BURSTS)
def test_the_first_message_is_lost_as_often_as_any_other(enter, leave):
    state, share = state_of(burst(enter, leave)), enter / (enter + leave)
    row, lost = state.message_effects[0], np.zeros(MESSAGES)
    for key in range(MESSAGES):
        row.key, row.burst_number = key, -1
        lost[key] = send(state, transits_at([0.0])).copies[0] == 0
    check_mean(lost, share, math.sqrt(share * (1 - share)))


@pytest.mark.slow
def test_losses_of_several_entries_are_independent():
    one, other = '{of: a, drop: 0.3, name: one}', '{of: a, drop: 0.4, name: other}'
    lost = [sent(text).copies == 0 for text in (one, other)]
    check_correlation(*lost)
    np.testing.assert_array_equal(sent(one, other).copies == 0, lost[0] | lost[1])


@pytest.mark.slow
def test_losses_and_delays_of_an_entry_are_independent():
    """The delays of messages that are lost are those that they have without losses."""
    latency = 'latency: {uniform: [0, 1]}, keep_order: false'
    whole = sent(f'{{of: a, {latency}}}').delays[:, 0]
    lost = sent(f'{{of: a, drop: 0.5, {latency}}}').copies == 0
    check_correlation(whole, lost)


def test_a_disconnected_topic_loses_all_messages_in_its_time():
    state = state_of('{of: a, at: 0.003, until: 0.006, disconnect: true}')
    found = send_in_python(state, transits_at(np.arange(10) * PERIOD_S))
    assert list(found.copies) == [1, 1, 1, 0, 0, 0, 1, 1, 1, 1]


def test_an_inactive_entry_loses_nothing():
    state = state_of('{of: a, disconnect: true, active: false}')
    assert list(send_in_python(state, transits_at([0.0, 1.0])).copies) == [1, 1]


@pytest.mark.parametrize(
    ('stale', 'restamp'),
    [('1', 0), ('{probability: 1}', 0), ('{probability: 1, stamp: new}', 1)],
)
def test_a_stale_message_has_the_old_stamp_unless_it_is_new(stale, restamp):
    found = send_in_python(state_of(f'{{of: a, stale: {stale}}}'), transits_at([0.5]))
    assert (found['again'][0], found['restamp'][0], found['copies'][0]) == (1, restamp, 1)


def test_a_message_has_at_most_8_copies():
    state = state_of(*['{of: a, duplicate: 1, latency: 0.5}'] * 9)
    found = send_in_python(state, transits_at([0.5]))
    assert found.copies[0] == 8
    np.testing.assert_allclose(found.delays[0], 4.5)


def test_a_loss_wins_over_a_duplicate():
    state = state_of('{of: a, duplicate: 1}', '{of: a, drop: 1, stale: 1}')
    found = send_in_python(state, transits_at([0.5]))
    assert (found.copies[0], found['again'][0]) == (0, 0)
