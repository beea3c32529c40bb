"""A dense layer of a neural network, for compiled functions."""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Any

import numpy as np

from .inlined import Inlined, inlined
from .stack_arrays import Numbers, copy_block, stack_array


class Activation(IntEnum):
    """The activation function of a layer."""

    SOFTSIGN = 0
    TANH = 1
    RELU = 2
    ELU = 3
    NONE = 4


_SOFTSIGN, _TANH, _RELU, _ELU = range(4)

PANEL = 32
"""The number of adjacent outputs whose sums are computed together.

LLVM keeps the sums of a panel in registers if it vectorises the loop over the panel before
unrolling it. With a shorter panel it would unroll the loop first, and a longer panel would need
too many registers.
"""
_TWO_PANELS = 64
_TOGETHER = 4
"""The number of inputs that `_panel_of_one` adds per iteration of the loop over a panel."""


def pack(weight: Any, bias: Any) -> Any:
    """Packs weights (outputs, inputs) and biases (outputs,) into a flat array for `dense`.

    In a layer narrower than a panel, the weights of each output are adjacent, and the biases
    follow at the end. Other layers are split into panels of outputs: each panel contains the
    biases of its outputs, followed, input by input, by their weights. If the last panel would be
    too short, it overlaps the panel before it.
    """
    outputs, inputs = weight.shape
    if outputs < PANEL:
        return np.concatenate([np.ravel(weight), bias])
    # `_panel_of_one` adds several inputs per iteration; weights of 0 fill up the last iteration.
    filler = np.zeros((outputs, -inputs % _TOGETHER))
    columns = np.column_stack([bias, weight, filler])
    # Outputs in the overlap of two panels are computed twice, with the same result. This is
    # cheaper than a panel of another width.
    starts = np.minimum(range(0, outputs, PANEL), outputs - PANEL)
    return np.concatenate([np.ravel(columns[start : start + PANEL].T) for start in starts])


@inlined
def dense(
    weights: Numbers,
    source: Numbers,
    target: Numbers,
    rows: int,
    inputs: int,
    outputs: int,
    activation: int,
) -> None:
    """Computes each row of `target` = activation(row of `source` @ weights.T + bias).

    All arrays are flat: `source` has rows * inputs values, `target` has rows * outputs values, and
    `weights` is the result of `pack`. The results do not depend on the number of rows.
    """
    if outputs < PANEL:
        _narrow(weights, source, target, rows, inputs, outputs)
        _activate(target[: rows * outputs], activation)
        return
    size = PANEL * (1 + (inputs + _TOGETHER - 1) // _TOGETHER * _TOGETHER)
    # Computes two rows at a time, so that each weight is read once for both.
    for row in range(0, rows, 2):
        values, results, at = source[row * inputs :], target[row * outputs :], 0
        for start in range(0, outputs, PANEL):
            panel, place = weights[at:], results[min(start, outputs - PANEL) :]
            if row + 1 < rows:
                _two_rows(panel, values, place, inputs, outputs)
            else:
                _one_row(panel, values, place, inputs)
            at += size
        _activate(results[: min(2, rows - row) * outputs], activation)


def _each_output(
    weights: Numbers, source: Numbers, target: Numbers, rows: int, inputs: int, outputs: int
) -> None:
    """Computes a layer that is narrower than a panel, one output after another."""
    bias = weights[inputs * outputs :]
    for row in range(rows):
        values = source[row * inputs :]
        for k in range(outputs):
            those, total = weights[k * inputs :], 0.0
            for j in range(inputs):
                total += those[j] * values[j]
            target[row * outputs + k] = total + bias[k]


def _panel_of_two(
    panel: Numbers, values: Numbers, results: Numbers, inputs: int, outputs: int
) -> None:
    """Computes the outputs of a panel for two rows, reading each weight only once."""
    others, sums = values[inputs:], stack_array(_TWO_PANELS)
    copy_block(panel, sums, PANEL)
    copy_block(panel, sums[PANEL:], PANEL)
    for j in range(inputs):
        those, p, q = panel[(j + 1) * PANEL :], values[j], others[j]
        for k in range(PANEL):
            sums[k] += those[k] * p
            sums[PANEL + k] += those[k] * q
    copy_block(sums, results, PANEL)
    copy_block(sums[PANEL:], results[outputs:], PANEL)


def _panel_of_one(panel: Numbers, values: Numbers, results: Numbers, inputs: int) -> None:
    """Computes the outputs of a panel for one row, with the same sums as for two rows."""
    sums = stack_array(PANEL)
    copy_block(panel, sums, PANEL)
    for j in range(0, inputs, _TOGETHER):
        a, b = panel[(j + 1) * PANEL :], panel[(j + 2) * PANEL :]
        c, d = panel[(j + 3) * PANEL :], panel[(j + 4) * PANEL :]
        p = values[j]
        # Inputs beyond the last one must not be read: their memory may belong to other data.
        q = values[j + 1] if j + 1 < inputs else 0.0
        r = values[j + 2] if j + 2 < inputs else 0.0
        s = values[j + 3] if j + 3 < inputs else 0.0
        for k in range(PANEL):
            sums[k] = sums[k] + a[k] * p + b[k] * q + c[k] * r + d[k] * s
    copy_block(sums, results, PANEL)


def _activate_all(values: Numbers, activation: int) -> None:
    if activation == _SOFTSIGN:
        for k in range(len(values)):
            values[k] = values[k] / (1.0 + abs(values[k]))
    elif activation == _TANH:
        for k in range(len(values)):
            values[k] = 1.0 - 2.0 / (math.exp(2.0 * values[k]) + 1.0)
    elif activation == _RELU:
        for k in range(len(values)):
            values[k] = 0.0 if values[k] < 0.0 else values[k]
    elif activation == _ELU:
        for k in range(len(values)):
            values[k] = values[k] if values[k] > 0.0 else math.expm1(values[k])


# LLVM may fuse products and sums, but must not reorder sums (`reassoc`): the results would depend
# on the vector width of the processor. It vectorises the activations only if numba does not check
# divisions for zero (`error_model`).
_narrow = Inlined(_each_output, fastmath={'contract'})
_two_rows = Inlined(_panel_of_two, fastmath={'contract'})
_one_row = Inlined(_panel_of_one, fastmath={'contract'})
_activate = Inlined(_activate_all, error_model='numpy')
