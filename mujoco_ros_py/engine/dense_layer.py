"""A dense layer of a neural network for compiled functions, in the CPU's vector registers."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any

import numpy as np

from .foreign.llvmlite_internals import has_avx512

LANES = 8 if has_avx512() else 4
"""The number of float64 values in a vector; the number of outputs must be a multiple of it."""
PANEL = 2 * LANES
"""The number of outputs whose weights are adjacent, so that they are read at once; the last panel
may have fewer."""


class Activation(IntEnum):
    """The activation function of the outputs."""

    SOFTSIGN = 0
    TANH = 1
    RELU = 2
    ELU = 3
    NONE = 4


_FUNCTIONS: dict[Activation, Callable[[Any], Any]] = {
    Activation.SOFTSIGN: lambda x: x / (1 + abs(x)),
    Activation.TANH: np.tanh,
    Activation.RELU: lambda x: np.maximum(x, 0),
    Activation.ELU: lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))),
    Activation.NONE: lambda x: x,
}


def dense(
    weights: Any, source: Any, target: Any, rows: int, inputs: int, outputs: int, activation: int
) -> None:
    """Computes rows of `target` = activation(rows of `source` @ weights + bias).

    All arrays are flat: `source` has rows * inputs values, `target` rows * outputs, and `weights`
    is the result of `pack`. Sums run from the bias over the first to the last input, so that they
    are the same for one row and for many.
    """
    end = inputs * outputs
    panels = np.split(weights[:end], range(PANEL * inputs, end, PANEL * inputs))
    matrix = np.hstack([panel.reshape(inputs, -1) for panel in panels])
    result = source[: rows * inputs].reshape(rows, inputs) @ matrix + weights[end : end + outputs]
    target[: rows * outputs] = np.ravel(_FUNCTIONS[Activation(activation)](result))


def pack(weight: Any, bias: Any, inputs: int) -> Any:
    """Returns weights (outputs, inputs) and biases (outputs,) in the order that `dense` takes.

    Weights of 0 are added for outputs that fill a vector, and for the inputs that such outputs of
    the layer before become.
    """
    outputs = padded(len(bias))
    padding = (0, outputs - len(bias)), (0, inputs - weight.shape[1])
    matrix = np.pad(weight, padding).T
    panels = np.split(matrix, range(PANEL, outputs, PANEL), axis=1)
    return np.concatenate([*map(np.ravel, panels), np.pad(bias, padding[0])])


def padded(outputs: int) -> int:
    """Returns the number of outputs rounded up to whole vectors."""
    return -(-outputs // LANES) * LANES
