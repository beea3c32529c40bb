"""Minimises the residual of a problem by `mujoco.sysid`."""

from __future__ import annotations

import io
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from mujoco import sysid

from .problem import Problem
from .sequences import Array

_LEAST_DAMPING, _MOST_DAMPING, _DAMPING_FACTOR = 1e-7, 1e4, 10.0
"""The range of Levenberg and Marquardt's damping, relative to the information of a coordinate, and
the factor by which it grows."""


class _EnoughError(Exception):
    """Ends the optimiser, which has no criterion for the objective."""


@dataclass(frozen=True, slots=True)
class _Linear:
    """The residual near a point."""

    at: Array
    residual: Array
    jacobian: Array

    def gain(self, x: Array) -> float:
        """Returns the promised reduction of the objective between the point and another."""
        change = self.jacobian @ (x - self.at)
        return float(-change @ (self.residual + 0.5 * change))


def solve(
    problem: Problem,
    x: Array,
    *,
    tolerance: float,
    least_gain: float,
    iterations: int,
    report: Callable[[Any], None],
) -> Array:
    """Returns the coordinates with the least squared residual, found by `mujoco.sysid`.

    The fit ends when a step is smaller than `tolerance`, or when it reduces the objective by less
    than `least_gain`, or promises to. `report` is called after each iteration with MuJoCo's log of
    it.
    """
    best = np.inf, x
    linear: _Linear | None = None

    def residual(at: Array, _: object) -> tuple[list[Array], list[Any], list[Any]]:
        nonlocal best
        found = []
        for column in np.asarray(at).reshape(len(x), -1).T:
            if linear is not None and linear.gain(column) < least_gain:
                raise _EnoughError
            found.append(problem.residual(column))
            objective = float(found[-1] @ found[-1])
            if objective < best[0]:
                best = objective, column.copy()
        return [np.column_stack(found)], [], []

    def jacobian(at: Array, residual: Array) -> Array:
        nonlocal linear
        linear = _Linear(at.ravel(), residual.ravel(), problem.jacobian(at.ravel()))
        return linear.jacobian

    def iterated(log: list[Any]) -> None:
        report(log[-1])
        if len(log) > 1 and log[-2].objective - log[-1].objective < least_gain:
            raise _EnoughError

    logging.getLogger('absl').setLevel(logging.ERROR)  # it warns of values near their bounds
    with suppress(_EnoughError):
        sysid.optimize(
            _unknowns(problem, x),
            residual,
            optimizer='mujoco',
            verbose=False,
            jacobian=jacobian,
            max_iters=iterations,
            xtol=tolerance,
            x_scale='jac',
            mu_min=_LEAST_DAMPING,
            mu_max=_MOST_DAMPING,
            mu_factor=_DAMPING_FACTOR,
            output=io.StringIO(),
            iter_callback=iterated,
        )
    return best[1]


def _unknowns(problem: Problem, x: Array) -> Any:
    """Returns the coordinates as a parameter of `mujoco.sysid`."""
    low, high = problem.bounds()
    found = sysid.ParameterDict()
    found.add(sysid.Parameter('coordinates', np.clip(x, low, high), low, high))
    return found
