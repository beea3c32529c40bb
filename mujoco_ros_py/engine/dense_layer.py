"""A dense layer of a neural network, for compiled functions."""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Any

import numpy as np

from .foreign.llvmlite_internals import has_wide_vectors
from .inlined import Inlined, inlined
from .stack_arrays import copy_block, stack_array


class Activation(IntEnum):
    """The activation function of the outputs."""

    SOFTSIGN = 0
    TANH = 1
    RELU = 2
    ELU = 3
    SMALL_SOFTSIGN = 4
    """Softsign of numbers whose sizes are below SATURATED, or that are not a number."""
    NONE = 5


_SOFTSIGN, _TANH, _RELU, _ELU, _SMALL_SOFTSIGN = range(5)

PANEL = 32
"""The number of adjacent outputs whose sums are computed side by side.

LLVM keeps the sums of a panel in registers if it vectorises the loop over the panel before it
unrolls it. It unrolls shorter loops before, and those of longer panels need too many registers.
"""
_IS_WIDE = has_wide_vectors()
_MANY, _FEW = (6, 3) if _IS_WIDE else (2, 2)
"""The numbers of rows that are computed together; their sums of a panel fit into registers. On
processors with wide vectors this is so in functions that are compiled for them."""
_TOGETHER = 4
"""The number of inputs of a single row that are added in one round of the loop over a panel."""
SATURATED = 1e18
"""A number for which softsign is 1 as float64, and whose inverse is exact as float32."""


def pack(weight: Any, bias: Any) -> Any:
    """Returns weights (outputs, inputs) and biases (outputs,) as the flat array of `dense`.

    The weights of one output are adjacent in a layer that is narrower than a panel. The outputs of
    other layers are split into panels, in which the biases are adjacent, and the weights of one
    input. The last panel begins in the one before if it would be shorter.
    """
    outputs, inputs = weight.shape
    if outputs < PANEL:
        return np.concatenate([np.ravel(weight), bias])
    filler = np.zeros((outputs, -inputs % _TOGETHER))
    columns = np.column_stack([bias, weight, filler])
    starts = np.minimum(range(0, outputs, PANEL), outputs - PANEL)
    return np.concatenate([np.ravel(columns[start : start + PANEL].T) for start in starts])


@inlined
def dense(
    weights: Any, source: Any, target: Any, rows: int, inputs: int, outputs: int, activation: int
) -> None:
    """Computes rows of `target` = activation(rows of `source` @ weights.T + bias).

    All arrays are flat: `source` has rows * inputs values, `target` rows * outputs, and `weights`
    is the result of `pack`. Results are the same for one row and for many.
    """
    if outputs < PANEL:
        _narrow(weights, source, target, rows, inputs, outputs)
        _activate(target[: rows * outputs], activation)
        return
    size, row, first = PANEL * (1 + (inputs + _TOGETHER - 1) // _TOGETHER * _TOGETHER), 0, 0
    while row < rows:
        left = rows - row
        count = _MANY if left >= _MANY else _FEW if left >= _FEW else 1
        values, results, at = source[row * inputs :], target[row * outputs :], 0
        for start in range(0, outputs, PANEL):
            panel, place = weights[at:], results[min(start, outputs - PANEL) :]
            if count == _MANY:
                _many_rows(panel, values, place, inputs, outputs)
            elif count == _FEW:
                _few_rows(panel, values, place, inputs, outputs)
            else:
                _one_row(panel, values, place, inputs)
            at += size
        row += count
        if row == rows or not _IS_WIDE:  # divisions can go on beside the next sums
            _activate(target[first * outputs : row * outputs], activation)
            first = row


def _each_output(
    weights: Any, source: Any, target: Any, rows: int, inputs: int, outputs: int
) -> None:
    """Computes a narrow layer: one sum after the other, of which LLVM adds parts side by side."""
    bias = weights[inputs * outputs :]
    for row in range(rows):
        values = source[row * inputs :]
        for k in range(outputs):
            those, total = weights[k * inputs :], 0.0
            for j in range(inputs):
                total += those[j] * values[j]
            target[row * outputs + k] = total + bias[k]


def _panel_of(rows: int) -> Inlined[..., None]:
    """Returns a function that computes the outputs of a panel for this number of rows.

    It reads each weight once for all rows. LLVM unrolls the loops over the rows first.
    """
    size = rows * PANEL

    def compute(panel: Any, values: Any, results: Any, inputs: int, outputs: int) -> None:
        sums, factors = stack_array(size), stack_array(rows)
        for row in range(rows):
            copy_block(panel, sums[row * PANEL :], PANEL)
        for j in range(inputs):
            those = panel[(j + 1) * PANEL :]
            for row in range(rows):
                factors[row] = values[np.uint64(row * inputs + j)]  # no test of the sign
            for k in range(PANEL):
                for row in range(rows):
                    sums[row * PANEL + k] += those[k] * factors[row]
        for row in range(rows):
            copy_block(sums[row * PANEL :], results[row * outputs :], PANEL)

    return Inlined(compute, fastmath={'contract'})


def _panel_of_one(panel: Any, values: Any, results: Any, inputs: int) -> None:
    """Computes the outputs of a panel for one row: the same sums as for several rows."""
    sums = stack_array(PANEL)
    copy_block(panel, sums, PANEL)
    for j in range(0, inputs, _TOGETHER):
        a, b = panel[(j + 1) * PANEL :], panel[(j + 2) * PANEL :]
        c, d = panel[(j + 3) * PANEL :], panel[(j + 4) * PANEL :]
        p = values[j]
        q = values[j + 1] if j + 1 < inputs else 0.0
        r = values[j + 2] if j + 2 < inputs else 0.0
        s = values[j + 3] if j + 3 < inputs else 0.0
        for k in range(PANEL):
            sums[k] = sums[k] + a[k] * p + b[k] * q + c[k] * r + d[k] * s
    copy_block(sums, results, PANEL)


def _activate_all(values: Any, activation: int) -> None:
    if activation == _SOFTSIGN:
        for k in range(len(values)):
            values[k] = _softsign(values[k])
    elif activation == _SMALL_SOFTSIGN:
        for k in range(len(values)):
            values[k] = _small_softsign(values[k])
    elif activation == _TANH:
        for k in range(len(values)):
            values[k] = 1.0 - 2.0 / (math.exp(2.0 * values[k]) + 1.0)
    elif activation == _RELU:
        for k in range(len(values)):
            values[k] = 0.0 if values[k] < 0.0 else values[k]
    elif activation == _ELU:
        for k in range(len(values)):
            values[k] = values[k] if values[k] > 0.0 else math.expm1(values[k])


def _softsign_of(x: float) -> float:
    """Returns x / (1 + |x|)."""
    bounded = -SATURATED if x < -SATURATED else x
    bounded = SATURATED if bounded > SATURATED else bounded
    result: float = _small_softsign(bounded) + (x - x)  # not a number if x is infinite
    return result if _IS_WIDE else x / (1.0 + abs(x))


def _small_softsign_of(x: float) -> float:
    """Returns x / (1 + |x|) of numbers that float32 can have, too.

    A division of wide vectors takes as long as 32 of their products. Where they are used, the
    inverse of the divisor is computed as float32, and Halley's method makes its 24 bits three
    times as exact: inverse * (1 + error + error**2), where error = 1 - divisor * inverse.
    """
    divisor = 1.0 + abs(x)
    if not _IS_WIDE:
        return x / divisor
    inverse = np.float64(np.float32(1.0) / np.float32(divisor))
    error = 1.0 - divisor * inverse
    result: float = x * (inverse + inverse * (error + error * error))
    return result


# LLVM adds parts of one sum side by side in a narrow layer, where the order of the terms is free
# for that. It computes several activations at once where divisions are not checked.
_narrow = Inlined(_each_output, fastmath={'reassoc', 'contract'})
_many_rows, _few_rows = _panel_of(_MANY), _panel_of(_FEW)
_one_row = Inlined(_panel_of_one, fastmath={'contract'})
_small_softsign = Inlined(_small_softsign_of, error_model='numpy', fastmath={'contract'})
_softsign = Inlined(_softsign_of, error_model='numpy', fastmath={'contract'})
_activate = Inlined(_activate_all, error_model='numpy')
