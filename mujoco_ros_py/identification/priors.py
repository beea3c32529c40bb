"""The weights of a residual, and its rows that hold parameters near known values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .parameter import Parameter
from .sequences import Array, Source


@dataclass(frozen=True, kw_only=True, slots=True)
class Weighing:
    """The weights of residuals."""

    signals: Mapping[Source, float]
    """The weight of each signal; the inverse of its noise makes residuals have a variance of 1."""
    rest: float
    """The weight of the initial values, which holds parameters that the data do not determine."""


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
