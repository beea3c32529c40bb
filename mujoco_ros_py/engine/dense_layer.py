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


def pack(weight: Any, bias: Any) -> Any:
    """Returns weights (outputs, inputs) and biases (outputs,) as the flat array of `dense`."""
    return np.concatenate([np.ravel(weight), bias])


def _dense(
    weights: Any, source: Any, target: Any, rows: int, inputs: int, outputs: int, activation: int
) -> None:
    """Computes rows of `target` = activation(rows of `source` @ weights.T + bias).

    All arrays are flat: `source` has rows * inputs values, `target` rows * outputs, and `weights`
    is the result of `pack`. Results are the same for one row and for many.
    """
    bias = weights[inputs * outputs :]
    for row in range(rows):
        values, results = source[row * inputs :], target[row * outputs :]
        fours = outputs // 4 * 4
        for k in range(0, fours, 4):  # four at once, as each value is loaded once for them
            a, b = weights[k * inputs :], weights[(k + 1) * inputs :]
            c, d = weights[(k + 2) * inputs :], weights[(k + 3) * inputs :]
            first = second = third = fourth = 0.0
            for j in range(inputs):
                value = values[j]
                first += a[j] * value
                second += b[j] * value
                third += c[j] * value
                fourth += d[j] * value
            results[k], results[k + 1] = bias[k] + first, bias[k + 1] + second
            results[k + 2], results[k + 3] = bias[k + 2] + third, bias[k + 3] + fourth
        for k in range(fours, outputs):
            a, first = weights[k * inputs :], 0.0
            for j in range(inputs):
                first += a[j] * values[j]
            results[k] = bias[k] + first
    _activate(target[: rows * outputs], activation)


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


# LLVM computes several numbers at once if sums may be in any order and divisions are not checked.
_activate = Inlined(_activate_all, error_model='numpy')
dense = Inlined(_dense, fastmath={'reassoc', 'contract'})
