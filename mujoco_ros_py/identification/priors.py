"""The rows of a residual that hold parameters near known values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .parameter import Parameter
from .sequences import Array


def prior_residual(parameters: Sequence[Parameter], x: Array, rest: float) -> Array:
    """Returns a row for each prior of the user, then a weak one for each parameter.

    `x` are the coordinates, and `rest` is the weight of the distance from the initial values.
    """
    given = [
        (each.value(float(c)) - each.prior[0]) / each.prior[1]
        for each, c in zip(parameters, x, strict=True)
        if each.prior
    ]
    initial = np.array([each.coordinate(each.initial) for each in parameters])
    return np.concatenate([np.array(given), rest * (x - initial)])


def prior_jacobian(parameters: Sequence[Parameter], x: Array, rest: float) -> Array:
    """Returns the derivatives of `prior_residual`, one column for each coordinate."""
    given = [
        each.slope(each.value(float(x[place]))) / each.prior[1] * np.eye(1, len(x), place)[0]
        for place, each in enumerate(parameters)
        if each.prior
    ]
    return np.vstack([*given, rest * np.eye(len(x))])
