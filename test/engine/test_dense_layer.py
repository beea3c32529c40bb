"""Compares layers of networks in compiled code with NumPy."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path
from platform import machine

import numba
import numpy as np
import pytest

import mujoco_ros_py.engine.compiled.build  # noqa: F401  (makes inlined functions known to numba)
from mujoco_ros_py.engine.dense_layer import Activation, dense, pack
from mujoco_ros_py.engine.foreign.llvmlite_internals import features
from mujoco_ros_py.engine.stack_arrays import copy_block, stack_array

pytestmark = pytest.mark.slow
FUNCTIONS = {
    Activation.SOFTSIGN: lambda x: x / (1 + abs(x)),
    Activation.TANH: np.tanh,
    Activation.RELU: lambda x: np.maximum(x, 0),
    Activation.ELU: lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))),
    Activation.NONE: lambda x: x,
}


@numba.njit
def compiled(weights, source, target, rows, inputs, outputs, activation):
    dense(weights, source, target, rows, inputs, outputs, activation)


def drawn(rows, inputs, outputs):
    """Returns the weight, the bias and the values of a layer."""
    random = np.random.default_rng(0)
    sizes = (outputs, inputs), outputs, (rows, inputs)
    return [random.normal(size=size) for size in sizes]


SIZES = [*itertools.product([1, 2, 7], [1, 4, 7, 33], [1, 3, 8, 31, 32, 33, 96])]


@pytest.mark.parametrize(
    ('function', 'sizes'),
    [
        (compiled, SIZES),
        (dense, [(1, 1, 1), (2, 4, 3), (7, 7, 8), (1, 4, 33), (2, 7, 31), (1, 7, 32), (2, 1, 96)]),
    ],
)
def test_it_is_what_numpy_computes_and_touches_nothing_else(function, sizes):
    for rows, inputs, outputs in sizes:
        assert_computes(function, rows, inputs, outputs)


def assert_computes(function, rows, inputs, outputs):
    weight, bias, source = drawn(rows, inputs, outputs)
    result = np.full(rows * outputs + 8, 7.0)
    packed = pack(weight, bias)
    function(packed, source.ravel(), result, rows, inputs, outputs, int(Activation.NONE))
    expected = np.ravel(source @ weight.T + bias)
    assert result[: rows * outputs] == pytest.approx(expected, rel=1e-12, abs=1e-12)
    assert (result[rows * outputs :] == 7.0).all()


@pytest.mark.parametrize('activation', Activation)
def test_the_activation_is_that_of_numpy_for_all_numbers(activation):
    odd = [0.0, -0.0, 1e-30, 0.3, -0.3, 2.0, -2.0, 40.0, -40.0, np.inf, -np.inf, np.nan]
    result, source = np.zeros((2, len(odd)))
    weights = pack(np.zeros((len(odd), 1)), odd)
    compiled(weights, source[:1], result, 1, 1, len(odd), int(activation))
    with np.errstate(invalid='ignore'):
        expected = FUNCTIONS[activation](np.array(odd))
    assert result == pytest.approx(expected, rel=1e-13, abs=1e-15, nan_ok=True)


@pytest.mark.parametrize('activation', Activation)
@pytest.mark.parametrize(
    ('rows', 'inputs', 'outputs'),
    [
        (13, 33, 88),
        (2, 6, 32),
        (7, 15, 9),
        (4, 47, 8),
        (5, 20, 7),
        (4, 47, 40),
        (3, 18, 33),
        (5, 20, 64),
    ],
)
def test_a_row_is_the_same_alone_and_among_others(activation, rows, inputs, outputs):
    weight, bias, source = drawn(rows, inputs, outputs)
    weights, together, alone = pack(weight, bias), *np.zeros((2, rows, outputs))
    compiled(weights, source.ravel(), together.ravel(), rows, inputs, outputs, int(activation))
    for row in range(rows):
        compiled(weights, source[row], alone[row], 1, inputs, outputs, int(activation))
    assert together.any()
    assert np.array_equal(together, alone)


def results():
    """Returns the bytes of some layers' results, in hexadecimal."""
    text = ''
    for outputs in 1, 12, 40:
        weight, bias, source = drawn(3, 37, outputs)
        result, kind = np.zeros(3 * outputs), int(Activation.SOFTSIGN)
        compiled(pack(weight, bias), source.ravel(), result, 3, 37, outputs, kind)
        text += result.tobytes().hex()
    return text


def test_results_do_not_depend_on_the_vectors_that_the_processor_prefers():
    """Most processors prefer longer vectors."""
    short = '+prefer-128-bit' if machine() == 'x86_64' else '-sve'
    environment = {**os.environ, 'NUMBA_CPU_FEATURES': f'{features()},{short}'}
    program, folder = 'from test_dense_layer import *; print(results())', Path(__file__).parent
    command = [sys.executable, '-c', program]
    told = subprocess.check_output(command, cwd=folder, env=environment, text=True)
    assert told.strip() == results()


@pytest.mark.parametrize('rows', [1, 2])
@pytest.mark.parametrize('outputs', [5, 40])
def test_parts_of_larger_arrays_are_taken(rows, outputs):
    weight, bias, source = drawn(rows, 4, outputs)
    size = rows * outputs
    weights, result = np.append([7.0] * 3, pack(weight, bias)), np.zeros(size + 3)
    values = np.append([7.0] * 2, source)
    compiled(weights[3:], values[2:], result[1:], rows, 4, outputs, int(Activation.NONE))
    expected = np.ravel(source @ weight.T + bias)
    assert result[1:-2] == pytest.approx(expected, rel=1e-12)
    assert not result[[0, -2, -1]].any()


def test_one_row_reads_nothing_behind_its_values():
    weight, bias, source = drawn(1, 5, 32)
    result, values = np.zeros(32), np.append(source, [np.nan] * 3)
    compiled(pack(weight, bias), values, result, 1, 5, 32, int(Activation.NONE))
    assert result == pytest.approx(source[0] @ weight.T + bias, rel=1e-12)


@numba.njit
def doubled(values):
    twice = stack_array(3)
    copy_block(values, twice, 3)
    for k in range(3):
        twice[k] *= 2
    copy_block(twice, values[1:], 3)


@pytest.mark.parametrize('function', [doubled, doubled.py_func])
def test_blocks_are_copied_to_and_from_the_stack(function):
    values = np.arange(1.0, 6.0)
    function(values)
    assert values.tolist() == [1, 2, 4, 6, 5]
