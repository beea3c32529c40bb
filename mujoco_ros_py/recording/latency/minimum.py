"""Finds the minimum of a function without derivatives."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .series import Array

_ROUNDS = 400
_NEAR = 1e-9
_SPREAD, _LEAST_SPREAD = 0.05, 1e-4


def minimum(cost: Callable[[Array], float], start: Array) -> Array:
    """Returns a minimum near `start`, by J. Nelder's and R. Mead's simplex method (1965)."""
    moves = np.diag(np.maximum(_SPREAD * np.abs(start), _LEAST_SPREAD))
    corners = np.vstack([start, start + moves])
    costs = np.array([cost(corner) for corner in corners])
    for _ in range(_ROUNDS):
        order = np.argsort(costs, kind='stable')
        corners, costs = corners[order], costs[order]
        if costs[-1] - costs[0] < _NEAR * (1.0 + abs(costs[0])):
            break
        middle = np.mean(corners[:-1], axis=0)
        factors: tuple[float, ...] = ()
        tried = 2.0 * middle - corners[-1]
        value = cost(tried)
        if value < costs[0]:
            factors = (2.0,)
        elif value >= costs[-2]:
            factors = (0.5, -0.5)
        for factor in factors:
            other = middle + factor * (middle - corners[-1])
            if (found := cost(other)) < value:
                tried, value = other, found
        if value < costs[-1]:
            corners[-1], costs[-1] = tried, value
        else:
            corners[1:] = (corners[1:] + corners[0]) / 2.0
            costs[1:] = [cost(corner) for corner in corners[1:]]
    best: Array = corners[int(np.argmin(costs))]
    return best
