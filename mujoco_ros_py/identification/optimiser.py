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


class _Objective:
    """The functions that `mujoco.sysid` calls, and the best coordinates that it has tried."""

    def __init__(
        self, problem: Problem, x: Array, least_gain: float, report: Callable[[Any], None]
    ) -> None:
        self.best = x
        self._lowest = np.inf
        self._linear: _Linear | None = None
        self._problem, self._least_gain, self._report = problem, least_gain, report

    def residual(self, at: Array, _: object) -> tuple[list[Array], list[Any], list[Any]]:
        """Returns the residual of each column of coordinates."""
        found = []
        for column in np.asarray(at).reshape(len(self.best), -1).T:
            if self._linear is not None and self._linear.gain(column) < self._least_gain:
                raise _EnoughError
            found.append(self._problem.residual(column))
            objective = float(found[-1] @ found[-1])
            if objective < self._lowest:
                self._lowest, self.best = objective, column.copy()
        return [np.column_stack(found)], [], []

    def jacobian(self, at: Array, residual: Array) -> Array:
        """Returns the derivatives of the residual at a point."""
        jacobian = self._problem.jacobian(at.ravel())
        self._linear = _Linear(at.ravel(), residual.ravel(), jacobian)
        return jacobian

    def iterated(self, log: list[Any]) -> None:
        """Reports an iteration, and ends the fit if it gained little."""
        self._report(log[-1])
        if len(log) > 1 and log[-2].objective - log[-1].objective < self._least_gain:
            raise _EnoughError


def solve(
    problem: Problem,
    x: Array,
    *,
    iterations: int,
    tolerance: float,
    least_gain: float,
    report: Callable[[Any], None],
) -> Array:
    """Returns the coordinates with the least squared residual, found by `mujoco.sysid`.

    The fit ends when a step is smaller than `tolerance`, or when it reduces the objective by less
    than `least_gain`, or promises to. `report` is called after each iteration with MuJoCo's log of
    it.
    """
    objective = _Objective(problem, x, least_gain, report)
    logging.getLogger('absl').setLevel(logging.ERROR)  # it warns of values near their bounds
    with suppress(_EnoughError):
        sysid.optimize(
            _unknowns(problem, x),
            objective.residual,
            optimizer='mujoco',
            verbose=False,
            jacobian=objective.jacobian,
            max_iters=iterations,
            xtol=tolerance,
            x_scale='jac',
            mu_min=_LEAST_DAMPING,
            mu_max=_MOST_DAMPING,
            mu_factor=_DAMPING_FACTOR,
            output=io.StringIO(),
            iter_callback=objective.iterated,
        )
    return objective.best


def _unknowns(problem: Problem, x: Array) -> Any:
    """Returns the coordinates as a parameter of `mujoco.sysid`."""
    low, high = problem.bounds()
    found = sysid.ParameterDict()
    found.add(sysid.Parameter('coordinates', np.clip(x, low, high), low, high))
    return found
