"""Distributions of random delays: mean, variance, shape and independence."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from builtin.imperfections.sending import MESSAGES, send, sent, state_of, transits_at
from builtin.sensors.noise.chance import (
    CHANCE,
    check_correlation,
    check_distribution,
    check_mean,
    check_white,
    deviations,
)

pytestmark = pytest.mark.slow

MEASURED = (0.004, 0.005, 0.005, 0.009)
DISTRIBUTIONS = {
    'latency: {normal: {mean: 0.05, stddev: 0.01}}': (0.05, 0.01, 3.0),
    'latency: {uniform: [0.01, 0.03]}': (0.02, 0.02 / math.sqrt(12), 1.8),
    'latency: {gamma: {shape: 2.5, scale: 0.004, offset: 0.002}}': (
        0.012, math.sqrt(2.5) * 0.004, 3 + 6 / 2.5,
    ),
    'latency: {gamma: {shape: 1.0, scale: 0.004}}': (0.004, 0.004, 9.0),
    'latency: {gamma: {shape: 0.5, scale: 0.01}}': (0.005, math.sqrt(0.5) * 0.01, 15.0),
    f'latency: {{empirical: {list(MEASURED)}}}': (
        float(np.mean(MEASURED)),
        float(np.std(MEASURED)),
        float(np.mean((np.array(MEASURED) - np.mean(MEASURED)) ** 4) / np.var(MEASURED) ** 2),
    ),
    'jitter: 0.01': (0.005, 0.01 / math.sqrt(12), 1.8),
    'latency: 0.002, jitter: 0.01': (0.007, 0.01 / math.sqrt(12), 1.8),
}  # fmt: skip
"""The mean, the standard deviation and the kurtosis of delays."""


def delays_of(effects: str, **options: Any) -> Any:
    """Returns the delay of each message with these effects, which do not keep the order."""
    return sent(f'{{of: a, {effects}, keep_order: false}}', **options).delays[:, 0]


def ranks(values: Any) -> Any:
    """Returns normal numbers in the order of the values, for `check_correlation`."""
    order = np.argsort(np.argsort(values, kind='stable'), kind='stable')
    return (order + 0.5) / len(values)


@pytest.mark.parametrize('effects', DISTRIBUTIONS)
def test_delays_have_their_mean_and_their_variance(effects):
    mean, deviation, kurtosis = DISTRIBUTIONS[effects]
    delays = delays_of(effects)
    check_mean(delays, mean, deviation)
    spread = deviations() * math.sqrt((kurtosis - 1) / MESSAGES)
    assert np.mean((delays - mean) ** 2) / deviation**2 == pytest.approx(1, abs=spread)


@pytest.mark.parametrize('effects', DISTRIBUTIONS)
def test_delays_do_not_depend_on_the_delays_before(effects):
    delays = delays_of(effects)
    mean, deviation, _ = DISTRIBUTIONS[effects]
    for lag in range(1, 11):
        products = (delays[lag:] - mean) * (delays[:-lag] - mean)
        check_mean(products, 0.0, deviation**2)


def test_normal_delays_are_normal_and_white():
    delays = delays_of('latency: {normal: {mean: 0.05, stddev: 0.01}}')
    check_distribution(delays, 0.05, 0.01)
    check_white(delays)


def distance(values: Any, below: Any) -> float:
    """Returns the largest distance of an empirical distribution from another (Kolmogorov)."""
    known = np.array([below(value) for value in np.sort(values)])
    steps = np.arange(len(values) + 1) / len(values)
    return float(max(np.max(known - steps[:-1]), np.max(steps[1:] - known)))


@pytest.mark.parametrize(
    ('effects', 'below'),
    [
        ('latency: {uniform: [0.01, 0.03]}', lambda x: (x - 0.01) / 0.02),
        ('jitter: 0.01', lambda x: x / 0.01),
        ('latency: {gamma: {shape: 1.0, scale: 0.004}}', lambda x: 1 - math.exp(-x / 0.004)),
        (
            'latency: {gamma: {shape: 2.0, scale: 0.004}}',
            lambda x: 1 - (1 + x / 0.004) * math.exp(-x / 0.004),
        ),
        ('latency: {gamma: {shape: 0.5, scale: 0.01}}', lambda x: math.erf(math.sqrt(x / 0.01))),
    ],
)
def test_delays_have_the_shape_of_their_distribution(effects, below):
    bound = math.sqrt(math.log(2 / CHANCE) / 2 / MESSAGES)
    assert distance(delays_of(effects), below) < bound


def test_measured_delays_are_drawn_as_often_as_they_were_measured():
    delays = delays_of(f'latency: {{empirical: {list(MEASURED)}}}')
    for value in set(MEASURED):
        share = MEASURED.count(value) / len(MEASURED)
        check_mean(delays == value, share, math.sqrt(share * (1 - share)))
    assert set(delays) == set(MEASURED)


def test_negative_draws_are_no_delay():
    delays = delays_of('latency: {normal: {mean: 0.01, stddev: 0.01}}')
    below = 0.5 * math.erfc(1 / math.sqrt(2))
    assert np.min(delays) == 0.0
    check_mean(delays == 0.0, below, math.sqrt(below * (1 - below)))


def test_delays_of_several_entries_add_up():
    normal = '{of: a, latency: {normal: {mean: 0.05, stddev: 0.01}}, keep_order: false'
    gamma = '{of: a, latency: {gamma: {shape: 2.0, scale: 0.004}}, keep_order: false'
    one = sent(f'{normal}, name: one}}').delays[:, 0]
    other = sent(f'{gamma}, name: other}}').delays[:, 0]
    both = sent(f'{normal}, name: one}}', f'{gamma}, name: other}}').delays[:, 0]
    np.testing.assert_allclose(both, one + other, rtol=1e-12)
    check_correlation(ranks(one), ranks(other))


def test_topics_seeds_streams_and_entries_have_independent_delays():
    entry = (
        '{{of: a, name: {}, latency: {{normal: {{mean: 0.05, stddev: 0.01}}}}, keep_order: false}}'
    )
    state = state_of(entry.format('one'), pipes=2)
    times = np.arange(MESSAGES) * 0.001
    paths = [send(state, transits_at(times, pipe=k)).delays[:, 0] for k in range(2)]
    paths += [
        sent(entry.format('one'), seed=8).delays[:, 0],
        sent(entry.format('one'), stream='other').delays[:, 0],
        sent(entry.format('one'), topic='/other').delays[:, 0],
        sent(entry.format('other')).delays[:, 0],
    ]
    pairs = [(one, other) for k, one in enumerate(paths) for other in paths[:k]]
    for one, other in pairs:
        check_correlation(one, other, of=len(pairs))


@pytest.mark.parametrize(
    'effects',
    [
        'latency: {gamma: {shape: 0.5, scale: 0.004}}',
        'latency: {normal: {mean: 0.05, stddev: 0.01}}',
        'latency: {uniform: [0, 1]}',
        'jitter: 0.01',
    ],
)
def test_copies_have_independent_delays(effects):
    found = sent(f'{{of: a, duplicate: 1, {effects}, keep_order: false}}')
    assert np.all(found.copies == 2)
    check_correlation(ranks(found.delays[:, 0]), ranks(found.delays[:, 1]))


def test_latency_and_jitter_of_an_entry_are_independent():
    latency = delays_of('latency: {uniform: [0, 0.01]}')
    jitter = delays_of('latency: {uniform: [0, 0.01]}, jitter: 0.01') - latency
    check_correlation(ranks(latency), ranks(jitter))
