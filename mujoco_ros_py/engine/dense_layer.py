"""A layer of a network for compiled functions, in the vector registers of the processor."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any

import numpy as np

from .foreign.llvmlite_internals import has_avx512

LANES = 8 if has_avx512() else 4
"""Numbers in a vector; numbers of outputs must be a multiple of it."""
PANEL = 2 * LANES
"""Outputs whose weights lie together, so that they are read in one go; the last may be fewer."""


class Activation(IntEnum):
    """The function that is applied to each output."""

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
    """Rows of `target` = activation(rows of `source` @ weights + bias).

    All arrays are flat; `weights` is what `pack` made. Sums go from the first input to the last,
    beginning with the bias: they are the same for one row and for many.
    """
    end = inputs * outputs
    panels = np.split(weights[:end], range(PANEL * inputs, end, PANEL * inputs))
    matrix = np.hstack([panel.reshape(inputs, -1) for panel in panels])
    result = source[: rows * inputs].reshape(rows, inputs) @ matrix + weights[end : end + outputs]
    target[: rows * outputs] = np.ravel(_FUNCTIONS[Activation(activation)](result))


def pack(weight: Any, bias: Any, inputs: int) -> Any:
    """Weights (outputs, inputs) and biases (outputs) as `dense` takes them.

    With weights of 0 for outputs that fill a vector, and for inputs that do so in the layer
    before.
    """
    outputs = padded(len(bias))
    padding = (0, outputs - len(bias)), (0, inputs - weight.shape[1])
    matrix = np.pad(weight, padding).T
    panels = np.split(matrix, range(PANEL, outputs, PANEL), axis=1)
    return np.concatenate([*map(np.ravel, panels), np.pad(bias, padding[0])])


def padded(outputs: int) -> int:
    """So many outputs, and those that fill a vector."""
    return -(-outputs // LANES) * LANES
