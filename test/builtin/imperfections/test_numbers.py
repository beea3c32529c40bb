"""The faults of one number, in Python and compiled."""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np
import pytest

import mujoco_ros_py.engine.compiled.pipeline  # noqa: F401  (makes inlined functions known to numba)
from mujoco_ros_py.builtin.imperfections.number_rows import number_row
from mujoco_ros_py.builtin.imperfections.numbers import impaired, impaired_velocity
from mujoco_ros_py.plugins import new_state


@numba.njit
def series(row: Any, values: Any, times: Any) -> Any:
    """Returns the faulty number at each time."""
    found = np.empty(len(values))
    for k in range(len(values)):
        found[k] = impaired(row, values[k], times[k])
    return found


def state_of(**faults: Any) -> Any:
    """Returns the row of a state with these faults."""
    return new_state(rows=np.array([number_row(**faults)])).rows[0]


@pytest.mark.parametrize(
    ('faults', 'value', 'expected'),
    [
        ({}, 0.3, 0.3),
        ({'scale': 2.0}, 0.3, 0.6),
        ({'offset': 0.1}, 0.3, 0.4),
        ({'drift': 0.01, 'begin': 4.0}, 0.3, 0.36),
        ({'dead_zone': 0.31}, 0.3, 0.0),
        ({'dead_zone': 0.31}, -0.3, 0.0),
        ({'dead_zone': 0.3}, 0.3, 0.3),
        ({'quantise': 0.25}, 0.3, 0.25),
        ({'quantise': 0.25}, -0.4, -0.5),
        ({'scale': 2.0, 'offset': 0.1, 'drift': 0.01, 'quantise': 0.5}, 0.3, 1.0),
        ({'offset': -0.25, 'dead_zone': 0.1}, 0.3, 0.0),
        ({'active': False, 'offset': 1.0}, 0.3, 0.3),
        ({'begin': 10.1, 'offset': 1.0}, 0.3, 0.3),
        ({'end': 10.0, 'offset': 1.0}, 0.3, 0.3),
        ({'begin': 10.0, 'end': 10.1, 'offset': 1.0}, 0.3, 1.3),
    ],
)
def test_a_number_has_its_faults_at_10_s(faults, value, expected):
    assert impaired(state_of(**faults), value, 10.0) == pytest.approx(expected, abs=1e-12)


def test_a_number_that_sticks_keeps_its_first_value_until_the_end():
    row = state_of(begin=2.0, end=5.0, stick=True, offset=0.5)
    found = [impaired(row, float(time), float(time)) for time in range(8)]
    assert found == [0.0, 1.0, 2.5, 2.5, 2.5, 5.0, 6.0, 7.0]


def test_a_number_sticks_anew_when_the_time_starts_again():
    row = state_of(begin=2.0, stick=True)
    assert impaired(row, 7.0, 3.0) == 7.0
    assert impaired(row, 8.0, 0.0) == 8.0
    assert impaired(row, 9.0, 2.5) == 9.0


def test_a_stuck_number_is_rounded_after_the_value_was_held():
    row = state_of(stick=True, quantise=0.5)
    assert impaired(row, 0.7, 1.0) == 0.5
    assert row.held == 0.7


def test_an_encoder_scales_its_velocity_and_adds_its_drift():
    row = state_of(begin=1.0, scale=2.0, drift=0.1, offset=5.0, dead_zone=9.0, quantise=9.0)
    assert impaired_velocity(row, 3.0, 0.5) == 3.0
    assert impaired_velocity(row, 3.0, 1.5) == pytest.approx(6.1)
    assert impaired_velocity(state_of(stick=True, drift=1.0), 3.0, 1.0) == 0.0


@pytest.mark.parametrize(('time', 'expected'), [(2.0 - 1e-9, 1.0), (5.0 - 1e-9, 0.0)])
def test_a_time_slightly_below_a_limit_counts_as_equal(time, expected):
    assert impaired(state_of(begin=2.0, end=5.0, offset=1.0), 0.0, time) == expected


@pytest.mark.slow
def test_a_summed_time_slightly_below_the_begin_counts_as_equal():
    times = np.cumsum(np.full(100_000, 0.001))
    row = state_of(begin=90.0, end=95.0, offset=1.0)
    changed = np.flatnonzero(series(row, np.zeros(len(times)), times)) + 1
    assert (changed[0], changed[-1]) == (90_000, 94_999)


@pytest.mark.slow
def test_compiled_code_gives_the_numbers_of_python():
    generator = np.random.default_rng(1)
    values, times = generator.normal(size=50), np.arange(50) * 0.1
    for faults in (
        {'scale': 1.1, 'offset': 0.1, 'drift': 0.3, 'dead_zone': 0.2, 'quantise': 0.01},
        {'begin': 1.0, 'end': 4.0, 'stick': True, 'quantise': 0.01},
    ):
        compiled, python = state_of(**faults), state_of(**faults)
        expected = [impaired(python, *each) for each in zip(values, times, strict=True)]
        np.testing.assert_array_equal(series(compiled, values, times), expected)
        assert compiled == python


def test_a_number_that_is_not_finite_stays_so():
    assert math.isnan(impaired(state_of(quantise=0.1, dead_zone=1.0), math.nan, 0.0))
    assert impaired(state_of(quantise=0.1), math.inf, 0.0) == math.inf
