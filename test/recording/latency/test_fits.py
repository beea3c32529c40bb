"""Distributions of measured delays."""

from __future__ import annotations

import numpy as np
import pytest

from mujoco_ros_py.recording.latency.fits import DISTRIBUTIONS, fitted
from mujoco_ros_py.recording.latency.minimum import minimum
from mujoco_ros_py.recording.latency.onsets import Delays

NOISE = 0.0003


def measured(values, seed=1):
    values = values + np.random.default_rng(seed).normal(0.0, NOISE, len(values))
    return Delays(values=values, noise=NOISE, common=0.0001, least=0.0002)


def draw(name, number=400, seed=3):
    random = np.random.default_rng(seed)
    return {
        'constant': np.full(number, 0.012),
        'normal': random.normal(0.02, 0.004, number),
        'uniform': random.uniform(0.005, 0.02, number),
        'gamma': 0.004 + random.gamma(2.0, 0.004, number),
    }[name]


@pytest.mark.parametrize('name', ['constant', 'normal', 'uniform', 'gamma'])
def test_the_distribution_is_chosen_from_which_delays_are_drawn(name):
    assert fitted(measured(draw(name)), 'auto').name == name


def test_the_parameters_are_those_of_the_distribution_without_the_noise():
    assert fitted(measured(draw('constant')), 'auto').latency == pytest.approx(0.012, abs=1e-4)
    normal = fitted(measured(draw('normal')), 'auto').latency['normal']
    assert normal['mean'] == pytest.approx(0.02, abs=5e-4)
    assert normal['stddev'] == pytest.approx(0.004, rel=0.1)
    uniform = fitted(measured(draw('uniform')), 'auto').latency['uniform']
    assert uniform == pytest.approx([0.005, 0.02], abs=3e-4)
    gamma = fitted(measured(draw('gamma')), 'auto').latency['gamma']
    assert gamma['offset'] == pytest.approx(0.004, abs=5e-4)
    assert gamma['shape'] == pytest.approx(2.0, rel=0.25)
    mean = gamma['offset'] + gamma['shape'] * gamma['scale']
    assert mean == pytest.approx(0.012, abs=5e-4)


def test_delays_in_two_groups_stay_measured_delays():
    groups = np.concatenate([draw('constant', 150), draw('constant', 150) + 0.02])
    fit = fitted(measured(groups), 'auto')
    assert fit.name == 'empirical'
    assert len(fit.latency['empirical']) == 200
    assert np.mean(fit.latency['empirical']) == pytest.approx(0.022, abs=2e-4)
    assert np.std(fit.latency['empirical']) == pytest.approx(0.01, rel=0.02)


@pytest.mark.parametrize('name', [name for name in DISTRIBUTIONS if name != 'auto'])
def test_a_named_distribution_is_used_even_if_it_does_not_fit(name):
    groups = np.concatenate([draw('constant', 30), draw('constant', 30) + 0.02])
    fit = fitted(measured(groups), name)
    assert fit.name == name
    assert fit.rejected == (name in ('normal', 'uniform', 'gamma'))


def test_the_minimum_of_a_curved_valley_is_found():
    found = minimum(
        lambda x: (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2, np.array([-1.0, 1.0])
    )
    assert found == pytest.approx([1.0, 1.0], abs=0.01)
