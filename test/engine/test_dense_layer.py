"""Layers of networks in compiled code, against the same in NumPy."""

from __future__ import annotations

import numba
import numpy as np
import pytest

import mujoco_ros_py.engine.compiled.build  # noqa: F401  (makes `dense` known to numba)
from mujoco_ros_py.engine.dense_layer import LANES, Activation, dense

pytestmark = pytest.mark.slow
NONE = int(Activation.NONE)


@numba.njit
def compiled(weights, source, target, rows, inputs, outputs, activation):
    dense(weights, source, target, rows, inputs, outputs, activation)


@pytest.mark.parametrize('rows', [1, 2, 3, 5, 6, 8, 10, 12])
@pytest.mark.parametrize('inputs', [1, 4, 7, 32])
@pytest.mark.parametrize('vectors', [1, 2, 3, 8, 9, 11])
def test_it_is_what_numpy_computes_and_touches_nothing_else(rows, inputs, vectors):
    outputs = vectors * LANES
    random = np.random.default_rng(0)
    weights, source = random.normal(size=(inputs + 1) * outputs), random.normal(size=rows * inputs)
    expected, result = (np.full(rows * outputs + 8, 7.0) for _ in range(2))
    dense(weights, source, expected, rows, inputs, outputs, NONE)
    compiled(weights, source, result, rows, inputs, outputs, NONE)
    assert result == pytest.approx(expected, rel=1e-13, abs=1e-13)
    assert (result[rows * outputs :] == 7.0).all()


@pytest.mark.parametrize('activation', Activation)
def test_the_activation_is_that_of_numpy_for_all_numbers(activation):
    outputs = 3 * LANES
    odd = [0.0, -0.0, 1e-30, 0.3, -0.3, 2.0, -2.0, 40.0, -40.0, np.inf, -np.inf, np.nan]
    numbers = np.resize(odd, outputs)
    weights = np.append(np.zeros(outputs), numbers)
    expected, result = np.zeros((2, 10 * outputs))
    source = np.ones(10)
    with np.errstate(invalid='ignore'):
        dense(weights, source, expected, 10, 1, outputs, activation)
    compiled(weights, source, result, 10, 1, outputs, int(activation))
    assert result == pytest.approx(expected, rel=1e-13, abs=1e-15, nan_ok=True)


@pytest.mark.parametrize('activation', Activation)
def test_a_row_is_the_same_alone_and_among_others(activation):
    rows, inputs, outputs = 13, 33, 11 * LANES
    random = np.random.default_rng(0)
    weights, source = random.normal(size=(inputs + 1) * outputs), random.normal(size=rows * inputs)
    together, alone = np.zeros(rows * outputs), np.zeros((rows, outputs))
    compiled(weights, source, together, rows, inputs, outputs, int(activation))
    for row in range(rows):
        there = source[row * inputs :]
        compiled(weights, there, alone[row], 1, inputs, outputs, int(activation))
    assert np.array_equal(together, alone.ravel())


def test_parts_of_larger_arrays_are_taken():
    random = np.random.default_rng(0)
    weights, source = random.normal(size=3 + 5 * 8), random.normal(size=(2, 10))
    expected, result = np.zeros((2, 12)), np.zeros((2, 12))
    dense(weights[3:], source[1, 2:], expected[1], 1, 4, 8, NONE)
    compiled(weights[3:], source[1, 2:], result[1], 1, 4, 8, NONE)
    assert result == pytest.approx(expected, rel=1e-13)
    assert result[1, :8].all()
