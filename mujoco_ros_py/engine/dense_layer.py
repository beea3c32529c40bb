"""A dense layer of a neural network, for compiled functions."""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Any

import numpy as np

from .inlined import Inlined


class Activation(IntEnum):
    """The activation function of the outputs."""

    SOFTSIGN = 0
    TANH = 1
    RELU = 2
    ELU = 3
    NONE = 4


_SOFTSIGN, _TANH, _RELU, _ELU = range(4)


_WIDE = 8
"""The least number of outputs that are computed side by side; fewer are computed one by one."""


def pack(weight: Any, bias: Any) -> Any:
    """Returns weights (outputs, inputs) and biases (outputs,) as the flat array of `dense`.

    The weights of one input are adjacent in a wide layer, and those of one output in a narrow one.
    """
    return np.concatenate([np.ravel(weight.T if len(bias) >= _WIDE else weight), bias])


def _dense(
    weights: Any, source: Any, target: Any, rows: int, inputs: int, outputs: int, activation: int
) -> None:
    """Computes rows of `target` = activation(rows of `source` @ weights.T + bias).

    All arrays are flat: `source` has rows * inputs values, `target` rows * outputs, and `weights`
    is the result of `pack`. Results are the same for one row and for many.
    """
    if outputs < _WIDE:
        _narrow(weights, source, target, rows, inputs, outputs)
    else:
        for row in range(0, rows - 1, 2):
            _two_rows(weights, source[row * inputs :], target[row * outputs :], inputs, outputs)
        if rows % 2:
            last = rows - 1
            _one_row(weights, source[last * inputs :], target[last * outputs :], inputs, outputs)
    _activate(target[: rows * outputs], activation)


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


def _each_input(weights: Any, values: Any, results: Any, inputs: int, outputs: int) -> None:
    """Computes a row of a wide layer: adds eight inputs at a time to all outputs."""
    bias, eights = weights[inputs * outputs :], inputs // 8 * 8
    for k in range(outputs):
        results[k] = bias[k]
    for j in range(0, eights, 8):
        a, b = weights[j * outputs :], weights[(j + 1) * outputs :]
        c, d = weights[(j + 2) * outputs :], weights[(j + 3) * outputs :]
        e, f = weights[(j + 4) * outputs :], weights[(j + 5) * outputs :]
        g, h = weights[(j + 6) * outputs :], weights[(j + 7) * outputs :]
        p, q, r, s = values[j], values[j + 1], values[j + 2], values[j + 3]
        t, u, v, w = values[j + 4], values[j + 5], values[j + 6], values[j + 7]
        for k in range(outputs):
            total = results[k] + a[k] * p + b[k] * q + c[k] * r + d[k] * s
            results[k] = total + e[k] * t + f[k] * u + g[k] * v + h[k] * w
    for j in range(eights, inputs):
        a, p = weights[j * outputs :], values[j]
        for k in range(outputs):
            results[k] += a[k] * p


def _each_input_of_two(weights: Any, values: Any, results: Any, inputs: int, outputs: int) -> None:
    """Computes two rows of a wide layer: adds four inputs at a time to all outputs of both.

    Each weight is read once for both rows. The sums are those of `_each_input`, as they run from
    the bias over the first to the last input.
    """
    bias, fours = weights[inputs * outputs :], inputs // 4 * 4
    others, besides = values[inputs:], results[outputs:]
    for k in range(outputs):
        results[k] = besides[k] = bias[k]
    for j in range(0, fours, 4):
        a, b = weights[j * outputs :], weights[(j + 1) * outputs :]
        c, d = weights[(j + 2) * outputs :], weights[(j + 3) * outputs :]
        p, q, r, s = values[j], values[j + 1], values[j + 2], values[j + 3]
        t, u, v, w = others[j], others[j + 1], others[j + 2], others[j + 3]
        for k in range(outputs):
            results[k] = results[k] + a[k] * p + b[k] * q + c[k] * r + d[k] * s
            besides[k] = besides[k] + a[k] * t + b[k] * u + c[k] * v + d[k] * w
    for j in range(fours, inputs):
        a, p, t = weights[j * outputs :], values[j], others[j]
        for k in range(outputs):
            results[k] += a[k] * p
            besides[k] += a[k] * t


def _activate_all(values: Any, activation: int) -> None:
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


# LLVM computes several outputs of a wide layer at once. It does so with parts of one sum in a
# narrow layer, where the order of the terms is free for that, and with activations, where
# divisions are not checked.
_narrow = Inlined(_each_output, fastmath={'reassoc', 'contract'})
_one_row = Inlined(_each_input, fastmath={'contract'})
_two_rows = Inlined(_each_input_of_two, fastmath={'contract'})
_activate = Inlined(_activate_all, error_model='numpy')
dense = Inlined(_dense)
